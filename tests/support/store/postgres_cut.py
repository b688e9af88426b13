"""Shared by tests that use what the tests of postgres cut do."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlsplit

from service.store.postgres import PostgresStore
from tests.support.store.cutting import Wire
from tests.support.store.postgres_server import server


@contextmanager
def over_a_wire(url: str, cut: Callable[[bytes], str | None]) -> Iterator[tuple[PostgresStore, Wire]]:
    """A store that is reached over a wire, which is whole until the store is open."""
    armed = threading.Event()
    parts = urlsplit(url)
    there = Path(parse_qs(parts.query)["host"][0])
    with TemporaryDirectory(prefix="wire-") as folder:
        wire = Wire(Path(folder), there, lambda piece: cut(piece) if armed.is_set() else None)
        name = parts.path.removeprefix("/")
        with PostgresStore(server().url(name, socket=folder)) as store:
            armed.set()
            yield store, wire
            armed.clear()
        wire.close()


class At:
    """Cuts once, at the first piece that has these bytes in it."""

    def __init__(self, said: bytes, moment: str) -> None:
        self._said, self._moment, self._done = said, moment, False

    def __call__(self, piece: bytes) -> str | None:
        if self._done or self._said not in piece:
            return None
        self._done = True
        return self._moment
