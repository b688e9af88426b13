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

from engine.rulesets import RulesetBook
from service.app import create_app
from service.auth.register_factory import open_access_register
from service.config.log_setup import format_trace_locations
from service.config.settings import Settings
from service.eventstore.store_factory import open_standby, open_store
from service.http.api.anonymous_limits import register_heavy_worker
from service.http.api.request_bodies import MAX_LOG_BYTES
from service.http.heavy_client import HeavyWorkerClient, shorten_thread_switching
from service.http.security import SECURITY_HEADERS
from service.http.service_context import service_context
from service.projections.projector import ProjectionWorker
from service.server.raw_responses import (
    PROBLEM_CONTENT_TYPE,
    body_too_large_problem,
    build_problem_body,
    build_status_body,
    request_too_slow_problem,
)
from service.server.request_buffer import MAX_HEAD_BYTES, max_body_bytes
from service.server.throughput_deadline import ThroughputDeadline
from service.transparency.notary import open_notary

REQUEST_THREADS: Final = 32
SPARE_CONNECTIONS: Final = 32
"""So many connections beyond those that there may be, while others make room for them."""


def serve(store_path: Path, listener: socket.socket, settings: Settings, book: RulesetBook) -> None:
    """Serves the store at ``store_path`` until it is interrupted."""
    redirect_waitress_logs()
    threads = settings.streams + REQUEST_THREADS
    with contextlib.ExitStack() as opened:
        store = open_store(store_path, settings.store)
        opened.callback(store.close)
        register = opened.enter_context(open_access_register(store_path, settings.store))
        notary = open_notary(store_path.parent, settings.key, settings.store)
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
        heavy = opened.enter_context(contextlib.closing(HeavyWorkerClient()))
        register_heavy_worker(app, heavy)
        shorten_thread_switching()
        with app.app_context():
            live = service_context().live_streams
            projection_worker = ProjectionWorker(store, service_context().club_rules)
        opened.callback(projection_worker.stop)

        def handle_signal(number: int, frame: FrameType | None) -> None:
            # The streams end while the server waits for its threads; in a thread of its own, as the one that
            # is interrupted may hold what it takes.
            threading.Thread(target=live.close).start()
            raise KeyboardInterrupt

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, handle_signal)
        serving = waitress.create_server(
            app,
            sockets=[listener],
            threads=threads,
            connection_limit=threads + settings.connections + SPARE_CONNECTIONS,
            channel_timeout=settings.request_timeout_seconds,
            cleanup_interval=1,
            max_request_header_size=MAX_HEAD_BYTES,
            max_request_body_size=MAX_LOG_BYTES + 1,
            ident="",
        )
        serving.channel_class = _BoundedChannel
        _BoundedChannel.max_channels = threads + settings.connections
        projection_worker.start()
        with contextlib.suppress(KeyboardInterrupt):
            serving.run()
        serving.close()


class _UnreadableRequestTask(ErrorTask):
    """The answer to what is no request; waitress would repeat what it could not read."""

    def execute(self) -> None:
        """Answers in the shape of every problem."""
        body = _build_error_body(self.request, self.channel.adj.channel_timeout)
        self.status = f"{self.request.error.code} {self.request.error.reason}"
        self.response_headers += [
            ("Content-Type", PROBLEM_CONTENT_TYPE),
            ("Cache-Control", "no-store"),
            *SECURITY_HEADERS.items(),
        ]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


def _build_error_body(request: Any, timeout: float) -> bytes:
    status = HTTPStatus(request.error.code)
    if status is HTTPStatus.REQUEST_TIMEOUT:
        return build_problem_body(request_too_slow_problem(timeout))
    if status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return build_problem_body(body_too_large_problem(max_body_bytes(request.command, MAX_LOG_BYTES)))
    return build_status_body(status)


class _RequestTimeout(Error):
    """Of a request that is not all there in time."""

    code, reason = HTTPStatus.REQUEST_TIMEOUT.value, HTTPStatus.REQUEST_TIMEOUT.phrase


class _DeadlineRequestParser(HTTPRequestParser):
    """A request that has to come in time; of one that stands still waitress itself ends the connection."""

    completed = False

    def __init__(self, adj: Any) -> None:
        super().__init__(adj)
        self._deadline = ThroughputDeadline(adj.channel_timeout, time.monotonic())

    def received(self, data: bytes) -> int:
        """Takes what has come, and says how much of it."""
        received_count: int = super().received(data)
        now, is_late = time.monotonic(), time.monotonic() > self._deadline.expires_at
        if self.headers_finished:
            self._deadline.record_bytes(received_count, now)
            self._refuse_unused_body()
        if not self.completed and is_late:
            if not self.headers_finished:
                self.parse_header(b"GET / HTTP/1.0\r\n")  # the answer to none is that to this one
            self.error = _RequestTimeout("too slow")
            self.completed = True
        return received_count

    def _refuse_unused_body(self) -> None:
        """Refuses a body of some size where the method takes none: a stream would hold it for hours."""
        size = max(self.content_length, self.body_bytes_received)
        if (
            self.error is None
            and not self.empty
            and size > (max_bytes := max_body_bytes(self.command, MAX_LOG_BYTES))
        ):
            self.error = RequestEntityTooLarge(f"exceeds max_body of {max_bytes}")
            self.completed = True


class _BoundedChannel(HTTPChannel):
    """A connection; where there are too many, the one over which nothing was asked for longest gives way."""

    error_task_class = _UnreadableRequestTask
    parser_class = _DeadlineRequestParser
    max_channels = 0

    def __init__(self, server: Any, *line: Any, **more: Any) -> None:
        if len(server.active_channels) >= self.max_channels:
            idle_channels = (one for one in server.active_channels.values() if not one.requests)
            oldest = min(idle_channels, key=lambda one: one.last_request_at, default=None)
            if oldest is not None:
                oldest.last_request_at, oldest.will_close = math.inf, True
        self.last_request_at = time.monotonic()
        super().__init__(server, *line, **more)

    def received(self, data: bytes) -> bool:
        """Takes what has come."""
        has_received: bool = super().received(data)
        if self.requests:
            self.last_request_at = time.monotonic()
        return has_received


def redirect_waitress_logs() -> None:
    """Has what waitress logs told in our log; its own would tell addresses, and what errors say."""
    own = logging.getLogger("waitress")
    own.handlers, own.propagate = [_WaitressLogHandler()], False
    # That a request waits for a thread is no worry.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)


class _WaitressLogHandler(logging.Handler):
    """Tells what waitress logs without what an error says."""

    def emit(self, record: logging.LogRecord) -> None:
        """Logs where an error came up, or else what is said."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            _log.warning("server", said=record.getMessage())
        else:
            _log.error(
                "server", error=type(error).__name__, where=format_trace_locations(error.__traceback__)
            )


_log = structlog.get_logger()
