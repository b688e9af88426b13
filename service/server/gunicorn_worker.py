"""A worker of gunicorn's that nobody can hold: no thread waits for a request, or for ever on an answer.

Requests are gathered in the main loop (`RequestBuffer`), as many at once as there is room for, each in time;
a thread gets those that are all there. Where there is no room left, who has most of it gives way.
"""

from __future__ import annotations

import contextlib
import errno
import selectors
import socket
import sys
import time
from collections import Counter
from concurrent.futures import Future
from functools import partial
from http import HTTPStatus
from typing import Any, ClassVar, Final, NamedTuple

import structlog
from gunicorn.http import errors
from gunicorn.workers.gthread import ThreadWorker

from service.http.client_address import client_address
from service.server.fair_queue import FairQueue
from service.server.gunicorn_connection import GunicornConnection, TimedSocket
from service.server.raw_responses import (
    body_too_large_problem,
    build_problem_response,
    build_status_response,
    request_too_slow_problem,
    too_many_connections_problem,
    too_many_requests_problem,
)

DEADLINE_CHECK_SECONDS: Final = 0.25
"""So often it is looked who has come to the end of his time."""
LINGER_SECONDS: Final = 2.0
"""So long a connection that ends is read from: closed at once, it might lose the end of the answer."""
SHUTDOWN_LINGER_SECONDS: Final = 0.5
STALLED_SEND_SECONDS: Final = 2.0
"""So long one may take nothing of his answer while others wait for a thread."""
RECEIVE_BYTES: Final = 64 << 10
MAX_DRAINED_BYTES: Final = 16 << 20
MAX_BUFFERED_BYTES: Final = 64 << 20
"""So much is held of requests: of those that come in, and of those that wait to be read."""
TRANSIENT_ACCEPT_ERRORS: Final = (errno.EAGAIN, errno.EWOULDBLOCK, errno.ECONNABORTED)
FILE_LIMIT_ERRORS: Final = (errno.EMFILE, errno.ENFILE)
UNKNOWN_CLIENT: Final = "?"
"""Whom they count for, together, who have not said yet for whom they ask: proxies say it in a head."""
CONTINUE_RESPONSE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"


class WorkerLimits(NamedTuple):
    """How much room there is: ``idle_connections`` at once beside those that have a thread;
    ``max_body_bytes`` bytes.

    A request is waited for ``timeout`` seconds. The farthest of ``proxy_count`` tells who asks.
    """

    idle_connections: int
    timeout: float
    proxy_count: int
    max_body_bytes: int


def build_worker_class(limits: WorkerLimits) -> type[BufferingWorker]:
    """The worker that keeps within those bounds."""

    class LimitedWorker(BufferingWorker):
        """The worker of one server."""

    LimitedWorker.limits = limits
    return LimitedWorker


class BufferingWorker(ThreadWorker):
    """A worker that gathers requests, and repeats nothing of what it could not read."""

    limits: ClassVar[WorkerLimits]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._threads: int = self.cfg.threads
        self._max_connections = self._threads + self.limits.idle_connections
        # It goes on accepting where there is no room: somebody gives way, or the newcomer is told so.
        self.worker_connections = sys.maxsize
        self._waiting: FairQueue[GunicornConnection] = FairQueue()
        self._answering: FairQueue[GunicornConnection] = FairQueue()
        self._lingering: dict[GunicornConnection, float] = {}
        self._buffered_bytes = 0
        self._unparsed_sizes: dict[GunicornConnection, int] = {}
        self._next_check = 0.0
        self._shutdown_deadline = float("inf")

    # Coming in

    def accept(self, listener: socket.socket) -> None:
        """Takes a connection, if need be in the place of another."""
        try:
            accepted, address = listener.accept()
        except OSError as error:
            if error.errno in FILE_LIMIT_ERRORS:
                if not self._evict_one():
                    time.sleep(0.01)  # all are being answered; the newcomer waits where he is
            elif error.errno not in TRANSIENT_ACCEPT_ERRORS:
                raise
            return
        line = TimedSocket(accepted.family, accepted.type, accepted.proto, fileno=accepted.detach())
        line.send_timeout = self.limits.timeout
        conn = GunicornConnection(self.cfg, line, address, listener.getsockname(), self.limits.max_body_bytes)
        conn.client_key = (
            UNKNOWN_CLIENT if self.limits.proxy_count else client_address({"REMOTE_ADDR": address[0]})
        )
        has_room = self.nr_conns < self._max_connections or self._evict_one()
        self.nr_conns += 1
        if has_room:
            self._start_waiting(conn)
        else:
            self._refuse(conn, build_problem_response(too_many_connections_problem()))

    def _evict_one(self) -> bool:
        """Has one give way of those who are not being answered; False where there is none."""
        if self._lingering:
            self._close(next(iter(self._lingering)))
            return True
        victim = self._waiting.pick_eviction()
        if victim is None:
            return False
        self._evict(victim)
        return True

    def _evict(self, conn: GunicornConnection) -> None:
        """Ends a connection that waits; who has begun to ask is told why."""
        self._stop_waiting(conn)
        if conn.request_buffer.has_data:
            self._refuse(conn, build_problem_response(too_many_connections_problem()))
        else:
            self._close(conn)

    def _start_waiting(self, conn: GunicornConnection) -> None:
        conn.sock.setblocking(False)
        self._waiting.add(conn, conn.client_key)
        self._buffered_bytes += len(conn.request_buffer.data)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._receive_data, conn))
        if conn.request_buffer.has_data:
            self._advance_request(conn)

    def _stop_waiting(self, conn: GunicornConnection) -> None:
        """Has a connection wait no longer."""
        self._waiting.discard(conn)
        self._buffered_bytes -= len(conn.request_buffer.data)
        with contextlib.suppress(KeyError, ValueError, OSError):
            self.poller.unregister(conn.sock)

    def _receive_data(self, conn: GunicornConnection, _: Any) -> None:
        """Takes what has come over a connection that waits."""
        if conn not in self._waiting:
            return  # it gave way to one that came at the same moment
        data = _receive_bytes(conn)
        if data is None:
            return
        if data:
            conn.receive(data)
            self._buffered_bytes += len(data)
        elif conn.request_buffer.has_data:
            conn.request_buffer.truncate()
        else:
            self._stop_waiting(conn)
            self._close(conn)
            return
        self._advance_request(conn)

    def _advance_request(self, conn: GunicornConnection) -> None:
        """Has a request answered that is all there, or else waits for more of it."""
        request_buffer = conn.request_buffer
        if request_buffer.refusal_status is not None:
            self._stop_waiting(conn)
            self._refuse(conn, self._build_refusal(request_buffer.refusal_status, request_buffer.body_limit))
            return
        if self.limits.proxy_count and request_buffer.received_body_bytes is not None:
            forwarded_address = request_buffer.forwarded_address(self.limits.proxy_count)
            self._assign_client(
                conn, client_address({"REMOTE_ADDR": forwarded_address}) if forwarded_address else ""
            )
        if request_buffer.is_ready:
            self._stop_waiting(conn)
            self._start_answering(conn)
            return
        if request_buffer.expects_continue and not conn.has_sent_continue:
            conn.has_sent_continue = True
            with contextlib.suppress(OSError):
                conn.sock.send(CONTINUE_RESPONSE)
        while (victim := self._pick_memory_eviction()) is not None:
            self._evict(victim)

    def _pick_memory_eviction(self) -> GunicornConnection | None:
        """Who gives way where more is held than there is room for: of the client who holds most, his largest.

        What is being answered counts too, until it is read, for him alone: nobody else gives way for it.
        """
        if self._buffered_bytes + sum(self._unparsed_sizes.values()) <= MAX_BUFFERED_BYTES:
            return None
        bytes_by_client, largest = Counter[str](), dict[str, GunicornConnection]()
        for conn in self._waiting:
            size, largest_of_client = len(conn.request_buffer.data), largest.get(conn.client_key)
            bytes_by_client[conn.client_key] += size
            if size and (largest_of_client is None or size > len(largest_of_client.request_buffer.data)):
                largest[conn.client_key] = conn
        buffered_by_client = bytes_by_client.copy()
        for conn in self._unparsed_sizes:
            bytes_by_client[conn.client_key] += conn.unparsed_bytes
        if bytes_by_client.total() <= MAX_BUFFERED_BYTES:
            return None
        heaviest_client = max(bytes_by_client, key=bytes_by_client.__getitem__)
        if heaviest_client not in largest and self._buffered_bytes > MAX_BUFFERED_BYTES:
            heaviest_client = max(buffered_by_client, key=buffered_by_client.__getitem__)
        return largest.get(heaviest_client)

    def _assign_client(self, conn: GunicornConnection, client: str) -> None:
        if client != conn.client_key:
            conn.client_key = client
            self._waiting.add(conn, client)

    def _build_refusal(self, status: HTTPStatus, body_limit: int) -> bytes:
        if status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return build_problem_response(body_too_large_problem(body_limit))
        _log.info("not a request")
        return build_status_response(status)

    # Answering

    def _start_answering(self, conn: GunicornConnection) -> None:
        if conn.client_key and self._answering.count(conn.client_key) >= self._threads // 2:
            self._refuse(conn, build_problem_response(too_many_requests_problem()))
            return
        self._unparsed_sizes[conn] = conn.feed_parser()
        self._answering.add(conn, conn.client_key)
        self.enqueue_req(conn)

    def handle_request(self, req: Any, conn: GunicornConnection) -> Any:
        """Answers a request, in a thread."""
        req._expected_100_continue = False  # who waited for it was told before
        if not conn.request_buffer.is_whole:
            req.force_close()
        return super().handle_request(req, conn)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Any) -> None:
        """Answers what is no request; what goes wrong here is answered as gunicorn does."""
        if not isinstance(exc, errors.ParseException):
            super().handle_error(req, client, addr, exc)
            return
        _log.info("not a request")
        with contextlib.suppress(OSError):
            client.sendall(build_status_response(_parse_error_status(exc)))

    def finish_request(self, conn: GunicornConnection, fs: Future[Any]) -> None:
        """Waits for the next request over a connection, or ends it."""
        self._answering.discard(conn)
        del self._unparsed_sizes[conn]
        keep_alive = not fs.cancelled() and fs.exception() is None and fs.result()
        if keep_alive and conn.request_buffer.is_whole:
            if self.limits.proxy_count:
                conn.client_key = UNKNOWN_CLIENT
            conn.start_request()
            self._start_waiting(conn)
        else:
            self._linger(conn)

    # Ending

    def _refuse(self, conn: GunicornConnection, response: bytes) -> None:
        """Ends a connection with that answer."""
        with contextlib.suppress(OSError):
            conn.sock.setblocking(False)
            conn.sock.send(response)
        self._linger(conn)

    def _linger(self, conn: GunicornConnection) -> None:
        """Ends a connection as soon as its client does, or a little later.

        gunicorn waits for that in its main loop, where everybody would wait with it.
        """
        conn.discard_data()
        try:
            conn.sock.shutdown(socket.SHUT_WR)
            conn.sock.setblocking(False)
            self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._drain, conn))
        except (OSError, KeyError, ValueError):
            self._close(conn)
            return
        self._lingering[conn] = time.monotonic() + (LINGER_SECONDS if self.alive else SHUTDOWN_LINGER_SECONDS)

    def _drain(self, conn: GunicornConnection, _: Any) -> None:
        if conn not in self._lingering:
            return
        data = _receive_bytes(conn)
        if data is None:
            return
        conn.drained_bytes += len(data)
        if not data or conn.drained_bytes > MAX_DRAINED_BYTES:
            self._close(conn)

    def _close(self, conn: GunicornConnection) -> None:
        self._lingering.pop(conn, None)
        with contextlib.suppress(KeyError, ValueError, OSError):
            self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        with contextlib.suppress(OSError):
            conn.sock.close()

    # Time

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        """Does what there is to do, and looks up now and then while there are connections."""
        super().wait_for_and_dispatch_events(
            min(timeout, DEADLINE_CHECK_SECONDS) if self.nr_conns else timeout
        )

    def murder_keepalived(self, force: bool = False) -> None:
        """Ends the connections whose time has come, or all that are not being answered."""
        now = time.monotonic()
        if force:
            for conn in self._waiting:
                self._stop_waiting(conn)
                self._close(conn)
            for conn in list(self._lingering):
                self._close(conn)
        elif now >= self._next_check:
            self._next_check = now + DEADLINE_CHECK_SECONDS
            self._check_waiting(now)
            self._disconnect_stalled(now)
            for conn in [conn for conn, until in self._lingering.items() if until <= now]:
                self._close(conn)

    def _check_waiting(self, now: float) -> None:
        for conn in self._waiting:
            if conn.receive_deadline() <= now:
                self._stop_waiting(conn)
                if conn.request_buffer.has_data:
                    _log.info("too slow")
                    self._refuse(conn, build_problem_response(request_too_slow_problem(self.limits.timeout)))
                else:
                    self._close(conn)
            elif now >= self._shutdown_deadline:
                self._evict(conn)

    def _disconnect_stalled(self, now: float) -> None:
        """Cuts those off who do not take their answer, and sooner where others wait for a thread."""
        sending = [(conn.sock.send_started_at, conn.sock) for conn in self._answering]
        stuck = [(since, line) for since, line in sending if since is not None]
        missing_threads = len(self._answering) - self._threads
        for number, (since, line) in enumerate(sorted(stuck, key=lambda one: one[0])):
            if line.send_deadline <= now or (
                number <= missing_threads and since + STALLED_SEND_SECONDS <= now
            ):
                with contextlib.suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)

    def _cap_keepalive(self, deadline: float) -> None:
        """The service ends: until then who is asking may go on."""
        self._shutdown_deadline = deadline


def _receive_bytes(conn: GunicornConnection) -> bytes | None:
    """What has come over a connection: None where there is nothing yet, empty where it has ended."""
    try:
        data: bytes = conn.sock.recv(RECEIVE_BYTES)
    except (BlockingIOError, InterruptedError):
        return None
    except OSError:
        return b""
    return data


def _parse_error_status(error: errors.ParseException) -> HTTPStatus:
    """The status of what could not be read."""
    found = (status for kind, status in PARSE_ERROR_STATUSES.items() if isinstance(error, kind))
    return next(found, HTTPStatus.BAD_REQUEST)


PARSE_ERROR_STATUSES: Final[dict[type[errors.ParseException], HTTPStatus]] = {
    errors.LimitRequestLine: HTTPStatus.REQUEST_URI_TOO_LONG,
    errors.LimitRequestHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    errors.ExpectationFailed: HTTPStatus.EXPECTATION_FAILED,
    errors.UnsupportedTransferCoding: HTTPStatus.NOT_IMPLEMENTED,
}
"""What is not simply a bad request."""

_log = structlog.get_logger()
