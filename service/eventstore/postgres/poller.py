"""One look for all who wait: what other processes append is seen, and what they left without its position.

It looks when another process calls (`service.eventstore.postgres.notify_channel`), and by itself ten times a
second, as a call may be lost.
"""

from __future__ import annotations

import threading
import time
from typing import Final

from service.eventstore.errors import StoreError
from service.eventstore.postgres.connections import Connection, PostgresAddress, PostgresPool
from service.eventstore.postgres.notify_channel import NotificationListener, NotifyChannel
from service.eventstore.postgres.sequencer import Sequencer
from service.eventstore.postgres.tiles import select_head
from service.eventstore.stream_notifier import POLL_INTERVAL_SECONDS, StreamNotifier

CATCH_UP_INTERVAL_SECONDS: Final = 1.0
"""Seconds after which it is seen to that what others left has its position."""

_MIN_POLL_SECONDS: Final = 0.005
"""However often others call, there are no more looks than one in this time."""
_MAX_NAMED_EVENTS: Final = 1000
"""Where more has come than this, everybody who waits is woken to see for himself."""

_GROWN: Final = """
    SELECT DISTINCT (SELECT stream FROM streams WHERE stream_key = l.stream_key) FROM log AS l
    WHERE l.position > %s AND l.position <= %s"""


class Poller:
    """Looks at the log while anybody waits, in a thread that `start` starts."""

    def __init__(
        self,
        connections: PostgresPool,
        address: PostgresAddress,
        channel: NotifyChannel,
        sequencer: Sequencer,
        notifier: StreamNotifier,
    ) -> None:
        self._connections = connections
        self._sequencer = sequencer
        self._notifier = notifier
        self._mutex = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ended = threading.Event()
        self._wake_event = threading.Event()
        self._listener = NotificationListener(address, channel, self._wake_event.set)
        self._last_head = 0

    def start(self) -> None:
        """See to it that somebody looks. Who begins to wait after this misses nothing."""
        with self._mutex:
            if self._thread is None and not self._ended.is_set():
                self._last_head = self._connections.run_read(select_head)
                self._thread = threading.Thread(target=self._run, name="poller", daemon=True)
                self._thread.start()
                self._listener.start()

    def stop(self) -> None:
        """Stop looking. Twice is harmless."""
        with self._mutex:
            self._ended.set()
            self._wake_event.set()
            thread = self._thread
        self._listener.stop()
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _run(self) -> None:
        catch_up_at = time.monotonic() + CATCH_UP_INTERVAL_SECONDS
        while not self._ended.wait(_MIN_POLL_SECONDS):
            self._wake_event.wait(POLL_INTERVAL_SECONDS)
            self._wake_event.clear()
            if not self._notifier.has_waiters:
                continue
            try:
                if time.monotonic() > catch_up_at:
                    catch_up_at = time.monotonic() + CATCH_UP_INTERVAL_SECONDS
                    self._sequencer.catch_up()
                self._poll_once()
            except StoreError:
                self._notifier.notify_all()  # who waits asks for himself, and is told why

    def _poll_once(self) -> None:
        head = self._connections.run_read(select_head)
        if head - self._last_head > _MAX_NAMED_EVENTS:
            self._notifier.notify_all()
        elif head > self._last_head:
            self._notifier.notify(
                self._connections.run_read(lambda one: _select_grown_streams(one, self._last_head, head))
            )
        self._last_head = max(head, self._last_head)


def _select_grown_streams(connection: Connection, after: int, up_to: int) -> list[str]:
    return [stream for (stream,) in connection.execute(_GROWN, (after, up_to))]
