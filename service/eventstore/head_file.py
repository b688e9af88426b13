"""A file next to the store with the last acknowledged position.

To SQLite a truncated write-ahead log looks like one that ends earlier. The file is not synced: it may be out
of date after a power cut, but is never ahead.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final
from zlib import crc32

from service.eventstore.errors import StoreDamaged
from service.eventstore.private_files import open_private_file

HEAD_FILE_SUFFIX: Final = ".head"
"""The head file of ``spadille.db`` is ``spadille.db.head``."""
_LENGTH: Final = 30


class HeadFile:
    """The head file of the store at ``path``; `write` creates it if necessary."""

    def __init__(self, path: Path) -> None:
        self._store = path
        self._path = path.with_name(path.name + HEAD_FILE_SUFFIX)
        self._file: int | None = None
        self._written = 0

    def read(self) -> int:
        """The recorded position; 0 if there is no readable file."""
        try:
            with self._path.open("rb") as file:
                number, _, check = file.read(_LENGTH).strip().partition(b" ")
        except OSError:
            return 0
        return int(number) if number.isdigit() and check == b"%08x" % crc32(number) else 0

    def require_not_truncated(self, head: int, recorded_head: int) -> None:
        """Raise `StoreDamaged` if the store's newest event, at ``head``, is before the recorded position.

        ``recorded_head`` was read before ``head`` was.
        """
        if head < recorded_head:
            raise StoreDamaged(
                f"The store {self._store} ends at position {head}, but events up to {recorded_head} were "
                f"acknowledged: the file or its write-ahead log ({self._store.name}-wal) was cut off, "
                "damaged or replaced. Keep a copy of both as they are, and restore the store from a "
                f"backup. If you restored an older copy on purpose, remove {self._path.name} next to it."
            )

    def write(self, position: int) -> None:
        """Record the position. Best effort: an append is not refused because this file cannot be written."""
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
        """Delete the file, because another store replaces this one."""
        self._path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file. Closing twice is harmless."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)
