"""A worker of gunicorn's that nobody can hold: no thread waits for a request, or for ever on an answer.

Requests are gathered in the main loop (`Arrival`), as many at once as there is room for, each in time; a
thread gets those that are all there. Where there is no room left, who has most of it gives way.
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

from service.http.clients import client_of
from service.server.fair_queue import Waiting
from service.server.gunicorn_connection import Connection, Line
from service.server.raw_responses import answer_of, no_room, refusal, too_large, too_much_at_once, too_slow

LOOK_SECONDS: Final = 0.25
"""So often it is looked who has come to the end of his time."""
LINGER_SECONDS: Final = 2.0
"""So long a connection that ends is read from: closed at once, it might lose the end of the answer."""
LAST_SECONDS: Final = 0.5
SCARCE_SECONDS: Final = 2.0
"""So long one may take nothing of his answer while others wait for a thread."""
PIECE: Final = 64 << 10
DRAINED_BYTES: Final = 16 << 20
ARRIVING_BYTES: Final = 64 << 20
"""So much is held of requests: of those that come in, and of those that wait to be read."""
NOT_NOW: Final = (errno.EAGAIN, errno.EWOULDBLOCK, errno.ECONNABORTED)
NO_FILES: Final = (errno.EMFILE, errno.ENFILE)
UNTOLD: Final = "?"
"""Whom they count for, together, who have not said yet for whom they ask: proxies say it in a head."""
CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"


class Bounds(NamedTuple):
    """How much room there is: ``connections`` at once beside those that have a thread; ``body`` bytes.

    A request is waited for ``patience`` seconds. The farthest of ``proxies`` tells who asks.
    """

    connections: int
    patience: float
    proxies: int
    body: int


def worker_within(bounds: Bounds) -> type[Worker]:
    """The worker that keeps within those bounds."""

    class Within(Worker):
        """The worker of one server."""

    Within.bounds = bounds
    return Within


class Worker(ThreadWorker):
    """A worker that gathers requests, and repeats nothing of what it could not read."""

    bounds: ClassVar[Bounds]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._threads: int = self.cfg.threads
        self._most = self._threads + self.bounds.connections
        # It goes on accepting where there is no room: somebody gives way, or the newcomer is told so.
        self.worker_connections = sys.maxsize
        self._waiting: Waiting[Connection] = Waiting()
        self._answering: Waiting[Connection] = Waiting()
        self._lingering: dict[Connection, float] = {}
        self._arriving = 0
        self._handed: dict[Connection, int] = {}
        self._look = 0.0
        self._last = float("inf")

    # Coming in

    def accept(self, listener: socket.socket) -> None:
        """Takes a connection, if need be in the place of another."""
        try:
            made, address = listener.accept()
        except OSError as error:
            if error.errno in NO_FILES:
                if not self._make_room():
                    time.sleep(0.01)  # all are being answered; the newcomer waits where he is
            elif error.errno not in NOT_NOW:
                raise
            return
        line = Line(made.family, made.type, made.proto, fileno=made.detach())
        line.patience = self.bounds.patience
        conn = Connection(self.cfg, line, address, listener.getsockname(), self.bounds.body)
        conn.client_key = UNTOLD if self.bounds.proxies else client_of({"REMOTE_ADDR": address[0]})
        room = self.nr_conns < self._most or self._make_room()
        self.nr_conns += 1
        if room:
            self._wait(conn)
        else:
            self._refuse(conn, refusal(no_room()))

    def _make_room(self) -> bool:
        """Has one give way of those who are not being answered; False where there is none."""
        if self._lingering:
            self._close(next(iter(self._lingering)))
            return True
        victim = self._waiting.first_to_go()
        if victim is None:
            return False
        self._give_way(victim)
        return True

    def _give_way(self, conn: Connection) -> None:
        """Ends a connection that waits; who has begun to ask is told why."""
        self._leave(conn)
        if conn.arrival.begun:
            self._refuse(conn, refusal(no_room()))
        else:
            self._close(conn)

    def _wait(self, conn: Connection) -> None:
        conn.sock.setblocking(False)
        self._waiting.add(conn, conn.client_key)
        self._arriving += len(conn.arrival.held)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._take, conn))
        if conn.arrival.begun:
            self._go_on(conn)

    def _leave(self, conn: Connection) -> None:
        """Has a connection wait no longer."""
        self._waiting.discard(conn)
        self._arriving -= len(conn.arrival.held)
        with contextlib.suppress(KeyError, ValueError, OSError):
            self.poller.unregister(conn.sock)

    def _take(self, conn: Connection, _: Any) -> None:
        """Takes what has come over a connection that waits."""
        if conn not in self._waiting:
            return  # it gave way to one that came at the same moment
        data = _received(conn)
        if data is None:
            return
        if data:
            conn.take(data)
            self._arriving += len(data)
        elif conn.arrival.begun:
            conn.arrival.break_off()
        else:
            self._leave(conn)
            self._close(conn)
            return
        self._go_on(conn)

    def _go_on(self, conn: Connection) -> None:
        """Has a request answered that is all there, or else waits for more of it."""
        arrival = conn.arrival
        if arrival.refused is not None:
            self._leave(conn)
            self._refuse(conn, self._refused(arrival.refused, arrival.most))
            return
        if self.bounds.proxies and arrival.body_bytes is not None:
            told = arrival.forwarded_for(self.bounds.proxies)
            self._count_for(conn, client_of({"REMOTE_ADDR": told}) if told else "")
        if arrival.complete:
            self._leave(conn)
            self._have_answered(conn)
            return
        if arrival.waits_for_leave and not conn.told_to_go_on:
            conn.told_to_go_on = True
            with contextlib.suppress(OSError):
                conn.sock.send(CONTINUE)
        while (victim := self._too_much()) is not None:
            self._give_way(victim)

    def _too_much(self) -> Connection | None:
        """Who gives way where more is held than there is room for: of the client who holds most, his largest.

        What is being answered counts too, until it is read, for him alone: nobody else gives way for it.
        """
        if self._arriving + sum(self._handed.values()) <= ARRIVING_BYTES:
            return None
        of_client, largest = Counter[str](), dict[str, Connection]()
        for conn in self._waiting:
            size, most = len(conn.arrival.held), largest.get(conn.client_key)
            of_client[conn.client_key] += size
            if size and (most is None or size > len(most.arrival.held)):
                largest[conn.client_key] = conn
        arriving = of_client.copy()
        for conn in self._handed:
            of_client[conn.client_key] += conn.unread
        if of_client.total() <= ARRIVING_BYTES:
            return None
        first = max(of_client, key=of_client.__getitem__)
        if first not in largest and self._arriving > ARRIVING_BYTES:
            first = max(arriving, key=arriving.__getitem__)
        return largest.get(first)

    def _count_for(self, conn: Connection, client: str) -> None:
        if client != conn.client_key:
            conn.client_key = client
            self._waiting.add(conn, client)

    def _refused(self, status: HTTPStatus, most: int) -> bytes:
        if status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return refusal(too_large(most))
        _log.info("not a request")
        return answer_of(status)

    # Answering

    def _have_answered(self, conn: Connection) -> None:
        if conn.client_key and self._answering.count(conn.client_key) >= self._threads // 2:
            self._refuse(conn, refusal(too_much_at_once()))
            return
        self._handed[conn] = conn.hand_over()
        self._answering.add(conn, conn.client_key)
        self.enqueue_req(conn)

    def handle_request(self, req: Any, conn: Connection) -> Any:
        """Answers a request, in a thread."""
        req._expected_100_continue = False  # who waited for it was told before
        if not conn.arrival.whole:
            req.force_close()
        return super().handle_request(req, conn)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Any) -> None:
        """Answers what is no request; what goes wrong here is answered as gunicorn does."""
        if not isinstance(exc, errors.ParseException):
            super().handle_error(req, client, addr, exc)
            return
        _log.info("not a request")
        with contextlib.suppress(OSError):
            client.sendall(answer_of(_status_of(exc)))

    def finish_request(self, conn: Connection, fs: Future[Any]) -> None:
        """Waits for the next request over a connection, or ends it."""
        self._answering.discard(conn)
        del self._handed[conn]
        again = not fs.cancelled() and fs.exception() is None and fs.result()
        if again and conn.arrival.whole:
            if self.bounds.proxies:
                conn.client_key = UNTOLD
            conn.begin()
            self._wait(conn)
        else:
            self._linger(conn)

    # Ending

    def _refuse(self, conn: Connection, answer: bytes) -> None:
        """Ends a connection with that answer."""
        with contextlib.suppress(OSError):
            conn.sock.setblocking(False)
            conn.sock.send(answer)
        self._linger(conn)

    def _linger(self, conn: Connection) -> None:
        """Ends a connection as soon as its client does, or a little later.

        gunicorn waits for that in its main loop, where everybody would wait with it.
        """
        conn.let_go()
        try:
            conn.sock.shutdown(socket.SHUT_WR)
            conn.sock.setblocking(False)
            self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._drain, conn))
        except (OSError, KeyError, ValueError):
            self._close(conn)
            return
        self._lingering[conn] = time.monotonic() + (LINGER_SECONDS if self.alive else LAST_SECONDS)

    def _drain(self, conn: Connection, _: Any) -> None:
        if conn not in self._lingering:
            return
        data = _received(conn)
        if data is None:
            return
        conn.drained += len(data)
        if not data or conn.drained > DRAINED_BYTES:
            self._close(conn)

    def _close(self, conn: Connection) -> None:
        self._lingering.pop(conn, None)
        with contextlib.suppress(KeyError, ValueError, OSError):
            self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        with contextlib.suppress(OSError):
            conn.sock.close()

    # Time

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        """Does what there is to do, and looks up now and then while there are connections."""
        super().wait_for_and_dispatch_events(min(timeout, LOOK_SECONDS) if self.nr_conns else timeout)

    def murder_keepalived(self, force: bool = False) -> None:
        """Ends the connections whose time has come, or all that are not being answered."""
        now = time.monotonic()
        if force:
            for conn in self._waiting:
                self._leave(conn)
                self._close(conn)
            for conn in list(self._lingering):
                self._close(conn)
        elif now >= self._look:
            self._look = now + LOOK_SECONDS
            self._look_at_waiting(now)
            self._look_at_answering(now)
            for conn in [conn for conn, until in self._lingering.items() if until <= now]:
                self._close(conn)

    def _look_at_waiting(self, now: float) -> None:
        for conn in self._waiting:
            if conn.until() <= now:
                self._leave(conn)
                if conn.arrival.begun:
                    _log.info("too slow")
                    self._refuse(conn, refusal(too_slow(self.bounds.patience)))
                else:
                    self._close(conn)
            elif now >= self._last:
                self._give_way(conn)

    def _look_at_answering(self, now: float) -> None:
        """Cuts those off who do not take their answer, and sooner where others wait for a thread."""
        sending = [(conn.sock.since, conn.sock) for conn in self._answering]
        stuck = [(since, line) for since, line in sending if since is not None]
        wanted = len(self._answering) - self._threads
        for number, (since, line) in enumerate(sorted(stuck, key=lambda one: one[0])):
            if line.until <= now or (number <= wanted and since + SCARCE_SECONDS <= now):
                with contextlib.suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)

    def _cap_keepalive(self, deadline: float) -> None:
        """The service ends: until then who is asking may go on."""
        self._last = deadline


def _received(conn: Connection) -> bytes | None:
    """What has come over a connection: None where there is nothing yet, empty where it has ended."""
    try:
        data: bytes = conn.sock.recv(PIECE)
    except (BlockingIOError, InterruptedError):
        return None
    except OSError:
        return b""
    return data


def _status_of(error: errors.ParseException) -> HTTPStatus:
    """The status of what could not be read."""
    found = (status for kind, status in UNREAD.items() if isinstance(error, kind))
    return next(found, HTTPStatus.BAD_REQUEST)


UNREAD: Final[dict[type[errors.ParseException], HTTPStatus]] = {
    errors.LimitRequestLine: HTTPStatus.REQUEST_URI_TOO_LONG,
    errors.LimitRequestHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    errors.ExpectationFailed: HTTPStatus.EXPECTATION_FAILED,
    errors.UnsupportedTransferCoding: HTTPStatus.NOT_IMPLEMENTED,
}
"""What is not simply a bad request."""

_log = structlog.get_logger()
