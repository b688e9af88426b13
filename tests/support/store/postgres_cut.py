"""Stores and registers on PostgreSQL whose connection is cut, or whose transaction a test ends."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit

from service.eventstore import StreamAppend, append_plan
from service.eventstore.clock import utc_now
from service.eventstore.postgres.connections import Connection
from service.eventstore.postgres.insert_statement import insert_plans, lock_streams, select_latest_streams
from service.eventstore.postgres.store import PostgresStore
from tests.support.store.cutting import Wire
from tests.support.store.postgres_server import server

Opened = TypeVar("Opened")


@contextmanager
def wired(
    url: str, cut: Callable[[bytes], str | None], opened: Callable[[str], AbstractContextManager[Opened]]
) -> Iterator[tuple[Opened, Wire]]:
    """What is opened at an address that is reached over a wire, which is whole until it is open."""
    armed = threading.Event()
    parts = urlsplit(url)
    there = Path(parse_qs(parts.query)["host"][0])
    with TemporaryDirectory(prefix="wire-") as folder:
        wire = Wire(Path(folder), there, lambda piece: cut(piece) if armed.is_set() else None)
        with opened(server().url(parts.path.removeprefix("/"), socket=folder)) as one:
            armed.set()
            yield one, wire
            armed.clear()
        wire.close()


def over_a_wire(
    url: str, cut: Callable[[bytes], str | None]
) -> AbstractContextManager[tuple[PostgresStore, Wire]]:
    return wired(url, cut, PostgresStore)


class At:
    """Cuts once, at the first piece that has these bytes in it."""

    def __init__(self, said: bytes, moment: str) -> None:
        self._said, self._moment, self._done = said, moment, False

    def __call__(self, piece: bytes) -> str | None:
        if self._done or self._said not in piece:
            return None
        self._done = True
        return self._moment


def insert_in(connection: Connection, root: str, append: StreamAppend) -> None:
    """Write as the store does, in a transaction that the test ends as it likes."""
    lock_streams(connection, "public", [append.stream])
    streams = select_latest_streams(connection, [append.stream])
    plans = append_plan.plan_appends(root, [append], streams, {}, utc_now())
    insert_plans(connection, root, plans)
