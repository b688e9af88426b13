"""Standard input that can be read a second time: what a run has read of it is kept until the run is over."""

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, Final, cast

from service.cli.io.inputs import standard_input

IN_MEMORY: Final = 16 * 1024 * 1024
"""So many bytes are kept in memory; of more, all is kept in a file without a name."""


@contextmanager
def kept_input() -> Iterator["KeptInput"]:
    """Standard input for as long as it may be read again."""
    with SpooledTemporaryFile(max_size=IN_MEMORY) as kept:
        yield KeptInput(kept)


class KeptInput:
    """Standard input; what is read of it is kept, so that ``again`` gives it once more."""

    def __init__(self, kept: Any) -> None:
        self._kept = kept

    def first(self) -> BinaryIO:
        """Standard input, for the first reading. Raises `OSError` where it is closed."""
        return cast(BinaryIO, _Keeping(standard_input(), self._kept))

    def again(self) -> BinaryIO:
        """What was read of it."""
        self._kept.seek(0)
        return cast(BinaryIO, self._kept)


class _Keeping:
    """A stream whose bytes are kept as they are read."""

    def __init__(self, stream: BinaryIO, kept: Any) -> None:
        self._read = getattr(stream, "read1", None) or stream.read
        self._kept = kept

    def read1(self, size: int = -1) -> bytes:
        """What is there of it, ``size`` bytes at most."""
        chunk: bytes = self._read(size)
        self._kept.write(chunk)
        return chunk
