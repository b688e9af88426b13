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
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from service.auth.access_register import AccessRegister
from service.auth.login_links import create_owner_login_links
from service.auth.register_factory import import_leftover_register_file, open_access_register
from service.config import log_setup
from service.config.data_files import STORE_FILE_NAME
from service.config.settings import LOOPBACK_HOST, Settings
from service.eventstore import SqliteStore, StoreError
from service.eventstore.private_files import create_private_folder, describe_access_error, restrict_to_owner
from service.eventstore.store_factory import open_standby, open_store, remove_password
from service.records.club_rules import ClubRules, RevisionTaken, TooManyRevisions
from service.server.data_location import write_data_location
from service.server.listen import (
    add_own_host_names,
    is_loopback,
    is_unencrypted,
    list_external_urls,
    local_url,
    open_listener,
    require_host_names,
)
from service.server.open_browser import has_display, open_browser
from service.transparency.notary import open_notary
from service.transparency.signing_keys import KeyUnusable

DATA_FILE_PATTERNS: Final = (f"{STORE_FILE_NAME}*", "access.db*", "checkpoint.*")
"""The files that lie in the folder of the records."""


def run_service(settings: Settings, browser: bool, book: RulesetBook = PUBLISHED_RULESETS) -> None:
    """Serves the records as ``settings`` say until it is told to stop.

    The folder of the records is made where it is not there. With ``browser`` the first deal of the library
    is opened, where there is a display; ``book`` has the rulesets that deals may be played by. What stands
    in the way is said in a sentence, and the process ends with status 1.
    """
    log_setup.configure_logging(settings.log_format)
    store = prepare_store(settings.data, book, settings.store, settings.key, settings.store_reads)
    if not is_loopback(settings.host):
        settings = add_own_host_names(settings)
        require_host_names(settings)
        require_owner_token(store, settings)
    listener = open_listener(settings.port, settings.host)
    print_urls(settings)
    offer_owner_login(store, settings, browser)
    select_server().serve(store, listener, settings, book)


def print_urls(settings: Settings) -> None:
    """Says at which addresses people reach it, and what they should know of these."""
    print(f"Spadille is at {local_url(settings)}/ (press Ctrl-C to stop it).", flush=True)
    if others := list_external_urls(settings):
        print(f"Others reach it at {' or '.join(f'{one}/' for one in others)}.", flush=True)
    if is_unencrypted(settings):
        print(
            "What is sent there is not encrypted: whoever is in that network can read tokens and cards. "
            "Where you do not trust them all, let a reverse proxy do TLS: docs/operations.md says how.",
            file=sys.stderr,
        )


def select_server() -> ModuleType:
    """What answers the requests: gunicorn, and waitress where there is none (on Windows)."""
    if importlib.util.find_spec("gunicorn") is None or sys.platform == "win32":
        from service.server import waitress_server

        return waitress_server
    from service.server import gunicorn_server

    return gunicorn_server


def require_owner_token(store_path: Path, settings: Settings) -> None:
    """Ends the process where others would reach the service and nobody has been made its owner."""
    with _open_register_or_exit(store_path, settings.store) as register:
        if register.has_owner():
            return
    sys.exit(
        f"Listening at {settings.host} lets others reach the service, and it has no owner yet who could tell "
        "them from strangers. Make yourself its owner first: "
        f"spadille tokens make owner{_store_option(settings)}. Or leave --host away: it then listens at "
        f"{LOOPBACK_HOST}, for this computer alone."
    )


def _store_option(settings: Settings) -> str:
    """What names the store in another command, where it is not the usual one. No password is told."""
    if settings.store is not None:
        return f" --store {shlex.quote(remove_password(settings.store))}"
    return f" --data {shlex.quote(str(settings.data))}" if settings.data else ""


def offer_owner_login(store_path: Path, settings: Settings, browser: bool) -> None:
    """Lets the owner in: by his browser, and by a link at his terminal. Ends the process where it cannot.

    Anywhere else what is printed may end in a log, and a token is not to be there: it says how one is made.
    """
    address, at_terminal = local_url(settings), sys.stdout.isatty()
    opens = browser and has_display()
    pages = [start_page_path()] * opens + ["/tables"] * at_terminal
    with _open_register_or_exit(store_path, settings.store) as register:
        links = create_owner_login_links(register, address, pages)
    if at_terminal:
        print(f"To log in elsewhere on this computer, once: {links[-1]}", flush=True)
    else:
        page_address = next(iter(list_external_urls(settings)), address)
        print(
            "To log in, have a link made, good for once: "
            f"spadille tokens make owner --once --link {page_address}{_store_option(settings)}",
            flush=True,
        )
    if opens:
        open_browser(links[0])


@contextmanager
def _open_register_or_exit(store_path: Path, store_address: str | None = None) -> Iterator[AccessRegister]:
    """The register beside the store. Ends the process where it cannot be used."""
    try:
        with open_access_register(store_path, store_address) as register:
            yield register
    except StoreError as error:
        sys.exit(str(error))


def prepare_store(
    data_folder: Path | None,
    book: RulesetBook = PUBLISHED_RULESETS,
    store_address: str | None = None,
    key_path: Path | None = None,
    standby_address: str | None = None,
) -> Path:
    """The store's file, with the rulesets of ``book`` in it, after a look whether it is sound.

    With the ``store_address`` of a store on PostgreSQL that one is made ready, with the register, and nothing
    is made of the file but its name: beside it lies what each node has for itself, and a note of where the
    records are. ``key_path`` is the file with the key of the checkpoints, None the one in the folder.
    ``standby_address`` is the address of its standby. Ends the process where one of them cannot be used; a
    standby that is away is waited for.
    """
    folder = data_folder or platformdirs.user_data_path("spadille", appauthor=False)
    try:
        # Names and hands are nobody else's affair on a computer that several people use.
        create_private_folder(folder)
        restrict_to_owner(file for pattern in DATA_FILE_PATTERNS for file in folder.glob(pattern))
    except OSError as error:
        sys.exit(
            f"The folder {folder} cannot be used: {describe_access_error(error, folder)} Or name another "
            "with --data."
        )
    path = folder / STORE_FILE_NAME
    try:
        with open_store(path, store_address) as store:
            if isinstance(store, SqliteStore):
                store.require_intact()
            notices = [store.warning]
            ClubRules(store, book)
            if standby_address is not None:
                open_standby(store, standby_address).close()
            if store_address is not None:
                open_access_register(path, store_address).close()
                notices.append(import_leftover_register_file(path, store_address))
            write_data_location(folder, None if store_address is None else remove_password(store_address))
            notices.append(open_notary(folder, key_path, store_address).find_signing_obstacle(store))
    except (StoreError, RevisionTaken, TooManyRevisions, KeyUnusable) as error:
        sys.exit(str(error))
    for notice in filter(None, notices):
        print(notice, file=sys.stderr)
    return path


def start_page_path() -> str:
    """Where a newcomer begins: at the replayer, over the library's first deal."""
    first = next(iter(replays.list_library()), None)
    return f"/replays/{first.name}" if first else "/"
