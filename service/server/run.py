"""Serves on this computer: one store, one process that holds it, the loopback address."""

from __future__ import annotations

import gc
import shlex
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import platformdirs

import replays
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from service.app import create_app
from service.auth.access_register import AccessRegister
from service.auth.login_links import create_owner_login_links
from service.auth.register_factory import import_leftover_register_file, open_access_register
from service.config import log_setup
from service.config.data_files import STORE_FILE_NAME
from service.config.program import program_command
from service.config.settings import LOOPBACK_HOST, Settings
from service.eventstore import EventStore, SqliteStore, StoreError, StoreInUse
from service.eventstore.postgres.replica import Standby
from service.eventstore.private_files import create_private_folder, describe_access_error, restrict_to_owner
from service.eventstore.store_factory import open_standby, open_store, remove_password
from service.http.api.anonymous_limits import register_heavy_worker
from service.http.heavy_worker import HeavyWorker
from service.http.service_context import service_context
from service.projections.projector import ProjectionWorker
from service.records.club_rules import ClubRules, RevisionTaken, TooManyRevisions
from service.server.data_location import find_running_service, noted_address, write_data_location
from service.server.http_server import serve
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
from service.transparency.notary import Notary, open_notary
from service.transparency.signing_keys import KeyUnusable

DATA_FILE_PATTERNS: Final = (f"{STORE_FILE_NAME}*", "access.db*", "checkpoint.*")
"""The files in the data folder."""
THREAD_SWITCH_SECONDS: Final = 0.0005
"""Seconds between thread switches: a short request does not wait long. Python's default is 5 ms."""


class Records(NamedTuple):
    """What the service uses: the store, the grants, the signing key, and a standby for reads."""

    store: EventStore
    register: AccessRegister
    notary: Notary
    standby: Standby | None


def run_service(
    settings: Settings,
    browser: bool,
    book: RulesetBook = PUBLISHED_RULESETS,
    *,
    prints_login_link: bool = False,
) -> None:
    """Serve the records as ``settings`` say until stopped.

    With ``browser`` the first deal of the library is opened if there is a display; ``book`` has the rulesets
    of the deals. With ``prints_login_link`` a login link is printed even if the output is not a terminal. If
    something prevents it, the process prints a sentence and ends with status 1.
    """
    log_setup.configure_logging(settings.log_format)
    prints_login_link |= sys.stdout.isatty()
    try:
        _serve_records(settings, browser, book, prints_login_link)
    except StoreInUse as error:
        _show_running_service(settings, browser, prints_login_link, error)


def _show_running_service(
    settings: Settings, browser: bool, prints_login_link: bool, error: StoreInUse
) -> None:
    """Open the service that already runs on this folder; end with the error if none noted its address."""
    folder = data_folder(settings)
    url = find_running_service(folder)
    if url is None:
        sys.exit(str(error))
    print(f"Spadille is already running at {url}/", flush=True)
    if not url.endswith(f":{settings.port}") or not is_loopback(settings.host):
        print("To start it with other settings, stop that one first.", flush=True)
    if prints_login_link or (browser and has_display()):
        with open_access_register(folder / STORE_FILE_NAME) as register:
            offer_owner_login(register, url, browser, prints_login_link)


def _serve_records(settings: Settings, browser: bool, book: RulesetBook, prints_login_link: bool) -> None:
    with open_records(settings, book) as records, ExitStack() as stack:
        if not is_loopback(settings.host):
            settings = add_own_host_names(settings)
            require_host_names(settings)
            require_owner_token(records.register, settings)
        listener = open_listener(settings.port, settings.host)
        print_urls(settings)
        stack.enter_context(noted_address(data_folder(settings), local_url(settings)))
        if not prints_login_link:
            print_login_command(settings)
        offer_owner_login(records.register, local_url(settings), browser, prints_login_link)
        app = create_app(
            records.store,
            register=records.register,
            port=settings.port,
            book=book,
            settings=settings,
            notary=records.notary,
            standby=records.standby,
        )
        register_heavy_worker(app, stack.enter_context(closing(HeavyWorker())))
        with app.app_context():
            context = service_context()
        projection_worker = ProjectionWorker(records.store, context.club_rules)
        stack.callback(projection_worker.stop)
        projection_worker.start()
        gc.collect()
        gc.freeze()  # existing objects stay: the garbage collector need not look at them again
        sys.setswitchinterval(THREAD_SWITCH_SECONDS)
        serve(app, listener, settings, context.live_streams)


@contextmanager
def open_records(settings: Settings, book: RulesetBook = PUBLISHED_RULESETS) -> Iterator[Records]:
    """Open the records, with the rulesets in ``book``; a missing folder is created.

    For a store on PostgreSQL the folder has only the files of each node, and the location of the records.
    Ends the process if something cannot be used; waits for a standby that is unavailable. Raises
    `StoreInUse` if another process writes to the store.
    """
    folder = data_folder(settings)
    _prepare_folder(folder)
    path = folder / STORE_FILE_NAME
    with ExitStack() as stack:
        try:
            store = open_store(path, settings.store)
            stack.callback(store.close)
            if isinstance(store, SqliteStore):
                store.require_intact()
            notices = [store.warning]
            ClubRules(store, book)
            standby = None
            if settings.store_reads is not None:
                standby = stack.enter_context(closing(open_standby(store, settings.store_reads)))
            register = stack.enter_context(open_access_register(path, settings.store))
            notices.append(import_leftover_register_file(path, settings.store))
            write_data_location(folder, settings.store and remove_password(settings.store))
            notary = open_notary(folder, settings.key, settings.store)
            notices.append(notary.find_signing_obstacle(store))
            for notice in filter(None, notices):
                print(notice, file=sys.stderr)
            yield Records(store, register, notary, standby)
        except StoreInUse:
            raise
        except (StoreError, RevisionTaken, TooManyRevisions, KeyUnusable) as error:
            sys.exit(str(error))


def data_folder(settings: Settings) -> Path:
    """The folder of the records."""
    return settings.data or platformdirs.user_data_path("spadille", appauthor=False)


def _prepare_folder(folder: Path) -> None:
    try:
        # Names and hands are private on a computer with several users.
        create_private_folder(folder)
        restrict_to_owner(file for pattern in DATA_FILE_PATTERNS for file in folder.glob(pattern))
    except OSError as error:
        sys.exit(
            f"The folder {folder} cannot be used: {describe_access_error(error, folder)} Or name another "
            "folder with --data."
        )


def print_urls(settings: Settings) -> None:
    """Print the addresses at which people reach the service, with what to know about them."""
    print(f"Spadille is running at {local_url(settings)}/ (press Ctrl-C to stop it).", flush=True)
    if others := list_external_urls(settings):
        print(f"Other computers reach it at {' or '.join(f'{one}/' for one in others)}.", flush=True)
    if is_unencrypted(settings):
        print(
            "The connection is not encrypted: anyone in that network can read tokens and cards. If you do "
            "not trust everyone there, set up a reverse proxy with TLS: see docs/operations.md.",
            file=sys.stderr,
        )


def require_owner_token(register: AccessRegister, settings: Settings) -> None:
    """End the process if the service has no owner and others could reach it."""
    if not register.has_owner():
        sys.exit(
            f"With --host {settings.host}, other computers can reach the service, but it has no owner yet. "
            f"Become its owner first: {program_command()} tokens make owner{_store_option(settings)}. "
            f"Or leave out --host: the service then listens on {LOOPBACK_HOST}, for this computer only."
        )


def _store_option(settings: Settings) -> str:
    """The option that names the store in another command, without a password; empty for the default store."""
    if settings.store is not None:
        return f" --store {shlex.quote(remove_password(settings.store))}"
    return f" --data {shlex.quote(str(settings.data))}" if settings.data else ""


def offer_owner_login(register: AccessRegister, address: str, browser: bool, prints_login_link: bool) -> None:
    """Log the owner in with the browser, if there is a display, and print a link for another one."""
    opens = browser and has_display()
    links = create_owner_login_links(
        register, address, [start_page_path()] * opens + ["/tables"] * prints_login_link
    )
    if prints_login_link:
        print(f"To log in{' from another browser' * opens} on this computer, once: {links[-1]}", flush=True)
    if opens:
        open_browser(links[0])


def print_login_command(settings: Settings) -> None:
    """Print the command that makes a login link: the output may end in a log, which must not have a token."""
    address = next(iter(list_external_urls(settings)), local_url(settings))
    print(
        "To log in, make a link that works once: "
        f"{program_command()} tokens make owner --once --link {address}{_store_option(settings)}",
        flush=True,
    )


def start_page_path() -> str:
    """The start page for a new user: the library's first deal in the replayer."""
    first = next(iter(replays.list_library()), None)
    return f"/replays/{first.name}" if first else "/"
