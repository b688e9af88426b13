"""The store in one SQLite file: many threads read, one connection writes, acknowledged events are durable."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from service.eventstore.append_plan import EventWithDigest
from service.eventstore.clock import utc_now
from service.eventstore.commit_notifier import CommitNotifier
from service.eventstore.errors import NotAStore, StoreDamaged, StoreUnavailable
from service.eventstore.events import (
    AppendResult,
    Clock,
    DiskUsage,
    StreamAppend,
    StreamInfo,
)
from service.eventstore.group_commit import GroupCommit
from service.eventstore.head_file import HeadFile
from service.eventstore.interface import EventReader, EventStore
from service.eventstore.sql_dialect import SQLITE_DIALECT
from service.eventstore.sqlite import connections, migrations
from service.eventstore.sqlite.connections import Outcome, sqlite3
from service.eventstore.sqlite.copy_target import SqliteCopyTarget
from service.eventstore.sqlite.event_tables import EVENT_COLUMNS, IS_BRANCH_CONDITION, select_stored_events
from service.eventstore.sqlite.inspection import SqliteInspection
from service.eventstore.sqlite.merkle_tables import SqliteMerkleTables, select_head
from service.eventstore.sqlite.writer import AppendOutcome, AppendRequest, SqliteWriter
from service.eventstore.verified_rows import EventRow
from service.eventstore.writer_lock import WriterLock

_READ: Final = f"""
    SELECT {EVENT_COLUMNS}
    FROM streams AS s CROSS JOIN roots AS r USING (root_key) CROSS JOIN events AS e USING (stream_key)
    WHERE s.stream = ? AND e.version > ? ORDER BY e.version LIMIT ?"""

_FOLLOW: Final = f"""
    SELECT {EVENT_COLUMNS}
    FROM events AS e CROSS JOIN streams AS s USING (stream_key)
    CROSS JOIN roots AS r ON r.root_key = s.root_key
    WHERE e.position > ? ORDER BY e.position LIMIT ?"""

_FULL: Final = f"""
    SELECT {EVENT_COLUMNS}, e.digest, s.kind,
        (SELECT erased_at FROM erasures AS x WHERE x.position = e.position)
    FROM events AS e CROSS JOIN streams AS s USING (stream_key)
    CROSS JOIN roots AS r ON r.root_key = s.root_key"""
_FOLLOW_FULL: Final = f"{_FULL} WHERE e.position > ? ORDER BY e.position LIMIT ?"
_FULL_AT: Final = f"{_FULL} WHERE e.position IN (SELECT value FROM json_each(?)) ORDER BY e.position"

_STREAMS: Final = """
    SELECT s.stream, r.root, s.kind,
           coalesce((SELECT max(version) FROM events WHERE stream_key = s.stream_key), 0)
    FROM streams AS s JOIN roots AS r USING (root_key)"""

_BRANCHES: Final = f"""
    SELECT e.position, s.stream FROM events AS e CROSS JOIN streams AS s USING (stream_key)
    WHERE e.{IS_BRANCH_CONDITION} AND e.position > ? ORDER BY e.position LIMIT ?"""

_DESCRIBE: Final = f"{_STREAMS} WHERE s.stream = ?"


class SqliteReader(EventReader):
    """A store file opened read-only; another process may be writing to it at the same time.

    Raises `StoreUnavailable` if there is no such file or it is of an older version, `NotAStore`,
    `StoreTooNew`, and `StoreDamaged` if it ends before a position that it had reached. Open it without
    ``require_complete`` to inspect what is left.
    """

    _dialect = SQLITE_DIALECT

    def __init__(self, path: str | os.PathLike[str], require_complete: bool = True) -> None:
        self.location = self._path = Path(path).resolve()
        head_file = HeadFile(self._path)
        self._recorded_head = head_file.read()
        self._readers = connections.ReaderPool(self._path)
        with self._readers.connection() as connection:
            db = Database(connection, execute_plugins=False)
            if not migrations.require_store_or_empty(db, str(self._path)):
                raise NotAStore(f"{self._path} is empty: there is no Spadille store in it yet.")
            migrations.require_current(db, str(self._path))
            if require_complete:
                head_file.require_not_truncated(select_head(connection), self._recorded_head)

    def _run_read(self, query: Callable[[sqlite3.Connection], Outcome], /) -> Outcome:
        return self._readers.run_read(query)

    _merkle_tables = SqliteMerkleTables

    def _select_stream(self, connection: sqlite3.Connection, stream: str) -> StreamInfo | None:
        row = connection.execute(_DESCRIBE, (stream,)).fetchone()
        return None if row is None else StreamInfo._make(row)

    def _select_streams(
        self,
        connection: sqlite3.Connection,
        root: str | None,
        kind: str | None,
        after: str | None,
        limit: int,
        newest_first: bool,
    ) -> list[StreamInfo]:
        comparison, order = ("<", "DESC") if newest_first else (">", "ASC")
        conditions = {
            "r.root = ?": root,
            "s.kind = ?": kind,
            f"s.stream_key {comparison} (SELECT stream_key FROM streams WHERE stream = ?)": after,
        }
        values = {condition: value for condition, value in conditions.items() if value is not None}
        where_clause = f"WHERE {' AND '.join(values)}" if values else ""
        query = f"{_STREAMS} {where_clause} ORDER BY s.stream_key {order} LIMIT ?"
        return list(map(StreamInfo._make, connection.execute(query, (*values.values(), limit))))

    def _select_branches(
        self, connection: sqlite3.Connection, after: int, limit: int
    ) -> list[tuple[int, str]]:
        return connection.execute(_BRANCHES, (after, limit)).fetchall()

    def _find_stored_events(
        self, connection: sqlite3.Connection, root: str, event_ids: Collection[str]
    ) -> dict[str, EventWithDigest]:
        return select_stored_events(connection, self._path, root, event_ids)

    def _select_log_rows(self, after: int, limit: int) -> Sequence[EventRow]:
        return self._readers.fetch_all(_FOLLOW, (after, limit))

    def _select_full_rows(self, after: int, limit: int) -> Sequence[EventRow]:
        return self._readers.fetch_all(_FOLLOW_FULL, (after, limit))

    def _select_full_rows_at(self, positions: Sequence[int]) -> Sequence[EventRow]:
        return self._readers.fetch_all(_FULL_AT, (json.dumps(list(positions)),))

    def _select_stream_rows(self, stream: str, after: int, limit: int) -> Sequence[EventRow]:
        rows = self._readers.fetch_all(_READ, (stream, after, limit))
        if not rows:
            self.stream_info(stream)  # distinguishes an empty page from an unknown stream
        return rows

    def require_intact(self) -> None:
        """Raise `StoreDamaged` if SQLite finds errors in the file, or a stored hash of the Merkle log is
        wrong.

        This takes about a second for a million events. Events are checked against their hashes when they are
        read.
        """
        inspection = self.inspection()
        errors = inspection.find_integrity_errors() or inspection.find_tile_errors()
        if errors:
            raise StoreDamaged(
                f"The store {self._path} is damaged ({errors[0]}). Keep a copy of it as it is, run spadille "
                "verify to see what else is damaged, and restore it from a backup."
            )

    def inspection(self) -> SqliteInspection:
        """Access to the raw file, to verify it."""
        return SqliteInspection(self._readers, self._recorded_head)

    def disk_usage(self) -> DiskUsage | None:
        """See `EventReader.disk_usage`. Includes the write-ahead log."""
        with self._readers.connection():
            files = (self._path, self._path.with_name(f"{self._path.name}-wal"))
        try:
            used = sum(file.stat().st_size for file in files if file.exists())
            return DiskUsage(used, shutil.disk_usage(self._path.parent).free)
        except OSError as error:
            raise StoreUnavailable(f"The disk that holds {self._path} cannot be checked: {error}.") from error

    def close(self) -> None:
        """See `EventReader.close`."""
        self._readers.close()


class SqliteStore(SqliteReader, EventStore):
    """A store file opened for writing by one process: created or upgraded if necessary.

    Raises `StoreInUse`, `StoreUnavailable`, `StoreDamaged`, `NotAStore`, `StoreTooNew`.
    """

    has_other_writers = False

    def __init__(self, path: str | os.PathLike[str], clock: Clock = utc_now) -> None:
        place = _require_usable_path(Path(path).resolve())
        self._writer_lock: WriterLock | None = WriterLock(place)
        try:
            _require_not_truncated(place)
            self._open(place, clock)
        except BaseException:
            self._writer_lock.release()
            raise

    def _open(self, place: Path, clock: Clock) -> None:
        self._pid = os.getpid()
        self._writer = SqliteWriter(place, clock)
        try:
            super().__init__(place)
        except BaseException:
            self._writer.close()
            raise
        self.warning = self._writer.warning
        self._notifier = CommitNotifier()
        self._group_commit = GroupCommit(self._append_together)

    def append(self, root: str, appends: Sequence[StreamAppend]) -> list[AppendResult]:
        """See `EventStore.append`."""
        connections.require_own_process(self._pid, self._path)
        return self._group_commit.submit((root, appends))

    def erase(self, replacements: Mapping[str, Mapping[str, bytes]]) -> None:
        """See `EventStore.erase`. The file is rewritten, at the latest when it is next opened."""
        connections.require_own_process(self._pid, self._path)
        self._group_commit.run_exclusively(lambda: self._writer.erase(replacements))

    def _run_in_transaction(self, action: Callable[[sqlite3.Connection], Outcome], /) -> Outcome:
        connections.require_own_process(self._pid, self._path)
        return self._group_commit.run_exclusively(lambda: self._writer.run_in_transaction(action))

    @contextmanager
    def open_copy_target(self) -> Iterator[SqliteCopyTarget]:
        """This store as the target of a copy (`service.transparency.copy_store`)."""
        connections.require_own_process(self._pid, self._path)
        yield SqliteCopyTarget(
            self,
            lambda change, clean: self._group_commit.run_exclusively(
                lambda: self._writer.rewrite_events(change, clean)
            ),
        )

    def close(self) -> None:
        """See `EventReader.close`. Accepted appends are finished first."""
        if os.getpid() != self._pid:
            return  # a forked process leaves its parent's connections alone
        self._group_commit.close(self._disconnect)
        if self._writer_lock is not None:
            self._writer_lock.release()
        self._notifier.notify()

    def _disconnect(self) -> None:
        # The writer last: the last connection to close moves the log into the file, and readers may not
        # write.
        self._readers.close()
        self._writer.close()

    def _append_together(self, group: Sequence[AppendRequest]) -> list[AppendOutcome]:
        outcomes = self._writer.commit_group(group)
        self._notifier.notify()
        return outcomes


def _require_usable_path(path: Path) -> Path:
    if path.is_dir():
        raise StoreUnavailable(f"{path} is a directory. Name a file in it to hold the store.")
    if not path.parent.is_dir():
        raise StoreUnavailable(f"There is no directory {path.parent} for the store. Create it first.")
    return path


def _require_not_truncated(path: Path) -> None:
    """Raise `StoreDamaged` if the store ends before the position that it had reached.

    Opens it read-only, so that a write-ahead log stays for an expert to recover.
    """
    head_file = HeadFile(path)
    recorded_head = head_file.read()
    if recorded_head == 0 and path.with_name(f"{path.name}-wal").exists() and _is_empty(path):
        recorded_head = 1  # the events are only in the log, and SQLite would remove that
    if recorded_head == 0:
        return
    if _is_empty(path):
        head_file.require_not_truncated(0, recorded_head)
    readers = connections.ReaderPool(path)
    try:
        with readers.connection() as connection:
            if migrations.require_store_or_empty(Database(connection, execute_plugins=False), str(path)):
                head_file.require_not_truncated(select_head(connection), recorded_head)
    finally:
        readers.close()


def _is_empty(path: Path) -> bool:
    return not path.exists() or path.stat().st_size == 0
