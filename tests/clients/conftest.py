"""A service in process over each kind of store, and its owner."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from service.eventstore import EventStore
from tests.clients.client import Client
from tests.clients.house import House
from tests.clients.model import Holder


@pytest.fixture(params=["memory", "disk"])
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    """The service."""
    made = House(on_disk=request.param == "disk")
    yield made
    made.close()


@pytest.fixture
def store(house: House) -> EventStore:
    """What it keeps."""
    return house.store


@pytest.fixture
def owner(house: House) -> Client:
    """Its owner."""
    return Client(house.app, "the owner", Holder(), house.owner()[1])


@pytest.fixture
def client(owner: Client) -> FlaskClient:
    """The owner, as the tests of the API have a client."""
    return owner.http
