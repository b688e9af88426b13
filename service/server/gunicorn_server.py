"""The service in gunicorn: one worker that holds the store, a thread for each request and live stream.

A request's body is released as soon as it is read (`service.server.gunicorn_connection`): the response of a
live stream never ends.
"""

from __future__ import annotations

import contextlib
import gc
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, NoReturn
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import structlog
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.errors import AppImportError
from gunicorn.glogging import Logger
from gunicorn.http import errors
from werkzeug.exceptions import BadRequest

from engine.rulesets import RulesetBook
from service.app import create_app
from service.auth.access_register import AccessRegister
from service.auth.register_factory import open_access_register
from service.config.log_setup import format_trace_locations
from service.config.settings import Settings
from service.eventstore import EventStore, StoreError
from service.eventstore.postgres.replica import Standby
from service.eventstore.store_factory import open_standby, open_store
from service.http.api.anonymous_limits import register_heavy_worker
from service.http.api.request_bodies import MAX_LOG_BYTES
from service.http.heavy_client import HeavyWorkerClient, shorten_thread_switching
from service.http.service_context import service_context
from service.projections.projector import ProjectionWorker
from service.records.live import LiveStreams
from service.server.gunicorn_worker import WorkerLimits, build_worker_class
from service.server.raw_responses import BAD_REQUEST_DETAIL
from service.transparency.notary import open_notary
from service.transparency.signing_keys import KeyUnusable

REQUEST_THREADS: Final = 32
"""Threads for everything but live streams, of which each holds one: so streams never keep a writer out."""
RESERVED_FILES: Final = 200
SHUTDOWN_POLL_SECONDS: Final = 0.1
"""So often it is looked whether the worker is to stop."""
STREAM_SHUTDOWN_SECONDS: Final = 0.5
"""So long streams have to end by themselves."""


def serve(store_path: Path, listener: socket.socket, settings: Settings, book: RulesetBook) -> NoReturn:
    """Serves the store at ``store_path`` until a signal says to stop, then ends the process."""
    _GunicornApplication(store_path, listener, settings, book).run()
    sys.exit()


class _SingleWorkerArbiter(Arbiter):
    """Keeps one worker, which holds the store; no signal starts a second beside it."""

    def _stop(self) -> NoReturn:
        raise StopIteration

    # Also at Ctrl-C what is being answered is answered, and when the terminal is closed.
    handle_int = handle_quit = handle_hup = _stop

    def _ignore(self) -> None:
        """Nothing."""

    handle_ttin = handle_ttou = handle_usr2 = handle_winch = _ignore


class _GunicornApplication(BaseApplication):
    """gunicorn over the application; the store is opened in the worker, after the fork."""

    def __init__(
        self, store_path: Path, listener: socket.socket, settings: Settings, book: RulesetBook
    ) -> None:
        self._store_path, self._book, self._settings = store_path, book, settings
        self._descriptor = listener.detach()
        self._store: EventStore | None = None
        self._standby: Standby | None = None
        self._register: AccessRegister | None = None
        self._live: LiveStreams | None = None
        self._projection_worker: ProjectionWorker | None = None
        self._heavy = HeavyWorkerClient()
        super().__init__()

    def load_config(self) -> None:
        """Sets what is not as gunicorn would have it."""
        settings = self._settings
        threads = settings.streams + REQUEST_THREADS
        connections = _limit_connections(settings.connections, threads)
        gunicorn_settings: dict[str, Any] = {
            "bind": f"fd://{self._descriptor}",
            "worker_class": build_worker_class(
                WorkerLimits(connections, settings.request_timeout_seconds, settings.proxies, MAX_LOG_BYTES)
            ),
            "workers": 1,
            "threads": threads,
            "worker_connections": threads + connections,
            "graceful_timeout": 10,
            "loglevel": "warning",
            "logger_class": _GunicornLogger,
            "control_socket_disable": True,
            "secure_scheme_headers": {},
            "post_worker_init": self._start_worker,
            "worker_exit": self._close_worker,
        }
        for name, value in gunicorn_settings.items():
            self.cfg.set(name, value)

    def load(self) -> WSGIApplication:
        """The application, in the worker."""
        try:
            self._store = open_store(self._store_path, self._settings.store)
            if self._settings.store_reads is not None:
                self._standby = open_standby(self._store, self._settings.store_reads)
            self._register = open_access_register(self._store_path, self._settings.store)
            notary = open_notary(self._store_path.parent, self._settings.key, self._settings.store)
        except (StoreError, KeyUnusable) as error:
            raise AppImportError(str(error)) from error
        app = create_app(
            self._store,
            register=self._register,
            port=self._settings.port,
            book=self._book,
            settings=self._settings,
            notary=notary,
            standby=self._standby,
        )
        register_heavy_worker(app, self._heavy)
        with app.app_context():
            self._live = service_context().live_streams
            self._projection_worker = ProjectionWorker(self._store, service_context().club_rules)
        return _wrap_request_bodies(app)

    def run(self) -> None:
        """Serves until told to stop."""
        _SingleWorkerArbiter(self).run()

    def _start_worker(self, worker: Any) -> None:
        # Ctrl-C reaches the whole process group; the worker leaves it to its parent to stop him.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        assert self._live is not None and self._projection_worker is not None, (
            "the application is loaded before"
        )
        gc.collect()
        gc.freeze()  # what stands by now stays: no collection need look at it again
        threading.Thread(
            target=_disconnect_stuck_streams, args=(worker, self._live), name="usher", daemon=True
        ).start()
        shorten_thread_switching()
        self._projection_worker.start()

    def _close_worker(self, arbiter: Arbiter, worker: Any) -> None:
        self._heavy.close()
        if self._projection_worker is not None:
            self._projection_worker.stop()
        for opened in (self._standby, self._store, self._register):
            if opened is not None:
                opened.close()


def _disconnect_stuck_streams(worker: Any, live: LiveStreams) -> None:
    """Lets those go who do not take what they are sent, and everybody when the worker is to stop."""
    checked_at = time.monotonic()
    while worker.alive:
        time.sleep(SHUTDOWN_POLL_SECONDS)
        if time.monotonic() - checked_at > 1:
            checked_at = time.monotonic()
            live.connection_limit.disconnect_stuck()
    live.close()
    time.sleep(STREAM_SHUTDOWN_SECONDS)
    live.connection_limit.disconnect_stuck(0)


def _limit_connections(requested: int, threads: int) -> int:
    """How many connections there may be beside those that are answered, as far as files may be open.

    A worker that meets the system's limit has to turn away whom it has not looked at.
    """
    files = threads + requested + RESERVED_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < files:
        soft = files if hard == resource.RLIM_INFINITY else min(files, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if allowed == resource.RLIM_INFINITY:
        return requested
    return max(REQUEST_THREADS, min(requested, allowed - threads - RESERVED_FILES))


class _RequestBody:
    """A body as it comes in; where it breaks off or is none, that is the sender's fault, not ours."""

    def __init__(self, body: Any) -> None:
        self._body = body

    def read(self, size: int | None = None) -> bytes:
        """The next bytes. Raises `BadRequest`."""
        return self._read(self._body.read, size)

    def readline(self, size: int | None = None) -> bytes:
        """The next line. Raises `BadRequest`."""
        return self._read(self._body.readline, size)

    def _read(self, read: Callable[[int | None], bytes], size: int | None) -> bytes:
        try:
            return read(size)
        except (errors.ParseException, errors.NoMoreData):
            raise BadRequest(BAD_REQUEST_DETAIL) from None


def _wrap_request_bodies(app: WSGIApplication) -> WSGIApplication:
    """The application, whose bodies are read so."""

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ["wsgi.input"] = _RequestBody(environ["wsgi.input"])
        return app(environ, start_response)

    return application


class _GunicornLogger(Logger):
    """gunicorn's log, in ours. Its own would tell what clients sent, and where errors say it, their text."""

    def setup(self, cfg: Any) -> None:
        """Nothing is written but by us."""
        super().setup(cfg)
        for handler in list(self.error_log.handlers):
            self.error_log.removeHandler(handler)

    def critical(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Logs what ends something."""
        _log.critical("server", said=_format_message(msg, args))

    def error(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Logs what went wrong."""
        _log.error("server", said=_format_message(msg, args))

    def warning(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Logs what is odd."""
        _log.warning("server", said=_format_message(msg, args))

    def exception(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Logs that an error came up, and where, without what it says."""
        error = sys.exc_info()[1]
        if isinstance(error, TimeoutError | ConnectionError):
            _log.info("connection lost", error=type(error).__name__)
            return
        trace_locations = format_trace_locations(error.__traceback__ if error else None)
        _log.error(
            "server",
            said=str(msg).partition("%")[0].strip(),
            error=type(error).__name__,
            where=trace_locations,
        )

    def info(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Nothing: that a server starts is said elsewhere."""

    def debug(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Nothing."""

    def log(self, lvl: Any, msg: str, *args: Any, **kwargs: Any) -> None:
        """Nothing: gunicorn speaks so of signals only."""

    def access(self, resp: Any, req: Any, environ: Any, request_time: Any) -> None:
        """Nothing: requests have lines of their own."""


_log = structlog.get_logger()


def _format_message(msg: str, args: tuple[Any, ...]) -> str:
    try:
        return str(msg) % args if args else str(msg)
    except (TypeError, ValueError):
        return str(msg)
