"""Places: how many may listen at once, and an end to those who do not take what they are sent."""

from __future__ import annotations

import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

PATIENCE_SECONDS: Final = 20.0
"""So long a message may lie unsent before its reader is let go: his place is wanted by others."""


class TooManyStreams(Exception):
    """All places are taken, or all that one client may have."""


class Place:
    """The place of one who listens."""

    def __init__(self, places: Places, client: str, connection: socket.socket | None) -> None:
        self.client = client
        self._places = places
        self._connection = connection
        self._sending_since: float | None = None

    def sent(self, message: bytes) -> Iterator[bytes]:
        """The message, timed while it is on its way."""
        self._sending_since = time.monotonic()
        yield message
        self._sending_since = None

    def leave(self) -> None:
        """Give the place up, and the connection with it. Twice is harmless.

        Left open, the server would wait for the client to close it, one client after the other.
        """
        self._places.free(self)
        self.cut_off()

    def is_stuck(self, seconds: float) -> bool:
        """Whether a message has been on its way for longer than that."""
        since = self._sending_since
        return since is not None and time.monotonic() - since > seconds

    def cut_off(self) -> None:
        """End the connection, whatever is on its way: whoever is sending there stops."""
        if self._connection is not None:
            with suppress(OSError):  # he has gone meanwhile
                self._connection.shutdown(socket.SHUT_RDWR)


class Places:
    """At most ``most`` places, and for one client no more than ``share``, where a client is named."""

    def __init__(self, most: int, share: int | None = None) -> None:
        self.most = most
        self._share = most if share is None else share
        self._mutex = threading.Lock()
        self._taken: set[Place] = set()
        self._by_client: Counter[str] = Counter()
        self._closed = False

    @property
    def taken(self) -> int:
        """How many are taken."""
        return len(self._taken)

    def take(self, client: str = "", connection: socket.socket | None = None) -> Place:
        """A place for ``client``; the empty name stands for nobody in particular. Raises `TooManyStreams`."""
        with self._mutex:
            if self._closed or len(self._taken) >= self.most:
                raise TooManyStreams
            if client and self._by_client[client] >= self._share:
                raise TooManyStreams
            place = Place(self, client, connection)
            self._taken.add(place)
            self._by_client[client] += 1
            return place

    def free(self, place: Place) -> None:
        """Make the place free again."""
        with self._mutex:
            if place in self._taken:
                self._taken.discard(place)
                self._by_client[place.client] -= 1
                if not self._by_client[place.client]:
                    del self._by_client[place.client]

    def let_go(self, seconds: float | None = None) -> None:
        """Cut off those to whom a message has been on its way for longer than that, or than is patient."""
        patience = PATIENCE_SECONDS if seconds is None else seconds
        for place in self._now():
            if place.is_stuck(patience):
                place.cut_off()

    def close(self) -> None:
        """Give out no further place."""
        self._closed = True

    def _now(self) -> list[Place]:
        with self._mutex:
            return list(self._taken)
