"""How far a run has come: a bar on the terminal, beside an output that goes elsewhere."""

import os
import sys
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, BinaryIO, Final

import click

from schemas.wire.line_reader import iterate_chunks
from service.cli.io.output import ByteSink, OutputData
from service.cli.io.safe_group import print_to_stderr

_CLEAR_LINE: Final = "\r\x1b[K"
"""Takes the bar off its line."""


class ProgressOutput:
    """An output that writes at once; and a bar of the bytes that were read of ``total``, if there is one.

    It writes to ``sink``, standard output if that is None.
    """

    def __init__(self, total: int | None = None, sink: ByteSink | None = None) -> None:
        self._sink = sink
        self._bar: Any = None
        if total:
            self._bar = click.progressbar(length=total, file=sys.stderr, show_pos=False)

    def __enter__(self) -> "ProgressOutput":
        if self._bar is not None:
            self._bar.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.__exit__(kind, error, trace)

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


def build_progress_output(
    names: Iterable[str], is_enabled: bool, sink: ByteSink | None = None
) -> ProgressOutput:
    """A bar for the files of these names: on a terminal only, while the output goes elsewhere."""
    is_shown = is_enabled and sys.stderr is not None and sys.stderr.isatty()
    target = sink or sys.stdout
    if not is_shown or target is None or target.isatty():
        return ProgressOutput(None, sink)
    return ProgressOutput(_total_size(names), sink)


def _total_size(names: Iterable[str]) -> int | None:
    """How many bytes the files have; None where one of them is no file."""
    total = 0
    for name in names:
        try:
            if not os.path.isfile(name):
                return None
            total += os.path.getsize(name)
        except (OSError, ValueError):
            return None
    return total
