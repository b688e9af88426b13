"""How far a run has come: a bar on the terminal, beside an output that goes elsewhere."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final

import click

from schemas.wire.line_reader import iterate_chunks
from service.cli.io.output import ByteSink, OutputData
from service.cli.io.safe_group import print_to_stderr

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
    names: Iterable[str], is_enabled: bool, sink: ByteSink | None = None
) -> Iterator[ProgressOutput]:
    """A bar for the files of these names: on a terminal only, while the output goes elsewhere."""
    is_shown = is_enabled and sys.stderr is not None and sys.stderr.isatty()
    target = sink or sys.stdout
    if not is_shown or target is None or target.isatty() or not (total := _total_size(names)):
        yield ProgressOutput(None, sink)
        return
    with click.progressbar(length=total, file=sys.stderr, show_pos=False) as bar:
        yield ProgressOutput(bar, sink)


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
