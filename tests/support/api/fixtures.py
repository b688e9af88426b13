"""An application over an empty store, and a client of it."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.eventstore import EventStore, MemoryStore
from tests.support.api.clients import app_over, owner_of


@pytest.fixture
def store() -> Iterator[EventStore]:
    """An empty store. That every kind of store answers alike is tested in `tests/contract/store`."""
    with MemoryStore() as opened:
        yield opened


@pytest.fixture(scope="session")
def routes() -> Flask:
    """An application for all tests that need no settings of their own: to make its routes takes long."""
    return create_app()


@pytest.fixture
def app(routes: Flask, store: EventStore) -> Flask:
    return app_over(routes, store)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return owner_of(app)
