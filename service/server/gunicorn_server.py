"""The service in gunicorn: one worker that holds the store, a thread for each request and live stream."""

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

from engine.rulesets import Book
from service.app import create_app
from service.auth.opening import open_register
from service.auth.register import Register
from service.config.logging import places_of
from service.config.settings import Settings
from service.eventstore import EventStore, StoreError
from service.eventstore.opening import open_standby, open_store
from service.eventstore.postgres.replica import Standby
from service.http.api.anonymous_limits import have_heavy_answered
from service.http.api.request_bodies import LOG_BYTES
from service.http.context import context
from service.http.heavy import HeavyProcess, share_interpreter
from service.projections.beside import BesideService
from service.records.live import Live
from service.server.gunicorn_worker import Bounds, worker_within
from service.server.raw_responses import DETAIL
from service.transparency.keys import KeyUnusable
from service.transparency.opening import open_notary

OTHER_THREADS: Final = 32
"""Threads for everything but live streams, of which each holds one: so streams never keep a writer out."""
OTHER_FILES: Final = 200
LOOK_SECONDS: Final = 0.1
"""So often it is looked whether the worker is to stop."""
FAREWELL_SECONDS: Final = 0.5
"""So long streams have to end by themselves."""


def serve(path: Path, listener: socket.socket, settings: Settings, book: Book) -> NoReturn:
    """Serves the store at ``path`` until a signal says to stop, then ends the process."""
    _Server(path, listener, settings, book).run()
    sys.exit()


class _OneWorker(Arbiter):
    """Keeps one worker, which holds the store; no signal starts a second beside it."""

    def _stop(self) -> NoReturn:
        raise StopIteration

    # Also at Ctrl-C what is being answered is answered, and when the terminal is closed.
    handle_int = handle_quit = handle_hup = _stop

    def _ignore(self) -> None:
        """Nothing."""

    handle_ttin = handle_ttou = handle_usr2 = handle_winch = _ignore


class _Server(BaseApplication):
    """gunicorn over the application; the store is opened in the worker, after the fork."""

    def __init__(self, path: Path, listener: socket.socket, settings: Settings, book: Book) -> None:
        self._path, self._book, self._settings = path, book, settings
        self._descriptor = listener.detach()
        self._store: EventStore | None = None
        self._standby: Standby | None = None
        self._register: Register | None = None
        self._live: Live | None = None
        self._beside: BesideService | None = None
        self._heavy = HeavyProcess()
        super().__init__()

    def load_config(self) -> None:
        """Sets what is not as gunicorn would have it."""
        told = self._settings
        threads = told.streams + OTHER_THREADS
        connections = _connections(told.connections, threads)
        settings: dict[str, Any] = {
            "bind": f"fd://{self._descriptor}",
            "worker_class": worker_within(Bounds(connections, told.patience, told.proxies, LOG_BYTES)),
            "workers": 1,
            "threads": threads,
            "worker_connections": threads + connections,
            "graceful_timeout": 10,
            "loglevel": "warning",
            "logger_class": _Log,
            "control_socket_disable": True,
            "secure_scheme_headers": {},
            "post_worker_init": self._begin,
            "worker_exit": self._close,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> WSGIApplication:
        """The application, in the worker."""
        try:
            self._store = open_store(self._path, self._settings.store)
            if self._settings.store_reads is not None:
                self._standby = open_standby(self._store, self._settings.store_reads)
            self._register = open_register(self._path, self._settings.store)
            notary = open_notary(self._path.parent, self._settings.key, self._settings.store)
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
        have_heavy_answered(app, self._heavy)
        with app.app_context():
            self._live = context().live
            self._beside = BesideService(self._store, context().club_rules)
        return _with_read_bodies(app)

    def run(self) -> None:
        """Serves until told to stop."""
        _OneWorker(self).run()

    def _begin(self, worker: Any) -> None:
        # Ctrl-C reaches the whole process group; the worker leaves it to its parent to stop him.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        assert self._live is not None and self._beside is not None, "the application is loaded before"
        gc.collect()
        gc.freeze()  # what stands by now stays: no collection need look at it again
        threading.Thread(target=_usher, args=(worker, self._live), name="usher", daemon=True).start()
        share_interpreter()
        self._beside.begin()

    def _close(self, arbiter: Arbiter, worker: Any) -> None:
        self._heavy.close()
        if self._beside is not None:
            self._beside.end()
        for opened in (self._standby, self._store, self._register):
            if opened is not None:
                opened.close()


def _usher(worker: Any, live: Live) -> None:
    """Lets those go who do not take what they are sent, and everybody when the worker is to stop."""
    looked = time.monotonic()
    while worker.alive:
        time.sleep(LOOK_SECONDS)
        if time.monotonic() - looked > 1:
            looked = time.monotonic()
            live.places.let_go()
    live.end()
    time.sleep(FAREWELL_SECONDS)
    live.places.let_go(0)


def _connections(wanted: int, threads: int) -> int:
    """How many connections there may be beside those that are answered, as far as files may be open.

    A worker that meets the system's limit has to turn away whom it has not looked at.
    """
    files = threads + wanted + OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < files:
        soft = files if hard == resource.RLIM_INFINITY else min(files, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if allowed == resource.RLIM_INFINITY:
        return wanted
    return max(OTHER_THREADS, min(wanted, allowed - threads - OTHER_FILES))


class _Body:
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
            raise BadRequest(DETAIL) from None


def _with_read_bodies(app: WSGIApplication) -> WSGIApplication:
    """The application, whose bodies are read so."""

    def answered(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ["wsgi.input"] = _Body(environ["wsgi.input"])
        return app(environ, start_response)

    return answered


class _Log(Logger):
    """gunicorn's log, in ours. Its own would tell what clients sent, and where errors say it, their text."""

    def setup(self, cfg: Any) -> None:
        """Nothing is written but by us."""
        super().setup(cfg)
        for handler in list(self.error_log.handlers):
            self.error_log.removeHandler(handler)

    def critical(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Logs what ends something."""
        _log.critical("server", said=_said(msg, args))

    def error(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Logs what went wrong."""
        _log.error("server", said=_said(msg, args))

    def warning(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Logs what is odd."""
        _log.warning("server", said=_said(msg, args))

    def exception(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Logs that an error came up, and where, without what it says."""
        error = sys.exc_info()[1]
        if isinstance(error, TimeoutError | ConnectionError):
            _log.info("connection lost", error=type(error).__name__)
            return
        where = places_of(error.__traceback__ if error else None)
        _log.error("server", said=str(msg).partition("%")[0].strip(), error=type(error).__name__, where=where)

    def info(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Nothing: that a server starts is said elsewhere."""

    def debug(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Nothing."""

    def log(self, lvl: Any, msg: str, *args: Any, **kwargs: Any) -> None:
        """Nothing: gunicorn speaks so of signals only."""

    def access(self, resp: Any, req: Any, environ: Any, request_time: Any) -> None:
        """Nothing: requests have lines of their own."""


_log = structlog.get_logger()


def _said(msg: str, args: tuple[Any, ...]) -> str:
    try:
        return str(msg) % args if args else str(msg)
    except (TypeError, ValueError):
        return str(msg)
