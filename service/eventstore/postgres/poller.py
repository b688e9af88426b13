"""One look for all who wait: what other processes append is seen, and what they left without its position.

It looks when another process calls (`service.eventstore.postgres.notify_channel`), and by itself ten times a
second, as a call may be lost.
"""

from __future__ import annotations

import threading
import time
from typing import Final

from service.eventstore.errors import StoreError
from service.eventstore.postgres.connections import Address, Connection, Connections
from service.eventstore.postgres.notify_channel import Calls, Ear
from service.eventstore.postgres.sequencer import Sequencer
from service.eventstore.postgres.tiles import head
from service.eventstore.waiting import LOOKS_EVERY, Wakeups

CATCHES_UP_EVERY: Final = 1.0
"""Seconds after which it is seen to that what others left has its position."""

_BREATH_SECONDS: Final = 0.005
"""However often others call, there are no more looks than one in this time."""
_MOST: Final = 1000
"""Where more has come than this, everybody who waits is woken to see for himself."""

_GROWN: Final = """
    SELECT DISTINCT (SELECT stream FROM streams WHERE stream_key = l.stream_key) FROM log AS l
    WHERE l.position > %s AND l.position <= %s"""


class Lookout:
    """Looks at the log while anybody waits, in a thread that `begin` starts."""

    def __init__(
        self,
        connections: Connections,
        address: Address,
        calls: Calls,
        sequencer: Sequencer,
        wakeups: Wakeups,
    ) -> None:
        self._connections = connections
        self._sequencer = sequencer
        self._wakeups = wakeups
        self._mutex = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ended = threading.Event()
        self._called = threading.Event()
        self._ear = Ear(address, calls, self._called.set)
        self._seen = 0

    def begin(self) -> None:
        """See to it that somebody looks. Who begins to wait after this misses nothing."""
        with self._mutex:
            if self._thread is None and not self._ended.is_set():
                self._seen = self._connections.look(head)
                self._thread = threading.Thread(target=self._look_out, name="lookout", daemon=True)
                self._thread.start()
                self._ear.begin()

    def end(self) -> None:
        """Stop looking. Twice is harmless."""
        with self._mutex:
            self._ended.set()
            self._called.set()
            thread = self._thread
        self._ear.end()
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _look_out(self) -> None:
        due = time.monotonic() + CATCHES_UP_EVERY
        while not self._ended.wait(_BREATH_SECONDS):
            self._called.wait(LOOKS_EVERY)
            self._called.clear()
            if not self._wakeups.awaited:
                continue
            try:
                if time.monotonic() > due:
                    due = time.monotonic() + CATCHES_UP_EVERY
                    self._sequencer.catch_up()
                self._look()
            except StoreError:
                self._wakeups.announce_all()  # who waits asks for himself, and is told why

    def _look(self) -> None:
        now = self._connections.look(head)
        if now - self._seen > _MOST:
            self._wakeups.announce_all()
        elif now > self._seen:
            self._wakeups.announce(self._connections.look(lambda one: _grown(one, self._seen, now)))
        self._seen = max(now, self._seen)


def _grown(connection: Connection, after: int, until: int) -> list[str]:
    return [stream for (stream,) in connection.execute(_GROWN, (after, until))]
