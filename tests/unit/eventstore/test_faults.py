"""When the disk fails or is full: nothing acknowledged is lost, and the store goes on."""

import threading
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
from sqlite_utils import Database

from service.eventstore import ANY_VERSION, SqliteStore, StoreDamaged, StoreUnavailable
from service.eventstore.sqlite import connections
from service.eventstore.sqlite.connections import sqlite3
from service.http.store_health import MIN_FREE_BYTES, require_ready
from tests.support.store.concurrency import in_threads
from tests.support.store.writing import deal, event, events
from tests.support.waiting import until

Statement = Callable[[], sqlite3.Cursor]


class FaultyConnection:
    """The writer's connection, with a fault that strikes once at the statement that begins so.

    A fault is given the statement and does it, or does not, before it fails.
    """

    def __init__(self, real: sqlite3.Connection) -> None:
        self.real = real
        self.faults: dict[str, Callable[[Statement], sqlite3.Cursor]] = {}

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        return self._struck(sql, lambda: self.real.execute(sql, *parameters))

    def executemany(self, sql: str, rows: Any) -> sqlite3.Cursor:
        return self._struck(sql, lambda: self.real.executemany(sql, rows))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def _struck(self, sql: str, do: Statement) -> sqlite3.Cursor:
        for beginning in list(self.faults):
            if sql.strip().startswith(beginning):
                return self.faults.pop(beginning)(do)
        return do()

    def fail(
        self, statement: str, moment: str = "before", error: type[BaseException] = sqlite3.OperationalError
    ) -> None:
        """Fail ``before`` the statement, ``rolled back`` by SQLite itself, or ``after`` it was done."""

        def strike(do: Statement) -> NoReturn:
            if moment == "rolled back":
                self.real.execute("ROLLBACK")
            elif moment == "after":
                do()
            raise error("disk I/O error")

        self.faults[statement] = strike


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> list[FaultyConnection]:
    """The writing connections that are opened, the last one last."""
    opened: list[FaultyConnection] = []
    real = connections.open_write_connection

    def open_writer(path: Path) -> Database:
        opened.append(FaultyConnection(real(path).conn))
        return Database(opened[-1], execute_plugins=False)  # type: ignore[arg-type]

    monkeypatch.setattr(connections, "open_write_connection", open_writer)
    return opened


@pytest.mark.parametrize(
    ("moment", "statement"),
    [
        ("before", "BEGIN"),
        ("before", "COMMIT"),
        ("rolled back", "COMMIT"),
        ("rolled back", "INSERT INTO events"),
        ("rolled back", "INSERT INTO streams"),
    ],
)
def test_a_failed_commit_acknowledges_nothing_and_the_store_recovers(
    sqlite_path: Path, faulty: list[FaultyConnection], moment: str, statement: str
) -> None:
    with SqliteStore(sqlite_path) as store:
        store.append("r", [deal("s", 0, event())])
        batch = events(2)
        faulty[0].fail(statement, moment)
        with pytest.raises(StoreUnavailable, match="send it again with the same ids") as told:
            store.append("r", [deal("s", 1, *batch), deal("new", 0, event())])
        assert "disk I/O error" in str(told.value)
        assert [(s.stream, s.version) for s in store.list_streams()] == [("s", 1)]
        (again,) = store.append("r", [deal("s", 1, *batch)])
        assert (again.version, again.repeated_count) == (3, 0)


@pytest.mark.parametrize(
    ("count", "statement", "error"),
    [
        (2, "COMMIT", KeyboardInterrupt),
        (1, "INSERT INTO events", KeyboardInterrupt),
        (2, "COMMIT", sqlite3.OperationalError),
    ],
)
def test_what_was_done_though_it_was_interrupted_or_failed_is_met_as_a_repeat(
    sqlite_path: Path, faulty: list[FaultyConnection], count: int, statement: str, error: type[BaseException]
) -> None:
    with SqliteStore(sqlite_path) as store:
        store.append("r", [deal("s", 0, event())])
        new = events(count)
        faulty[0].fail(statement, "after", error)
        with pytest.raises(error if error is KeyboardInterrupt else StoreUnavailable):
            store.append("r", [deal("s", 1, *new)])
        (again,) = store.append("r", [deal("s", 1, *new)])
        assert (again.version, again.repeated_count) == (1 + count, count)
        (more,) = store.append("r", [deal("s", 1 + count, *events(2))])
        assert more.version == 3 + count


def test_a_broken_connection_is_replaced(sqlite_path: Path, faulty: list[FaultyConnection]) -> None:
    with SqliteStore(sqlite_path) as store:
        faulty[0].fail("COMMIT")
        faulty[0].fail("ROLLBACK")
        with pytest.raises(StoreUnavailable):
            store.append("r", [deal("s", 0, event())])
        assert store.list_streams() == []
        (appended,) = store.append("r", [deal("s", 0, event())])
        assert (appended.version, len(faulty)) == (1, 2)


def test_a_failed_commit_fails_the_whole_group(sqlite_path: Path, faulty: list[FaultyConnection]) -> None:
    with SqliteStore(sqlite_path) as store:
        store.append("r", [deal("s", 0, event())])
        failed: list[int] = []
        inside, others = threading.Event(), threading.Event()

        def hold(do: Statement) -> sqlite3.Cursor:
            inside.set()
            others.wait(10)
            return do()

        # The first commit is held up until the others have queued; theirs, as one group, then fails.
        faulty[0].faults["COMMIT"] = hold

        def write(number: int) -> None:
            if number > 0:
                inside.wait(10)
            if number == 5:
                until(lambda: len(store._group_commit._queue) == 4, "four in the queue")
                faulty[0].fail("COMMIT")
                others.set()
                return
            try:
                store.append("r", [deal("s", ANY_VERSION, *events(2))])
            except StoreUnavailable:
                failed.append(number)

        in_threads(6, write)
        assert sorted(failed) == [1, 2, 3, 4]
        assert store.stream_version("s") == 3
        store.append("r", [deal("s", 3, event())])


def test_one_request_that_cannot_be_written_leaves_the_group_be(sqlite_path: Path) -> None:
    errors: list[Exception] = []
    with SqliteStore(sqlite_path) as store:
        store.append("r", [deal("s", 0, event())])

        def write(number: int) -> None:
            for _ in range(5):
                try:
                    # A lone surrogate cannot be written as UTF-8.
                    first = event("x", "\ud800") if number == 3 else event()
                    store.append("r", [deal("s", ANY_VERSION, first, event())])
                except UnicodeEncodeError as error:
                    errors.append(error)

        in_threads(8, write)
        assert len(errors) == 5
        assert store.stream_version("s") == 1 + 7 * 5 * 2


def test_a_file_that_contradicts_itself_is_reported(sqlite_path: Path) -> None:
    with SqliteStore(sqlite_path) as store:
        store.append("r", [deal("s", 0, event())])
        store._writer._execute(
            "CREATE TRIGGER odd BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'odd'); END"
        )
        for new in (events(1), events(2)):
            with pytest.raises(StoreDamaged, match=r"refused a change .*\(odd\)"):
                store.append("r", [deal("s", 1, *new)])


def test_a_full_disk_is_told_and_what_is_stored_stays(sqlite_path: Path) -> None:
    with SqliteStore(sqlite_path) as store:
        store.append("r", [deal("s", 0, event())])
        pages = store._writer._execute("PRAGMA page_count").fetchone()[0]
        store._writer._execute(f"PRAGMA max_page_count = {pages + 20}")
        stored, refused = 1, None
        while refused is None:
            big = [event("x" * 5000) for _ in range(1 + stored % 2)]
            try:
                store.append("r", [deal("s", stored, *big)])
                stored += len(big)
            except StoreUnavailable as error:
                refused = big
                assert "full. Make room on it" in str(error)
                assert "send it again with the same ids" in str(error)
        assert stored > 3
        assert [e.seq for e in store.read_stream("s")] == list(range(1, stored + 1))
        store._writer._execute(f"PRAGMA max_page_count = {pages + 500}")
        (again,) = store.append("r", [deal("s", stored, *refused)])
        assert (again.version, again.repeated_count) == (stored + len(refused), 0)


def test_a_locked_file_is_reported(sqlite_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "BUSY_TIMEOUT_SECONDS", 0.05)
    with SqliteStore(sqlite_path) as store:
        store.append("r", [deal("s", 0, event())])
        stranger = sqlite3.connect(str(sqlite_path), isolation_level=None)
        stranger.execute("BEGIN IMMEDIATE")
        for new in (events(1), events(2)):
            with pytest.raises(StoreUnavailable, match="locked by another program"):
                store.append("r", [deal("s", 1, *new)])
        with pytest.raises(StoreUnavailable, match="locked by another program"):
            require_ready(store)
        stranger.execute("ROLLBACK")
        stranger.close()
        require_ready(store)
        store.append("r", [deal("s", 1, *new)])
        assert store.stream_version("s") == 3


Usage = namedtuple("Usage", "total used free")


def test_a_disk_that_is_nearly_full_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SqliteStore(tmp_path / "x.db") as store:
        monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(0, 0, MIN_FREE_BYTES))
        require_ready(store)
        monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(0, 0, MIN_FREE_BYTES - 1))
        with pytest.raises(StoreUnavailable, match="63 MiB left, and 64 MiB are needed"):
            require_ready(store)
