"""Connections to a store file: opening them, lending them to readers, and translating their errors."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import uuid4

from sqlite_utils import Database

from service.eventstore.errors import NotAStore, StoreClosed, StoreDamaged, StoreError, StoreUnavailable
from service.eventstore.private_files import create_private_file

if TYPE_CHECKING:
    import sqlite3 as sqlite3
else:
    # The SQLite module that sqlite-utils chose: pysqlite3's if installed, else the system's.
    from sqlite_utils.utils import sqlite3

Outcome = TypeVar("Outcome")

BUSY_TIMEOUT_SECONDS: Final = 5.0
"""Seconds to wait for another program to release the file."""

MAX_IDLE_READERS: Final = 16
"""Idle reading connections that are kept open; more are opened when more threads read at the same time."""

PAGE_BYTES: Final = 1024
"""An event takes about half a page. An append of one event changes four pages, and each is written whole to
the write-ahead log: with the usual 4096 bytes nearly all of it would be old content."""

MARK_FOR_VACUUM: Final = "PRAGMA user_version = 1"
"""Marks, in the file and in the transaction, that something was erased and the file must be rewritten."""

_MEMORY_FOLDER: Final = Path(os.sep, ":memory:").resolve()
_WAL_LIMIT_BYTES: Final = 64 << 20
_FIRST_WAL: Final = (3, 7, 0)
_WAL_RESET_FIXED: Final = (3, 51, 3)

_FULL: Final = 13
_BUSY: Final = (5, 6)
_DAMAGED: Final = 11
_CONSTRAINT: Final = 19
_SCHEMA_ERRORS: Final = (1, 18, 20)
"""Error codes that our statements meet only in a damaged schema: an SQL error, a value too large, a wrong
type."""
_NO_TEXT: Final = "Could not decode to UTF-8"
"""The beginning of the Python module's message, which has no code, for a text in the file that is not
UTF-8."""
_NOT_A_DATABASE: Final = 26
_READ_ONLY: Final = 8
_CANNOT_OPEN: Final = 14


def has_wal_reset_bug(version: tuple[int, ...]) -> bool:
    """Whether this SQLite can lose acknowledged events when its write-ahead log restarts."""
    return _FIRST_WAL <= version < _WAL_RESET_FIXED


def new_memory_path() -> Path:
    """A name for a database of this process only; no file is ever created with it."""
    return _MEMORY_FOLDER / uuid4().hex


def is_in_memory(path: Path) -> bool:
    """Whether a path comes from `new_memory_path`."""
    return path.parent == _MEMORY_FOLDER


def open_memory_database(path: Path) -> sqlite3.Connection:
    """Open the in-memory database of that path; it exists as long as any connection is open."""
    return _connect(f"file:/{path.name}?vfs=memdb")


def _connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(
        uri, uri=True, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
    )


def open_write_connection(path: Path) -> Database:
    """Open the only connection that writes, for one thread at a time. A new file is private to its owner."""
    if is_in_memory(path):
        return Database(open_memory_database(path), execute_plugins=False)
    with suppress(OSError):
        create_private_file(path)
    connection = _connect(path.absolute().as_uri())
    connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")  # a file that has pages already keeps their size
    return Database(connection, execute_plugins=False)


def configure_durability(db: Database) -> str | None:
    """Set the journal so that a commit survives a power cut; returns a warning if that is slow, else None."""
    version = sqlite3.sqlite_version_info
    if has_wal_reset_bug(version):
        _set_journal(db, "delete")
        # EXTRA also syncs the directory in which the rollback journal was removed: otherwise a power cut can
        # bring the journal back, and it would undo what was acknowledged.
        db.execute("PRAGMA synchronous = EXTRA")
        return (
            f"SQLite {'.'.join(map(str, version))} can lose events in its write-ahead log, so the slower "
            f"rollback journal is used. Install pysqlite3, or SQLite 3.51.3 or later, for full speed."
        )
    _set_journal(db, "wal")
    db.execute("PRAGMA synchronous = FULL")
    db.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT_BYTES}")
    return None


def _set_journal(db: Database, mode: str) -> None:
    now = db.execute(f"PRAGMA journal_mode = {mode}").fetchone()[0]
    if now != mode:
        raise StoreUnavailable(
            f"SQLite keeps the journal of this store in mode {now}, but {mode} is needed. Put the store on "
            "a local disk, and close other programs that have it open."
        )


def require_own_process(owner_pid: int, path: Path) -> None:
    """Raise `StoreClosed` in a fork of the process that opened the store: using it there could damage the
    file."""
    if os.getpid() != owner_pid:
        raise StoreClosed(
            f"The store {path} was opened by process {owner_pid} and cannot be used in process "
            f"{os.getpid()}, which was forked from it. Open the store after the fork."
        )


class ReaderPool:
    """A pool of read-only connections, each lent to one thread at a time, for one short page."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mutex = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._closed = False
        self._pid = os.getpid()

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for the duration of a `with`. SQLite's errors are raised as `StoreError`."""
        try:
            connection = self._acquire()
            try:
                yield connection
            finally:
                self._release(connection)
        except sqlite3.Error as error:
            raise translate_error(error, self._path, "read") from error

    def run_read(self, query: Callable[[sqlite3.Connection], Outcome]) -> Outcome:
        """Run a query function with a connection."""
        with self.connection() as connection:
            return query(connection)

    def fetch_all(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with self.connection() as connection:
            return connection.execute(query, values).fetchall()

    def require_open(self) -> None:
        """Raise `StoreClosed` if the pool is closed or belongs to another process."""
        require_own_process(self._pid, self._path)
        if self._closed:
            raise StoreClosed(f"The store {self._path} is closed.")

    def close(self) -> None:
        """Close idle connections now, and lent ones when they are returned."""
        with self._mutex:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _acquire(self) -> sqlite3.Connection:
        with self._mutex:
            self.require_open()
            if self._idle:
                return self._idle.pop()
        if is_in_memory(self._path):
            return open_memory_database(self._path)
        return _connect(f"{self._path.absolute().as_uri()}?mode=ro")

    def _release(self, connection: sqlite3.Connection) -> None:
        with self._mutex:
            keep = not self._closed and len(self._idle) < MAX_IDLE_READERS
            if keep:
                self._idle.append(connection)
        if not keep:
            connection.close()


def vacuum_if_marked(connection: sqlite3.Connection) -> None:
    """Rewrite the file after an erasure: its free space may still contain the old contents.

    SQLite's own overwriting (secure_delete) does not reach the copies left when rows moved from page to page.
    The mark is in the file, so an interrupted rewrite resumes at the next opening.
    """
    if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
        return
    connection.execute("VACUUM")
    (is_blocked, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if not is_blocked:
        connection.execute("PRAGMA user_version = 0")


def copy_database(path: Path, target: Path) -> None:
    """Copy a database as of one moment; another process may be writing to it. Raises `StoreError`."""
    readers = ReaderPool(path)
    try:
        with readers.connection() as connection, closing(sqlite3.connect(str(target))) as copy:
            connection.backup(copy)
    finally:
        readers.close()


def translate_error(error: sqlite3.Error, path: Path, operation: str) -> StoreError:
    """The store error for a SQLite error; `operation` is "open", "read", "write" (an append) or "change" (any
    other write)."""
    code = int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
    if code == _NOT_A_DATABASE and operation == "open":
        return NotAStore(
            f"{path} is not a Spadille store. If it was one, its beginning is damaged: keep a copy of it "
            "and restore it from a backup. Otherwise choose another file, or a new name for a new store."
        )
    if code in (_DAMAGED, _NOT_A_DATABASE, *_SCHEMA_ERRORS) or str(error).startswith(_NO_TEXT):
        return StoreDamaged(
            f"The store {path} is damaged ({_redact_error(error)}). "
            f"Keep a copy of it as it is, and restore it from a backup."
        )
    if code == _CONSTRAINT:
        return StoreDamaged(
            f"The safeguards of the store {path} refused a change ({error}): its contents contradict "
            "themselves. Keep a copy of it as it is, and restore it from a backup."
        )
    return StoreUnavailable(
        f"{_describe_unavailability(error, code, path, operation)}{_UNKNOWN.get(operation, '')}"
    )


def _redact_error(error: sqlite3.Error) -> str:
    """The error's text, without the text that could not be decoded: it may be a card or a name."""
    message = str(error)
    return "a text in it is not UTF-8" if message.startswith(_NO_TEXT) else message


def _describe_unavailability(error: sqlite3.Error, code: int, path: Path, operation: str) -> str:
    if code == _FULL:
        return f"The disk that holds the store {path} is full. Free some space; the stored events are safe."
    if code in _BUSY:
        return f"The store {path} is locked by another program. Close that program and try again."
    if code in (_READ_ONLY, _CANNOT_OPEN):
        return (
            f"The store {path} cannot be {_PARTICIPLE[operation]} ({error}). Check that it exists, and "
            "that this user may use it and its directory."
        )
    return f"The store {path} could not be {_PARTICIPLE[operation]} ({error}). Check the disk that it is on."


_PARTICIPLE: Final = {"open": "opened", "read": "read", "write": "written", "change": "written"}
_UNKNOWN: Final = {
    "write": " This append was not acknowledged: send it again with the same ids.",
    "change": " This change was not stored: fix the cause and repeat it.",
}
