"""One pass over a sound store, in one process or several: it says what the thorough look says, or nothing."""

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
from service.transparency import quick_verification, store_verification
from service.transparency.checkpoint_file import SavedCheckpoints
from service.transparency.notary import Notary
from service.transparency.parallel import StoreOpener, scan_segments_in_parallel
from service.transparency.quick_verification import verify_quickly
from service.transparency.scan import StoreScan
from service.transparency.segments import LogSegment, scan_segment
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


def in_stretches(inspection: Inspection, tiles: int) -> list[LogSegment | None]:
    """The store's whole tiles looked at so many at a time, each stretch by itself."""
    events = tiles * TILE_WIDTH
    starts = range(0, inspection.last_position() // events * events, events)
    return [scan_segment(inspection, after, after + events) for after in starts]


def test_it_says_what_the_thorough_check_says(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    every = checkpoints(path)
    asked = [(kept, own) for kept in every for own in (None, every[1])]
    with SqliteReader(path) as reader:
        inspection = reader.inspection()
        by_one, by_two = in_stretches(inspection, 1), in_stretches(inspection, 2)
        assert (len(by_one), len(by_two)) == (2, 1)
        monkeypatch.setattr(store_verification, "verify_quickly", lambda *_: None)
        for kept, own in asked:
            thorough = verify_store(inspection, kept, own)
            for stretches in ([], by_one, by_two):
                assert verify_quickly(inspection, kept, own, stretches) == thorough


class Counted(SqliteInspection):
    passes = 0

    def read_raw_events(self, after: int = 0, up_to: int | None = None) -> Iterator[RawEvent]:
        self.passes += 1
        yield from super().read_raw_events(after, up_to)


def test_a_sound_store_is_read_once_and_a_tile_held(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[int] = []

    class Watched(StoreScan):
        def add_event(self, event: RawEvent) -> bool:
            held.append(len(self.computed_leaves))
            return super().add_event(event)

    monkeypatch.setattr(quick_verification, "StoreScan", Watched)
    with SqliteReader(path) as reader:
        inspection = Counted(reader._readers)
        assert verify_store(inspection).faults == ()
    assert inspection.passes == 1
    assert max(held) < TILE_WIDTH < len(held)


@pytest.mark.parametrize("forgery", [
    "UPDATE leaf_tiles SET hashes = zeroblob(8192) WHERE number = 1",
    "UPDATE subtrees SET hash = zeroblob(32) WHERE number = 1",
    "INSERT INTO leaf_tiles VALUES (99, zeroblob(8192))",
    "DELETE FROM events WHERE position = 300",
])  # fmt: skip
def test_of_any_other_store_it_says_nothing_in_stretches_either(path: Path, forgery: str) -> None:
    with forging(path) as execute:
        execute(forgery)
    with SqliteReader(path, require_complete=False) as reader:
        inspection = reader.inspection()
        assert verify_quickly(inspection, None, None, in_stretches(inspection, 1)) is None


def test_stretches_have_to_follow_one_another(path: Path) -> None:
    with SqliteReader(path) as reader:
        inspection = reader.inspection()
        first, second = in_stretches(inspection, 1)
        assert first is not None and second is not None
        assert verify_quickly(inspection, None, None, [first, second]) is not None
        # A stretch alone cannot tell whether its first event of a stream is the first, or any other.
        (both, *_) = first.version_ranges.keys() & second.version_ranges.keys()
        begun, ended = second.version_ranges[both]
        assert first.version_ranges[both][1] == begun - 1
        late = first._replace(version_ranges={**first.version_ranges, both: (2, begun - 1)})
        gap = second._replace(version_ranges={**second.version_ranges, both: (begun + 1, ended)})
        for wrong in ([late, second], [first, gap], [second], [second, first], [first, first]):
            assert verify_quickly(inspection, None, None, wrong) is None


read_file = partial(SqliteReader, require_complete=False)


def looked_at(opened: StoreOpener) -> tuple[VerificationResult, list[LogSegment | None]]:
    """What two processes say of a store, a tile at a time; and the stretches they gave."""
    given: list[LogSegment | None] = []

    def watched(stretches: Iterator[LogSegment | None]) -> Iterator[LogSegment | None]:
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
    assert [one and one.after for one in given] == [0, TILE_WIDTH]
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
    assert [one and one.after for one in given] == [0, TILE_WIDTH]


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
