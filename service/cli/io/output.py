"""What a command writes: lines for people, JSON objects for programs."""

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, Final, Protocol

import click
import orjson

from schemas.wire.line_reader import iterate_chunks
from service.cli.io.inputs import STDIN_NAME, quote_file_name
from service.cli.io.safe_group import EX_IOERR, CommandFailed, print_to_stderr
from service.presentation.text.style import TextStyle

_ASCII_PUNCTUATION: Final = str.maketrans(
    {"“": '"', "”": '"', "’": "'", "»": '"', "«": '"', "—": "-", "–": "-", "−": "-", "…": "...", "·": "-"}
)
"""Typographic signs as ASCII, for where symbols cannot be written."""


OutputData = str | bytes
"""What is written at once: text for people, or bytes for programs; with its line ends."""


class ByteSink(Protocol):
    """Where bytes are written."""

    def write(self, data: bytes, /) -> int:
        """Writes them."""
        ...

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        ...


def print_lines(lines: Iterable[str], style: TextStyle) -> None:
    """Writes lines for people."""
    click.echo(format_lines(lines, style), nl=False)


def print_json_line(json_object: dict[str, Any]) -> None:
    """Writes an object for programs, on a line of its own."""
    click.echo(format_json_line(json_object), nl=False)


def format_lines(lines: Iterable[str], style: TextStyle) -> str:
    """Lines for people as they are written."""
    text = "\n".join(lines) + "\n"
    return text if style.symbols else text.translate(_ASCII_PUNCTUATION)


def format_json_line(json_object: dict[str, Any]) -> bytes:
    """An object for programs as it is written: a line of JSON."""
    return orjson.dumps(json_object, option=orjson.OPT_APPEND_NEWLINE)


def write_output(data: bytes, output_path: str | None, private: bool = False) -> None:
    """Writes a whole answer: into a file, which is there wholly or as it was, else to standard output.

    A ``private`` file can be read by nobody else.
    """
    with open_output(output_path, private) as out:
        out.write(data)


@contextmanager
def open_output(output_path: str | None, private: bool = False) -> Iterator[BinaryIO]:
    """Where an answer is written: a file, which is there wholly or as it was, else standard output.

    A ``private`` file can be read by nobody else. One that cannot be written ends the command.

    Raises:
        OSError: standard output is closed, or cannot be written.
    """
    if output_path is None or output_path == "-":
        if sys.stdout is None:
            raise OSError("it is closed")
        out = sys.stdout.buffer
        yield out
        out.flush()
        return
    try:
        if "\0" in output_path:
            raise OSError(errno.EINVAL, "it is not the name of a file")
        with _open_replacement(output_path, private) as file:
            yield file
    except OSError as error:
        reason = error.strerror or error
        raise CommandFailed(
            f"{quote_file_name(output_path)} cannot be written: {reason}.", EX_IOERR
        ) from None


@contextmanager
def _open_replacement(name: str, private: bool) -> Iterator[BinaryIO]:
    """A file that takes the place of what was there, or of what a link leads to. A device is written to."""
    if os.path.exists(name) and not os.path.isfile(name):
        with open(name, "wb") as file:
            yield file
        return
    name = os.path.realpath(name) if os.path.islink(name) else name
    handle, temporary_path = tempfile.mkstemp(dir=os.path.dirname(name) or ".", prefix=".spadille-")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        if not private:
            os.chmod(
                temporary_path,
                os.stat(name).st_mode & 0o777 if os.path.exists(name) else _default_file_mode(),
            )
        os.replace(temporary_path, name)
    except BaseException:
        os.unlink(temporary_path)
        raise


def _default_file_mode() -> int:
    """The rights that a new file has."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def is_input_file(output_path: str | None, inputs: Iterable[str]) -> bool:
    """Whether ``output_path`` is one of the files that are read: by its name, by another way to it, or by a
    link.

    Devices and pipes are never: what is written to them takes nothing away.
    """
    target = None if output_path is None or output_path == STDIN_NAME else _stat_if_exists(output_path)
    if target is None or not stat.S_ISREG(target.st_mode):
        return False
    return any(
        found is not None and os.path.samestat(found, target) for found in map(_stat_if_exists, inputs)
    )


def require_not_an_input(output_path: str | None, inputs: Iterable[str]) -> None:
    """Ends the command where it would write over one of the files that it reads."""
    if output_path is not None and is_input_file(output_path, inputs):
        name = quote_file_name(output_path)
        sentence = f"{name} is itself one of the files that are read; name another file with -o."
        raise CommandFailed(sentence)


def _stat_if_exists(name: str) -> os.stat_result | None:
    """What a name stands for on the disk; None where there is no such file."""
    try:
        if name == STDIN_NAME:
            return None if sys.stdin is None else os.fstat(sys.stdin.fileno())
        return os.stat(name)
    except (OSError, ValueError):
        return None


_CLEAR_LINE: Final = "\r\x1b[K"
"""Takes the bar off its line."""


class ProgressOutput:
    """An output that writes at once, to ``sink`` or standard output; and ``bar``, of the bytes read."""

    def __init__(self, bar: Any = None, sink: ByteSink | None = None) -> None:
        self._bar = bar
        self._sink = sink

    def write(self, data: OutputData) -> None:
        """Writes to the output."""
        if self._sink is None:
            click.echo(data, nl=False)
        else:
            self._sink.write(data if isinstance(data, bytes) else data.encode())

    def write_message(self, message: str) -> None:
        """Writes a message to standard error."""
        if self._bar is not None:
            click.echo(_CLEAR_LINE, err=True, nl=False)
        print_to_stderr(message)

    def track(self, stream: BinaryIO) -> BinaryIO | Iterable[bytes]:
        """The bytes of an input, which move the bar as they are read."""
        return stream if self._bar is None else self._tracked_chunks(stream)

    def _tracked_chunks(self, stream: BinaryIO) -> Iterator[bytes]:
        for chunk in iterate_chunks(stream):
            self._bar.update(len(chunk))
            yield chunk


@contextmanager
def open_progress_output(
    names: Sequence[str], is_enabled: bool, sink: ByteSink | None = None
) -> Iterator[ProgressOutput]:
    """A bar for the files of these names: on a terminal only, while the output goes elsewhere."""
    is_shown = is_enabled and sys.stderr is not None and sys.stderr.isatty()
    target = sink or sys.stdout
    if not is_shown or target is None or target.isatty() or not (total := _total_size(names)):
        yield ProgressOutput(None, sink)
        return
    with click.progressbar(length=total, file=sys.stderr, show_pos=False) as bar:
        yield ProgressOutput(bar, sink)


def _total_size(names: Sequence[str]) -> int:
    """How many bytes the files have; 0 where one of them is no file."""
    try:
        return sum(map(os.path.getsize, names)) if all(map(os.path.isfile, names)) else 0
    except OSError:
        return 0
