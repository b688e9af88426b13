"""The service in waitress, where gunicorn does not run (on Windows)."""

from __future__ import annotations

import contextlib
import logging
import signal
import socket
import threading
from http import HTTPStatus
from pathlib import Path
from types import FrameType
from typing import Final

import structlog
import waitress
from waitress.channel import HTTPChannel
from waitress.task import ErrorTask

from engine.rulesets import Book
from service.app import create_app
from service.context import context
from service.evidence.notary import Notary
from service.identity.first_login import register_beside
from service.identity.register import Register
from service.no_request import CONTENT_TYPE, body_of
from service.operations.logs import places_of
from service.settings import Settings
from service.store import SqliteStore

OTHER_THREADS: Final = 32
IDLE_CONNECTIONS: Final = 200


def serve(path: Path, listener: socket.socket, settings: Settings, book: Book) -> None:
    """Serves the store at ``path`` until it is interrupted."""
    log_as_ours()
    threads = settings.streams + OTHER_THREADS
    with SqliteStore(path) as store, Register(register_beside(path)) as register:
        notary = Notary.in_folder(path.parent)
        app = create_app(
            store, register=register, port=settings.port, book=book, settings=settings, notary=notary
        )
        with app.app_context():
            live = context().live

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
            connection_limit=threads + IDLE_CONNECTIONS,
            ident="",
        )
        serving.channel_class = _Channel
        with contextlib.suppress(KeyboardInterrupt):
            serving.run()
        serving.close()


class _Unread(ErrorTask):
    """The answer to what is no request; waitress would repeat what it could not read."""

    def execute(self) -> None:
        """Answers in the shape of every problem."""
        body = body_of(HTTPStatus(self.request.error.code))
        self.status = f"{self.request.error.code} {self.request.error.reason}"
        self.response_headers += [("Content-Type", CONTENT_TYPE), ("Cache-Control", "no-store")]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Channel(HTTPChannel):
    """A connection whose errors are answered so."""

    error_task_class = _Unread


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
