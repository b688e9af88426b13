"""How far a run has come: a bar on the terminal, beside an output that goes elsewhere."""

import os
import sys
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, BinaryIO, Final

import click

from schemas.wire.lines import chunks_of
from service.cli.io.output import Out, Written
from service.cli.io.safe_group import tell

_CLEARED: Final = "\r\x1b[K"
"""Takes the bar off its line."""


class Progress:
    """A voice that speaks at once; and a bar of the bytes that were read of ``total``, if there is one.

    It writes to ``out``, standard output if that is None.
    """

    def __init__(self, total: int | None = None, out: Out | None = None) -> None:
        self._out = out
        self._bar: Any = None
        if total:
            self._bar = click.progressbar(length=total, file=sys.stderr, show_pos=False)

    def __enter__(self) -> "Progress":
        if self._bar is not None:
            self._bar.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.__exit__(kind, error, trace)

    def write(self, written: Written) -> None:
        """Writes to the output."""
        if self._out is None:
            click.echo(written, nl=False)
        else:
            self._out.write(written if isinstance(written, bytes) else written.encode())

    def tell(self, sentence: str) -> None:
        """Says a sentence beside it."""
        if self._bar is not None:
            click.echo(_CLEARED, err=True, nl=False)
        tell(sentence)

    def watching(self, stream: BinaryIO) -> BinaryIO | Iterable[bytes]:
        """The bytes of an input, which move the bar as they are read."""
        return stream if self._bar is None else self._moving(stream)

    def _moving(self, stream: BinaryIO) -> Iterator[bytes]:
        for chunk in chunks_of(stream):
            self._bar.update(len(chunk))
            yield chunk


def progress_of(names: Iterable[str], wanted: bool, out: Out | None = None) -> Progress:
    """A bar for the files of these names: on a terminal only, while the output goes elsewhere."""
    shown = wanted and sys.stderr is not None and sys.stderr.isatty()
    written = out or sys.stdout
    if not shown or written is None or written.isatty():
        return Progress(None, out)
    return Progress(_size_of(names), out)


def _size_of(names: Iterable[str]) -> int | None:
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
