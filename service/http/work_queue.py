"""A queue for the heavy work of anonymous callers: one request at a time, and each client in turn.

Threads of one process share an interpreter, so long computations make short requests wait: after each deal
the work pauses, and others go first.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

TURN_TIMEOUT_SECONDS: Final = 10.0
"""A request waits this long for its turn."""
MAX_WAITING: Final = 8
"""The most requests that wait, with the one that is worked on: each has a thread."""
MAX_WAITING_PER_CLIENT: Final = 2
YIELD_INTERVAL_SECONDS: Final = 0.01
"""A thread works this long before it pauses."""
YIELD_PAUSE_SECONDS: Final = 0.001
"""Long enough for a waiting thread to take over; at once, the same thread would go on."""
_last_pause: Final = threading.local()


class QueueFull(Exception):
    """Too many requests wait already, of this client or of all, or it took too long."""


class _Ticket(NamedTuple):
    client: str
    number: int


class WorkQueue:
    """Lets one request work at a time: of those that wait, that of the client whose turn was longest ago."""

    def __init__(self, max_waiting: int = MAX_WAITING, timeout_seconds: float = TURN_TIMEOUT_SECONDS) -> None:
        self._max_waiting, self._timeout_seconds = max_waiting, timeout_seconds
        self._changed = threading.Condition()
        self._tickets: list[_Ticket] = []
        self._working: _Ticket | None = None
        self._number = 0
        # The number of each client's last turn, for as long as anybody waits or works.
        self._last_turns: dict[str, int] = {}

    def __len__(self) -> int:
        """Return how many requests wait, with the one that is worked on."""
        return len(self._tickets)

    @contextmanager
    def turn(self, client: str) -> Iterator[None]:
        """Wait for a turn of that client, and have it.

        Raises:
            QueueFull: there is no place to wait, or the turn did not come in time.
        """
        with self._changed:
            count = sum(ticket.client == client for ticket in self._tickets)
            if len(self._tickets) >= self._max_waiting or count >= MAX_WAITING_PER_CLIENT:
                raise QueueFull
            ticket = _Ticket(client, self._next_number())
            self._tickets.append(ticket)
        try:
            with self._changed:
                if not self._changed.wait_for(lambda: self._is_next(ticket), self._timeout_seconds):
                    raise QueueFull
                self._working = ticket
                self._last_turns[client] = self._next_number()
            yield
        finally:
            with self._changed:
                self._tickets.remove(ticket)
                if self._working == ticket:
                    self._working = None
                if not self._tickets:
                    self._last_turns.clear()
                self._changed.notify_all()

    def _next_number(self) -> int:
        self._number += 1
        return self._number

    def _is_next(self, ticket: _Ticket) -> bool:
        first = min(self._tickets, key=lambda waiting: self._last_turns.get(waiting.client, 0))
        return self._working is None and first == ticket


def yield_to_other_threads() -> None:
    """Let a thread that waits for the interpreter have it, at most each hundredth of a second."""
    if time.monotonic() - getattr(_last_pause, "at", 0.0) > YIELD_INTERVAL_SECONDS:
        time.sleep(YIELD_PAUSE_SECONDS)
        _last_pause.at = time.monotonic()
