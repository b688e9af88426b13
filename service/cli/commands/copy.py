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

from engine.rulesets.model import Words
from service.cli.io import options
from service.cli.io.inputs import quoted
from service.cli.io.locations import folder_of, key_file
from service.cli.io.output import say
from service.cli.io.safe_group import UNREADABLE, Ended, tell
from service.cli.io.stores import Place, made_ready, place_of, place_on_postgresql
from service.cli.io.terminal_text import printable
from service.config.settings import is_store_address
from service.presentation.text.layout import wrapped
from service.presentation.text.style import Style, style_here

if TYPE_CHECKING:
    from service.eventstore import EventReader
    from service.eventstore.whole import Copy, Original
    from service.transparency.copying import Copied

TOLD_EVERY_SECONDS: Final = 10.0
LOOKED_EVERY_SECONDS: Final = 1.0

COPYING: Final = {
    "so_far": Words("{size} events so far.", "{size} poster indtil nu."),
    "following": Words(
        "{to} has all {size} events, and is kept up with {original} until you press Ctrl-C.",
        "{to} har alle {size} poster, og følger med {original}, til du trykker Ctrl-C.",
    ),
    "done": Words(
        "{to} has the {size} events of {original} now, of which {new} are new.",
        "{to} har nu de {size} poster fra {original}; {new} af dem er nye.",
    ),
    "root": Words("The root of both is {root}", "Begges rod er {root}"),
    "register": Words(
        "{to} has its register, too: {grants} grants, {members} members.",
        "{to} har også dets register: {grants} rettigheder, {members} medlemmer.",
    ),
    "checkpoint": Words(
        "The checkpoint of both, to be kept elsewhere:", "Begges kontrolpunkt, til at gemme et andet sted:"
    ),
    "no_key": Words(
        "There is no key in {folder}, so no checkpoint was signed. --data names the folder of the records.",
        "Der er ingen nøgle i {folder}, så intet kontrolpunkt er underskrevet. --data nævner optegnelsernes "
        "mappe.",
    ),
}  # fmt: skip


@click.command(epilog="Example: spadille copy ~/club postgresql://spadille@db.example/cards")
@click.argument("original", metavar="FROM")
@click.argument("to", metavar="TO")
@click.option("--follow", is_flag=True, help="Keep up with what is recorded, until Ctrl-C.")
@click.option("--register", is_flag=True, help="Take grants, sessions and members along.")
@options.data
@options.lang
@click.pass_context
def copy(
    ctx: click.Context,
    original: str,
    to: str,
    follow: bool,
    register: bool,
    data: Path | None,
    lang: str | None,
) -> None:
    """Copy a store into another, such as a file to PostgreSQL or back.

    FROM and TO are each the file of a store, its folder, or an address on PostgreSQL. FROM may be written
    to meanwhile. TO is empty, or has the beginning of FROM: then the copy goes on where it ends, and so
    it does when it was broken off. Whatever proves FROM proves TO.
    """
    # What a store needs takes a while to load; the other commands do without it.
    from service.eventstore import StoreError

    source, target = _place(original), _place(to)
    if source == target or _same_file(source, target):
        raise click.UsageError("FROM and TO are the same store.", ctx)
    if source.address is None and not source.file.is_file():
        raise Ended(f"There is no store {quoted(str(source.file))}.", UNREADABLE)
    style = style_here(lang)
    try:
        folder = data or (folder_of(None) if source.address else source.folder)
        if register:
            _require_register(source)
        target = made_ready(target)
        _copy(source, target, folder, follow, style)
        if register:
            _copy_register(source, target, style)
    except StoreError as error:
        raise Ended(printable(str(error)), UNREADABLE) from None


def _place(name: str) -> Place:
    return place_on_postgresql(name, None) if is_store_address(name) else place_of(name)


def _same_file(one: Place, other: Place) -> bool:
    if one.address is not None or other.address is not None:
        return False
    return one.file.resolve() == other.file.resolve()


def _copy(source: Place, target: Place, folder: Path, follow: bool, style: Style) -> None:
    """Copies, and says what both come to. With ``follow`` that is when Ctrl-C was pressed."""
    from service.transparency.copying import copy_on

    names = {"original": printable(source.shown), "to": printable(target.shown)}
    with source.reader() as reader, target.writer() as store, store.as_copy() as made:
        log = reader.original()
        done = copy_on(log, made, _told_now_and_then(style))
        if follow:
            tell(COPYING["following"][style.lang].format(**names, size=done.size))
            done = _kept_up(log, made, done, reader.wait)
        lines = [COPYING["done"][style.lang].format(**names, size=done.size, new=done.new)]
        lines.append(COPYING["root"][style.lang].format(root=_in_base64(done.root)))
        say([line for told in lines for line in wrapped(told, style.width)], style)
        note = _checkpoint(reader, source, folder, done.size)
    if note is None:
        tell(COPYING["no_key"][style.lang].format(folder=printable(str(folder))))
    else:
        say([COPYING["checkpoint"][style.lang], "", *note.splitlines()], style)


def _require_register(source: Place) -> None:
    from service.auth.opening import holds_register

    if not holds_register(source.file, source.address):
        raise Ended(
            f"There is no register beside {quoted(source.shown)}; nothing was copied. Leave --register out.",
            UNREADABLE,
        )


def _copy_register(source: Place, target: Place, style: Style) -> None:
    from service.auth.opening import open_register
    from service.auth.taking_over import make_the_same

    with (
        open_register(source.file, source.address) as original,
        open_register(target.file, target.address) as kept,
    ):
        held = make_the_same(kept.kept, original.kept)
    if held is None:
        raise Ended(
            f"{quoted(target.shown)} has grants or members that {quoted(source.shown)} has not: its register "
            f"was left as it is. The events were copied.",
            UNREADABLE,
        )
    told = COPYING["register"][style.lang].format(to=printable(target.shown), **held._asdict())
    say(wrapped(told, style.width), style)


def _kept_up(
    original: "Original", copy: "Copy", done: "Copied", wait: Callable[[int, float], int]
) -> "Copied":
    """Copies what is recorded from now on, until Ctrl-C is pressed. What was begun is finished then."""
    from service.transparency.copying import Copied, copy_on

    began = done.size - done.new
    with _asked_to_stop() as asked:
        while not asked.is_set():
            if wait(done.size, LOOKED_EVERY_SECONDS) > done.size:
                done = copy_on(original, copy)
    return Copied(done.size, done.size - began, done.root)


@contextmanager
def _asked_to_stop() -> Iterator[threading.Event]:
    """Whether Ctrl-C was pressed; the second time ends the command where it is.

    An exception would be lost where it came up in the middle of a driver's call.
    """
    asked = threading.Event()

    def ask(signum: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        asked.set()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def _told_now_and_then(style: Style) -> Callable[[int], None]:
    """Tells how far it is, not more often than every few seconds."""
    last = time.monotonic()

    def told(size: int) -> None:
        nonlocal last
        if time.monotonic() - last > TOLD_EVERY_SECONDS:
            last = time.monotonic()
            tell(COPYING["so_far"][style.lang].format(size=size))

    return told


def _checkpoint(reader: "EventReader", source: Place, folder: Path, size: int) -> str | None:
    """The signed checkpoint of so many events; None where there is no key."""
    from service.transparency.keys import KEY_FILE, KeyUnusable
    from service.transparency.opening import open_notary

    key = key_file() or folder / KEY_FILE
    if not key.is_file():
        return None
    try:
        return str(open_notary(folder, key, source.address).checkpoint(reader, size))
    except KeyUnusable as error:
        raise Ended(printable(str(error)), UNREADABLE) from None


def _in_base64(root: bytes) -> str:
    """A root as checkpoints have it."""
    return b64encode(root).decode()
