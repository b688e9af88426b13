"""A store in memory, for tests and trials: SQLite's tables, gone when the process ends."""

from __future__ import annotations

from functools import cache

from sqlite_utils import Database

from service.eventstore.clock import utc_now
from service.eventstore.events import Clock, DiskUsage
from service.eventstore.ids import new_secret
from service.eventstore.sqlite import connections, migrations
from service.eventstore.sqlite.connections import sqlite3
from service.eventstore.sqlite.store import SqliteStore


class MemoryStore(SqliteStore):
    """A `SqliteStore` without a file."""

    def __init__(self, clock: Clock = utc_now) -> None:
        self._writer_lock = None
        self._secret = new_secret()
        path = connections.new_memory_path()
        connection = connections.open_memory_database(path)
        _empty_store().backup(connection)
        self._open(path, clock)
        connection.close()
        self.warning = "Events are stored in memory only: they are lost when the program stops."

    def read_secret(self) -> bytes:
        """See `EventReader.read_secret`. All stores in memory of one process share a secret."""
        self._readers.require_open()
        return self._secret

    def disk_usage(self) -> DiskUsage | None:
        """See `EventReader.disk_usage`."""
        self._readers.require_open()
        return None


@cache
def _empty_store() -> sqlite3.Connection:
    """A database with the tables of a store: copying it is much faster than running the migration steps."""
    db = Database(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False))
    migrations.migrate(db)
    return db.conn
