"""Standard input that can be read a second time: what a run has read of it is kept until the run is over."""

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, Final, cast

from service.cli.io.inputs import binary_stdin

MAX_MEMORY_BYTES: Final = 16 * 1024 * 1024
"""So many bytes are kept in memory; of more, all is kept in a file without a name."""


@contextmanager
def open_rereadable_stdin() -> Iterator["RereadableStdin"]:
    """Standard input for as long as it may be read again."""
    with SpooledTemporaryFile(max_size=MAX_MEMORY_BYTES) as spool:
        yield RereadableStdin(spool)


class RereadableStdin:
    """Standard input; what is read of it is kept, so that ``reopen`` gives it once more."""

    def __init__(self, spool: Any) -> None:
        self._spool = spool

    def open_first(self) -> BinaryIO:
        """Standard input, for the first reading. Raises `OSError` where it is closed."""
        stream = binary_stdin()
        self._read = getattr(stream, "read1", None) or stream.read
        return cast(BinaryIO, self)

    def read1(self, size: int = -1) -> bytes:
        """What is there of it, ``size`` bytes at most."""
        chunk: bytes = self._read(size)
        self._spool.write(chunk)
        return chunk

    def reopen(self) -> BinaryIO:
        """What was read of it."""
        self._spool.seek(0)
        return cast(BinaryIO, self._spool)
