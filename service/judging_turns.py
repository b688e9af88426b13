"""Turns: what a stranger has computed waits for others of its kind, never whoever records at a table.

Threads of one process share a core's time evenly, each for 5 ms before another comes to it: four long
computations are four such waits for every step of a short request. So strangers' logs are judged one at a
time, and after each deal the others go first.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

WAIT_SECONDS: Final = 10.0
"""So long one waits for his turn."""
MOST: Final = 8
"""So many wait at most, with the one whose turn it is: each has a thread."""
SHARE: Final = 2
"""So many of these may be one client's: so nobody takes all the places to wait."""
PAUSE_SECONDS: Final = 0.001
"""Long enough for whoever waits to take over; at once, the same thread would go on."""


class NoTurn(Exception):
    """So many wait already, of this client or of all, or it took too long."""


class Turns:
    """One at a time."""

    def __init__(self, most: int = MOST, seconds: float = WAIT_SECONDS) -> None:
        self._turn = threading.Lock()
        self._mutex = threading.Lock()
        self._places: Counter[str] = Counter()
        self._most = most
        self._seconds = seconds

    def __len__(self) -> int:
        """How many wait, with the one whose turn it is."""
        with self._mutex:
            return self._places.total()

    @contextmanager
    def turn(self, client: str) -> Iterator[None]:
        """Wait for a turn of that client's, and have it. Raises `NoTurn`."""
        self._take_place(client)
        try:
            if not self._turn.acquire(timeout=self._seconds):
                raise NoTurn
            try:
                yield
            finally:
                self._turn.release()
        finally:
            self._leave_place(client)

    def _take_place(self, client: str) -> None:
        with self._mutex:
            if self._places.total() >= self._most or self._places[client] >= SHARE:
                raise NoTurn
            self._places[client] += 1

    def _leave_place(self, client: str) -> None:
        with self._mutex:
            self._places[client] -= 1
            if not self._places[client]:
                del self._places[client]


def let_others_go_first() -> None:
    """Let whoever waits for the interpreter have it."""
    time.sleep(PAUSE_SECONDS)
