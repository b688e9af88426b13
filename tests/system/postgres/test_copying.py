"""Copies of stores, from a file to PostgreSQL and back: the same log to the byte, wherever broken off."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from service.eventstore import ANY_VERSION, SqliteReader, SqliteStore, erasure_log, errors
from service.eventstore.errors import CopyDiverged
from service.eventstore.postgres.store import PostgresReader, PostgresStore
from service.eventstore.postgres.tables import SERVICE_USER_GRANTS
from service.eventstore.store_factory import open_reader, open_store
from service.transparency.copy_store import CopyResult, copy_missing_events, log_root
from service.transparency.notary import Notary
from service.transparency.store_verification import verify_store
from tests.support.store.merkle_tree import all_sealed, require_whole_tree
from tests.support.store.postgres_server import a_database, as_role
from tests.support.store.writing import ROOT, deal, event, events
from tests.support.transparency.forging import DEALS, checkpoints_of, fill, forging
from tests.support.waiting import until

pytestmark = pytest.mark.process

Store = SqliteStore | PostgresStore
Reader = SqliteReader | PostgresReader

WAYS = {
    "a file to PostgreSQL": ("file", "postgresql"),
    "PostgreSQL to a file": ("postgresql", "file"),
    "a file to a file": ("file", "file"),
    "PostgreSQL to PostgreSQL": ("postgresql", "postgresql"),
}


class Place(NamedTuple):
    """Where a store is that is opened by any number of readers, and by a writer."""

    path: Path
    address: str | None

    @property
    def name(self) -> str:
        return self.address or str(self.path)

    def store(self) -> Store:
        return open_store(self.path, self.address)

    def reader(self) -> Reader:
        return open_reader(self.path, self.address)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Callable[[str], Place]]:
    """Makes places for new stores of a kind."""
    with ExitStack() as stack:
        count = iter(range(10))

        def made(kind: str) -> Place:
            address = stack.enter_context(a_database()) if kind == "postgresql" else None
            return Place(tmp_path / f"{next(count)}.db", address)

        yield made


@pytest.fixture(params=WAYS)
def both(request: pytest.FixtureRequest, place: Callable[[str], Place]) -> tuple[Place, Place]:
    """Where the original is, and where the copy."""
    original, copy = WAYS[request.param]
    return place(original), place(copy)


def copied(original: Place, copy: Place, **more: Any) -> CopyResult:
    with original.reader() as reader, copy.store() as store, store.open_copy_target() as target:
        return copy_missing_events(reader, target, **more)


def fill_streams(store: Store) -> None:
    """Deals, and streams of several roots, with what several writers add to them by turns."""
    fill(store, 14)
    for turn in range(3):
        for number in range(40):
            store.append(f"table {number % 7}", [deal(f"deal {number}", ANY_VERSION, *events(turn + 1))])


def require_same(original: Place, copy: Place) -> None:
    """All that the two stores say of themselves is the same."""
    with original.reader() as one, copy.reader() as other:
        size = other.head()
        assert one.head() == size
        read, read_copy = (store.read_full_events for store in (one, other))
        assert read_copy(0, size + 1) == read(0, size + 1)
        assert all_sealed(other) == all_sealed(one)
        assert other.list_streams(limit=1000) == one.list_streams(limit=1000)
        assert other.read_secret() == one.read_secret()
        for level, number in ((0, 0), (0, 1), (1, 0)):
            assert other.read_tile(level, number) == one.read_tile(level, number)
        assert other.inspection().find_schema_differences() == []


def test_a_copy_is_the_same_log(both: tuple[Place, Place], tmp_path: Path) -> None:
    original, copy = both
    with original.store() as store:
        fill_streams(store)
        kept = checkpoints_of(store)
        size = store.head()
    done = copied(original, copy)
    assert (done.size, done.new_count, done.root) == (size, size, kept.notes[0].checkpoint.root)
    require_same(original, copy)
    with copy.store() as store:
        require_whole_tree(store)
        # Notes of no deal are no entries of a log; all else is in order, and proved by what was kept.
        assert {one.code for one in verify_store(store.inspection(), kept).faults} <= {"no_entry"}
        assert Notary.in_memory().sign_checkpoint(store).checkpoint.root == done.root


def test_a_copy_goes_on_where_it_ends(both: tuple[Place, Place]) -> None:
    original, copy = both
    for turn in range(3):
        with original.store() as store:
            store.append("r", [deal(f"s {turn}", 0, event("told", f"an id {turn}"))])
            store.append("r", [deal("s", ANY_VERSION, *events(300))])
        assert copied(original, copy)[:2] == ((turn + 1) * 301, 301)
    require_same(original, copy)
    with original.store() as store:
        first, derived = store.read_stream("s 2"), store.keyed_id(b"a line of a log")
    # What was sent to the original is a repeat for the copy.
    with copy.store() as store:
        (again,) = store.append("r", [deal("s 2", 0, event("told", "an id 2"))])
        assert (list(again.events), again.repeated_count) == (first, 1)
        with pytest.raises(errors.IdConflict):
            store.append("r", [deal("s 2", ANY_VERSION, event("otherwise", "an id 2"))])
        assert store.keyed_id(b"a line of a log") == derived
        (more,) = store.append("r", [deal("s 2", 1, event("more"))])
        assert more.events[0].position == 904


@pytest.mark.parametrize("first_copied", [False, True], ids=["before it is copied", "after it was copied"])
def test_what_was_erased_is_in_no_copy(both: tuple[Place, Place], first_copied: bool) -> None:
    original, copy = both
    with original.store() as store:
        fill_streams(store)
        store.append("r", [deal("s", 0, event("Mrs Secret", "told"), event("Mr Secret", "too"))])
        if first_copied:
            copied(original, copy)
        placeholder = b'{"type":"note_added","text":"","id":"told","seq":1}'
        store.erase({"r": {"told": placeholder, "too": b'{"type":"note_added","text":"X"}'}})
        store.append("r", [deal("s", ANY_VERSION, event("later"))])
        store.erase({"r": {"too": b'{"type":"note_added","text":"Y"}'}})
    copied(original, copy)
    require_same(original, copy)
    with copy.reader() as reader:
        assert [one.body[-4:] for one in reader.read_stream("s")][:2] == [placeholder[-4:], b'"Y"}']
        assert reader.head() == reader.read_stream(erasure_log.ERASURE_STREAM)[-1].position
        assert verify_store(reader.inspection()).erased_count == 2
    if copy.address is None:
        assert b"Secret" not in copy.path.read_bytes()


def test_a_store_that_is_no_copy_is_left_as_it_is(both: tuple[Place, Place]) -> None:
    original, copy = both
    with original.store() as store:
        store.append("r", [deal("s", 0, *events(30))])
    copied(original, copy)
    with copy.store() as store:
        store.append("r", [deal("s", ANY_VERSION, event("its own"))])
        before = all_sealed(store)
    with pytest.raises(CopyDiverged, match="31 events, but the original only 30"):
        copied(original, copy)
    with original.store() as store:
        store.append("r", [deal("s", ANY_VERSION, *events(5))])
    with pytest.raises(CopyDiverged, match=r"not the first 31.*Nothing was copied"):
        copied(original, copy)
    with copy.reader() as reader:
        assert all_sealed(reader) == before


def test_an_event_that_is_damaged_is_not_copied(place: Callable[[str], Place]) -> None:
    original, copy = place("file"), place("postgresql")
    with original.store() as store:
        store.append("r", [deal("s", 0, *events(10))])
    with forging(original.path) as execute:
        execute("UPDATE events SET body = CAST(body || ' ' AS BLOB) WHERE position = 4")
    with pytest.raises(errors.StoreDamaged):
        copied(original, copy)
    with forging(original.path) as execute:
        execute("DELETE FROM events WHERE position = 4")
    with pytest.raises(errors.StoreDamaged, match="no event at position 4"):
        copied(original, copy)
    with copy.reader() as reader:
        assert reader.head() == 0


def test_the_original_is_written_to_meanwhile(both: tuple[Place, Place]) -> None:
    original, copy = both
    with original.store() as store:
        fill_streams(store)
        over, written, sizes = threading.Event(), list[int](), list[int]()

        def go_on() -> None:
            for turn in range(100_000):
                store.append(
                    f"live table {turn % 9}", [deal(f"live {turn % 9}", ANY_VERSION, event(str(turn)))]
                )
                if turn % 50 == 20:
                    stored = store.read_stream(f"live {turn % 9}")[0]
                    store.erase({stored.root: {stored.event_id: b'{"type":"note_added","text":"gone"}'}})
                written.append(turn)
                if over.wait(0.002):
                    return

        writer = threading.Thread(target=go_on)

        def has_written(count: int) -> bool:
            assert writer.is_alive()
            return len(written) >= count

        writer.start()
        try:
            for _ in range(3):
                done = copied(original, copy)
                sizes.append(done.size)
                assert done.root == log_root(store, done.size)
                # There is more to copy then, and more that is erased.
                until(partial(has_written, len(written) + 60))
        finally:
            over.set()
            writer.join()
    assert copied(original, copy).size > sizes[2] > sizes[1] > sizes[0]
    require_same(original, copy)


COPYING = """
import sys
from pathlib import Path
from service.transparency.copy_store import copy_missing_events
from service.eventstore.store_factory import open_reader, open_store
import service.transparency.copy_store
service.transparency.copy_store.COPY_BATCH_SIZE = 20
at = lambda name: (Path(name), name if name.startswith("postgresql:") else None)
original = open_reader(*at(sys.argv[1]))
with open_store(*at(sys.argv[2])) as store, store.open_copy_target() as copy:
    copy_missing_events(original, copy, lambda size: print(size, flush=True))
"""


def killed_while_copying(original: Place, copy: Place, chance: random.Random) -> int | None:
    """Copy in a process of its own, which is killed at some moment; how it ended, 0 where it was done."""
    command = [sys.executable, "-c", COPYING, original.name, copy.name]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE)
    assert done.stdout is not None
    with done.stdout:
        for _ in range(chance.randrange(1, 6)):
            done.stdout.readline()
        time.sleep(chance.random() * 0.01)
        with contextlib.suppress(ProcessLookupError):
            done.send_signal(signal.SIGKILL)
        done.stdout.read()
    return done.wait(60)


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_who_is_killed_goes_on_where_he_was(both: tuple[Place, Place]) -> None:
    original, copy = both
    with original.store() as store:
        fill_streams(store)
        stored = store.read_stream(DEALS[0])[0]
        store.erase({DEALS[0]: {stored.event_id: stored.body + b" "}})
        size = store.head()
    chance = random.Random(9)
    killed, reached = 0, []
    for _ in range(5):
        killed += killed_while_copying(original, copy, chance) == -signal.SIGKILL
        with copy.store() as store:  # whoever opens it next has what was committed placed
            reached.append(store.head())
    assert killed > 1 and reached == sorted(reached) and reached[0] > 0
    assert copied(original, copy).size == size
    require_same(original, copy)


def test_a_user_who_may_only_add_makes_no_copy(place: Callable[[str], Place]) -> None:
    """The documentation says that the owner copies: nobody else may replace the secret."""
    original, copy = place("file"), place("postgresql")
    with original.store() as store:
        store.append("r", [deal("s", 0, *events(3))])
    copy.store().close()
    with (
        as_role(copy.name, "copier", *SERVICE_USER_GRANTS) as address,
        PostgresStore(address) as store,
        store.open_copy_target() as target,
    ):
        with original.reader() as reader, pytest.raises(errors.StoreUnavailable, match="the rights"):
            copy_missing_events(reader, target)
        assert target.store.head() == 0
