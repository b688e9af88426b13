"""The output of a command: lines for people, JSON objects for programs."""

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, Final

import click
import orjson

from schemas.wire.line_reader import iterate_chunks
from service.cli.io.inputs import STDIN_NAME, quote_file_name
from service.cli.io.safe_group import EX_IOERR, CommandFailed, print_to_stderr
from service.presentation.text.style import TextStyle

_ASCII_PUNCTUATION: Final = str.maketrans(
    {"“": '"', "”": '"', "’": "'", "»": '"', "«": '"', "—": "-", "–": "-", "−": "-", "…": "...", "·": "-"}
)
"""ASCII for typographic signs, where symbols cannot be written."""

OutputData = str | bytes
"""Text for people, or bytes for programs, with line ends."""


def print_lines(lines: Iterable[str], style: TextStyle) -> None:
    """Write lines for people."""
    click.echo(format_lines(lines, style), nl=False)


def print_json_line(json_object: dict[str, Any]) -> None:
    """Write an object for programs on a line of its own."""
    click.echo(format_json_line(json_object), nl=False)


def format_lines(lines: Iterable[str], style: TextStyle) -> str:
    """Lines for people as one text."""
    text = "\n".join(lines) + "\n"
    return text if style.symbols else text.translate(_ASCII_PUNCTUATION)


def format_json_line(json_object: dict[str, Any]) -> bytes:
    """An object for programs as a line of JSON."""
    return orjson.dumps(json_object, option=orjson.OPT_APPEND_NEWLINE)


def write_output(data: bytes, output_path: str | None, private: bool = False) -> None:
    """Write a whole answer as `open_output` does."""
    with open_output(output_path, private) as out:
        out.write(data)


@contextmanager
def open_output(output_path: str | None, private: bool = False) -> Iterator[BinaryIO]:
    """Open a file, which is replaced when all is written, or else standard output.

    Only the owner can read a ``private`` file. A file that cannot be written ends the command.

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
            raise OSError(errno.EINVAL, "it is not a valid file name")
        with _open_replacement(output_path, private) as file:
            yield file
    except OSError as error:
        reason = error.strerror or error
        message = f"{quote_file_name(output_path)} cannot be written: {reason}."
        raise CommandFailed(message, EX_IOERR) from None


@contextmanager
def _open_replacement(name: str, private: bool) -> Iterator[BinaryIO]:
    """A file that replaces the one of that name, or the target of a link. A device is written directly."""
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
            mode = os.stat(name).st_mode & 0o777 if os.path.exists(name) else _default_file_mode()
            os.chmod(temporary_path, mode)
        os.replace(temporary_path, name)
    except BaseException:
        os.unlink(temporary_path)
        raise


def _default_file_mode() -> int:
    """The permissions of a new file."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def is_input_file(output_path: str | None, inputs: Iterable[str]) -> bool:
    """Whether ``output_path`` is one of the files to be read, also by another path or a link.

    Devices and pipes are not: writing to them destroys nothing.
    """
    target = None if output_path is None or output_path == STDIN_NAME else _stat_if_exists(output_path)
    if target is None or not stat.S_ISREG(target.st_mode):
        return False
    return any(
        found is not None and os.path.samestat(found, target) for found in map(_stat_if_exists, inputs)
    )


def require_not_an_input(output_path: str | None, inputs: Iterable[str]) -> None:
    """End the command if it would overwrite one of its inputs."""
    if output_path is not None and is_input_file(output_path, inputs):
        raise CommandFailed(
            f"{quote_file_name(output_path)} is also an input file; name another file with -o."
        )


def _stat_if_exists(name: str) -> os.stat_result | None:
    try:
        if name == STDIN_NAME:
            return None if sys.stdin is None else os.fstat(sys.stdin.fileno())
        return os.stat(name)
    except (OSError, ValueError):
        return None


_CLEAR_LINE: Final = "\r\x1b[K"
"""Clears the line of the bar."""


class ProgressOutput:
    """Writes to ``sink`` or standard output, and moves ``bar`` by the bytes read."""

    def __init__(self, bar: Any = None, sink: BinaryIO | None = None) -> None:
        self._bar = bar
        self._sink = sink

    def write(self, data: OutputData) -> None:
        """Write to the output."""
        if self._sink is None:
            click.echo(data, nl=False)
        else:
            self._sink.write(data if isinstance(data, bytes) else data.encode())

    def write_message(self, message: str) -> None:
        """Write a message to standard error."""
        if self._bar is not None:
            click.echo(_CLEAR_LINE, err=True, nl=False)
        print_to_stderr(message)

    def track(self, stream: BinaryIO) -> BinaryIO | Iterable[bytes]:
        """The bytes of an input; they move the bar as they are read."""
        return stream if self._bar is None else self._tracked_chunks(stream)

    def _tracked_chunks(self, stream: BinaryIO) -> Iterator[bytes]:
        for chunk in iterate_chunks(stream):
            self._bar.update(len(chunk))
            yield chunk


@contextmanager
def open_progress_output(
    names: Sequence[str], is_enabled: bool, sink: BinaryIO | None = None
) -> Iterator[ProgressOutput]:
    """An output with a bar for these files, if standard error is a terminal and the output is not."""
    is_shown = is_enabled and sys.stderr is not None and sys.stderr.isatty()
    target = sink or sys.stdout
    if not is_shown or target is None or target.isatty() or not (total := _total_size(names)):
        yield ProgressOutput(None, sink)
        return
    with click.progressbar(length=total, file=sys.stderr, show_pos=False) as bar:
        yield ProgressOutput(bar, sink)


def _total_size(names: Sequence[str]) -> int:
    """The bytes of all files; 0 if one of them is not a file."""
    try:
        return sum(map(os.path.getsize, names)) if all(map(os.path.isfile, names)) else 0
    except OSError:
        return 0
