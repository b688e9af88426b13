"""Serving on this computer: one store, one process that holds it, the loopback address."""

import errno
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NoReturn
from wsgiref.types import WSGIApplication

import platformdirs
import structlog

import replays
from engine.rulesets import PUBLISHED, Book
from service.app import create_app
from service.identity.first_login import owner_links, register_beside
from service.identity.register import Register
from service.identity.tokens import scrubbed
from service.store import SqliteStore, StoreError

HOST: Final = "127.0.0.1"
THREADS: Final = 32
STORE_NAME: Final = "spadille.db"


def run(data: Path | None, port: int, browser: bool, book: Book = PUBLISHED) -> None:
    """Serves the records in the folder ``data`` on ``port`` of this computer until it is told to stop.

    ``data`` is made where it is not there; None is this computer's place for such data. With
    ``browser`` the first deal of the library is opened, where there is a display; ``book`` has the
    rulesets that deals may be played by. What stands in the way is said in a sentence, and the
    process ends with status 1.
    """
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            scrubbed,
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    store = store_in(data)
    listener = listen(port)
    address = f"http://{HOST}:{port}"
    print(f"Spadille is at {address}/ (press Ctrl-C to stop it).", flush=True)
    welcome(store, address, browser)
    _serve(store, listener, port, book)


def store_in(data: Path | None) -> Path:
    """The store's file, after a look whether it can be used. Ends the process where it cannot."""
    folder = data or platformdirs.user_data_path("spadille", appauthor=False)
    try:
        # Names and hands are nobody else's affair on a computer that several people use.
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        sys.exit(f"The folder {folder} cannot be made: {error.strerror}. Name another with --data.")
    path = folder / STORE_NAME
    try:
        with SqliteStore(path) as store:
            notice = store.notice
    except StoreError as error:
        sys.exit(str(error))
    if notice:
        print(notice, file=sys.stderr)
    return path


def welcome(store: Path, address: str, browser: bool) -> None:
    """Lets the owner in: by his browser, and by a link at his terminal. Ends the process where it cannot."""
    try:
        with Register(register_beside(store)) as register:
            for_browser, for_people = owner_links(register, address, [first_page(), "/deals"])
    except StoreError as error:
        sys.exit(str(error))
    if sys.stdout.isatty():
        # Anywhere else what is printed may end in a log, and a token is not to be there.
        print(f"To log in elsewhere on this computer, once: {for_people}", flush=True)
    if browser:
        open_browser(for_browser)


def listen(port: int) -> socket.socket:
    """A socket that listens on loopback. Ends the process where the port cannot be had."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":
        # On Windows the same option would let two programs have the port.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        sys.exit(_no_port(port, error))
    return listener


def _no_port(port: int, error: OSError) -> str:
    other = f"choose another one, such as: spadille serve --port {port + 1 if port < 65535 else 8240}"
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken, perhaps by another Spadille. Stop what listens there, or {other}"
    return f"Port {port} cannot be used: {error.strerror}. Please {other}"


def first_page() -> str:
    """Where a newcomer begins: at the replayer, over the library's first deal."""
    first = next(iter(replays.library()), None)
    return f"/replays/{first.name}" if first else "/"


def open_browser(address: str) -> None:
    """Opens the user's browser where there is a display; that it cannot is no matter."""
    if sys.platform not in ("win32", "darwin") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return
    try:
        # In a process of its own: some browsers hold whoever opens them until they are closed.
        subprocess.Popen(
            [sys.executable, "-P", "-m", "webbrowser", "-t", address],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return


if sys.platform == "win32":
    import waitress

    def _serve(path: Path, listener: socket.socket, port: int, book: Book) -> None:
        with SqliteStore(path) as store:
            app = create_app(store, register=Register(register_beside(path)), port=port, book=book)
            waitress.serve(app, sockets=[listener], threads=THREADS)

else:
    from gunicorn.app.base import BaseApplication
    from gunicorn.arbiter import Arbiter
    from gunicorn.errors import AppImportError

    def _serve(path: Path, listener: socket.socket, port: int, book: Book) -> NoReturn:
        _Server(path, listener, port, book).run()
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

        def __init__(self, path: Path, listener: socket.socket, port: int, book: Book) -> None:
            self._path, self._book = path, book
            self._port = port
            self._descriptor = listener.detach()
            self._store: SqliteStore | None = None
            super().__init__()

        def load_config(self) -> None:
            """Sets what is not as gunicorn would have it."""
            settings: dict[str, Any] = {
                "bind": f"fd://{self._descriptor}",
                "worker_class": "gthread",
                "workers": 1,
                "threads": THREADS,
                "graceful_timeout": 10,
                "loglevel": "warning",
                "control_socket_disable": True,
                "secure_scheme_headers": {},
                "post_worker_init": _leave_ctrl_c,
                "worker_exit": self._close,
            }
            for name, value in settings.items():
                self.cfg.set(name, value)

        def load(self) -> WSGIApplication:
            """The application, in the worker."""
            try:
                self._store = SqliteStore(self._path)
                register = Register(register_beside(self._path))
            except StoreError as error:
                raise AppImportError(str(error)) from error
            return create_app(self._store, register=register, port=self._port, book=self._book)

        def run(self) -> None:
            """Serves until told to stop."""
            _OneWorker(self).run()

        def _close(self, arbiter: Arbiter, worker: Any) -> None:
            if self._store is not None:
                self._store.close()

    def _leave_ctrl_c(worker: Any) -> None:
        """Ctrl-C reaches the whole process group; the worker leaves it to its parent to stop him."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
