"""The tables of the register's file, and the numbered steps that made them what they are."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from service.auth.register_file import require_valid_checksum, update_register_checksum
from service.eventstore.errors import NotAStore
from service.eventstore.sqlite.migrations import apply_migrations, require_known_steps

REGISTER_APPLICATION_ID: Final = 0x53504143
"""The letters SPAC, by which the register is told from any other SQLite file."""

SQLITE_REGISTER_MIGRATIONS: Final = Migrations("spadille.access")


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
    # What is amiss is to be found, and not sealed anew.
    (_, _, path) = db.execute("PRAGMA database_list").fetchone()
    require_valid_checksum(db, Path(path))
    db.execute("ALTER TABLE grants ADD COLUMN title TEXT")
    update_register_checksum(db)


def migrate_register_file(
    db: Database, path: str, migrations: Migrations = SQLITE_REGISTER_MIGRATIONS
) -> None:
    """Bring an empty file or an older register to the present tables.

    Raises `NotAStore` for another program's file, `StoreTooNew` for one that a newer version made,
    `StoreDamaged`.
    """
    if db.execute("PRAGMA application_id").fetchone()[0] != REGISTER_APPLICATION_ID:
        if db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            raise NotAStore(f"{path} is no register of Spadille's. Move it away, or name another folder.")
        db.execute(f"PRAGMA application_id = {REGISTER_APPLICATION_ID}")
    require_known_steps(db, path, migrations)
    apply_migrations(migrations, db)
