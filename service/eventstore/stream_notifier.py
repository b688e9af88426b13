"""Waiting for events: a follower of one stream, or of all, sleeps until something is committed there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Final

POLL_INTERVAL_SECONDS: Final = 0.1
"""Seconds between two polls of a store that another process writes without sending notifications."""


def poll_until_above(read_count: Callable[[], int], after: int, timeout: float) -> int:
    """Poll until `read_count()` is above `after`, at most `timeout` seconds; the count then."""
    deadline = monotonic() + timeout
    while (count := read_count()) <= after and (seconds_left := deadline - monotonic()) > 0:
        sleep(min(POLL_INTERVAL_SECONDS, seconds_left))
    return count


class StreamNotifier:
    """One `threading.Event` for each waiter, by stream, so that a commit wakes only the waiters it
    concerns."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._waiters: dict[str | None, set[threading.Event]] = {}

    def wait_until_above(
        self, stream: str | None, read_count: Callable[[], int], after: int, timeout: float
    ) -> int:
        """Wait until `read_count()` is above `after`, at most `timeout` seconds; the count then.

        The count is read immediately, and again whenever the stream (None: any stream) is announced.
        """
        deadline = monotonic() + timeout
        with self._subscribe(stream) as waiter:
            while True:
                # Cleared before the count is read, so that later announcements wake it again.
                waiter.clear()
                count = read_count()
                if count > after or not waiter.wait(max(0.0, deadline - monotonic())):
                    return count

    @property
    def has_waiters(self) -> bool:
        """Whether anyone waits. A waiter that starts after this check reads the count after it."""
        return bool(self._waiters)

    def notify(self, streams: Iterable[str]) -> None:
        """Wake all waiters for one of these streams, or for any stream."""
        with self._mutex:
            for stream in (None, *streams):
                for waiter in self._waiters.get(stream, ()):
                    waiter.set()

    def notify_all(self) -> None:
        """Wake all waiters, so that they find that the store is closed."""
        with self._mutex:
            for waiters in self._waiters.values():
                for waiter in waiters:
                    waiter.set()

    @contextmanager
    def _subscribe(self, stream: str | None) -> Iterator[threading.Event]:
        waiter = threading.Event()
        with self._mutex:
            self._waiters.setdefault(stream, set()).add(waiter)
        try:
            yield waiter
        finally:
            with self._mutex:
                self._waiters[stream].discard(waiter)
                if not self._waiters[stream]:
                    del self._waiters[stream]
