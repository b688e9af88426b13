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
from service.eventstore.postgres.connections import WAIT_SECONDS, Address, Connection, lock_key

_AGAIN_SECONDS: Final = 1.0
"""So long after a connection broke another is tried."""


class Calls(NamedTuple):
    """How the processes of one store call each other: the ``channel``, and by what this one knows its own."""

    channel: str
    own: str

    @classmethod
    def of(cls, schema: str) -> Self:
        """Those of the store in that schema of its database."""
        return cls(f"spadille_{lock_key(schema, 'calls') % (1 << 64):016x}", new_id())


class Ear:
    """Listens for other processes' calls over a connection of its own, in a thread; ``called`` is told.

    Also whenever it begins to listen, as calls before that were not heard.
    """

    def __init__(self, address: Address, calls: Calls, called: Callable[[], None]) -> None:
        self._address, self._calls, self._called = address, calls, called
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Listen from now on. To be called once."""
        self._waking, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._listen, name="ear", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop listening. Twice is harmless."""
        self._ended.set()
        if self._thread is not None:
            self._waking.close()
            self._thread.join()
            self._woken.close()

    def _listen(self) -> None:
        while not self._ended.is_set():
            try:
                with self._connected() as connection:
                    listen = sql.SQL("LISTEN {}").format(sql.Identifier(self._calls.channel))
                    connection.execute(listen)
                    self._called()
                    self._hear(connection)
            except psycopg.Error:
                self._ended.wait(_AGAIN_SECONDS)

    def _connected(self) -> Connection:
        return psycopg.connect(
            self._address.url,
            autocommit=True,
            application_name="spadille",
            connect_timeout=int(WAIT_SECONDS),
            # A server that is gone without a word is noticed by nothing else: nothing is sent to it.
            **self._address.manner,
        )

    def _hear(self, connection: Connection) -> None:
        """Tell of each call until the end. Raises psycopg's error where the connection breaks."""
        with selectors.DefaultSelector() as ready:
            ready.register(connection, selectors.EVENT_READ)
            ready.register(self._woken, selectors.EVENT_READ)
            while not self._ended.is_set():
                ready.select()
                connection.pgconn.consume_input()
                if self._calls_of_others(connection):
                    self._called()

    def _calls_of_others(self, connection: Connection) -> int:
        count = 0
        while (call := connection.pgconn.notifies()) is not None:
            count += call.extra != self._calls.own.encode()
        return count
