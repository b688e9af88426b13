"""One look for all who wait: what other processes append is seen, and what they left without its position."""

from __future__ import annotations

import threading
from typing import Final

from service.store.errors import StoreError
from service.store.postgres_connections import Connection, Connections
from service.store.postgres_sequencing import Sequencer
from service.store.postgres_tiles import head
from service.store.waiting import Wakeups

_LOOK_SECONDS: Final = 0.1
_LOOKS_UNTIL_CATCHING_UP: Final = 10
_MOST: Final = 1000
"""Where more has come than this, everybody who waits is woken to see for himself."""

_GROWN: Final = """
    SELECT DISTINCT s.stream FROM log AS l JOIN streams AS s USING (stream_key)
    WHERE l.position > %s AND l.position <= %s"""


class Lookout:
    """Looks at the log while anybody waits, in a thread that `begin` starts."""

    def __init__(self, connections: Connections, sequencer: Sequencer, wakeups: Wakeups) -> None:
        self._connections = connections
        self._sequencer = sequencer
        self._wakeups = wakeups
        self._mutex = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ended = threading.Event()
        self._seen = 0

    def begin(self) -> None:
        """See to it that somebody looks. Who begins to wait after this misses nothing."""
        with self._mutex:
            if self._thread is None and not self._ended.is_set():
                self._seen = self._connections.look(head)
                self._thread = threading.Thread(target=self._look_out, name="lookout", daemon=True)
                self._thread.start()

    def end(self) -> None:
        """Stop looking. Twice is harmless."""
        with self._mutex:
            self._ended.set()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _look_out(self) -> None:
        looks = 0
        while not self._ended.wait(_LOOK_SECONDS):
            if not self._wakeups.awaited:
                continue
            looks += 1
            try:
                if looks % _LOOKS_UNTIL_CATCHING_UP == 0:
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
