"""Waiting for news: whoever follows a stream, or all of them, sleeps until something is committed there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Final

POLL_INTERVAL_SECONDS: Final = 0.1
"""Seconds between two looks at a store that another process writes, which does not call."""


def poll_until_above(read_count: Callable[[], int], after: int, timeout: float) -> int:
    """Ask ten times a second until `read_count()` is above `after`, at most `timeout` seconds; the count
    then."""
    deadline = monotonic() + timeout
    while (now := read_count()) <= after and (left := deadline - monotonic()) > 0:
        sleep(min(POLL_INTERVAL_SECONDS, left))
    return now


class StreamNotifier:
    """The bells of those who wait, by stream, so that a commit wakes only whom it concerns."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._bells: dict[str | None, set[threading.Event]] = {}

    def wait_until_above(
        self, stream: str | None, read_count: Callable[[], int], after: int, timeout: float
    ) -> int:
        """Wait until `read_count()` is above `after`, at most `timeout` seconds; the count then.

        `read_count` is asked at once, and again whenever the stream (None: any stream) is announced; what it
        raises is raised here.
        """
        deadline = monotonic() + timeout
        with self._subscribe(stream) as bell:
            while True:
                # Cleared before the count is asked, so that what is announced from here on rings again.
                bell.clear()
                now = read_count()
                if now > after or not bell.wait(max(0.0, deadline - monotonic())):
                    return now

    @property
    def has_waiters(self) -> bool:
        """Whether anyone waits at all.

        Who begins to wait after this look asks for the count after it, and so misses nothing committed
        before it.
        """
        return bool(self._bells)

    def notify(self, streams: Iterable[str]) -> None:
        """Wake everyone who waits for one of these streams, or for any."""
        with self._mutex:
            for stream in (None, *streams):
                for bell in self._bells.get(stream, ()):
                    bell.set()

    def notify_all(self) -> None:
        """Wake everyone, to see for himself that the store is closed."""
        with self._mutex:
            for bells in self._bells.values():
                for bell in bells:
                    bell.set()

    @contextmanager
    def _subscribe(self, stream: str | None) -> Iterator[threading.Event]:
        bell = threading.Event()
        with self._mutex:
            self._bells.setdefault(stream, set()).add(bell)
        try:
            yield bell
        finally:
            with self._mutex:
                self._bells[stream].discard(bell)
                if not self._bells[stream]:
                    del self._bells[stream]
