"""What a command writes: lines for people, JSON objects for programs."""

import errno
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final, Protocol, TypeVar

import click
import orjson

from service.cli.io.safe_group import UNWRITTEN, tell
from service.cli.io.terminal_text import file_name, printable
from service.presentation.text.style import Style

Command = TypeVar("Command", bound=Callable[..., Any])

_PLAIN: Final = str.maketrans(
    {"“": '"', "”": '"', "’": "'", "»": '"', "«": '"', "—": "-", "–": "-", "−": "-", "…": "...", "·": "-"}
)
"""Typographic signs as ASCII, for where symbols cannot be written."""


Written = str | bytes
"""What is written at once: text for people, or bytes for programs; with its line ends."""


class Out(Protocol):
    """Where bytes are written."""

    def write(self, data: bytes, /) -> int:
        """Writes them."""
        ...

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        ...


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


def into(command: Command) -> Command:
    """Into which file to write."""
    return click.option(
        "-o",
        "into",
        metavar="FILE",
        help="Write into this file.  [default: standard output]",
    )(command)


def write(ctx: click.Context, data: bytes, into: str | None, private: bool = False) -> None:
    """Writes a whole answer: into a file, which is there wholly or as it was, else to standard output.

    A ``private`` file can be read by nobody else.
    """
    with written_into(ctx, into, private) as out:
        out.write(data)


@contextmanager
def written_into(ctx: click.Context, into: str | None, private: bool = False) -> Iterator[BinaryIO]:
    """Where an answer is written: a file, which is there wholly or as it was, else standard output.

    A ``private`` file can be read by nobody else. One that cannot be written ends the command.

    Raises:
        OSError: standard output is closed, or cannot be written.
    """
    if into is None or into == "-":
        if sys.stdout is None:
            raise OSError("it is closed")
        out = sys.stdout.buffer
        yield out
        out.flush()
        return
    try:
        if "\0" in into:
            raise OSError(errno.EINVAL, "it is not the name of a file")
        with _replacing(into, private) as file:
            yield file
    except OSError as error:
        tell(f"“{printable(file_name(into))}” cannot be written: {error.strerror or error}.")
        ctx.exit(UNWRITTEN)


@contextmanager
def _replacing(name: str, private: bool) -> Iterator[BinaryIO]:
    """A file that takes the place of what was there, or of what a link leads to. A device is written to."""
    if os.path.exists(name) and not os.path.isfile(name):
        with open(name, "wb") as file:
            yield file
        return
    name = os.path.realpath(name) if os.path.islink(name) else name
    handle, beside = tempfile.mkstemp(dir=os.path.dirname(name) or ".", prefix=".spadille-")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        if not private:
            os.chmod(beside, os.stat(name).st_mode & 0o777 if os.path.exists(name) else _usual_mode())
        os.replace(beside, name)
    except BaseException:
        os.unlink(beside)
        raise


def _usual_mode() -> int:
    """The rights that a new file has."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
