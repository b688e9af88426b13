"""The service in waitress, where gunicorn does not run (on Windows)."""

from __future__ import annotations

import contextlib
import logging
import math
import signal
import socket
import threading
import time
from http import HTTPStatus
from pathlib import Path
from types import FrameType
from typing import Any, Final

import structlog
import waitress
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.task import ErrorTask
from waitress.utilities import Error, RequestEntityTooLarge

from engine.rulesets import Book
from service.app import create_app
from service.auth.opening import open_register
from service.config.logging import places_of
from service.config.settings import Settings
from service.eventstore.opening import open_standby, open_store
from service.http.api.anonymous_limits import have_heavy_answered
from service.http.api.request_bodies import LOG_BYTES
from service.http.context import context
from service.http.heavy import HeavyProcess, share_interpreter
from service.http.security import HEADERS
from service.projections.beside import BesideService
from service.server.raw_responses import CONTENT_TYPE, body_of, refusal_body, too_large, too_slow
from service.server.request_buffer import HEAD_BYTES, most_of
from service.server.throughput_deadline import Patience
from service.transparency.opening import open_notary

OTHER_THREADS: Final = 32
SPARE: Final = 32
"""So many connections beyond those that there may be, while others make room for them."""


def serve(path: Path, listener: socket.socket, settings: Settings, book: Book) -> None:
    """Serves the store at ``path`` until it is interrupted."""
    log_as_ours()
    threads = settings.streams + OTHER_THREADS
    with contextlib.ExitStack() as opened:
        store = open_store(path, settings.store)
        opened.callback(store.close)
        register = opened.enter_context(open_register(path, settings.store))
        notary = open_notary(path.parent, settings.key, settings.store)
        standby = None
        if settings.store_reads is not None:
            standby = opened.enter_context(contextlib.closing(open_standby(store, settings.store_reads)))
        app = create_app(
            store,
            register=register,
            port=settings.port,
            book=book,
            settings=settings,
            notary=notary,
            standby=standby,
        )
        heavy = opened.enter_context(contextlib.closing(HeavyProcess()))
        have_heavy_answered(app, heavy)
        share_interpreter()
        with app.app_context():
            live = context().live
            beside = BesideService(store, context().club_rules)
        opened.callback(beside.end)

        def interrupted(number: int, frame: FrameType | None) -> None:
            # The streams end while the server waits for its threads; in a thread of its own, as the one that
            # is interrupted may hold what it takes.
            threading.Thread(target=live.end).start()
            raise KeyboardInterrupt

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, interrupted)
        serving = waitress.create_server(
            app,
            sockets=[listener],
            threads=threads,
            connection_limit=threads + settings.connections + SPARE,
            channel_timeout=settings.patience,
            cleanup_interval=1,
            max_request_header_size=HEAD_BYTES,
            max_request_body_size=LOG_BYTES + 1,
            ident="",
        )
        serving.channel_class = _Channel
        _Channel.most = threads + settings.connections
        beside.begin()
        with contextlib.suppress(KeyboardInterrupt):
            serving.run()
        serving.close()


class _Unread(ErrorTask):
    """The answer to what is no request; waitress would repeat what it could not read."""

    def execute(self) -> None:
        """Answers in the shape of every problem."""
        body = _told_of(self.request, self.channel.adj.channel_timeout)
        self.status = f"{self.request.error.code} {self.request.error.reason}"
        self.response_headers += [
            ("Content-Type", CONTENT_TYPE),
            ("Cache-Control", "no-store"),
            *HEADERS.items(),
        ]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


def _told_of(request: Any, patience: float) -> bytes:
    status = HTTPStatus(request.error.code)
    if status is HTTPStatus.REQUEST_TIMEOUT:
        return refusal_body(too_slow(patience))
    if status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return refusal_body(too_large(most_of(request.command, LOG_BYTES)))
    return body_of(status)


class _TooSlow(Error):
    """Of a request that is not all there in time."""

    code, reason = HTTPStatus.REQUEST_TIMEOUT.value, HTTPStatus.REQUEST_TIMEOUT.phrase


class _Request(HTTPRequestParser):
    """A request that has to come in time; of one that stands still waitress itself ends the connection."""

    completed = False

    def __init__(self, adj: Any) -> None:
        super().__init__(adj)
        self._rest = Patience(adj.channel_timeout, time.monotonic())

    def received(self, data: bytes) -> int:
        """Takes what has come, and says how much of it."""
        taken: int = super().received(data)
        now, late = time.monotonic(), time.monotonic() > self._rest.until
        if self.headers_finished:
            self._rest.came(taken, now)
            self._refuse_meaningless()
        if not self.completed and late:
            if not self.headers_finished:
                self.parse_header(b"GET / HTTP/1.0\r\n")  # the answer to none is that to this one
            self.error = _TooSlow("too slow")
            self.completed = True
        return taken

    def _refuse_meaningless(self) -> None:
        """Refuses a body of some size where the method takes none: a stream would hold it for hours."""
        size = max(self.content_length, self.body_bytes_received)
        if self.error is None and not self.empty and size > (most := most_of(self.command, LOG_BYTES)):
            self.error = RequestEntityTooLarge(f"exceeds max_body of {most}")
            self.completed = True


class _Channel(HTTPChannel):
    """A connection; where there are too many, the one over which nothing was asked for longest gives way."""

    error_task_class = _Unread
    parser_class = _Request
    most = 0

    def __init__(self, server: Any, *line: Any, **more: Any) -> None:
        if len(server.active_channels) >= self.most:
            waiting = (one for one in server.active_channels.values() if not one.requests)
            oldest = min(waiting, key=lambda one: one.asked, default=None)
            if oldest is not None:
                oldest.asked, oldest.will_close = math.inf, True
        self.asked = time.monotonic()
        super().__init__(server, *line, **more)

    def received(self, data: bytes) -> bool:
        """Takes what has come."""
        taken: bool = super().received(data)
        if self.requests:
            self.asked = time.monotonic()
        return taken


def log_as_ours() -> None:
    """Has what waitress logs told in our log; its own would tell addresses, and what errors say."""
    own = logging.getLogger("waitress")
    own.handlers, own.propagate = [_InOurs()], False
    # That a request waits for a thread is no worry.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)


class _InOurs(logging.Handler):
    """Tells what waitress logs without what an error says."""

    def emit(self, record: logging.LogRecord) -> None:
        """Logs where an error came up, or else what is said."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            _log.warning("server", said=record.getMessage())
        else:
            _log.error("server", error=type(error).__name__, where=places_of(error.__traceback__))


_log = structlog.get_logger()
