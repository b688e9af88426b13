"""What is under way when a store is closed is finished first, and nothing begins behind what stands still."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.eventstore.errors import StoreClosed, StoreUnavailable

STALLED_APPEND_SECONDS: Final = 20.0
"""No append takes so long until it is written or given up, but one that waits for a standby or a disk."""


class InFlight:
    """Knows what is being done, until no more may begin."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._start_times: dict[object, float] = {}
        self._ended = False

    @contextmanager
    def track(self, *, is_append: bool = False) -> Iterator[None]:
        """Knows of it for the length of a `with`. Raises `StoreClosed` after `drain`.

        An append behind one that stands still is refused with `StoreUnavailable`: it would only stand still
        as well, and each takes a thread of those who answer. Other work may take its time.
        """
        own, now = object(), time.monotonic()
        with self._changed:
            if self._ended:
                raise StoreClosed("This store is closed.")
            if is_append and now - min(self._start_times.values(), default=now) > STALLED_APPEND_SECONDS:
                raise StoreUnavailable(
                    f"An append has been waiting for more than {STALLED_APPEND_SECONDS:.0f} seconds, for a "
                    "standby that is gone or a disk that stands still. This one was not begun: send it again "
                    "a little later."
                )
            self._start_times[own] = now if is_append else math.inf
        try:
            yield
        finally:
            with self._changed:
                del self._start_times[own]
                self._changed.notify_all()

    def drain(self) -> None:
        """Let nothing more begin, and wait for what has begun. Twice is harmless."""
        with self._changed:
            self._ended = True
            self._changed.wait_for(lambda: not self._start_times)
