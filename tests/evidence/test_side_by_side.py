"""A large store looked at by several processes: they say what one says, and are never needed."""

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

from service.eventstore import SqliteReader
from service.eventstore.merkle.tiles import WIDTH
from service.eventstore.postgres.store import PostgresReader, PostgresStore
from service.transparency import side_by_side
from service.transparency.side_by_side import Opened, stretches_of
from service.transparency.stretches import Stretch
from service.transparency.verdict import Verdict
from service.transparency.verifying import verify_store
from tests.support.evidence.forging import fill, forging, put
from tests.support.store.postgres_server import a_database
from tests.support.waiting import until

read_file = partial(SqliteReader, whole=False)


def looked_at(opened: Opened) -> tuple[Verdict, list[Stretch | None]]:
    """What two processes say of a store, a tile at a time; and the stretches they gave."""
    given: list[Stretch | None] = []

    def watched(stretches: Iterator[Stretch | None]) -> Iterator[Stretch | None]:
        for stretch in stretches:
            given.append(stretch)
            yield stretch

    with opened() as reader:
        inspection = reader.inspection()
        with closing(stretches_of(opened, inspection, 2, stretch=WIDTH, least=WIDTH)) as stretches:
            return verify_store(inspection, None, None, watched(stretches)), given


@pytest.mark.process
@pytest.mark.smoke
def test_two_processes_say_what_one_says_and_name_what_is_amiss(path: Path) -> None:
    verdict, given = looked_at(partial(read_file, path))
    with SqliteReader(path) as reader:
        assert verdict == verify_store(reader.inspection())
    assert [one and one.after for one in given] == [0, WIDTH]
    assert verdict.erased
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
    assert [one and one.after for one in given] == [0, WIDTH]


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

    monkeypatch.setattr(side_by_side, "ProcessPoolExecutor", Pool)
    verdict, given = looked_at(partial(read_file, path))
    assert (given, verdict.faults) == ([], ())


ABANDONED = """
import os, signal, sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from service.transparency import side_by_side
from service.transparency.side_by_side import stretches_of
from service.eventstore import SqliteReader

opened = partial(SqliteReader, Path(sys.argv[1]))
with opened() as reader:
    stretches = stretches_of(opened, reader.inspection(), 2, stretch=256, least=256)
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
    until(lambda: not any(is_there(child) for child in children), "processes that nobody waits for")


def is_there(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
