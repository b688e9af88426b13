"""A connection of gunicorn's: its request is gathered before a thread reads it, its answer sent in time."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Final

from gunicorn.http import get_parser
from gunicorn.http.unreader import Unreader
from gunicorn.workers.gthread import TConn

from service.server.request_buffer import Arrival
from service.server.throughput_deadline import BYTES_A_SECOND, Patience

IDLE_SECONDS: Final = 15.0
"""So long a connection over which nothing is asked stays open."""
PIECE: Final = 8192


class Line(socket.socket):
    """A connection that knows since when, and until when, what is being sent has been on its way."""

    patience = 20.0
    since: float | None = None
    until: float = 0.0

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Send all of it."""
        with self._on_its_way(len(data)):
            super().sendall(data, flags)

    def sendfile(self, file: IO[bytes], offset: int = 0, count: int | None = None) -> int:  # type: ignore[override]
        """Send a file, or so much of it."""
        with self._on_its_way(count or 0):
            return super().sendfile(file, offset, count)

    @contextmanager
    def _on_its_way(self, size: int) -> Iterator[None]:
        now = time.monotonic()
        self.until, self.since = now + self.patience + size / BYTES_A_SECOND, now
        try:
            yield
        finally:
            self.since = None


class Gathered(Unreader):
    """The bytes of a request for gunicorn's parser, which waits for no others: there are none behind them."""

    def __init__(self) -> None:
        super().__init__()
        self._held = b""
        self._at = 0

    def give(self, held: bytes) -> None:
        """Have these be read."""
        self._held, self._at = held, 0

    @property
    def left(self) -> int:
        """How many of them are left; also another thread than the one that reads may ask."""
        return max(0, len(self._held) - self._at)

    def rest(self) -> bytes:
        """What is left of them: the beginning of the next request."""
        return self._held[self._at :]

    take_buffered = rest

    def read(self, size: int | None = None, read_ahead: int | None = None) -> bytes:
        """The next ``size`` bytes, or a piece as a socket would give one; fewer where there are no more."""
        wanted = max(PIECE, read_ahead or 0) if size is None or size < 0 else size
        piece = self._held[self._at : self._at + wanted]
        self._at += len(piece)
        if self._at >= len(self._held):
            self._held, self._at = b"", 0  # an answer may take hours, and nobody needs them any longer
        return piece

    def unread(self, data: bytes) -> None:
        """Take back what was read last."""
        start = self._at - len(data)
        if start >= 0 and self._held.startswith(data, start):
            self._at = start
        else:
            self._held, self._at = data + self.rest(), 0


class Connection(TConn):
    """A connection, with what has come of its next request."""

    def __init__(self, cfg: Any, line: Line, address: Any, server: Any, most: int) -> None:
        super().__init__(cfg, line, address, server)
        self._most, self._patience = most, line.patience
        self.initialized = True  # a thread has nothing to wait for
        self.parser = get_parser(cfg, line, address)
        self.parser.unreader = self._gathered = Gathered()
        self.client_key = ""
        self.drained = 0
        self.begin()

    def begin(self) -> None:
        """Begin with the next request, of which something may have come with the last one."""
        rest = self._gathered.rest()
        self._gathered.give(b"")
        self.arrival = Arrival(self._most)
        self._idle_until = time.monotonic() + IDLE_SECONDS
        self._rest = Patience(self._patience, time.monotonic())
        self.told_to_go_on = False
        if rest:
            self.take(rest)

    def take(self, data: bytes) -> None:
        """Take what has come."""
        begun, body = self.arrival.begun, self.arrival.body_bytes
        self.arrival.take(data)
        now = time.monotonic()
        if not begun or (body is None and self.arrival.body_bytes is not None):
            self._rest = Patience(self._patience, now)
        if self.arrival.body_bytes is not None:
            self._rest.came(len(data), now)

    def hand_over(self) -> int:
        """Give what has come to the parser, and say how much that is."""
        held = bytes(self.arrival.held)
        self.arrival.held.clear()
        self._gathered.give(held)
        return len(held)

    def let_go(self) -> None:
        """Keep nothing of what has come: nobody will read it."""
        self.arrival.held.clear()
        self._gathered.give(b"")

    @property
    def unread(self) -> int:
        """How many bytes of what was handed over the parser has not read yet."""
        return self._gathered.left

    def until(self) -> float:
        """By when more must have come."""
        return self._rest.until if self.arrival.begun else self._idle_until
