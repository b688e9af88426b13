"""The tables of a store file, and the steps that create them. A published step is never changed."""

from __future__ import annotations

from typing import Final

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from service.eventstore import erasure_log
from service.eventstore.append_plan import prepare_event
from service.eventstore.clock import utc_now
from service.eventstore.errors import NotAStore, StoreDamaged, StoreTooNew, StoreUnavailable
from service.eventstore.events import StoredEvent
from service.eventstore.ids import new_secret
from service.eventstore.merkle.leaves import compute_commitment, compute_event_leaf, new_salts
from service.eventstore.sqlite.connections import sqlite3
from service.eventstore.sqlite.merkle_tables import SqliteMerkleTables

APPLICATION_ID: Final = 0x53504144
"""The letters SPAD, which distinguish a store file from other SQLite files."""

MIGRATIONS: Final = Migrations("spadille.store")


@MIGRATIONS(name="0001_streams_and_events")
def _streams_and_events(db: Database) -> None:
    for statement in (
        """
        CREATE TABLE roots (
            root_key INTEGER PRIMARY KEY,
            root TEXT NOT NULL UNIQUE
        ) STRICT""",
        """
        CREATE TABLE streams (
            stream_key INTEGER PRIMARY KEY,
            stream TEXT NOT NULL UNIQUE,
            root_key INTEGER NOT NULL REFERENCES roots,
            kind TEXT NOT NULL
        ) STRICT""",
        "CREATE INDEX streams_by_root ON streams (root_key)",
        "CREATE INDEX streams_by_kind ON streams (kind)",
        # AUTOINCREMENT: a plain rowid can be reused, and a follower would miss the second event. An id is
        # unique within its root: the integer in front keeps a root's ids together on few pages, whereas an
        # index of random ids over all events would touch a page of its own for every event of a batch.
        """
        CREATE TABLE events (
            position INTEGER PRIMARY KEY AUTOINCREMENT CHECK (position > 0),
            root_key INTEGER NOT NULL REFERENCES roots,
            stream_key INTEGER NOT NULL REFERENCES streams,
            version INTEGER NOT NULL,
            event_id TEXT NOT NULL,
            stored_at TEXT NOT NULL,
            digest BLOB NOT NULL,
            body BLOB NOT NULL,
            UNIQUE (stream_key, version),
            UNIQUE (root_key, event_id)
        ) STRICT""",
        # A replacement on conflict deletes the row without firing the delete trigger, so this also checks the
        # place.
        """
        CREATE TRIGGER events_are_appended BEFORE INSERT ON events BEGIN
            SELECT RAISE(ABORT, 'an event takes the next version of its stream')
            WHERE NEW.version <> 1 + coalesce(
                (SELECT max(version) FROM events WHERE stream_key = NEW.stream_key), 0);
            SELECT RAISE(ABORT, 'an event belongs to the root of its stream')
            WHERE NEW.root_key IS NOT (SELECT root_key FROM streams WHERE stream_key = NEW.stream_key);
            SELECT RAISE(ABORT, 'an event takes the next position')
            WHERE NEW.position BETWEEN 0 AND (SELECT max(position) FROM events);
            SELECT RAISE(ABORT, 'an event id is used once within its root')
            WHERE EXISTS (SELECT 1 FROM events WHERE root_key = NEW.root_key AND event_id = NEW.event_id);
        END""",
        """
        CREATE TRIGGER streams_are_made_once BEFORE INSERT ON streams BEGIN
            SELECT RAISE(ABORT, 'a stream is made once')
            WHERE EXISTS (SELECT 1 FROM streams WHERE stream_key = NEW.stream_key OR stream = NEW.stream);
        END""",
        """
        CREATE TRIGGER roots_are_made_once BEFORE INSERT ON roots BEGIN
            SELECT RAISE(ABORT, 'a root is made once')
            WHERE EXISTS (SELECT 1 FROM roots WHERE root_key = NEW.root_key OR root = NEW.root);
        END""",
        *(
            f"CREATE TRIGGER {table}_refuse_{act} BEFORE {act} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} are only appended to'); END"
            for table in ("roots", "streams", "events")
            for act in ("update", "delete")
        ),
    ):
        db.execute(statement)


@MIGRATIONS(name="0002_salted_leaves")
def _salted_leaves(db: Database) -> None:
    for statement in (
        "DROP TRIGGER events_refuse_update",
        # No salt: the contents here were erased.
        "ALTER TABLE events ADD COLUMN salt BLOB CHECK (length(salt) = 16)",
        f"ALTER TABLE events ADD COLUMN leaf BLOB NOT NULL DEFAULT x'{'00' * 32}' CHECK (length(leaf) = 32)",
        """
        CREATE TABLE leaf_tiles (
            number INTEGER PRIMARY KEY,
            hashes BLOB NOT NULL CHECK (length(hashes) = 8192)
        ) STRICT""",
        """
        CREATE TABLE subtrees (
            level INTEGER NOT NULL,
            number INTEGER NOT NULL,
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            PRIMARY KEY (level, number)
        ) STRICT, WITHOUT ROWID""",
        """
        CREATE TABLE erasures (
            position INTEGER PRIMARY KEY REFERENCES events,
            commitment BLOB NOT NULL CHECK (length(commitment) = 32),
            erased_at TEXT NOT NULL
        ) STRICT""",
    ):
        db.execute(statement)
    _compute_missing_leaves(db.conn)
    for statement in (
        # An event's contents may be erased. Nothing else of it changes, least of all its leaf.
        """
        CREATE TRIGGER events_refuse_update BEFORE UPDATE ON events
        WHEN NOT (
            NEW.position = OLD.position AND NEW.root_key = OLD.root_key AND NEW.stream_key = OLD.stream_key
            AND NEW.version = OLD.version AND NEW.event_id = OLD.event_id AND NEW.stored_at = OLD.stored_at
            AND NEW.leaf = OLD.leaf AND NEW.salt IS NULL
            AND EXISTS (SELECT 1 FROM erasures WHERE position = OLD.position))
        BEGIN SELECT RAISE(ABORT, 'events are only appended to'); END""",
        _EVENTS_ARE_SEALED,
        *(
            f"CREATE TRIGGER {table}_are_made_once BEFORE INSERT ON {table} "
            f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same}) "
            f"BEGIN SELECT RAISE(ABORT, '{table} are made once'); END"
            for table, same in (
                ("leaf_tiles", "number = NEW.number"),
                ("subtrees", "level = NEW.level AND number = NEW.number"),
                ("erasures", "position = NEW.position"),
            )
        ),
        *(
            f"CREATE TRIGGER {table}_refuse_{act} BEFORE {act} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} are only appended to'); END"
            for table in ("leaf_tiles", "subtrees", "erasures")
            for act in ("update", "delete")
        ),
    ):
        db.execute(statement)


@MIGRATIONS(name="0003_a_secret_of_its_own")
def _a_secret_of_its_own(db: Database) -> None:
    db.execute(
        """
        CREATE TABLE secrets (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            secret BLOB NOT NULL CHECK (length(secret) = 32)
        ) STRICT"""
    )
    db.execute("INSERT INTO secrets VALUES (1, ?)", (new_secret(),))
    for act in ("update", "delete"):
        db.execute(
            f"CREATE TRIGGER secrets_refuse_{act} BEFORE {act} ON secrets "
            "BEGIN SELECT RAISE(ABORT, 'the secret of a store stays'); END"
        )


@MIGRATIONS(name="0004_erasures_are_recorded")
def _erasures_are_recorded(db: Database) -> None:
    rows = db.execute(_ERASED).fetchall()
    erased = [StoredEvent(*row) for row in rows]
    if not erased:
        return
    now = utc_now()
    db.execute("INSERT INTO roots (root) VALUES (?)", (erasure_log.ERASURE_STREAM,))
    db.execute(
        "INSERT INTO streams (stream, root_key, kind) SELECT root, root_key, ? FROM roots WHERE root = ?",
        (erasure_log.ERASURE_STREAM_KIND, erasure_log.ERASURE_STREAM),
    )
    for seq, event in enumerate(erasure_log.build_erasure_append(erased).events, 1):
        entry = prepare_event(erasure_log.ERASURE_STREAM, erasure_log.ERASURE_STREAM, event, seq, now)
        db.execute(_RECORDED, (erasure_log.ERASURE_STREAM, *entry))
    SqliteMerkleTables(db.conn).store_full_tiles()


@MIGRATIONS(name="0005_branches_are_found")
def _branches_are_found(db: Database) -> None:
    # The index covers only first events that branch off another record; few do.
    db.execute(
        "CREATE INDEX events_of_branches ON events (position) "
        "WHERE version = 1 AND instr(body, X'226272616e636822') > 0"
    )


@MIGRATIONS(name="0006_projections")
def _projections(db: Database) -> None:
    for statement in (
        _PROJECTIONS,
        """
        CREATE TABLE projected (
            name TEXT NOT NULL REFERENCES projections,
            root_key INTEGER NOT NULL REFERENCES roots,
            noted INTEGER NOT NULL,
            turn INTEGER NOT NULL DEFAULT 0,
            due INTEGER NOT NULL DEFAULT 1,
            place TEXT,
            body BLOB,
            PRIMARY KEY (name, root_key)
        ) STRICT""",
        "CREATE INDEX projected_by_place ON projected (name, place)",
        "CREATE INDEX projected_due ON projected (name, noted) WHERE due",
        "CREATE INDEX projected_unkept ON projected (name) WHERE body IS NULL",
        """
        CREATE TABLE projected_tags (
            name TEXT NOT NULL,
            tag TEXT NOT NULL,
            root_key INTEGER NOT NULL,
            PRIMARY KEY (name, tag, root_key)
        ) STRICT, WITHOUT ROWID""",
        "CREATE INDEX projected_tags_by_root ON projected_tags (root_key, name)",
        # An event changes only when it is erased; projections made from it are then deleted.
        """
        CREATE TRIGGER erased_is_not_kept AFTER UPDATE ON events BEGIN
            UPDATE projected SET body = NULL, due = 1, turn = turn + 1 WHERE root_key = NEW.root_key;
            DELETE FROM projected_tags WHERE root_key = NEW.root_key;
        END""",
        "CREATE INDEX projected_by_root ON projected (root_key)",
    ):
        db.execute(statement)


@MIGRATIONS(name="0007_projections_are_sealed")
def _projections_are_sealed(db: Database) -> None:
    db.execute(_PROJECTIONS_HAVE_A_SEAL)


@MIGRATIONS(name="0008_edited_steps_are_made_up_for")
def _edited_steps_are_made_up_for(db: Database) -> None:
    # Steps 0002 and 0006 were edited after stores had been created with them: those lack a trigger, and a
    # column in the middle of a table. The contents of that table derive from the events and are computed
    # again.
    if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'events_are_sealed'").fetchone():
        db.execute(_EVENTS_ARE_SEALED)
    if not db.execute("SELECT 1 FROM pragma_table_info('projections') WHERE name = 'former'").fetchone():
        for statement in (
            "DELETE FROM projected",
            "DELETE FROM projected_tags",
            "DROP TABLE projections",
            _PROJECTIONS,
            _PROJECTIONS_HAVE_A_SEAL,
        ):
            db.execute(statement)


_EVENTS_ARE_SEALED: Final = """
        CREATE TRIGGER events_are_sealed BEFORE INSERT ON events
        WHEN NEW.salt IS NULL OR NEW.leaf = zeroblob(32)
        BEGIN SELECT RAISE(ABORT, 'an event has a salt and a leaf hash'); END"""
# `maker` is the version of the program, as a number; columns after `position` are unused.
_PROJECTIONS: Final = """
        CREATE TABLE projections (
            name TEXT PRIMARY KEY,
            maker TEXT NOT NULL,
            position INTEGER NOT NULL DEFAULT 0,
            former TEXT NOT NULL DEFAULT '',
            holder TEXT,
            until REAL NOT NULL DEFAULT 0
        ) STRICT"""
_PROJECTIONS_HAVE_A_SEAL: Final = "ALTER TABLE projections ADD COLUMN seal TEXT NOT NULL DEFAULT ''"

_ERASED: Final = """
    SELECT e.position, r.root, s.stream, e.version, e.event_id, e.stored_at, e.body
    FROM events AS e CROSS JOIN streams AS s USING (stream_key)
    CROSS JOIN roots AS r ON r.root_key = s.root_key
    WHERE e.salt IS NULL ORDER BY e.position"""
_RECORDED: Final = """
    INSERT INTO events (stream_key, root_key, version, event_id, digest, stored_at, body, salt, leaf)
    SELECT s.stream_key, s.root_key, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM streams AS s WHERE s.stream = ?1"""


def _compute_missing_leaves(connection: sqlite3.Connection) -> None:
    """Add salts and leaves to the events of an older store, and tiles to the store."""
    last = 0
    while rows := connection.execute(_UNSEALED, (last,)).fetchall():
        sealed = []
        for salt, (position, root, stream, version, event_id, stored_at, body) in zip(
            new_salts(len(rows)), rows, strict=True
        ):
            leaf = compute_event_leaf(
                root, stream, version, event_id, stored_at, compute_commitment(salt, body)
            )
            sealed.append((salt, leaf, position))
        connection.executemany("UPDATE events SET salt = ?, leaf = ? WHERE position = ?", sealed)
        last = rows[-1][0]
    SqliteMerkleTables(connection).store_full_tiles()


_UNSEALED: Final = """
    SELECT e.position, r.root, s.stream, e.version, e.event_id, e.stored_at, e.body
    FROM events AS e CROSS JOIN streams AS s USING (stream_key)
    CROSS JOIN roots AS r ON r.root_key = s.root_key
    WHERE e.position > ? ORDER BY e.position LIMIT 5000"""


def require_store_or_empty(db: Database, path: str, migrations: Migrations = MIGRATIONS) -> bool:
    """Whether the file is a store; False for an empty file. Read-only.

    Raises `NotAStore` for another program's file, and as `require_known_steps` does.
    """
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        if db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            raise NotAStore(
                f"{path} is a database of another program, not a Spadille store. Choose another file."
            )
        return False
    require_known_steps(db, path, migrations)
    return True


def require_known_steps(db: Database, path: str, migrations: Migrations) -> None:
    """Raise `StoreTooNew` if a file has unknown steps, `StoreDamaged` if its list of steps is not
    readable."""
    # In an empty database every step is still due.
    known = {step.name for step in migrations.pending(Database(memory=True))}
    try:
        unknown = [step.name for step in migrations.applied(db) if step.name not in known]
    except (KeyError, UnicodeDecodeError) as error:  # a table that SQLite can read and sqlite-utils cannot
        raise StoreDamaged(
            f"The store {path} is damaged: its list of migrations cannot be read. Keep a copy of it as it "
            "is, and restore it from a backup."
        ) from error
    if unknown:
        raise StoreTooNew(path, unknown)


def migrate(db: Database, migrations: Migrations = MIGRATIONS) -> None:
    """Bring an empty file or an older store to the current schema; each step is atomic."""
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    apply_migrations(migrations, db)


def apply_migrations(migrations: Migrations, db: Database) -> None:
    """Apply the pending steps, even if creating the list of steps was interrupted before its index."""
    with db.atomic():
        migrations.ensure_migrations_table(db)
        db.table(migrations.migrations_table).create_index(
            ["migration_set", "name"], unique=True, if_not_exists=True
        )
    migrations.apply(db)


def require_current(db: Database, path: str, migrations: Migrations = MIGRATIONS) -> None:
    """Raise `StoreUnavailable` if the store has an older version: a reader cannot upgrade it."""
    if migrations.pending(db):
        raise StoreUnavailable(
            f"The store {path} was written by an older version of Spadille. "
            f"Start the service on it once: that brings it up to date."
        )
