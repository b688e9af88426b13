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

TURN_TIMEOUT_SECONDS: Final = 10.0
"""A request waits this long for its turn."""
MAX_WAITING: Final = 8
"""So many requests wait at most, with the one that is worked on: each has a thread."""
MAX_WAITING_PER_CLIENT: Final = 2
"""So many of these may be one client's, so that nobody takes all the places to wait."""
MAX_REMEMBERED_TURNS: Final = 1_000
"""Of so many clients it is remembered who had a turn last."""
YIELD_PAUSE_SECONDS: Final = 0.001
"""Long enough for a waiting thread to take over; at once, the same thread would go on."""

YIELD_INTERVAL_SECONDS: Final = 0.01
"""A thread works this long before it pauses."""
_last_pause: Final = threading.local()


class QueueFull(Exception):
    """Too many requests wait already, of this client or of all, or it took too long."""


class WorkQueue:
    """Lets one request work at a time: of those that wait, that of the client whose turn was longest ago."""

    def __init__(self, max_waiting: int = MAX_WAITING, timeout_seconds: float = TURN_TIMEOUT_SECONDS) -> None:
        self._changed = threading.Condition()
        self._waiting: list[tuple[str, object]] = []
        self._working = False
        self._counts: Counter[str] = Counter()
        self._last_turns: OrderedDict[str, None] = OrderedDict()
        self._max_waiting, self._timeout_seconds = max_waiting, timeout_seconds

    def __len__(self) -> int:
        """How many requests wait, with the one that is worked on."""
        with self._changed:
            return self._counts.total()

    @contextmanager
    def turn(self, client: str) -> Iterator[None]:
        """Wait for a turn of that client, and have it.

        Raises:
            QueueFull: there is no place to wait, or the turn did not come in time.
        """
        with self._changed:
            if self._counts.total() >= self._max_waiting or self._counts[client] >= MAX_WAITING_PER_CLIENT:
                raise QueueFull
            self._counts[client] += 1
            try:
                self._wait(client)
            except BaseException:
                self._release(client)
                raise
        try:
            yield
        finally:
            with self._changed:
                self._working = False
                self._release(client)

    def _wait(self, client: str) -> None:
        ticket = (client, object())
        self._waiting.append(ticket)
        try:
            if not self._changed.wait_for(lambda: self._is_next(ticket), self._timeout_seconds):
                raise QueueFull
        finally:
            self._waiting.remove(ticket)
        self._working = True
        self._last_turns.pop(client, None)
        self._last_turns[client] = None
        if len(self._last_turns) > MAX_REMEMBERED_TURNS:
            self._last_turns.popitem(last=False)

    def _is_next(self, ticket: tuple[str, object]) -> bool:
        if self._working:
            return False
        last_turns = {client: place for place, client in enumerate(self._last_turns)}
        return ticket is min(self._waiting, key=lambda waiting: last_turns.get(waiting[0], -1))

    def _release(self, client: str) -> None:
        self._counts[client] -= 1
        if not self._counts[client]:
            del self._counts[client]
        self._changed.notify_all()


def yield_to_other_threads() -> None:
    """Let a thread that waits for the interpreter have it, at most each hundredth of a second."""
    if time.monotonic() - getattr(_last_pause, "at", 0.0) > YIELD_INTERVAL_SECONDS:
        time.sleep(YIELD_PAUSE_SECONDS)
        _last_pause.at = time.monotonic()
