"""The file itself: what the database enforces, who may open it, and what it is when it is opened again."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from service.eventstore import (
    SqliteReader,
    SqliteStore,
    StoreDamaged,
    StoreInUse,
    StoreTooNew,
    StoreUnavailable,
    writer_lock,
)
from service.eventstore.sqlite import connections, migrations
from service.eventstore.sqlite.connections import PAGE_BYTES, sqlite3
from service.http.store_health import require_ready
from tests.support.store.writing import ROOT, deal, event, events

needs_log = pytest.mark.skipif(
    connections.has_wal_reset_bug(sqlite3.sqlite_version_info),
    reason="The SQLite that is here is not trusted with a write-ahead log.",
)


@pytest.fixture
def closed_store(sqlite_path: Path) -> Path:
    """A closed store with two deals of a table."""
    with SqliteStore(sqlite_path) as store:
        store.append("r", [deal("a", 0, *events(3)), deal("b", 0, *events(2))])
    return sqlite_path


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """A store of two streams, the first with 301 events, as another program would open it."""
    path = tmp_path_factory.mktemp("kept") / "store.db"
    with SqliteStore(path) as store:
        store.append("r", [deal("a", 0, event("a", "a"), *events(300)), deal("b", 0, *events(2))])
        store.erase({"r": {"a": b"{}"}})
    connection = sqlite3.connect(str(path), isolation_level=None)
    yield connection
    connection.close()


@pytest.fixture
def stranger(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A connection without any of the store's care; what it changes is taken back."""
    connection.execute("BEGIN")
    yield connection
    connection.execute("ROLLBACK")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET body = x'7b7d' WHERE position = 2",
        "UPDATE events SET position = 999 WHERE position = 5",
        "DELETE FROM events WHERE position = 5",
        "DELETE FROM events",
        "UPDATE streams SET root_key = 2",
        "DELETE FROM streams",
        "UPDATE roots SET root = 'q'",
        "DELETE FROM roots",
        "INSERT OR REPLACE INTO streams SELECT * FROM streams LIMIT 1",
        "INSERT OR REPLACE INTO roots SELECT * FROM roots LIMIT 1",
        "UPDATE events SET salt = NULL",
        "UPDATE events SET body = x'00', salt = NULL WHERE position = 2",
        "UPDATE events SET version = 9, salt = NULL WHERE position = 1",
        "UPDATE events SET leaf = zeroblob(32), salt = NULL WHERE position = 1",
        "UPDATE events SET salt = zeroblob(16) WHERE position = 1",
        "INSERT INTO events (root_key, stream_key, version, event_id, stored_at, digest, body) "
        "VALUES (1, 1, 302, 'new', '', x'', x'')",
        "UPDATE erasures SET erased_at = ''",
        "DELETE FROM erasures",
        "INSERT OR REPLACE INTO erasures VALUES (1, zeroblob(32), '')",
        "UPDATE leaf_tiles SET hashes = zeroblob(8192)",
        "DELETE FROM leaf_tiles",
        "INSERT OR REPLACE INTO leaf_tiles VALUES (0, zeroblob(8192))",
        "UPDATE subtrees SET hash = zeroblob(32)",
        "DELETE FROM subtrees",
        "INSERT OR REPLACE INTO subtrees VALUES (1, 0, zeroblob(32))",
    ],
)
def test_the_database_itself_lets_nothing_be_changed(stranger: sqlite3.Connection, statement: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=r"only appended to|made once|has a salt and a leaf"):
        stranger.execute(statement)


@pytest.mark.parametrize(
    ("how", "row", "why"),
    [
        ("INSERT", "NULL, 1, 1, 303, 'new'", "next version"),
        ("INSERT", "NULL, 1, 1, 301, 'new'", "next version"),
        ("INSERT", "NULL, 1, 2, 2, 'new'", "next version"),
        ("INSERT", "NULL, 9, 1, 302, 'new'", "root of its stream"),
        ("INSERT", "NULL, 1, 9, 1, 'new'", "root of its stream"),
        ("INSERT", "-7, 1, 1, 302, 'new'", "CHECK constraint failed: position"),
        ("INSERT OR REPLACE", "2, 1, 1, 302, 'new'", "next position"),
        ("INSERT OR REPLACE", "NULL, 1, 1, 2, 'new'", "next version"),
        ("INSERT OR REPLACE", "NULL, 1, 1, 302, 'a'", "used once"),
    ],
)
def test_only_the_next_event_is_taken(stranger: sqlite3.Connection, how: str, row: str, why: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=why):
        stranger.execute(
            f"{how} INTO events "
            f"(position, root_key, stream_key, version, event_id, stored_at, digest, body, salt, leaf) "
            f"VALUES ({row}, '', x'', x'', randomblob(16), randomblob(32))"
        )
    assert stranger.execute("SELECT count(*) FROM events").fetchone() == (304,)


def test_readers_cannot_write(closed_store: Path) -> None:
    with SqliteStore(closed_store) as store:
        for statement in ("CREATE TABLE t (x)", "INSERT INTO roots (root) VALUES ('q')"):
            with pytest.raises(StoreUnavailable, match="readonly"), store._readers.connection() as connection:
                connection.execute(statement)


def durability(path: Path) -> tuple[str | None, str, int]:
    """The notice, the journal's mode and the level of syncing of a writer's connection."""
    db = connections.open_write_connection(path)
    notice = connections.configure_durability(db)
    mode, level = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous"))
    db.close()
    return notice, mode, level


@needs_log
def test_the_file_is_as_durable_as_promised(sqlite_path: Path) -> None:
    with SqliteStore(sqlite_path) as store:
        assert store.warning is None
        assert durability(sqlite_path) == (None, "wal", 2)
        store.append("r", [deal("s", 0, event())])
        assert sqlite_path.with_name("store.db-wal").stat().st_size > 0
    assert not sqlite_path.with_name("store.db-wal").exists(), "closing writes the log into the file"


@needs_log
def test_the_log_does_not_grow_without_end(sqlite_path: Path) -> None:
    with SqliteStore(sqlite_path) as store:
        for number in range(40):
            store.append("r", [deal(f"s{number}", 0, *events(300))])
            store.read_all(store.head() - 1)
        assert sqlite_path.stat().st_size > 2_000_000
        # A thousand pages are checkpointed, plus what one transaction may hold.
        assert sqlite_path.with_name("store.db-wal").stat().st_size < 5_500_000


def test_which_versions_of_sqlite_can_lose_events() -> None:
    for lost in ((3, 7, 0), (3, 40, 1), (3, 51, 2)):
        assert connections.has_wal_reset_bug(lost), lost
    for kept in ((3, 6, 23), (3, 51, 3), (3, 53, 0)):
        assert not connections.has_wal_reset_bug(kept), kept


def test_a_faulty_sqlite_is_used_without_the_log(closed_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 40, 1))
    with SqliteStore(closed_store) as store:
        assert store.warning is not None
        assert "SQLite 3.40.1" in store.warning
        assert "pysqlite3" in store.warning
        store.append("r", [deal("a", 3, event())])
        assert not closed_store.with_name("store.db-wal").exists()
        assert durability(closed_store) == (store.warning, "delete", 3)


@needs_log
def test_a_journal_mode_that_cannot_be_had_is_reported(closed_store: Path) -> None:
    memory = Database(memory=True)
    with pytest.raises(StoreUnavailable, match="mode memory, but wal is needed"):
        connections.configure_durability(memory)


def in_another_process(code: str, path: Path) -> subprocess.CompletedProcess[str]:
    code = f"import sys, service.eventstore as s; {code}"
    command = [sys.executable, "-c", code, str(path)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)


def test_a_second_store_on_the_same_file_may_read_but_not_write(sqlite_path: Path) -> None:
    with SqliteStore(sqlite_path) as store:
        store.append("r", [deal("s", 0, event())])
        with pytest.raises(StoreInUse, match=f"already in use by process {os.getpid()}"):
            SqliteStore(sqlite_path.parent / "." / "store.db")
        writer = in_another_process("s.SqliteStore(sys.argv[1])", sqlite_path)
        assert writer.returncode != 0
        assert f"already in use by process {os.getpid()}. Only one process at a time" in writer.stderr
        reader = in_another_process("print(s.SqliteReader(sys.argv[1]).stream_version('s'))", sqlite_path)
        assert reader.stdout == "1\n", reader.stderr
        store.append("r", [deal("s", 1, event())])
    with SqliteStore(sqlite_path) as store:
        assert store.stream_version("s") == 2


LK_NBLCK = 2


@pytest.fixture
def on_windows(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the lock as Windows runs it, where a byte is one opened file's until that is closed."""
    held: dict[tuple[int, int], int] = {}
    close = os.close

    def locking(file: int, mode: int, count: int) -> None:
        assert (mode, count) == (LK_NBLCK, 1)
        byte = (os.fstat(file).st_ino, os.lseek(file, 0, os.SEEK_CUR))
        if byte in held:
            raise OSError(36, "Resource deadlock avoided")
        held[byte] = file

    def closing(file: int) -> None:
        for byte in [byte for byte, holder in held.items() if holder == file]:
            del held[byte]
        close(file)

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(LK_NBLCK=LK_NBLCK, locking=locking))
    spec = importlib.util.find_spec(writer_lock.__name__)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with monkeypatch.context() as there:
        there.setattr(sys, "platform", "win32")
        spec.loader.exec_module(module)
    monkeypatch.setattr(os, "close", closing)
    return module


def test_one_process_at_a_time_has_a_store_on_windows(tmp_path: Path, on_windows: Any) -> None:
    path = tmp_path / "spadille.db"
    first = on_windows.WriterLock(path)
    with pytest.raises(StoreInUse, match=f"already in use by process {os.getpid()}"):
        on_windows.WriterLock(path)
    first.release()
    first.release()
    on_windows.WriterLock(path).release()
    # Others read who it is, so the byte that is locked lies behind what is written.
    assert path.with_name("spadille.db.lock").read_text().strip() == str(os.getpid())


def test_a_place_that_cannot_hold_a_store_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="is a directory"):
        SqliteStore(tmp_path)
    with pytest.raises(StoreUnavailable, match=r"no directory .*missing for the store"):
        SqliteStore(tmp_path / "missing" / "store.db")
    (tmp_path / "store.db.lock").mkdir()
    with pytest.raises(StoreUnavailable, match="cannot be created"):
        SqliteStore(tmp_path / "store.db")


def test_a_damaged_file_is_reported(closed_store: Path) -> None:
    whole = bytearray(closed_store.read_bytes())
    whole[PAGE_BYTES * 2 :] = b"\xff" * (len(whole) - PAGE_BYTES * 2)
    closed_store.write_bytes(whole)
    with pytest.raises(StoreDamaged, match="is damaged"), SqliteStore(closed_store) as store:
        store.append("r", [deal("a", 3, event())])
        store.read_all()


def later_steps() -> Migrations:
    """Today's steps and one more, as a later version would have them."""
    later = Migrations(migrations.MIGRATIONS.name)
    for step in migrations.MIGRATIONS.pending(Database(memory=True)):
        later(name=step.name)(step.fn)

    @later(name="9999_later")
    def add_column(db: Database) -> None:
        db.execute("ALTER TABLE streams ADD COLUMN colour TEXT NOT NULL DEFAULT 'green'")

    return later


def test_an_older_file_is_brought_up_to_date(closed_store: Path) -> None:
    db = Database(closed_store)
    with pytest.raises(StoreUnavailable, match="older version of Spadille"):
        migrations.require_current(db, str(closed_store), later_steps())
    assert migrations.require_store_or_empty(db, str(closed_store), later_steps())
    migrations.migrate(db, later_steps())
    assert {row["colour"] for row in db["streams"].rows} == {"green"}
    assert db["events"].count == 5
    migrations.require_current(db, str(closed_store), later_steps())
    db.close()


def test_a_newer_file_is_refused_and_left_alone(closed_store: Path) -> None:
    db = Database(closed_store)
    migrations.migrate(db, later_steps())
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    before = closed_store.read_bytes()
    for opening in (SqliteStore, SqliteReader):
        with pytest.raises(StoreTooNew, match=r"newer version of Spadille .*9999_later"):
            opening(closed_store)
    assert closed_store.read_bytes() == before


def test_a_beginning_that_was_cut_off_is_finished(sqlite_path: Path) -> None:
    db = connections.open_write_connection(sqlite_path)
    db.execute(f"PRAGMA application_id = {migrations.APPLICATION_ID}")
    migrations.MIGRATIONS.ensure_migrations_table(db)
    db.close()
    with SqliteStore(sqlite_path) as store:
        store.append("r", [deal("s", 0, event())])
        assert store.head() == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows does not move a file that is open")
@pytest.mark.parametrize("instead", ["nothing", "a copy", "an empty file"])
def test_a_file_that_was_moved_away_takes_nothing(sqlite_path: Path, tmp_path: Path, instead: str) -> None:
    away = tmp_path / "away.db"
    with SqliteStore(sqlite_path) as store:
        store.append("r", [deal("s", 0, *events(2))])
        sqlite_path.rename(away)
        if instead == "a copy":
            shutil.copy(away, sqlite_path)
        elif instead == "an empty file":
            sqlite_path.touch()
        for appends in ([deal("s", 2, event("one"))], [deal("t", 0, *events(3))], []):
            with pytest.raises(StoreUnavailable, match="was moved, deleted or replaced"):
                store.append("r", appends)
        with pytest.raises(StoreUnavailable, match="was moved"):
            require_ready(store)
        with pytest.raises(StoreUnavailable, match="was moved"):
            store.erase({"r": {store.read_stream("s")[0].event_id: b"{}"}})
        away.replace(sqlite_path)
        store.append("r", [deal("s", 2, event("one"))])
        assert store.stream_version("s") == 3
    with SqliteStore(sqlite_path) as store:
        assert store.stream_version("s") == 3
        assert store.list_streams() == [store.stream_info("s")]
