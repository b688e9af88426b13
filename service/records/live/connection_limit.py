"""How many may listen at once."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class TooManyStreams(Exception):
    """All places are taken, or all that one client may have."""


class ConnectionLimit:
    """At most ``max_connections`` places, of which one named client has at most ``max_per_client``."""

    def __init__(self, max_connections: int, max_per_client: int) -> None:
        self.max_connections = max_connections
        self._max_per_client = max_per_client
        self._mutex = threading.Lock()
        self._by_client: Counter[str] = Counter()
        self._closed = False

    @property
    def connection_count(self) -> int:
        """How many places are taken."""
        return self._by_client.total()

    @contextmanager
    def place(self, client: str) -> Iterator[None]:
        """Hold a place for ``client``; an empty name stands for this computer. Raises `TooManyStreams`."""
        with self._mutex:
            if self._closed or self._by_client.total() >= self.max_connections:
                raise TooManyStreams
            if client and self._by_client[client] >= self._max_per_client:
                raise TooManyStreams
            self._by_client[client] += 1
        try:
            yield
        finally:
            with self._mutex:
                self._by_client -= Counter([client])

    def close(self) -> None:
        """Give out no further place."""
        self._closed = True
