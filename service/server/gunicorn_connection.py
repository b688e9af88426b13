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

from service.server.request_buffer import RequestBuffer
from service.server.throughput_deadline import MIN_BYTES_PER_SECOND, ThroughputDeadline

IDLE_TIMEOUT_SECONDS: Final = 15.0
"""So long a connection over which nothing is asked stays open."""
READ_BYTES: Final = 8192


class TimedSocket(socket.socket):
    """A connection that knows since when, and until when, what is being sent has been on its way."""

    send_timeout = 20.0
    send_started_at: float | None = None
    send_deadline: float = 0.0

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Send all of it."""
        with self._track_send(len(data)):
            super().sendall(data, flags)

    def sendfile(self, file: IO[bytes], offset: int = 0, count: int | None = None) -> int:  # type: ignore[override]
        """Send a file, or so much of it."""
        with self._track_send(count or 0):
            return super().sendfile(file, offset, count)

    @contextmanager
    def _track_send(self, size: int) -> Iterator[None]:
        now = time.monotonic()
        self.send_deadline, self.send_started_at = now + self.send_timeout + size / MIN_BYTES_PER_SECOND, now
        try:
            yield
        finally:
            self.send_started_at = None


class BufferedUnreader(Unreader):
    """The bytes of a request for gunicorn's parser, which waits for no others: there are none behind them."""

    def __init__(self) -> None:
        super().__init__()
        self._data = b""
        self._offset = 0

    def set_data(self, data: bytes) -> None:
        """Have these be read."""
        self._data, self._offset = data, 0

    @property
    def remaining_count(self) -> int:
        """How many of them are left; also another thread than the one that reads may ask."""
        return max(0, len(self._data) - self._offset)

    def remaining_data(self) -> bytes:
        """What is left of them: the beginning of the next request."""
        return self._data[self._offset :]

    take_buffered = remaining_data

    def read(self, size: int | None = None, read_ahead: int | None = None) -> bytes:
        """The next ``size`` bytes, or a piece as a socket would give one; fewer where there are no more."""
        byte_count = max(READ_BYTES, read_ahead or 0) if size is None or size < 0 else size
        piece = self._data[self._offset : self._offset + byte_count]
        self._offset += len(piece)
        if self._offset >= len(self._data):
            self._data, self._offset = b"", 0  # an answer may take hours, and nobody needs them any longer
        return piece

    def unread(self, data: bytes) -> None:
        """Take back what was read last."""
        start = self._offset - len(data)
        if start >= 0 and self._data.startswith(data, start):
            self._offset = start
        else:
            self._data, self._offset = data + self.remaining_data(), 0


class GunicornConnection(TConn):
    """A connection, with what has come of its next request."""

    def __init__(
        self, cfg: Any, timed_socket: TimedSocket, address: Any, server: Any, body_limit: int
    ) -> None:
        super().__init__(cfg, timed_socket, address, server)
        self._body_limit, self._timeout = body_limit, timed_socket.send_timeout
        self.initialized = True  # a thread has nothing to wait for
        self.parser = get_parser(cfg, timed_socket, address)
        self.parser.unreader = self._unreader = BufferedUnreader()
        self.client_key = ""
        self.drained_bytes = 0
        self.start_request()

    def start_request(self) -> None:
        """Begin with the next request, of which something may have come with the last one."""
        rest = self._unreader.remaining_data()
        self._unreader.set_data(b"")
        self.request_buffer = RequestBuffer(self._body_limit)
        self._idle_deadline = time.monotonic() + IDLE_TIMEOUT_SECONDS
        self._deadline = ThroughputDeadline(self._timeout, time.monotonic())
        self.has_sent_continue = False
        if rest:
            self.receive(rest)

    def receive(self, data: bytes) -> None:
        """Take what has come."""
        had_data, body = self.request_buffer.has_data, self.request_buffer.received_body_bytes
        self.request_buffer.receive(data)
        now = time.monotonic()
        if not had_data or (body is None and self.request_buffer.received_body_bytes is not None):
            self._deadline = ThroughputDeadline(self._timeout, now)
        if self.request_buffer.received_body_bytes is not None:
            self._deadline.record_bytes(len(data), now)

    def feed_parser(self) -> int:
        """Give what has come to the parser, and say how much that is."""
        data = bytes(self.request_buffer.data)
        self.request_buffer.data.clear()
        self._unreader.set_data(data)
        return len(data)

    def discard_data(self) -> None:
        """Keep nothing of what has come: nobody will read it."""
        self.request_buffer.data.clear()
        self._unreader.set_data(b"")

    @property
    def unparsed_bytes(self) -> int:
        """How many bytes of what was handed over the parser has not read yet."""
        return self._unreader.remaining_count

    def receive_deadline(self) -> float:
        """By when more must have come."""
        return self._deadline.expires_at if self.request_buffer.has_data else self._idle_deadline
