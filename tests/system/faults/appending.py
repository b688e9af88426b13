"""A process that does all that a store does, and says what was acknowledged and what was refused.

    python -m tests.system.faults.appending FOLDER

Each line is a JSON object: ``{"stream", "seq", "id", "body"}``, or ``{"refused": sentence}``. What is refused
is tried again with the same ids, as a client does. Lines are written by `writev`, so that faults of `write`
strike nothing but files.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from service.config.data_files import STORE_FILE_NAME
from service.eventstore import ANY_VERSION, NewEvent, SqliteStore, StoreDamaged, StoreError, StreamAppend
from service.transparency.notary import open_notary
from service.transparency.signing_keys import KEY_FILE_NAME, KeyUnusable, load_or_create_signers
from tests.support.store.writing import deal, events

TRIES: Final = 12
ERASED: Final = "erased"
Outcome = TypeVar("Outcome")


def say(**line: object) -> None:
    """Say something, past the faults."""
    os.writev(1, [json.dumps(line).encode() + b"\n"])


def patiently(act: Callable[[], Outcome]) -> Outcome:
    """Do it until it is not refused any more. A damaged store is never met: the disk only refuses."""
    for _ in range(TRIES):
        try:
            return act()
        except StoreDamaged:
            raise
        except (StoreError, KeyUnusable) as error:
            say(refused=str(error))
            time.sleep(0.001)
    raise SystemExit("refused too often")


def say_append(store: SqliteStore, *appends: StreamAppend) -> None:
    for appended in patiently(lambda: store.append("r", appends)):
        for event in appended.events:
            say(stream=event.stream, seq=event.seq, id=event.event_id, body=event.body.decode())


@contextmanager
def open_store(path: Path) -> Iterator[SqliteStore]:
    """The store, whose log goes into the file often."""
    with patiently(lambda: SqliteStore(path)) as store:
        store._writer._execute("PRAGMA wal_autocheckpoint = 12")
        yield store


def main() -> None:
    folder = Path(sys.argv[1])
    patiently(lambda: load_or_create_signers(folder / KEY_FILE_NAME))
    with open_store(folder / STORE_FILE_NAME) as store:
        for number in range(4):
            say_append(store, deal("one", ANY_VERSION, *events(1)))
            say_append(store, deal("one", ANY_VERSION, *events(3)), deal(f"new {number}", 0, *events(2)))
        say_append(store, deal("many", 0, *events(260)))  # a tile is full
        together(store, 4)
        patiently(lambda: open_notary(folder).sign_checkpoint(store))
        say_append(store, deal("one", ANY_VERSION, NewEvent(ERASED, b'{"type":"note_added","text":"Anna"}')))
        patiently(lambda: store.erase({"r": {ERASED: b'{"type":"note_added","text":"N. N."}'}}))
        say(erased=ERASED)
        say_append(store, deal("one", ANY_VERSION, *events(2)))
        patiently(lambda: open_notary(folder).sign_checkpoint(store))
    with open_store(folder / STORE_FILE_NAME) as store:
        say_append(store, deal("one", ANY_VERSION, *events(1)))
    say(done=True)


def together(store: SqliteStore, callers: int) -> None:
    """Several callers at once, who share commits."""

    def call() -> None:
        for _ in range(3):
            say_append(store, deal("shared", ANY_VERSION, *events(2)))

    threads = [threading.Thread(target=call) for _ in range(callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
