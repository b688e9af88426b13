"""A register's rows in an SQLite file, or in memory.

The file is small and seldom written. So it uses a rollback journal (several programs may have it open), and a
checksum over all rows is stored with each change and compared when the file is opened and before the next
change: a role or a name in which a bit has flipped is not used.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from service.auth.repository import StatementExecutor
from service.eventstore.errors import NotAStore, StoreClosed, StoreDamaged, StoreUnavailable
from service.eventstore.private_files import create_private_file
from service.eventstore.sqlite.connections import (
    BUSY_TIMEOUT_SECONDS,
    MARK_FOR_VACUUM,
    require_own_process,
    sqlite3,
    translate_error,
    vacuum_if_marked,
)
from service.eventstore.sqlite.migrations import apply_migrations, require_known_steps

REGISTER_APPLICATION_ID: Final = 0x53504143
"""The letters SPAC, which tell a register from any other SQLite file."""
SQLITE_REGISTER_MIGRATIONS: Final = Migrations("spadille.access")
_CHECKSUM_QUERIES: Final = (
    "SELECT rowid, * FROM grants ORDER BY rowid",
    "SELECT rowid, * FROM sessions ORDER BY rowid",
    "SELECT * FROM session_grants ORDER BY session_id, grant_id",
    "SELECT rowid, * FROM members ORDER BY rowid",
)


class SqliteRepository:
    """Keeps the rows in the file at ``path``, creating it if needed; None keeps them in memory.

    Has one connection, for one thread at a time. Raises `NotAStore`, `StoreTooNew`, `StoreDamaged` or
    `StoreUnavailable` if the file cannot be used.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or Path("the register in memory")
        self._mutex = threading.RLock()
        self._pid = os.getpid()
        self._closed = False
        try:
            self._db = _open_file(path)
            migrate_register_file(self._db, str(self._path))
            self._db.execute("BEGIN")  # for one state of the file, also while another program writes
            try:
                require_valid_checksum(self._db, self._path)
            finally:
                self._db.execute("ROLLBACK")
            self._vacuum_if_marked()
        except sqlite3.Error as error:
            raise translate_error(error, self._path, "open") from error
        except OSError as error:
            raise StoreUnavailable(
                f"The register {self._path} cannot be created: {error.strerror}. Choose a folder that this "
                "user may write to."
            ) from error

    def select_rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """See `AccessRepository.select_rows`."""
        with self._mutex:
            self._require_open()
            try:
                return self._db.conn.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise translate_error(error, self._path, "read") from error

    @contextmanager
    def transaction(self, best_effort: bool = False, erases: bool = False) -> Iterator[StatementExecutor]:
        """See `AccessRepository.transaction`. Waiting for a file never takes long."""
        with self._mutex:
            self._require_open()
            if self._db.conn.in_transaction:
                yield self._db.execute
                return
            try:
                self._db.execute("BEGIN IMMEDIATE")
                require_valid_checksum(self._db, self._path)
                if erases:
                    self._db.execute(MARK_FOR_VACUUM)
                yield self._db.execute
                update_register_checksum(self._db)
                self._db.conn.commit()
            except sqlite3.Error as error:
                raise translate_error(error, self._path, "change") from error
            finally:
                if self._db.conn.in_transaction:
                    self._db.conn.rollback()
            if erases:
                self._vacuum_if_marked()

    def data_version(self) -> tuple[int, int]:
        """See `AccessRepository.data_version`."""
        with self._mutex:
            (version,) = self.select_rows("PRAGMA data_version")[0]
            return version, self._db.conn.total_changes

    def _vacuum_if_marked(self) -> None:
        """Rewrite the file. If another program prevents it, the next opening of the register does it."""
        with suppress(sqlite3.OperationalError):
            vacuum_if_marked(self._db.conn)

    def close(self) -> None:
        """See `AccessRepository.close`."""
        with self._mutex:
            self._closed = True
            self._db.conn.close()

    def _require_open(self) -> None:
        require_own_process(self._pid, self._path)
        if self._closed:
            raise StoreClosed(f"The register {self._path} is closed.")


def _open_file(path: Path | None) -> Database:
    if path is not None:
        create_private_file(path)  # before SQLite opens it: it names the members of the club
    connection = sqlite3.connect(
        ":memory:" if path is None else str(path),
        timeout=BUSY_TIMEOUT_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    db = Database(connection, execute_plugins=False)
    db.execute("PRAGMA foreign_keys = ON")
    # A power cut loses no revocation; erased data leaves no trace on a free page.
    db.execute("PRAGMA synchronous = EXTRA")
    db.execute("PRAGMA secure_delete = ON")
    return db


def update_register_checksum(db: Database) -> None:
    """Store the checksum over all rows, in the open transaction."""
    db.execute("UPDATE seals SET digest = ?", (_compute_checksum(db),))


def require_valid_checksum(db: Database, path: Path) -> None:
    """Raise `StoreDamaged` if the rows differ from the stored checksum, or SQLite's errors."""
    row = db.execute("SELECT digest FROM seals").fetchone()
    if row is None or row[0] != _compute_checksum(db):
        raise StoreDamaged(
            f"The register {path} is damaged: its contents are not what was written. Keep a copy of it as "
            "it is, and restore it from a backup. Or move it away and start a new one with spadille "
            "tokens make owner."
        )


def _compute_checksum(db: Database) -> bytes:
    found = sha256()
    for query in _CHECKSUM_QUERIES:
        for row in db.execute(query):
            found.update(repr(row).encode())
    return found.digest()


@SQLITE_REGISTER_MIGRATIONS(name="0001_grants_sessions_members")
def _grants_sessions_members(db: Database) -> None:
    for statement in (
        """
        CREATE TABLE grants (
            id TEXT PRIMARY KEY,
            token_digest BLOB UNIQUE CHECK (length(token_digest) = 32),
            role TEXT NOT NULL,
            scope TEXT NOT NULL CHECK (scope IN ('everything', 'table', 'deal')),
            scope_id TEXT CHECK ((scope = 'everything') = (scope_id IS NULL)),
            seat TEXT,
            person TEXT,
            label TEXT NOT NULL,
            expires_at TEXT,
            once INTEGER NOT NULL,
            public INTEGER NOT NULL,
            made_at TEXT NOT NULL,
            made_by TEXT REFERENCES grants,
            used_on TEXT,
            revoked_at TEXT,
            spent INTEGER NOT NULL DEFAULT 0
        ) STRICT""",
        "CREATE INDEX public_grants ON grants (public) WHERE public",
        """
        CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            secret_digest BLOB NOT NULL UNIQUE CHECK (length(secret_digest) = 32),
            made_at TEXT NOT NULL,
            expires_at TEXT NOT NULL,
            used_on TEXT
        ) STRICT""",
        """
        CREATE TABLE session_grants (
            session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
            grant_id TEXT NOT NULL REFERENCES grants,
            PRIMARY KEY (session_id, grant_id)
        ) STRICT, WITHOUT ROWID""",
        """
        CREATE TABLE members (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            short TEXT NOT NULL,
            joined TEXT,
            note TEXT NOT NULL,
            forgotten_at TEXT
        ) STRICT""",
    ):
        db.execute(statement)


@SQLITE_REGISTER_MIGRATIONS(name="0002_seal")
def _seal(db: Database) -> None:
    db.execute("CREATE TABLE seals (digest BLOB NOT NULL) STRICT")
    db.execute("INSERT INTO seals VALUES (x'')")
    update_register_checksum(db)


@SQLITE_REGISTER_MIGRATIONS(name="0003_titles")
def _titles(db: Database) -> None:
    # Damage must be found, not covered by a new checksum.
    (_, _, path) = db.execute("PRAGMA database_list").fetchone()
    require_valid_checksum(db, Path(path))
    db.execute("ALTER TABLE grants ADD COLUMN title TEXT")
    update_register_checksum(db)


def migrate_register_file(db: Database, path: str) -> None:
    """Bring an empty file or an older register to the current tables.

    Raises `NotAStore` for another program's file, `StoreTooNew` for a newer version's, `StoreDamaged`.
    """
    if db.execute("PRAGMA application_id").fetchone()[0] != REGISTER_APPLICATION_ID:
        if db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            raise NotAStore(f"{path} is not a register of Spadille. Move it away, or name another folder.")
        db.execute(f"PRAGMA application_id = {REGISTER_APPLICATION_ID}")
    require_known_steps(db, path, SQLITE_REGISTER_MIGRATIONS)
    apply_migrations(SQLITE_REGISTER_MIGRATIONS, db)
