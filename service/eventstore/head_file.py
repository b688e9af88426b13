"""A note beside the store of the last position that was acknowledged.

A write-ahead log that was cut off looks to SQLite like one that ends earlier. The note is not synced: it may
lag behind after a power cut, and is never ahead.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final
from zlib import crc32

from service.eventstore.errors import StoreDamaged
from service.eventstore.private_files import open_private_file

HEAD_FILE_SUFFIX: Final = ".head"
"""The note of ``spadille.db`` is ``spadille.db.head``."""
_LENGTH: Final = 30


class HeadFile:
    """The note beside the store at ``path``; `write` makes it where there is none."""

    def __init__(self, path: Path) -> None:
        self._store = path
        self._path = path.with_name(path.name + HEAD_FILE_SUFFIX)
        self._file: int | None = None
        self._written = 0

    def read(self) -> int:
        """The position that was noted; 0 where there is no note, or none that can be read."""
        try:
            with self._path.open("rb") as file:
                number, _, check = file.read(_LENGTH).strip().partition(b" ")
        except OSError:
            return 0
        return int(number) if number.isdigit() and check == b"%08x" % crc32(number) else 0

    def require_not_truncated(self, head: int, recorded_head: int) -> None:
        """Raise `StoreDamaged` where a store whose newest event is at ``head`` had come farther.

        ``recorded_head`` was read before ``head`` was.
        """
        if head < recorded_head:
            raise StoreDamaged(
                f"The store {self._store} ends at position {head}, and events up to {recorded_head} were "
                f"acknowledged: the file or its write-ahead log ({self._store.name}-wal) was cut off, "
                f"damaged or replaced. Keep a copy of both as they are, and restore the store from a backup. "
                f"If you put an older copy there on purpose, remove {self._path.name} beside it."
            )

    def write(self, position: int) -> None:
        """Note how far the store has come. A note that cannot be written is no reason to refuse an append."""
        if position <= self._written:
            return
        number = b"%020d" % position
        try:
            if self._file is None:
                self._file = open_private_file(self._path)
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, b"%s %08x\n" % (number, crc32(number)))
        except OSError:
            return
        self._written = position

    def remove(self) -> None:
        """Take the note away, as another store comes to its place."""
        self._path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file. Twice is harmless."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)
