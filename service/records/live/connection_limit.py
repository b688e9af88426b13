"""How many may listen at once, and an end to those who do not take what they are sent."""

from __future__ import annotations

import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

SEND_TIMEOUT_SECONDS: Final = 20.0
"""So long a message may lie unsent before its reader is let go: his place is wanted by others."""


class TooManyStreams(Exception):
    """All places are taken, or all that one client may have."""


class ConnectionSlot:
    """The place of one who listens."""

    def __init__(self, limit: ConnectionLimit, client: str, connection: socket.socket | None) -> None:
        self.client = client
        self._limit = limit
        self._connection = connection
        self._sending_since: float | None = None

    def time_sending(self, message: bytes) -> Iterator[bytes]:
        """The message, timed while it is on its way."""
        self._sending_since = time.monotonic()
        yield message
        self._sending_since = None

    def release(self) -> None:
        """Give the place up, and the connection with it. Twice is harmless.

        Left open, the server would wait for the client to close it, one client after the other.
        """
        self._limit.release(self)
        self.disconnect()

    def is_stuck(self, seconds: float) -> bool:
        """Whether a message has been on its way for longer than that."""
        since = self._sending_since
        return since is not None and time.monotonic() - since > seconds

    def disconnect(self) -> None:
        """End the connection, whatever is on its way: whoever is sending there stops."""
        if self._connection is not None:
            with suppress(OSError):  # he has gone meanwhile
                self._connection.shutdown(socket.SHUT_RDWR)


class ConnectionLimit:
    """At most ``max_connections`` places, and for one client no more than ``max_per_client``, where a
    client is named."""

    def __init__(self, max_connections: int, max_per_client: int | None = None) -> None:
        self.max_connections = max_connections
        self._max_per_client = max_connections if max_per_client is None else max_per_client
        self._mutex = threading.Lock()
        self._slots: set[ConnectionSlot] = set()
        self._by_client: Counter[str] = Counter()
        self._closed = False

    @property
    def connection_count(self) -> int:
        """How many are taken."""
        return len(self._slots)

    def acquire(self, client: str = "", connection: socket.socket | None = None) -> ConnectionSlot:
        """A place for ``client``; the empty name stands for nobody in particular. Raises `TooManyStreams`."""
        with self._mutex:
            if self._closed or len(self._slots) >= self.max_connections:
                raise TooManyStreams
            if client and self._by_client[client] >= self._max_per_client:
                raise TooManyStreams
            slot = ConnectionSlot(self, client, connection)
            self._slots.add(slot)
            self._by_client[client] += 1
            return slot

    def release(self, slot: ConnectionSlot) -> None:
        """Make the place free again."""
        with self._mutex:
            if slot in self._slots:
                self._slots.discard(slot)
                self._by_client[slot.client] -= 1
                if not self._by_client[slot.client]:
                    del self._by_client[slot.client]

    def disconnect_stuck(self, seconds: float | None = None) -> None:
        """Disconnect those to whom a message has been on its way for longer than ``seconds``.

        The default is `SEND_TIMEOUT_SECONDS`.
        """
        timeout_seconds = SEND_TIMEOUT_SECONDS if seconds is None else seconds
        for slot in self._snapshot():
            if slot.is_stuck(timeout_seconds):
                slot.disconnect()

    def close(self) -> None:
        """Give out no further place."""
        self._closed = True

    def _snapshot(self) -> list[ConnectionSlot]:
        with self._mutex:
            return list(self._slots)
