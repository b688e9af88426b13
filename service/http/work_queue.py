"""A queue for the heavy work of anonymous callers: one at a time, and each client in turn.

Threads of one process share an interpreter, so long computations make short requests wait. Anonymous callers'
work is therefore done one request at a time, and after each deal others go first.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

WAIT_SECONDS: Final = 10.0
"""A request waits this long for its turn."""
MOST: Final = 8
"""So many requests wait at most, with the one that is worked on: each has a thread."""
SHARE: Final = 2
"""So many of these may be one client's, so that nobody takes all the places to wait."""
CLIENTS: Final = 1_000
"""Of so many clients it is remembered who had a turn last."""
PAUSE_SECONDS: Final = 0.001
"""Long enough for a waiting thread to take over; at once, the same thread would go on."""

WORK_SECONDS: Final = 0.01
"""A thread works this long before it pauses."""
_paused: Final = threading.local()


class QueueFull(Exception):
    """Too many requests wait already, of this client or of all, or it took too long."""


class WorkQueue:
    """Lets one request work at a time: of those that wait, that of the client whose turn was longest ago."""

    def __init__(self, most: int = MOST, seconds: float = WAIT_SECONDS) -> None:
        self._changed = threading.Condition()
        self._waiting: list[tuple[str, object]] = []
        self._working = False
        self._places: Counter[str] = Counter()
        self._last: OrderedDict[str, None] = OrderedDict()
        self._most, self._seconds = most, seconds

    def __len__(self) -> int:
        """How many requests wait, with the one that is worked on."""
        with self._changed:
            return self._places.total()

    @contextmanager
    def turn(self, client: str) -> Iterator[None]:
        """Wait for a turn of that client, and have it.

        Raises:
            QueueFull: there is no place to wait, or the turn did not come in time.
        """
        with self._changed:
            if self._places.total() >= self._most or self._places[client] >= SHARE:
                raise QueueFull
            self._places[client] += 1
            try:
                self._wait(client)
            except BaseException:
                self._leave(client)
                raise
        try:
            yield
        finally:
            with self._changed:
                self._working = False
                self._leave(client)

    def _wait(self, client: str) -> None:
        ticket = (client, object())
        self._waiting.append(ticket)
        try:
            if not self._changed.wait_for(lambda: self._is_next(ticket), self._seconds):
                raise QueueFull
        finally:
            self._waiting.remove(ticket)
        self._working = True
        self._last.pop(client, None)
        self._last[client] = None
        if len(self._last) > CLIENTS:
            self._last.popitem(last=False)

    def _is_next(self, ticket: tuple[str, object]) -> bool:
        if self._working:
            return False
        since = {client: place for place, client in enumerate(self._last)}
        return ticket is min(self._waiting, key=lambda one: since.get(one[0], -1))

    def _leave(self, client: str) -> None:
        self._places[client] -= 1
        if not self._places[client]:
            del self._places[client]
        self._changed.notify_all()


def let_others_go_first() -> None:
    """Let a thread that waits for the interpreter have it, at most each hundredth of a second."""
    if time.monotonic() - getattr(_paused, "at", 0.0) > WORK_SECONDS:
        time.sleep(PAUSE_SECONDS)
        _paused.at = time.monotonic()
