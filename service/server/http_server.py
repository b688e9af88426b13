"""The HTTP server: a configured waitress.

It reads a request completely before a thread sees it, and buffers the part of a response that a client has
not read yet. So slow clients hold no thread; a live stream holds one, which is added for it. To limit each
client's share of the connections, use a reverse proxy: docs/operations.md says how.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import sys
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final
from wsgiref.types import WSGIApplication

import structlog
import waitress
from flask import Response
from waitress.channel import HTTPChannel
from waitress.task import ErrorTask, ThreadedTaskDispatcher, WSGITask

from service.config.settings import Settings
from service.http.api.request_bodies import MAX_LOG_BYTES
from service.http.problems import body_too_large_problem, problem_response
from service.http.security import SECURITY_HEADERS
from service.records.live import LiveStreams, TooManyStreams

REQUEST_THREADS: Final = 16
"""Threads for everything but live streams. Each live stream adds one, so streams never block writers.

Anonymous callers may hold half of them (`service.http.api.anonymous_limits.MAX_WAITING`). The threads take
requests in turn, so more of them make each request slower."""
MAX_HEADER_BYTES: Final = 32 << 10
CLEANUP_SECONDS: Final = 1
"""Seconds between two checks for idle connections."""
RESERVED_FILES: Final = 200
"""Open files reserved for everything but connections."""
SHUTDOWN_SECONDS: Final = 10.0
"""Seconds to finish requests in progress when the service is stopped."""
STALLED_SECONDS: Final = 1.0
"""Seconds after which a client that reads nothing of its response no longer delays the shutdown."""
STOP_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
BAD_REQUEST_DETAIL: Final = "The server cannot read this request. Nothing was done."

_log = structlog.get_logger()


def serve(
    app: WSGIApplication, listener: socket.socket, settings: Settings, live_streams: LiveStreams
) -> None:
    """Serve ``app`` until a signal stops it; then end the ``live_streams`` and finish the open requests."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        # Accepted connections inherit this option: the system ends those whose client reads nothing of a
        # response.
        milliseconds = 1000 * settings.request_timeout_seconds
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
    dispatcher = ThreadDispatcher()
    dispatcher.set_thread_count(REQUEST_THREADS)
    server = waitress.create_server(
        app,
        sockets=[listener],
        _dispatcher=dispatcher,
        connection_limit=_limit_connections(REQUEST_THREADS + settings.streams + settings.connections),
        channel_timeout=settings.request_timeout_seconds,
        cleanup_interval=CLEANUP_SECONDS,
        max_request_header_size=MAX_HEADER_BYTES,
        max_request_body_size=MAX_LOG_BYTES + 1,  # waitress also refuses a body of exactly that size
        asyncore_use_poll=sys.platform != "win32",
        clear_untrusted_proxy_headers=False,  # `service.app` reads them to detect remote requests
        log_socket_errors=False,
        ident="",
    )
    server.channel_class = _Channel

    def adjust_threads(stream_count: int) -> None:
        if server.accepting:  # a stopping server ends its threads
            try:
                dispatcher.set_thread_count(REQUEST_THREADS + stream_count)
            except RuntimeError:  # the system gives no more threads
                raise TooManyStreams from None

    live_streams.connection_limit.on_change = adjust_threads
    _stop_on_signals(server, live_streams.close)
    with contextlib.suppress(KeyboardInterrupt):  # another Ctrl-C ends the wait
        server.run()
    server.close()


def _limit_connections(wanted: int) -> int:
    """The number of connections there is room for, after raising the limit of open files if necessary."""
    if sys.platform == "win32":
        return wanted
    import resource

    files = wanted + RESERVED_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < files:
        files = files if hard == resource.RLIM_INFINITY else min(files, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
            soft = files
    if soft == resource.RLIM_INFINITY:
        return wanted
    return max(REQUEST_THREADS, min(wanted, soft - RESERVED_FILES))


class _ProblemTask(ErrorTask):
    """Answers an invalid request with a problem document; waitress itself would repeat unreadable input."""

    def execute(self) -> None:
        """Answer, and close the connection."""
        _log.info("not a request")
        self.request.path = ""  # waitress logs it if the client has gone
        status = HTTPStatus(self.request.error.code)
        response = _build_error_response(status)
        body = response.get_data()
        self.status = f"{status.value} {status.phrase}"
        self.response_headers += [*response.headers, *SECURITY_HEADERS.items()]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class ThreadDispatcher(ThreadedTaskDispatcher):
    """Gives requests to threads. A thread that cannot start does not count."""

    threads: set[int]

    def start_new_thread(self, target: Callable[[int], None], thread_no: int) -> None:
        """Start a thread. Raises `RuntimeError`."""
        try:
            super().start_new_thread(target, thread_no)
        except RuntimeError:
            self.threads.discard(thread_no)
            raise


class _Task(WSGITask):
    """Answers a request. A body of one piece is sent together with its headers."""

    wrote_header: bool
    content_bytes_written: int

    def write(self, data: bytes) -> None:
        """Send a piece of the body, and first the headers."""
        if self.wrote_header or not data or len(data) != self.content_length or not self.has_body:
            super().write(data)
            return
        self.channel.write_soon(self.build_response_header() + data)
        self.wrote_header, self.content_bytes_written = True, len(data)


class _Channel(HTTPChannel):
    """A connection. While a thread sends on it, the loop leaves it alone.

    Otherwise the loop would find it writable repeatedly until the thread continues: with hundreds of live
    streams that delays everything.
    """

    task_class = _Task
    error_task_class = _ProblemTask
    is_sending = False

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send as much of ``data`` as the system accepts; returns its length."""
        self.is_sending = True
        try:
            return int(super().send(data, do_close))
        finally:
            self.is_sending = False

    def writable(self) -> bool:
        """Whether the loop has something to send, or must close the connection."""
        return not self.is_sending and bool(super().writable())


def _build_error_response(status: HTTPStatus) -> Response:
    if status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return body_too_large_problem(MAX_LOG_BYTES).to_response()
    return problem_response("about:blank", status.phrase, status.value, BAD_REQUEST_DETAIL, {}, {})


def _stop_on_signals(server: Any, end_streams: Callable[[], None]) -> None:
    def stop() -> None:
        server.accepting = False
        end_streams()
        deadline = time.monotonic() + SHUTDOWN_SECONDS
        while any(map(_is_being_answered, list(server.active_channels.values()))):
            if time.monotonic() > deadline:
                break
            time.sleep(0.05)
        interrupt_main()
        with contextlib.suppress(OSError):  # the server may be closed by now
            server.pull_trigger()

    def handle_signal(*_: Any) -> None:
        for name in STOP_SIGNALS:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.default_int_handler)
        # In a separate thread: the interrupted code may hold a lock that is needed to stop.
        threading.Thread(target=stop, name="stop", daemon=True).start()

    for name in STOP_SIGNALS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), handle_signal)


def _is_being_answered(channel: HTTPChannel) -> bool:
    """Whether a request is in progress, or the client is reading its response."""
    if channel.total_outbufs_len:
        return bool(channel.last_activity > time.time() - STALLED_SECONDS)
    return bool(channel.requests)
