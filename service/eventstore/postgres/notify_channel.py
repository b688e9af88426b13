"""Calls from process to process: whoever gives events their positions says so to those who wait elsewhere.

A call (NOTIFY) goes out with the transaction that gives the positions, when that is committed. It is a hint
and says nothing but who called: what is new is read from the log. One that is lost costs no more than the
time until the next look (`service.eventstore.postgres.poller`).
"""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Callable
from typing import Final, NamedTuple, Self

import psycopg
from psycopg import sql

from service.eventstore.ids import new_id
from service.eventstore.postgres.connections import (
    WAIT_TIMEOUT_SECONDS,
    Connection,
    PostgresAddress,
    advisory_lock_key,
)

_RECONNECT_SECONDS: Final = 1.0
"""So long after a connection broke another is tried."""


class NotifyChannel(NamedTuple):
    """How the processes of one store call each other: the channel's ``name``, and by what this one knows
    its own (``sender_id``)."""

    name: str
    sender_id: str

    @classmethod
    def for_schema(cls, schema: str) -> Self:
        """Those of the store in that schema of its database."""
        return cls(f"spadille_{advisory_lock_key(schema, 'calls') % (1 << 64):016x}", new_id())


class NotificationListener:
    """Listens in a thread, over its own connection, for calls from other processes.

    ``on_notify`` is called when one arrives, and when listening begins, as earlier calls were not heard.
    """

    def __init__(
        self, address: PostgresAddress, channel: NotifyChannel, on_notify: Callable[[], None]
    ) -> None:
        self._address, self._channel, self._on_notify = address, channel, on_notify
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Listen from now on. To be called once."""
        self._wake_sender, self._wake_receiver = socket.socketpair()
        self._thread = threading.Thread(target=self._listen, name="notifications", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop listening. Twice is harmless."""
        self._ended.set()
        if self._thread is not None:
            self._wake_sender.close()
            self._thread.join()
            self._wake_receiver.close()

    def _listen(self) -> None:
        while not self._ended.is_set():
            try:
                with self._connect() as connection:
                    listen = sql.SQL("LISTEN {}").format(sql.Identifier(self._channel.name))
                    connection.execute(listen)
                    self._on_notify()
                    self._forward_notifications(connection)
            except psycopg.Error:
                self._ended.wait(_RECONNECT_SECONDS)

    def _connect(self) -> Connection:
        return psycopg.connect(
            self._address.url,
            autocommit=True,
            application_name="spadille",
            connect_timeout=int(WAIT_TIMEOUT_SECONDS),
            # A server that is gone without a word is noticed by nothing else: nothing is sent to it.
            **self._address.connect_options,
        )

    def _forward_notifications(self, connection: Connection) -> None:
        """Tell of each call until the end. Raises psycopg's error where the connection breaks."""
        with selectors.DefaultSelector() as ready:
            ready.register(connection, selectors.EVENT_READ)
            ready.register(self._wake_receiver, selectors.EVENT_READ)
            while not self._ended.is_set():
                ready.select()
                connection.pgconn.consume_input()
                if self._count_foreign_notifications(connection):
                    self._on_notify()

    def _count_foreign_notifications(self, connection: Connection) -> int:
        count = 0
        while (call := connection.pgconn.notifies()) is not None:
            count += call.extra != self._channel.sender_id.encode()
        return count
