"""What a command writes: lines for people, JSON objects for programs."""

from collections.abc import Iterable
from typing import Any, Final

import click
import orjson

from service.cli.style import Style

_PLAIN: Final = str.maketrans(
    {"“": '"', "”": '"', "’": "'", "»": '"', "«": '"', "—": "-", "–": "-", "−": "-", "…": "...", "·": "-"}
)
"""Typographic signs as ASCII, for where symbols cannot be written."""


Written = str | bytes
"""What is written at once: text for people, or bytes for programs; with its line ends."""


def say(lines: Iterable[str], style: Style) -> None:
    """Writes lines for people."""
    click.echo(text_of(lines, style), nl=False)


def emit(answer: dict[str, Any]) -> None:
    """Writes an object for programs, on a line of its own."""
    click.echo(line_of(answer), nl=False)


def text_of(lines: Iterable[str], style: Style) -> str:
    """Lines for people as they are written."""
    text = "\n".join(lines) + "\n"
    return text if style.symbols else text.translate(_PLAIN)


def line_of(answer: dict[str, Any]) -> bytes:
    """An object for programs as it is written: a line of JSON."""
    return orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE)
