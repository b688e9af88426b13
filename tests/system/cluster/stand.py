"""Service nodes and clients on servers of which parts are going to fail, and what the clients were told."""

import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol

import psycopg

from service.eventstore import StoredEvent
from service.eventstore.postgres.store import PostgresReader
from tests.support.api.servers import free_port
from tests.support.waiting import until
from tests.system.cluster.layout import PASSWORD
from tests.system.faults.accounts import amiss
from tests.system.faults.clients import Recorders
from tests.system.faults.service import Service

DATABASE: Final = "cards"
OWNER: Final = "spadille"
SUPERUSER: Final = "postgres"
TIMEOUT_SECONDS: Final = 90.0
"""Seconds in which clients have to go on after a failure."""
GOING_ON: Final = 20
"""So many acknowledged events show that clients go on."""


class Servers(Protocol):
    """What a stand is on: servers that have one address, whichever of them takes writes."""

    def address(self, database: str, user: str) -> str: ...


class Stand:
    """A database on the servers, service nodes and clients on it, in ``folder``."""

    def __init__(self, folder: Path, servers: Servers, seed: int, nodes: int = 2) -> None:
        self.servers, self.seed, self.chance = servers, seed, random.Random(seed)
        self.address = servers.address(DATABASE, OWNER)
        self.services = [
            Service(folder / f"node-{number}", free_port(), self.address, folder / f"service-{number}.log")
            for number in range(nodes)
        ]
        self.clients = Recorders(folder)

    @contextmanager
    def running(self, clients: int) -> Iterator[None]:
        self.on_the_leader(f"CREATE ROLE {OWNER} LOGIN PASSWORD '{PASSWORD}'")
        self.on_the_leader(f"CREATE DATABASE {DATABASE} OWNER {OWNER} TEMPLATE template0")
        for service in self.services:
            service.have_token()
            service.start()
        try:
            with self.clients.recording(self.services, clients, self.seed):
                yield
        finally:
            for service in self.services:
                with suppress(ProcessLookupError):
                    service.kill()

    def go_on(self) -> None:
        """Wait until clients are answered again. Raises `AssertionError` where they are not."""
        enough = self.clients.count() + GOING_ON
        until(
            lambda: self.clients.count() >= enough or self.clients.ended(), "clients go on", TIMEOUT_SECONDS
        )

    def amiss(self) -> list[str]:
        """What was lost, doubled, left out or branched so far, and what ended a client."""
        with self.clients.standing_still():
            faults = amiss(self.clients.told(), self.stored())
        return faults + self.clients.ended()

    def stored(self) -> list[StoredEvent]:
        events: list[StoredEvent] = []
        with PostgresReader(self.address) as reader:
            while page := reader.read_all(events[-1].position if events else 0, 5000):
                events += page
        return events

    def on_the_leader(self, statement: str) -> None:
        with psycopg.connect(self.servers.address("postgres", SUPERUSER), autocommit=True) as connection:
            connection.execute(statement.encode())

    def drop_database(self) -> None:
        self.on_the_leader(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        self.on_the_leader(f"DROP ROLE IF EXISTS {OWNER}")
