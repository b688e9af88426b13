"""``spadille copy``: a store's records in another store, the same log to the byte."""

import signal
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

import click

from service.cli.io import options
from service.cli.io.inputs import quote_file_name
from service.cli.io.output import print_lines
from service.cli.io.safe_group import CommandFailed, print_to_stderr
from service.cli.io.store_location import (
    StoreLocation,
    data_folder,
    parse_store_location,
    prepare_store_location,
)
from service.cli.io.terminal_text import sanitize_line
from service.config.settings import load_settings
from service.presentation.text.layout import wrap_text
from service.presentation.text.style import TextStyle

if TYPE_CHECKING:
    from service.eventstore import EventReader
    from service.eventstore.interface import CopyTarget
    from service.transparency.copy_store import CopyResult

PROGRESS_INTERVAL_SECONDS: Final = 10.0
FOLLOW_WAIT_SECONDS: Final = 1.0

COPY_PHRASES: Final = {
    "so_far": "{size} events so far.",
    "following": "{to} has all {size} events and follows {original} until you press Ctrl-C.",
    "done": "{to} now has the {size} events of {original}; {new} of them are new.",
    "root": "The root of both is {root}",
    "register": "{to} also has its register (grants: {grants}, members: {members}).",
    "checkpoint": "The checkpoint of both; keep it elsewhere:",
    "no_key": (
        "There is no key in {folder}, so no checkpoint was signed. Name the folder of the records with "
        "--data."
    ),
}


@click.command(epilog="Example: spadille copy ~/club postgresql://spadille@db.example/cards")
@click.argument("original", metavar="FROM")
@click.argument("to", metavar="TO")
@click.option("--follow", is_flag=True, help="Keep copying new events until Ctrl-C.")
@click.option("--register", is_flag=True, help="Copy grants, sessions and members too.")
@options.data
@options.style
def copy(
    original: str,
    to: str,
    follow: bool,
    register: bool,
    data: Path | None,
    style: TextStyle,
) -> None:
    """Copy a store into another, such as a file into PostgreSQL.

    FROM and TO are each a store's file, its folder or a PostgreSQL URL. The service can write to FROM
    meanwhile. TO is empty or holds the first events of FROM; the copy continues from there, also after an
    interruption. Checkpoints and proofs of FROM are valid for TO.
    """
    source, target = parse_store_location(original), parse_store_location(to)
    if source == target or _is_same_file(source, target):
        raise click.UsageError("FROM and TO are the same store.")
    source.require_store_file()
    folder = data or (data_folder(None) if source.address else source.folder)
    if register:
        _require_register(source)
    target = prepare_store_location(target)
    _copy_store(source, target, folder, follow, style)
    if register:
        _copy_register(source, target, style)


def _is_same_file(one: StoreLocation, other: StoreLocation) -> bool:
    if one.address is not None or other.address is not None:
        return False
    return one.file.resolve() == other.file.resolve()


def _copy_store(
    source: StoreLocation, target: StoreLocation, folder: Path, follow: bool, style: TextStyle
) -> None:
    """Copy, with ``follow`` until Ctrl-C, and print the result."""
    from service.transparency.copy_store import copy_missing_events

    names = {"original": sanitize_line(source.display_name), "to": sanitize_line(target.display_name)}
    with (
        source.open_reader() as reader,
        target.open_writer() as store,
        store.open_copy_target() as copy_target,
    ):
        result = copy_missing_events(reader, copy_target, _build_progress_reporter(style))
        if follow:
            print_to_stderr(style.phrase(COPY_PHRASES["following"], **names, size=result.size))
            result = _follow_source(reader, copy_target, result)
        lines = [style.phrase(COPY_PHRASES["done"], **names, size=result.size, new=result.new_count)]
        lines.append(style.phrase(COPY_PHRASES["root"], root=b64encode(result.root).decode()))
        print_lines([line for text in lines for line in wrap_text(text, style.width)], style)
        note = _sign_checkpoint(reader, source, folder, result.size)
    if note is None:
        print_to_stderr(style.phrase(COPY_PHRASES["no_key"], folder=sanitize_line(str(folder))))
    else:
        print_lines([style.phrase(COPY_PHRASES["checkpoint"]), "", *note.splitlines()], style)


def _require_register(source: StoreLocation) -> None:
    from service.auth.register_factory import has_register

    if not has_register(source.file, source.address):
        raise CommandFailed(
            f"There is no register next to {quote_file_name(source.display_name)}; nothing was copied. "
            "Leave out --register."
        )


def _copy_register(source: StoreLocation, target: StoreLocation, style: TextStyle) -> None:
    from service.auth.register_copy import copy_register
    from service.auth.register_factory import open_access_register

    with (
        open_access_register(source.file, source.address) as original,
        open_access_register(target.file, target.address) as target_register,
    ):
        counts = copy_register(target_register.repository, original.repository)
    if counts is None:
        raise CommandFailed(
            f"{quote_file_name(target.display_name)} has grants or members that are not in "
            f"{quote_file_name(source.display_name)}: its register was left unchanged. The events were "
            "copied."
        )
    text = style.phrase(COPY_PHRASES["register"], to=sanitize_line(target.display_name), **counts._asdict())
    print_lines(wrap_text(text, style.width), style)


def _follow_source(original: "EventReader", copy: "CopyTarget", result: "CopyResult") -> "CopyResult":
    """Copy new events until Ctrl-C is pressed; a copy in progress is finished."""
    from service.transparency.copy_store import CopyResult, copy_missing_events

    start_size = result.size - result.new_count
    with _stop_on_interrupt() as stop_requested:
        while not stop_requested.is_set():
            if original.wait_for_events(result.size, FOLLOW_WAIT_SECONDS) > result.size:
                result = copy_missing_events(original, copy)
    return CopyResult(result.size, result.size - start_size, result.root)


@contextmanager
def _stop_on_interrupt() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets; the second Ctrl-C ends the command.

    An exception could be lost in the middle of a driver's call.
    """
    stop_requested = threading.Event()

    def request_stop(signum: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, previous_handler)
        stop_requested.set()

    previous_handler = signal.signal(signal.SIGINT, request_stop)
    try:
        yield stop_requested
    finally:
        signal.signal(signal.SIGINT, previous_handler)


def _build_progress_reporter(style: TextStyle) -> Callable[[int], None]:
    """A function that reports progress every few seconds."""
    last = time.monotonic()

    def report_progress(size: int) -> None:
        nonlocal last
        if time.monotonic() - last > PROGRESS_INTERVAL_SECONDS:
            last = time.monotonic()
            print_to_stderr(style.phrase(COPY_PHRASES["so_far"], size=size))

    return report_progress


def _sign_checkpoint(reader: "EventReader", source: StoreLocation, folder: Path, size: int) -> str | None:
    """The signed checkpoint of so many events; None without a key."""
    from service.transparency.notary import open_notary
    from service.transparency.signing_keys import KEY_FILE_NAME

    key = load_settings().key or folder / KEY_FILE_NAME
    if not key.is_file():
        return None
    return str(open_notary(folder, key, source.address).sign_checkpoint(reader, size))
