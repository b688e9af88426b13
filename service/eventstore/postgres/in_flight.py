"""Finishes operations in progress when a store is closed, and starts none after a stalled one."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.eventstore.errors import StoreClosed, StoreUnavailable

STALLED_APPEND_SECONDS: Final = 20.0
"""An append in progress for longer than this waits for a standby or a disk."""


class InFlight:
    """Tracks operations in progress, until no more may start."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._start_times: dict[object, float] = {}
        self._ended = False

    @contextmanager
    def track(self, *, is_append: bool = False) -> Iterator[None]:
        """Track an operation for the duration of a `with`. Raises `StoreClosed` after `drain`.

        While an append is stalled, further appends are refused with `StoreUnavailable`: they would stall too,
        and each occupies a thread of the server. Other operations may take their time.
        """
        own, now = object(), time.monotonic()
        with self._changed:
            if self._ended:
                raise StoreClosed("This store is closed.")
            if is_append and now - min(self._start_times.values(), default=now) > STALLED_APPEND_SECONDS:
                raise StoreUnavailable(
                    f"An append has been waiting for more than {STALLED_APPEND_SECONDS:.0f} seconds, for a "
                    "missing standby or a blocked disk. This append was not started: send it again a "
                    "little later."
                )
            self._start_times[own] = now if is_append else math.inf
        try:
            yield
        finally:
            with self._changed:
                del self._start_times[own]
                self._changed.notify_all()

    def drain(self) -> None:
        """Let nothing more start, and wait for what has started. Calling this twice is harmless."""
        with self._changed:
            self._ended = True
            self._changed.wait_for(lambda: not self._start_times)
