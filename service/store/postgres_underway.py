"""What is under way when a store is closed is finished first."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from service.store.errors import StoreClosed


class Underway:
    """Counts what is being done, until no more may begin."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0
        self._ended = False

    @contextmanager
    def doing(self) -> Iterator[None]:
        """Counts the length of a `with`. Raises `StoreClosed` after `end`."""
        with self._changed:
            if self._ended:
                raise StoreClosed("This store is closed.")
            self._count += 1
        try:
            yield
        finally:
            with self._changed:
                self._count -= 1
                self._changed.notify_all()

    def end(self) -> None:
        """Let nothing more begin, and wait for what has begun. Twice is harmless."""
        with self._changed:
            self._ended = True
            self._changed.wait_for(lambda: self._count == 0)
