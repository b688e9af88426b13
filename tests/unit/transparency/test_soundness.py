"""One pass over a store, in one process or several, which say the same."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from service.config import process_pool
from service.eventstore import SqliteReader, SqliteStore
from service.eventstore.inspection import Inspection, RawEvent
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.postgres.store import PostgresReader, PostgresStore
from service.eventstore.sqlite.inspection import SqliteInspection
from service.transparency.checkpoint_file import SavedCheckpoints
from service.transparency.notary import Notary
from service.transparency.parallel import StoreOpener, scan_segment, scan_segments_in_parallel
from service.transparency.scan import StoreScan
from service.transparency.store_verification import verify_store
from service.transparency.verification_result import VerificationResult
from tests.support.store.postgres_server import a_database
from tests.support.transparency.forging import checkpoints_of, fill, forging, put
from tests.support.waiting import until


def checkpoints(path: Path) -> list[SavedCheckpoints | None]:
    """None; checkpoints of several sizes, by themselves and together; and with all leaf hashes."""
    with SqliteStore(path) as store:
        notary = Notary.in_memory()
        whole = checkpoints_of(store)
        sizes = (0, 1, TILE_WIDTH - 1, TILE_WIDTH, TILE_WIDTH + 1, 2 * TILE_WIDTH, store.head())
        notes = tuple(notary.sign_checkpoint(store, size) for size in sizes)
    return [None, SavedCheckpoints(notes), *(SavedCheckpoints((note,)) for note in notes), whole]


def in_stretches(inspection: Inspection, tiles: int) -> list[StoreScan | None]:
    """The store's whole tiles looked at so many at a time, each stretch by itself."""
    events = tiles * TILE_WIDTH
    starts = range(0, inspection.last_position() // events * events, events)
    return [scan_segment(inspection, after, after + events) for after in starts]


def test_stretches_come_to_what_the_whole_comes_to(path: Path) -> None:
    every = checkpoints(path)
    asked = [(kept, own) for kept in every for own in (None, every[1])]
    with SqliteReader(path) as reader:
        inspection = reader.inspection()
        by_one, by_two = in_stretches(inspection, 1), in_stretches(inspection, 2)
        assert (len(by_one), len(by_two)) == (2, 1)
        for kept, own in asked:
            whole = verify_store(inspection, kept, own)
            assert whole.faults == ()
            for stretches in (by_one, by_two):
                assert verify_store(inspection, kept, own, stretches) == whole


class Counted(SqliteInspection):
    passes = 0

    def read_raw_events(self, after: int = 0, up_to: int | None = None) -> Iterator[RawEvent]:
        self.passes += up_to is None
        yield from super().read_raw_events(after, up_to)


@pytest.mark.parametrize("forgery", [
    "UPDATE leaf_tiles SET hashes = zeroblob(8192) WHERE number = 1",
    "UPDATE subtrees SET hash = zeroblob(32) WHERE number = 1",
    "INSERT INTO leaf_tiles VALUES (99, zeroblob(8192))",
    "DELETE FROM events WHERE position = 300",
    "SELECT 1",
])  # fmt: skip
def test_a_store_is_read_once_and_told_the_same_of_in_stretches(path: Path, forgery: str) -> None:
    with forging(path) as execute:
        execute(forgery)
    with SqliteReader(path, require_complete=False) as reader:
        inspection = Counted(reader._readers)
        told = verify_store(inspection)
        assert (inspection.passes, bool(told.faults)) == (1, forgery != "SELECT 1")
        assert verify_store(inspection, None, None, in_stretches(inspection, 1)) == told


def test_stretches_have_to_follow_one_another(path: Path) -> None:
    with SqliteReader(path) as reader:
        inspection = reader.inspection()

        def continues(*stretches: StoreScan | None) -> bool:
            whole = StoreScan()
            return all(one is not None and whole.add_segment(one) for one in stretches)

        first, second = in_stretches(inspection, 1)
        assert first is not None and second is not None
        assert continues(first, second)
        for wrong in ([second], [second, first], [first, first]):
            assert not continues(*wrong)
        # A stretch alone cannot tell whether its first event of a stream is the first, or any other.
        (both, *_) = first.stream_versions.keys() & second.first_versions.keys()
        second.first_versions[both] += 1
        assert not continues(first, second)
        first.first_versions[both] += 1
        assert not continues(first)


def test_what_is_appended_meanwhile_is_no_fault(path: Path) -> None:
    class AppendedTo(SqliteInspection):
        def read_leaf_tiles(self) -> Iterator[tuple[int, list[bytes]]]:
            fill(store, 40, 22)
            yield from super().read_leaf_tiles()

    with SqliteStore(path) as store:
        before = store.head()
        told = verify_store(AppendedTo(store._readers))
        assert store.head() // TILE_WIDTH > before // TILE_WIDTH
    assert (told.faults, told.event_count) == ((), before)


read_file = partial(SqliteReader, require_complete=False)


def looked_at(opened: StoreOpener) -> tuple[VerificationResult, list[StoreScan | None]]:
    """What two processes say of a store, a tile at a time; and the stretches they gave."""
    given: list[StoreScan | None] = []

    def watched(stretches: Iterator[StoreScan | None]) -> Iterator[StoreScan | None]:
        for stretch in stretches:
            given.append(stretch)
            yield stretch

    with opened() as reader:
        inspection = reader.inspection()
        with closing(
            scan_segments_in_parallel(opened, inspection, 2, segment_size=TILE_WIDTH, min_events=TILE_WIDTH)
        ) as stretches:
            return verify_store(inspection, None, None, watched(stretches)), given


@pytest.mark.process
@pytest.mark.smoke
def test_two_processes_say_what_one_says_and_name_what_is_amiss(path: Path) -> None:
    verdict, given = looked_at(partial(read_file, path))
    with SqliteReader(path) as reader:
        assert verdict == verify_store(reader.inspection())
    assert [one and one.start for one in given] == [0, TILE_WIDTH]
    assert verdict.erased_count
    with forging(path) as execute:
        put(execute, 300, basis="told")
    verdict, given = looked_at(partial(read_file, path))
    assert [fault.position for fault in verdict.faults] == [300]
    assert given[-1] is None


@pytest.mark.postgres
def test_and_of_tables_on_postgresql() -> None:
    with a_database() as url:
        with PostgresStore(url) as store:
            fill(store, 22)
        verdict, given = looked_at(partial(PostgresReader, url))
        with PostgresReader(url) as reader:
            assert verdict == verify_store(reader.inspection())
    assert [one and one.start for one in given] == [0, TILE_WIDTH]


def ended_where_opened(process: int, path: Path) -> AbstractContextManager[SqliteReader]:
    if os.getpid() != process:
        os.kill(os.getpid(), signal.SIGKILL)
    return SqliteReader(path)


@pytest.mark.process
def test_where_one_is_ended_the_rest_is_for_who_asked(path: Path) -> None:
    verdict, given = looked_at(partial(ended_where_opened, os.getpid(), path))
    assert (given, verdict.faults) == ([], ())


@pytest.mark.parametrize("error", [OSError("No space left on device"), BrokenProcessPool()], ids=repr)
def test_no_process_is_needed(path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    class Pool(ThreadPoolExecutor):
        def __init__(self, *_: object) -> None:
            super().__init__()
            if isinstance(error, OSError):
                raise error

        def submit(self, *_: object, **more: object) -> Future[Any]:
            raise error

    monkeypatch.setattr(process_pool, "ProcessPoolExecutor", Pool)
    verdict, given = looked_at(partial(read_file, path))
    assert (given, verdict.faults) == ([], ())


ABANDONED = """
import os, signal, sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from service.transparency.parallel import scan_segments_in_parallel
from service.eventstore import SqliteReader

opened = partial(SqliteReader, Path(sys.argv[1]))
with opened() as reader:
    stretches = scan_segments_in_parallel(opened, reader.inspection(), 2, segment_size=256, min_events=256)
    next(stretches)
    print(*(child.pid for child in active_children()), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.process
def test_they_end_with_who_began_them(path: Path) -> None:
    command = [sys.executable, "-c", ABANDONED, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    children = [int(one) for one in done.stdout.split()]
    assert len(children) == 2, done.stderr

    def is_there(process: int) -> bool:
        try:  # one that ended and that nobody waits for is a zombie
            return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False

    until(lambda: not any(map(is_there, children)), "processes that nobody waits for")
