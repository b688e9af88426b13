"""One poller for all waiters: it sees what other processes append, and events left without a position.

It polls when another process sends NOTIFY (`service.eventstore.postgres.sequencer`), and also ten times a
second, as a notification may be lost.
"""

from __future__ import annotations

import threading
import time
from typing import Final

import psycopg
from psycopg import sql

from service.eventstore.commit_notifier import POLL_INTERVAL_SECONDS, CommitNotifier
from service.eventstore.errors import StoreError
from service.eventstore.postgres.connections import (
    WAIT_TIMEOUT_SECONDS,
    Connection,
    PostgresAddress,
    PostgresPool,
)
from service.eventstore.postgres.event_queries import select_head
from service.eventstore.postgres.sequencer import Sequencer

CATCH_UP_INTERVAL_SECONDS: Final = 1.0
"""Seconds between two attempts to assign positions that other processes left unassigned."""

_LISTEN_SECONDS: Final = 0.1
"""Seconds to wait for a notification at a time, which is also how long stopping can take."""
_RECONNECT_SECONDS: Final = 0.1
_MIN_POLL_SECONDS: Final = 0.005
"""Minimum interval between two polls, however often others notify."""


class Poller:
    """Polls the log while anybody waits, in a thread with its own connection, which `start` starts."""

    def __init__(
        self,
        connections: PostgresPool,
        address: PostgresAddress,
        channel: str,
        sequencer: Sequencer,
        notifier: CommitNotifier,
    ) -> None:
        self._connections = connections
        self._address = address
        self._channel = channel
        self._sequencer = sequencer
        self._notifier = notifier
        self._mutex = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ended = threading.Event()
        self._last_head = 0

    def start(self) -> None:
        """Make sure that the poller runs. A waiter that starts after this misses nothing."""
        with self._mutex:
            if self._thread is None and not self._ended.is_set():
                self._last_head = self._connections.run_read(select_head)
                self._thread = threading.Thread(target=self._run, name="poller", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop polling. Calling this twice is harmless."""
        with self._mutex:
            self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                with self._connect() as connection:
                    connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._channel)))
                    self._watch(connection)
            except (psycopg.Error, StoreError):
                self._notifier.notify()  # waiters then query the store and receive its error
                self._ended.wait(_RECONNECT_SECONDS)

    def _connect(self) -> Connection:
        return psycopg.connect(
            self._address.url,
            autocommit=True,
            application_name="spadille",
            connect_timeout=int(WAIT_TIMEOUT_SECONDS),
            # This detects a server that disappeared without notice: nothing else is sent to it.
            **self._address.connect_options,
        )

    def _watch(self, connection: Connection) -> None:
        """Poll until stopped. Raises psycopg's error if the connection breaks."""
        is_called = True  # earlier notifications were not received
        next_look = 0.0
        next_catch_up = time.monotonic() + CATCH_UP_INTERVAL_SECONDS
        while not self._ended.wait(_MIN_POLL_SECONDS):
            now = time.monotonic()
            if self._notifier.has_waiters and (is_called or now > next_look):
                is_called = False
                next_look = now + POLL_INTERVAL_SECONDS
                if now > next_catch_up:
                    next_catch_up = now + CATCH_UP_INTERVAL_SECONDS
                    self._sequencer.catch_up()
                self._look(connection)
            is_called = is_called or any(connection.notifies(timeout=_LISTEN_SECONDS, stop_after=1))

    def _look(self, connection: Connection) -> None:
        head = select_head(connection)
        if head > self._last_head:
            self._notifier.notify()
        self._last_head = max(head, self._last_head)
