"""Serving on this computer: one store, one process that holds it, the loopback address."""

import importlib.util
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Final

import platformdirs

import replays
from engine.rulesets import PUBLISHED, Book
from service.auth.first_login import owner_links
from service.auth.opening import notice_of_file, open_register
from service.auth.register import Register
from service.config import logging
from service.config.data_files import STORE_NAME
from service.config.settings import LOOPBACK, Settings
from service.eventstore import SqliteStore, StoreError
from service.eventstore.opening import named_address, open_standby, open_store
from service.eventstore.private_files import close_to_others, complaint, make_folder
from service.records.club_rules import ClubRules, RevisionTaken, TooManyRevisions
from service.server.data_location import note_place
from service.server.listen import (
    address_of,
    addresses_elsewhere,
    is_loopback,
    is_open_to_readers,
    listen,
    require_names,
    with_own_names,
)
from service.server.open_browser import can_open, open_browser
from service.transparency.keys import KeyUnusable
from service.transparency.opening import open_notary

OURS: Final = (f"{STORE_NAME}*", "access.db*", "checkpoint.*")
"""The files that lie in the folder of the records."""


def run(settings: Settings, browser: bool, book: Book = PUBLISHED) -> None:
    """Serves the records as ``settings`` say until it is told to stop.

    The folder of the records is made where it is not there. With ``browser`` the first deal of the library
    is opened, where there is a display; ``book`` has the rulesets that deals may be played by. What stands
    in the way is said in a sentence, and the process ends with status 1.
    """
    logging.configure(settings.log_format)
    store = store_in(settings.data, book, settings.store, settings.key, settings.store_reads)
    if not is_loopback(settings.host):
        settings = with_own_names(settings)
        require_names(settings)
        require_owner_token(store, settings)
    listener = listen(settings.port, settings.host)
    say_where(settings)
    welcome(store, settings, browser)
    server().serve(store, listener, settings, book)


def say_where(settings: Settings) -> None:
    """Says at which addresses people reach it, and what they should know of these."""
    print(f"Spadille is at {address_of(settings)}/ (press Ctrl-C to stop it).", flush=True)
    if others := addresses_elsewhere(settings):
        print(f"Others reach it at {' or '.join(f'{one}/' for one in others)}.", flush=True)
    if is_open_to_readers(settings):
        print(
            "What is sent there is not encrypted: whoever is in that network can read tokens and cards. "
            "Where you do not trust them all, let a reverse proxy do TLS: docs/operations.md says how.",
            file=sys.stderr,
        )


def server() -> ModuleType:
    """What answers the requests: gunicorn, and waitress where there is none (on Windows)."""
    if importlib.util.find_spec("gunicorn") is None or sys.platform == "win32":
        from service.server import waitress_server

        return waitress_server
    from service.server import gunicorn_server

    return gunicorn_server


def require_owner_token(store: Path, settings: Settings) -> None:
    """Ends the process where others would reach the service and nobody has been made its owner."""
    with _register_of(store, settings.store) as register:
        if register.has_owner():
            return
    sys.exit(
        f"Listening at {settings.host} lets others reach the service, and it has no owner yet who could tell "
        "them from strangers. Make yourself its owner first: "
        f"spadille tokens make owner{_of_this_store(settings)}. Or leave --host away: it then listens at "
        f"{LOOPBACK}, for this computer alone."
    )


def _of_this_store(settings: Settings) -> str:
    """What names the store in another command, where it is not the usual one. No password is told."""
    if settings.store is not None:
        return f" --store {shlex.quote(named_address(settings.store))}"
    return f" --data {shlex.quote(str(settings.data))}" if settings.data else ""


def welcome(store: Path, settings: Settings, browser: bool) -> None:
    """Lets the owner in: by his browser, and by a link at his terminal. Ends the process where it cannot.

    Anywhere else what is printed may end in a log, and a token is not to be there: it says how one is made.
    """
    address, at_terminal = address_of(settings), sys.stdout.isatty()
    opens = browser and can_open()
    pages = [first_page()] * opens + ["/tables"] * at_terminal
    with _register_of(store, settings.store) as register:
        links = owner_links(register, address, pages)
    if at_terminal:
        print(f"To log in elsewhere on this computer, once: {links[-1]}", flush=True)
    else:
        there = next(iter(addresses_elsewhere(settings)), address)
        print(
            "To log in, have a link made, good for once: "
            f"spadille tokens make owner --once --link {there}{_of_this_store(settings)}",
            flush=True,
        )
    if opens:
        open_browser(links[0])


@contextmanager
def _register_of(store: Path, address: str | None = None) -> Iterator[Register]:
    """The register beside the store. Ends the process where it cannot be used."""
    try:
        with open_register(store, address) as register:
            yield register
    except StoreError as error:
        sys.exit(str(error))


def store_in(
    data: Path | None,
    book: Book = PUBLISHED,
    address: str | None = None,
    key: Path | None = None,
    reads: str | None = None,
) -> Path:
    """The store's file, with the rulesets of ``book`` in it, after a look whether it is sound.

    With the ``address`` of a store on PostgreSQL that one is made ready, with the register, and nothing is
    made of the file but its name: beside it lies what each node has for itself, and a note of where the
    records are. ``key`` is the file with the key of the checkpoints, None the one in the folder. ``reads`` is
    the address of its standby. Ends the process where one of them cannot be used; a standby that is away is
    waited for.
    """
    folder = data or platformdirs.user_data_path("spadille", appauthor=False)
    try:
        # Names and hands are nobody else's affair on a computer that several people use.
        make_folder(folder)
        close_to_others(file for pattern in OURS for file in folder.glob(pattern))
    except OSError as error:
        sys.exit(
            f"The folder {folder} cannot be used: {complaint(error, folder)} Or name another with --data."
        )
    path = folder / STORE_NAME
    try:
        with open_store(path, address) as store:
            if isinstance(store, SqliteStore):
                store.require_sound()
            notices = [store.notice]
            ClubRules(store, book)
            if reads is not None:
                open_standby(store, reads).close()
            if address is not None:
                open_register(path, address).close()
                notices.append(notice_of_file(path, address))
            note_place(folder, None if address is None else named_address(address))
            notices.append(open_notary(folder, key, address).complaint(store))
    except (StoreError, RevisionTaken, TooManyRevisions, KeyUnusable) as error:
        sys.exit(str(error))
    for notice in filter(None, notices):
        print(notice, file=sys.stderr)
    return path


def first_page() -> str:
    """Where a newcomer begins: at the replayer, over the library's first deal."""
    first = next(iter(replays.library()), None)
    return f"/replays/{first.name}" if first else "/"
