"""One writer for one file: a lock file next to the store. A second process gets a clear error."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from service.eventstore.errors import StoreInUse, StoreUnavailable
from service.eventstore.private_files import describe_access_error, open_private_file

_PID_WIDTH: Final = 20
_WINDOWS_LOCKED_BYTE: Final = 1 << 20
"""On Windows nobody else can read a locked byte, so the lock is on a byte far after the process id."""


class WriterLock:
    """The right to write to the store at `path`, held until `release` or the end of the process.

    The file `<path>.lock` holds the process id and is never removed: otherwise two processes could own one
    store. Raises `StoreInUse`, or `StoreUnavailable` if it cannot be created.
    """

    def __init__(self, path: Path) -> None:
        lock = path.with_name(path.name + ".lock")
        try:
            self._file: int | None = open_private_file(lock)
        except OSError as error:
            raise StoreUnavailable(
                f"The lock {lock} next to the store cannot be created: "
                f"{describe_access_error(error, lock)} Choose a directory that this user may write to."
            ) from error
        try:
            _lock(self._file)
        except OSError:
            owner = _read_pid(self._file)
            self.release()
            raise StoreInUse(str(path), owner) from None
        try:
            os.lseek(self._file, 0, os.SEEK_SET)
            # Fixed length: it overwrites what another process wrote, so nothing has to be truncated.
            os.write(self._file, str(os.getpid()).encode().ljust(_PID_WIDTH))
        except OSError as error:
            self.release()
            raise StoreUnavailable(
                f"The lock {lock} next to the store cannot be written: {error.strerror}. Check the disk "
                "that it is on, or free some space."
            ) from error

    def release(self) -> None:
        """Release the lock. Releasing twice is harmless."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _read_pid(file: int) -> int | None:
    os.lseek(file, 0, os.SEEK_SET)
    content = os.read(file, _PID_WIDTH).strip()
    return int(content) if content.isdigit() else None


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        os.lseek(file, _WINDOWS_LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
