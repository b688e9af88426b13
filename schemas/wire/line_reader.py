"""A stream of bytes as lines; a line that is too long is never held whole."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final

MAX_LINE_BYTES: Final = 1 << 20
"""The longest line in bytes; an event of the record is a few hundred."""
CHUNK_BYTES: Final = 1 << 16

RawLine = tuple[bytes | None, bool]
"""A line without its end (None: longer than ``MAX_LINE_BYTES``), and whether it had one."""


def iterate_lines(stream: BinaryIO | Iterable[bytes]) -> Iterator[RawLine]:
    """The lines of a binary file, or of bytes that come in pieces of any size."""
    pending = b""
    for chunk in iterate_chunks(stream):
        *lines, pending = (pending + chunk).split(b"\n")
        pending = pending[: MAX_LINE_BYTES + 1]
        for line in lines:
            yield (line if len(line) <= MAX_LINE_BYTES else None), True
    if pending:
        yield (pending if len(pending) <= MAX_LINE_BYTES else None), False


def iterate_chunks(stream: BinaryIO | Iterable[bytes]) -> Iterator[bytes]:
    """The bytes of a stream as they come."""
    # read1 returns what a pipe already holds, without waiting for a whole chunk.
    read = getattr(stream, "read1", None) or getattr(stream, "read", None)
    if read is None:
        yield from stream
        return
    while chunk := read(CHUNK_BYTES):
        yield chunk
