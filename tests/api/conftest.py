"""An application over an empty store, and a client of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.store import EventStore, MemoryStore, SqliteStore
from tests.api.clients import owner_of


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EventStore]:
    """An empty store, of each kind that there is."""
    made: EventStore = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "spadille.db")
    with made as opened:
        yield opened


@pytest.fixture
def client(store: EventStore) -> FlaskClient:
    """A client of an application over that store."""
    return owner_of(create_app(store))
