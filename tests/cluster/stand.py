"""Service nodes and clients on servers of which parts are going to fail, and what the clients were told.

Clients append as pages do: where an answer is lost they send the same with the same ids again. What was
acknowledged is held to what the servers have (`tests.faults.accounts`). What a client meets that cannot be (a
deal that is gone, another version than he was told) ends him, and is told as amiss.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Generic, Protocol, TypeVar

import orjson
import psycopg

from service.eventstore import StoredEvent
from service.eventstore.postgres.store import PostgresReader
from service.transparency.keys import KEY_FILE
from tests.cluster.layout import PASSWORD
from tests.faults.accounts import amiss, lines_in
from tests.faults.service import COMMAND, ENVIRONMENT, Service
from tests.support.api.recording import OPENING
from tests.support.api.servers import TOKENS, free_port

DATABASE: Final = "cards"
OWNER: Final = "spadille"
SUPERUSER: Final = "postgres"
RECORDER: Final = (sys.executable, "-m", "tests.faults.recorder")
PATIENCE: Final = 90.0
"""Seconds in which clients have to go on after a failure."""
GOING_ON: Final = 20
"""So many acknowledged events show that clients go on."""


class Servers(Protocol):
    """What a stand is on: servers that have one address, whichever of them takes writes."""

    def address(self, database: str, user: str) -> str:
        """The address of all of them."""
        ...


Held = TypeVar("Held", bound=Servers)


class ServiceNode(Service):
    """A service on the servers; its complaints go to a file: there are many while nobody leads."""

    def __init__(self, data: Path, address: str, log: Path) -> None:
        super().__init__(data, free_port(), address=address)
        self._log = log
        # What signs is one file for all; whatever else a node keeps is its own.
        self._told = {"SPADILLE_STORE": address, "SPADILLE_KEY": str(data.with_name(KEY_FILE))}

    def begin(self) -> None:
        """Start it, and do not wait."""
        words = ("serve", "--data", str(self.data), "--port", str(self.port), "--no-browser")
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [*COMMAND, *words], env={**ENVIRONMENT, **self._told},
                stdout=log, stderr=log, text=True, start_new_session=True,
            )  # fmt: skip


class Stand(Generic[Held]):
    """A database on the servers, service nodes and clients on it, in ``folder``."""

    def __init__(self, folder: Path, cluster: Held, seed: int, nodes: int = 2) -> None:
        self.folder, self.cluster, self.chance = folder, cluster, random.Random(seed)
        self.address = cluster.address(DATABASE, OWNER)
        self.services = [
            ServiceNode(folder / f"node-{number}", self.address, folder / f"service-{number}.log")
            for number in range(1, nodes + 1)
        ]
        self.clients: dict[Path, subprocess.Popen[bytes]] = {}

    @contextmanager
    def running(self, clients: int, seed: int) -> Iterator[None]:
        """Everything runs, with so many clients."""
        make_database(self.cluster)
        for service in self.services:
            service.have_token()
            TOKENS[service.port] = service.token
            service.start()
        shared = str(uuid.uuid4())
        status, said = self.services[0].ask("POST", "/api/v1/deals", orjson.dumps({**OPENING, "id": shared}))
        assert status == 201, said
        try:
            for number in range(clients):
                self._record(self.services[number % len(self.services)], f"{seed}{number}", shared)
            yield
        finally:
            for client in self.clients.values():
                client.kill()
                client.wait()
            for service in self.services:
                with suppress(ProcessLookupError):
                    service.kill()

    def _record(self, service: Service, seed: str, shared: str) -> None:
        """Starts a client."""
        file = self.folder / f"client-{seed}.jsonl"
        command = [*RECORDER, str(service.port), str(file), seed, shared]
        environment = {**ENVIRONMENT, "SPADILLE_TOKEN": service.token}
        with said_by(file).open("wb") as said:
            self.clients[file] = subprocess.Popen(command, env=environment, stderr=said)

    def signal(self, which: signal.Signals) -> None:
        """Lets the clients stand still, or go on."""
        for client in self.clients.values():
            client.send_signal(which)

    def go_on(self) -> None:
        """Waits until clients are answered again. Raises `AssertionError` where they are not."""
        before = self.count()
        end = time.monotonic() + PATIENCE
        while self.count() < before + GOING_ON and any(one.poll() is None for one in self.clients.values()):
            assert time.monotonic() < end, f"clients did not go on within {PATIENCE:.0f} s"
            time.sleep(0.1)

    def amiss(self) -> list[str]:
        """What was lost, doubled, left out or branched so far, and what ended a client."""
        self.signal(signal.SIGSTOP)
        faults = amiss(lines_in(self.clients), self.stored())
        self.signal(signal.SIGCONT)
        ended = [file for file, client in self.clients.items() if client.poll() is not None]
        return faults + [f"ended: {said_by(file).read_text('utf-8').splitlines()[-1]}" for file in ended]

    def stored(self) -> list[StoredEvent]:
        """Every event that the servers have, by position."""
        events: list[StoredEvent] = []
        with PostgresReader(self.address) as reader:
            while page := reader.follow(events[-1].position if events else 0, 5000):
                events += page
        return events

    def count(self) -> int:
        """How many lines clients have written down as acknowledged."""
        return sum(file.read_bytes().count(b"\n") for file in self.clients if file.exists())

    def on_the_leader(self, statement: str, database: str = "postgres") -> None:
        """Runs a statement where writes are taken."""
        with psycopg.connect(self.cluster.address(database, SUPERUSER), autocommit=True) as connection:
            connection.execute(statement.encode())


def said_by(file: Path) -> Path:
    """Where a client says why he ended."""
    return file.with_suffix(".said")


def make_database(servers: Servers) -> None:
    """An empty database and its owner."""
    with psycopg.connect(servers.address("postgres", SUPERUSER), autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {OWNER} LOGIN PASSWORD '{PASSWORD}'".encode())
        connection.execute(f"CREATE DATABASE {DATABASE} OWNER {OWNER} TEMPLATE template0".encode())


def drop_database(servers: Servers) -> None:
    """No database any more, and no owner."""
    with psycopg.connect(servers.address("postgres", SUPERUSER), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)".encode())
        connection.execute(f"DROP ROLE IF EXISTS {OWNER}".encode())
