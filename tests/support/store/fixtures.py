"""Every kind of store, opened by a name and a directory, so that one contract can be held against all."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.eventstore import EventStore, MemoryStore, SqliteStore
from service.eventstore.postgres.store import PostgresStore
from service.eventstore.sqlite.connections import sqlite3
from tests.support.store.postgres_server import a_database

ROLLBACK = "sqlite with a rollback journal"
KINDS = ("memory", "sqlite", pytest.param(ROLLBACK, marks=pytest.mark.process), "postgresql")


@pytest.fixture
def sqlite_path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def empty_url() -> Iterator[str]:
    """The address of a database in which there is nothing, not even a store's tables."""
    with a_database() as url:
        yield url


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[PostgresStore]:
    """An empty store on PostgreSQL."""
    with PostgresStore(postgres_url) as opened:
        yield opened


@pytest.fixture(params=KINDS)
def open_store(
    request: pytest.FixtureRequest, sqlite_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], EventStore]:
    """Opens a store of one kind; to be called once."""
    if request.param == "memory":
        return MemoryStore
    if request.param == "postgresql":
        postgres_url: str = request.getfixturevalue("postgres_url")
        return lambda: PostgresStore(postgres_url)
    if request.param == ROLLBACK:
        # A version that has the WAL-reset bug: the store is to do without the write-ahead log.
        monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 40, 1))
    return lambda: SqliteStore(sqlite_path)


@pytest.fixture
def store(open_store: Callable[[], EventStore]) -> Iterator[EventStore]:
    with open_store() as opened:
        yield opened
