"""Serving on this computer: one store, one process that holds it, the loopback address."""

import errno
import importlib.util
import ipaddress
import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Final

import platformdirs

import replays
from engine.rulesets import PUBLISHED, Book
from service.browser import open_browser
from service.club_rules import ClubRules, RevisionTaken, TooManyRevisions
from service.evidence.keys import KEY_FILE, KeyUnusable, keys_in
from service.identity.first_login import owner_links, register_beside
from service.identity.register import Register
from service.operations import logs
from service.settings import LOOPBACK, Settings
from service.store import SqliteStore, StoreError
from service.store.private_files import close_to_others, make_folder

STORE_NAME: Final = "spadille.db"
OURS: Final = (f"{STORE_NAME}*", "access.db*", "checkpoint.*")
"""The files that lie in the folder of the records."""
EVERYWHERE: Final = ("0.0.0.0", "::")
BACKLOG: Final = 1024
"""So many connections wait to be accepted: all who follow come back at once after a new start."""


def run(settings: Settings, browser: bool, book: Book = PUBLISHED) -> None:
    """Serves the records as ``settings`` say until it is told to stop.

    The folder of the records is made where it is not there. With ``browser`` the first deal of the library
    is opened, where there is a display; ``book`` has the rulesets that deals may be played by. What stands
    in the way is said in a sentence, and the process ends with status 1.
    """
    logs.configure(settings.log_format)
    store = store_in(settings.data, book)
    if not is_loopback(settings.host):
        settings = with_own_name(settings)
        require_names(settings)
        require_owner_token(store, settings)
    listener = listen(settings.port, settings.host)
    address = address_of(settings)
    print(f"Spadille is at {address}/ (press Ctrl-C to stop it).", flush=True)
    welcome(store, address, browser)
    server().serve(store, listener, settings, book)


def server() -> ModuleType:
    """What answers the requests: gunicorn, and waitress where there is none (on Windows)."""
    if importlib.util.find_spec("gunicorn") is None or sys.platform == "win32":
        from service import waitress_server

        return waitress_server
    from service import gunicorn_server

    return gunicorn_server


def is_loopback(host: str) -> bool:
    """Whether only this computer reaches what listens there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def with_own_name(settings: Settings) -> Settings:
    """The settings, where it listens at one address for others, with that as a name it is asked for by."""
    host = settings.host
    if is_loopback(host) or host in EVERYWHERE:
        return settings
    own = f"{f'[{host}]' if ':' in host else host.lower()}:{settings.port}"
    return replace(settings, names=settings.names | {own})


def require_names(settings: Settings) -> None:
    """Ends the process where others would reach the service and it would answer none of them."""
    if not settings.names:
        sys.exit(
            f"At {settings.host} others reach the service, and it answers only for names that it knows. Say "
            f"by which they ask for it, such as SPADILLE_NAMES=192.168.1.5:{settings.port}, or listen at one "
            "address, such as --host 192.168.1.5."
        )


def require_owner_token(store: Path, settings: Settings) -> None:
    """Ends the process where others would reach the service and nobody has been made its owner."""
    with _register_of(store) as register:
        if register.has_owner():
            return
    sys.exit(
        f"Listening at {settings.host} lets others reach the service, and it has no owner yet who could tell "
        "them from strangers. Make yourself its owner first: "
        f"spadille tokens make owner{_with_data(settings)}. Or leave --host away: it then listens at "
        f"{LOOPBACK}, for this computer alone."
    )


def _with_data(settings: Settings) -> str:
    """What names the folder of the records in another command, where it is not the usual one."""
    return f" --data {shlex.quote(str(settings.data))}" if settings.data else ""


def welcome(store: Path, address: str, browser: bool) -> None:
    """Lets the owner in: by his browser, and by a link at his terminal. Ends the process where it cannot."""
    with _register_of(store) as register:
        for_browser, for_people = owner_links(register, address, [first_page(), "/deals"])
    if sys.stdout.isatty():
        # Anywhere else what is printed may end in a log, and a token is not to be there.
        print(f"To log in elsewhere on this computer, once: {for_people}", flush=True)
    if browser:
        open_browser(for_browser)


@contextmanager
def _register_of(store: Path) -> Iterator[Register]:
    """The register beside the store. Ends the process where it cannot be used."""
    try:
        with Register(register_beside(store)) as register:
            yield register
    except StoreError as error:
        sys.exit(str(error))


def address_of(settings: Settings) -> str:
    """Where this computer's browser finds the pages."""
    host = settings.host if is_loopback(settings.host) else LOOPBACK
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def store_in(data: Path | None, book: Book = PUBLISHED) -> Path:
    """The store's file, with the rulesets of ``book`` in it, after a look whether it is sound.

    Ends the process where it cannot be used.
    """
    folder = data or platformdirs.user_data_path("spadille", appauthor=False)
    try:
        # Names and hands are nobody else's affair on a computer that several people use.
        make_folder(folder)
        close_to_others(file for pattern in OURS for file in folder.glob(pattern))
    except OSError as error:
        sys.exit(f"The folder {folder} cannot be made: {error.strerror}. Name another with --data.")
    path = folder / STORE_NAME
    try:
        with SqliteStore(path) as store:
            store.require_sound()
            notice = store.notice
            ClubRules(store, book)
    except (StoreError, RevisionTaken, TooManyRevisions) as error:
        sys.exit(str(error))
    try:
        keys_in(folder / KEY_FILE)
    except KeyUnusable as error:
        sys.exit(str(error))
    if notice:
        print(notice, file=sys.stderr)
    return path


def listen(port: int, host: str = LOOPBACK) -> socket.socket:
    """A socket that listens at ``host``. Ends the process where the port cannot be had."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        sys.exit(f"There is no address {host} to listen at: {error.strerror}. Name another with --host.")
    if sys.platform != "win32":
        # On Windows the same option would let two programs have the port.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # What is accepted inherits it: an answer's head and body are two writes, and the second would wait for
    # the client's delayed acknowledgement of the first, 40 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        listener.bind(place)
        listener.listen(BACKLOG)
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
