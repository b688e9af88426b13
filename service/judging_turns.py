"""Turns: what a stranger has computed waits for others of its kind, never whoever records at a table.

Threads of one process share a core's time evenly, each for 5 ms before another comes to it: four long
computations are four such waits for every step of a short request. So strangers' logs are judged one at a
time, and after each deal the others go first.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

WAIT_SECONDS: Final = 10.0
"""So long one waits for his turn."""
MOST: Final = 8
"""So many wait at most: each has a thread."""
PAUSE_SECONDS: Final = 0.001
"""Long enough for whoever waits to take over; at once, the same thread would go on."""


class NoTurn(Exception):
    """So many wait already, or it took too long."""


class Turns:
    """One at a time."""

    def __init__(self, most: int = MOST, seconds: float = WAIT_SECONDS) -> None:
        self._turn = threading.Lock()
        self._room = threading.BoundedSemaphore(most)
        self._seconds = seconds

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn, and have it. Raises `NoTurn`."""
        if not self._room.acquire(blocking=False):
            raise NoTurn
        try:
            if not self._turn.acquire(timeout=self._seconds):
                raise NoTurn
            try:
                yield
            finally:
                self._turn.release()
        finally:
            self._room.release()


def let_others_go_first() -> None:
    """Let whoever waits for the interpreter have it."""
    time.sleep(PAUSE_SECONDS)
