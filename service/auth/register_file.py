"""The register's file: opened for its owner alone, held to a seal, and cleaned of what was forgotten.

The file is small and seldom written, so what all its rows come to is hashed at each change and looked at when
it is opened and before the next change: a role or a name in which a bit has turned is nobody's.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from service.eventstore.errors import StoreDamaged
from service.eventstore.private_files import create_private_file
from service.eventstore.sqlite.connections import BUSY_TIMEOUT_SECONDS, sqlite3

_CHECKSUM_QUERIES: Final = (
    "SELECT rowid, * FROM grants ORDER BY rowid",
    "SELECT rowid, * FROM sessions ORDER BY rowid",
    "SELECT * FROM session_grants ORDER BY session_id, grant_id",
    "SELECT rowid, * FROM members ORDER BY rowid",
)
MARK_FOR_VACUUM: Final = "PRAGMA user_version = 1"
"""Marks, in the transaction, that somebody was forgotten and the file is to be written anew."""
_CLEAR_VACUUM_MARK: Final = "PRAGMA user_version = 0"


def open_register_file(path: Path | None) -> Database:
    """A connection to the file, which is made where there is none; None keeps it in memory.

    Raises SQLite's errors, and `OSError` where the file cannot be made.
    """
    if path is not None:
        # Made for its owner alone before SQLite opens it: it says who belongs to the club.
        create_private_file(path)
    connection = sqlite3.connect(
        ":memory:" if path is None else str(path),
        timeout=BUSY_TIMEOUT_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    db = Database(connection, execute_plugins=False)
    db.execute("PRAGMA foreign_keys = ON")
    # Not one revocation is lost in a power cut; what is forgotten leaves no trace on a free page.
    db.execute("PRAGMA synchronous = EXTRA")
    db.execute("PRAGMA secure_delete = ON")
    return db


def update_register_checksum(db: Database) -> None:
    """Note what all rows come to, in the transaction that is open."""
    db.execute("UPDATE seals SET digest = ?", (_compute_checksum(db),))


def require_valid_checksum(db: Database, path: Path) -> None:
    """Raise `StoreDamaged` where the rows are not as they were written. Raises SQLite's errors."""
    row = db.execute("SELECT digest FROM seals").fetchone()
    if row is None or row[0] != _compute_checksum(db):
        raise StoreDamaged(
            f"The register {path} is damaged: what stands in it is not what was written. Keep a copy of it "
            f"as it is, and restore it from a backup; or move it away and begin a new one with spadille "
            f"tokens make owner."
        )


def require_valid_checksum_in_transaction(db: Database, path: Path) -> None:
    """As `require_valid_checksum`, at one moment, also while another program writes."""
    db.execute("BEGIN")
    try:
        require_valid_checksum(db, path)
    finally:
        db.execute("ROLLBACK")


def vacuum_if_marked(db: Database) -> None:
    """Write the file anew where somebody was forgotten: copies of his row may stand on its free space.

    Where that is hindered it is done when the register is next opened.
    """
    if db.execute("PRAGMA user_version").fetchone()[0]:
        with suppress(sqlite3.OperationalError):
            db.execute("VACUUM")
            db.execute(_CLEAR_VACUUM_MARK)


def _compute_checksum(db: Database) -> bytes:
    found = sha256()
    for query in _CHECKSUM_QUERIES:
        for row in db.execute(query):
            found.update(repr(row).encode())
    return found.digest()
