"""Parts of a cluster fail while clients record: nothing acknowledged is lost, doubled, left out or branched.

Two service nodes stand on the cluster, and clients append by both, as pages do: where an answer is lost they
send the same with the same ids again. After each failure everybody stands still, and what was acknowledged is
held to what the cluster has (`tests.faults.accounts`). What a client meets that cannot be (a deal that is
gone, another version than he was told) ends him, and is told as amiss.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import orjson
import psycopg

from service.evidence.keys import KEY_FILE
from service.store import StoredEvent
from service.store.postgres import PostgresReader
from tests.api.live import TOKENS, free_port
from tests.api.recording import OPENING
from tests.cluster.layout import PASSWORD, conninfo
from tests.cluster.nodes import Cluster
from tests.faults.accounts import amiss, lines_in
from tests.faults.service import COMMAND, ENVIRONMENT, Service

DATABASE: Final = "cards"
OWNER: Final = "spadille"
END_SESSIONS: Final = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{OWNER}'"
RECORDER: Final = (sys.executable, "-m", "tests.faults.recorder")
FULL_FOR: Final = 15.0
"""Seconds in which a disk is full."""
PATIENCE: Final = 90.0
"""Seconds in which clients have to go on after a failure."""


class Failed(NamedTuple):
    """What a run came to: by failure, how many events were acknowledged during it, and what was amiss."""

    failures: tuple[tuple[str, int], ...]
    acknowledged: int
    stored: int
    streams: int
    faults: tuple[str, ...]

    def __str__(self) -> str:
        kinds = ("lost", "doubled", "gap", "order", "changed", "ended")
        counts = ", ".join(f"{sum(one.startswith(kind) for one in self.faults)} {kind}" for kind in kinds)
        return (
            f"{len(self.failures)} failures, {self.acknowledged:,} events acknowledged in {self.streams:,} "
            f"records ({self.stored:,} stored): {counts}"
        )


class ServiceNode(Service):
    """A service on the cluster; its complaints go to a file: there are many while nobody leads."""

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


class Stand:
    """A cluster with a database, two service nodes and clients on it, in ``folder``."""

    def __init__(self, folder: Path, cluster: Cluster, seed: int) -> None:
        self.folder, self.cluster, self.chance = folder, cluster, random.Random(seed)
        self.address = conninfo(cluster.nodes, DATABASE, OWNER)
        self.services = [
            ServiceNode(folder / f"node-{number}", self.address, folder / f"service-{number}.log")
            for number in (1, 2)
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
                self._record(self.services[number % 2], f"{seed}{number}", shared)
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

    def amiss(self) -> list[str]:
        """What was lost, doubled, left out or branched so far, and what ended a client."""
        self.signal(signal.SIGSTOP)
        faults = amiss(lines_in(self.clients), self.stored())
        self.signal(signal.SIGCONT)
        ended = [file for file, client in self.clients.items() if client.poll() is not None]
        return faults + [f"ended: {said_by(file).read_text('utf-8').splitlines()[-1]}" for file in ended]

    def stored(self) -> list[StoredEvent]:
        """Every event that the cluster has, by position."""
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
        with psycopg.connect(conninfo(self.cluster.nodes, database), autocommit=True) as connection:
            connection.execute(statement.encode())


def said_by(file: Path) -> Path:
    """Where a client says why he ended."""
    return file.with_suffix(".said")


def make_database(cluster: Cluster) -> None:
    """An empty database and its owner."""
    with psycopg.connect(conninfo(cluster.nodes, "postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {OWNER} LOGIN PASSWORD '{PASSWORD}'".encode())
        connection.execute(f"CREATE DATABASE {DATABASE} OWNER {OWNER} TEMPLATE template0".encode())


# --- The failures ----------------------------------------------------------------------------------------


def leader_killed(stand: Stand) -> None:
    """kill -9 of everything on the leader's node; another is promoted, and the first comes back."""
    old = stand.cluster.leader()
    assert old is not None
    stand.cluster.kill(old)
    stand.cluster.wait_until(lambda: (stand.cluster.leader() or old) is not old, "another leader")
    _go_on(stand)
    stand.cluster.start(old)


def service_killed(stand: Stand) -> None:
    """kill -9 of a service node."""
    service = stand.chance.choice(stand.services)
    service.kill()
    time.sleep(stand.chance.uniform(0, 1))
    service.start()


def connections_cut(stand: Stand) -> None:
    """Every session of the service is ended in the middle of what it does, again and again."""
    for _ in range(10):
        stand.on_the_leader(END_SESSIONS)
        time.sleep(stand.chance.uniform(0.02, 0.4))


def standby_frozen(stand: Stand) -> None:
    """A synchronous standby stands still: the cluster takes the other one, and goes on."""
    standby = stand.cluster.synchronous() or stand.chance.choice(stand.cluster.standbys())
    stand.cluster.freeze(standby)
    try:
        _go_on(stand)
    finally:
        stand.cluster.thaw(standby)


def disk_full(stand: Stand) -> None:
    """No byte is left on the leader's disk for a while; whether it refuses or ends is its own affair."""
    old = stand.cluster.leader()
    assert old is not None
    stand.cluster.fill(old)
    time.sleep(FULL_FOR)
    stand.cluster.empty(old)


def link_cut_and_leader_killed(stand: Stand) -> None:
    """No standby reaches the leader any more while clients go on; then its node is killed."""
    old = stand.cluster.leader()
    assert old is not None
    stand.cluster.cut(old)
    time.sleep(5)
    stand.cluster.kill(old)
    stand.cluster.wait_until(lambda: (stand.cluster.leader() or old) is not old, "another leader")
    _go_on(stand)
    stand.cluster.start(old)


FAILURES: Final[dict[str, Callable[[Stand], None]]] = {
    "leader-killed": leader_killed,
    "service-killed": service_killed,
    "connections-cut": connections_cut,
    "standby-frozen": standby_frozen,
    "disk-full": disk_full,
    "link-cut": link_cut_and_leader_killed,
}
HARMLESS: Final = tuple(name for name in FAILURES if name != "link-cut")
"""Those in which nothing may be lost; the last has to lose events where replication is asynchronous."""


def _go_on(stand: Stand) -> None:
    """Waits until clients are answered again."""
    before = stand.count()
    end = time.monotonic() + PATIENCE
    while stand.count() < before + 20 and any(client.poll() is None for client in stand.clients.values()):
        if time.monotonic() > end:
            raise AssertionError(f"clients did not go on within {PATIENCE:.0f} s\n{stand.cluster.told()}")
        time.sleep(0.1)


# --- A run -----------------------------------------------------------------------------------------------


def failed(
    folder: Path,
    cluster: Cluster,
    failures: list[str],
    clients: int,
    seed: int,
    tell: Callable[[str], None],
) -> Failed:
    """These failures one after another, while so many clients record; ends where something is amiss."""
    stand = Stand(folder, cluster, seed)
    made: list[tuple[str, int]] = []
    faults: list[str] = []
    with stand.running(clients, seed):
        for name in failures:
            before = stand.count()
            time.sleep(stand.chance.uniform(0.5, 2))
            FAILURES[name](stand)
            _go_on(stand)
            cluster.wait_until(cluster.is_whole, "the cluster to be whole again")
            faults = stand.amiss()
            made.append((name, stand.count() - before))
            tell(f"{name}: {made[-1][1]:,} acknowledged" + "".join(f"\n  {one}" for one in faults[:3]))
            if faults:
                break
    stored, told = stand.stored(), lines_in(stand.clients)
    faults = faults or amiss(told, stored)
    acknowledged = sum(map(len, told.values()))
    return Failed(tuple(made), acknowledged, len(stored), len({one.stream for one in stored}), tuple(faults))
