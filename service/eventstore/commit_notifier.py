"""Waiting for events: a follower sleeps until something is committed."""

from __future__ import annotations

import threading
from collections.abc import Callable
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


class CommitNotifier:
    """Wakes all waiters at each commit, and when the store is closed."""

    def __init__(self) -> None:
        self._committed = threading.Condition()
        self._commit_count = 0
        self._waiter_count = 0

    def wait_until_above(self, read_count: Callable[[], int], after: int, timeout: float) -> int:
        """Wait until `read_count()` is above `after`, at most `timeout` seconds; the count then.

        The count is read immediately, and again after each commit.
        """
        deadline = monotonic() + timeout
        with self._committed:
            self._waiter_count += 1
        try:
            while True:
                seen = self._commit_count  # before the count is read, so that later commits wake this
                if (count := read_count()) > after or not self._wait(seen, deadline - monotonic()):
                    return count
        finally:
            with self._committed:
                self._waiter_count -= 1

    @property
    def has_waiters(self) -> bool:
        """Whether anyone waits. A waiter that starts after this check reads the count after it."""
        return self._waiter_count > 0

    def notify(self) -> None:
        """Wake all waiters."""
        if not self.has_waiters:
            return
        with self._committed:
            self._commit_count += 1
            self._committed.notify_all()

    def _wait(self, seen_count: int, seconds: float) -> bool:
        """Whether there was a commit since, or is one within this time."""
        with self._committed:
            return self._committed.wait_for(lambda: self._commit_count != seen_count, max(0.0, seconds))
