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


def say(lines: Iterable[str], style: Style) -> None:
    """Writes lines for people."""
    text = "\n".join(lines)
    click.echo(text if style.symbols else text.translate(_PLAIN))


def emit(answer: dict[str, Any]) -> None:
    """Writes an object for programs, on a line of its own."""
    click.echo(orjson.dumps(answer))
