"""The store in one SQLite file: many threads read, one connection writes, and what it acknowledges stays."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from sqlite_utils import Database

from service.eventstore.clock import utc_now
from service.eventstore.errors import NotAStore, StoreDamaged, StoreUnavailable, UnknownStream
from service.eventstore.group_commit import GroupCommit
from service.eventstore.ids import secret_id
from service.eventstore.interface import (
    PAGE,
    Append,
    Appended,
    Clock,
    Room,
    Sealed,
    StoredEvent,
    StreamInfo,
    checked_limit,
)
from service.eventstore.ownership import Ownership
from service.eventstore.reached import Note
from service.eventstore.rows import Row, events_in, leaves_in, require_no_gap, sealed_in
from service.eventstore.sqlite import connections, migrations
from service.eventstore.sqlite.connections import sqlite3
from service.eventstore.sqlite.copying import SqliteCopy, SqliteOriginal
from service.eventstore.sqlite.inspection import SqliteInspection
from service.eventstore.sqlite.projections import SqliteProjectionReader, SqliteProjections
from service.eventstore.sqlite.tables import COLUMNS, LEAVES_ANOTHER
from service.eventstore.sqlite.tiles import head, read_tile, tiles_amiss
from service.eventstore.sqlite.writing import AppendTicket, Request, Writer
from service.eventstore.waiting import Wakeups, looked_at_until

_READ: Final = f"""
    SELECT {COLUMNS}
    FROM streams AS s CROSS JOIN roots AS r USING (root_key) CROSS JOIN events AS e USING (stream_key)
    WHERE s.stream = ? AND e.version > ? ORDER BY e.version LIMIT ?"""

_FIND: Final = f"""
    SELECT {COLUMNS}
    FROM json_each(?) AS wanted CROSS JOIN roots AS r
    CROSS JOIN events AS e USING (root_key) CROSS JOIN streams AS s USING (stream_key)
    WHERE r.root = ? AND e.event_id = wanted.value"""

_FOLLOW: Final = f"""
    SELECT {COLUMNS}
    FROM events AS e CROSS JOIN streams AS s USING (stream_key)
    CROSS JOIN roots AS r ON r.root_key = s.root_key
    WHERE e.position > ? ORDER BY e.position LIMIT ?"""

_STREAMS: Final = """
    SELECT s.stream, r.root, s.kind,
           coalesce((SELECT max(version) FROM events WHERE stream_key = s.stream_key), 0)
    FROM streams AS s JOIN roots AS r USING (root_key)"""

_BRANCHES: Final = f"""
    SELECT e.position, s.stream FROM events AS e CROSS JOIN streams AS s USING (stream_key)
    WHERE e.{LEAVES_ANOTHER} AND e.position > ? ORDER BY e.position LIMIT ?"""

_SECRET: Final = "SELECT secret FROM secrets"

_DESCRIBE: Final = f"{_STREAMS} WHERE s.stream = ?"


class SqliteReader:
    """A store file opened for reading only; another process may be writing to it meanwhile.

    Raises `StoreUnavailable` where there is no such file or it is of an older version, `StoreDamaged` where
    it had come farther than it goes now, `NotAStore`, `StoreTooNew`. An event that is not as it was recorded
    is never told: whoever reads it is told `StoreDamaged`. Without ``whole`` a store that had come farther is
    opened all the same, for who looks at what is left of it.
    """

    def __init__(self, path: str | os.PathLike[str], whole: bool = True) -> None:
        self.notice: str | None = None
        self._path = Path(path).resolve()
        note = Note(self._path)
        self._noted = note.read()
        self._readers = connections.Readers(self._path)
        with self._readers.lend() as connection:
            db = Database(connection, execute_plugins=False)
            if not migrations.require_store(db, str(self._path)):
                raise NotAStore(f"{self._path} is empty: there is no Spadille store in it yet.")
            migrations.require_current(db, str(self._path))
            if whole:
                note.require(head(connection), self._noted)

    def read(self, stream: str, after: int = 0, limit: int = PAGE) -> list[StoredEvent]:
        """See `EventReader.read`."""
        events = events_in(self._rows_of(stream, after, limit), self._path)
        require_no_gap(events, after, stream, self._path)
        return events

    def version(self, stream: str) -> int:
        """See `EventReader.version`."""
        return self.describe(stream).version

    def describe(self, stream: str) -> StreamInfo:
        """See `EventReader.describe`."""
        with self._readers.lend() as connection:
            row = connection.execute(_DESCRIBE, (stream,)).fetchone()
        if row is None:
            raise UnknownStream(stream)
        return StreamInfo._make(row)

    def streams(
        self,
        root: str | None = None,
        kind: str | None = None,
        after: str | None = None,
        limit: int = PAGE,
        *,
        backwards: bool = False,
    ) -> list[StreamInfo]:
        """See `EventReader.streams`."""
        if after is not None:
            self.describe(after)
        behind, order = ("<", "DESC") if backwards else (">", "ASC")
        asked = {
            "r.root = ?": root,
            "s.kind = ?": kind,
            f"s.stream_key {behind} (SELECT stream_key FROM streams WHERE stream = ?)": after,
        }
        given = {condition: value for condition, value in asked.items() if value is not None}
        where = f"WHERE {' AND '.join(given)}" if given else ""
        query = f"{_STREAMS} {where} ORDER BY s.stream_key {order} LIMIT ?"
        with self._readers.lend() as connection:
            rows = connection.execute(query, (*given.values(), checked_limit(limit))).fetchall()
        return list(map(StreamInfo._make, rows))

    def branches(self, after: int = 0, limit: int = PAGE) -> list[tuple[int, str]]:
        """See `EventReader.branches`."""
        with self._readers.lend() as connection:
            return connection.execute(_BRANCHES, (after, checked_limit(limit))).fetchall()

    def find(self, root: str, event_ids: Iterable[str]) -> dict[str, StoredEvent]:
        """See `EventReader.find`."""
        with self._readers.lend() as connection:
            rows = connection.execute(_FIND, (json.dumps(list(event_ids)), root)).fetchall()
        return {event.event_id: event for event in events_in(rows, self._path)}

    def follow(self, after: int = 0, limit: int = PAGE) -> list[StoredEvent]:
        """See `EventReader.follow`."""
        return events_in(self._rows_after(after, limit), self._path)

    def _rows_after(self, after: int, limit: int) -> list[Row]:
        with self._readers.lend() as connection:
            return connection.execute(_FOLLOW, (after, checked_limit(limit))).fetchall()

    def head(self) -> int:
        """See `EventReader.head`."""
        with self._readers.lend() as connection:
            return head(connection)

    def sealed(self, stream: str, after: int = 0, limit: int = PAGE) -> list[Sealed]:
        """See `EventReader.sealed`."""
        sealed = [sealed_in(row, self._path) for row in self._rows_of(stream, after, limit)]
        require_no_gap([one.event for one in sealed], after, stream, self._path)
        return sealed

    def _rows_of(self, stream: str, after: int, limit: int) -> list[Row]:
        with self._readers.lend() as connection:
            rows = connection.execute(_READ, (stream, after, checked_limit(limit))).fetchall()
        if not rows:
            self.describe(stream)  # an empty page and a stream that is not there are told apart
        return rows

    def tile(self, level: int, number: int) -> list[bytes]:
        """See `EventReader.tile`."""
        with self._readers.lend() as connection:
            return read_tile(connection, level, number)

    def checked_leaves(self, after: int = 0, limit: int = PAGE) -> list[tuple[int, bytes]]:
        """See `EventReader.checked_leaves`."""
        return leaves_in(self._rows_after(after, limit), self._path)

    def require_sound(self) -> None:
        """Raise `StoreDamaged` where SQLite finds the file amiss, or a stored hash of the Merkle log.

        It reads the whole file, about a second for a million events. What single events say is not looked
        at here: that is held to its hash whenever it is read.
        """
        found = self.inspection().integrity()
        if not found:
            with self._readers.lend() as connection:
                found = tiles_amiss(connection)
        if found:
            raise StoreDamaged(
                f"The store {self._path} is damaged ({found[0]}). Keep a copy of it as it is, see with "
                f"spadille verify what is concerned, and restore it from a backup."
            )

    def inspection(self) -> SqliteInspection:
        """A look at the file without trust, for who verifies it."""
        return SqliteInspection(self._readers, self._noted)

    @property
    def projections(self) -> SqliteProjectionReader:
        """See `EventReader.projections`."""
        return SqliteProjectionReader(self._readers)

    def original(self) -> SqliteOriginal:
        """The store as one that is copied into another (`service.transparency.copying`)."""
        return SqliteOriginal(self._readers, self._path)

    def wait(self, after: int, timeout: float) -> int:
        """See `EventReader.wait`. The file is looked at ten times a second: another process does not call."""
        return looked_at_until(self.head, after, timeout)

    def wait_for(self, stream: str, after: int, timeout: float) -> int:
        """See `EventReader.wait_for`, and `wait` here."""
        return looked_at_until(lambda: self.version(stream), after, timeout)

    def room(self) -> Room:
        """See `EventReader.room`. The write-ahead log counts too."""
        with self._readers.lend():
            files = (self._path, self._path.with_name(f"{self._path.name}-wal"))
        try:
            used = sum(file.stat().st_size for file in files if file.exists())
            return Room(used, shutil.disk_usage(self._path.parent).free)
        except OSError as error:
            raise StoreUnavailable(
                f"The disk that holds {self._path} cannot be looked at: {error}."
            ) from error

    def close(self) -> None:
        """See `EventReader.close`."""
        self._readers.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class SqliteStore(SqliteReader):
    """A store file opened for writing: made where it is not there yet, brought up to date where it is older.

    One process at a time: raises `StoreInUse` where another has it, `StoreUnavailable` where the place
    cannot be used, `StoreDamaged`, `NotAStore`, `StoreTooNew`.
    """

    def __init__(self, path: str | os.PathLike[str], clock: Clock = utc_now) -> None:
        place = _usable(Path(path).resolve())
        self._pid = os.getpid()
        self._ownership = Ownership(place)
        try:
            _require_all_there(place)
            self._writer = Writer(place, clock)
            try:
                super().__init__(place)
            except BaseException:
                self._writer.close()
                raise
        except BaseException:
            self._ownership.release()
            raise
        self.notice = self._writer.notice
        self._wakeups = Wakeups()
        self._group_commit = GroupCommit(self._append_alone, self._append_together)

    def append(self, root: str, appends: Sequence[Append]) -> list[Appended]:
        """See `EventStore.append`."""
        connections.require_own_process(self._pid, self._path)
        return self._group_commit.submit((root, appends))

    def describe(self, stream: str) -> StreamInfo:
        """See `EventReader.describe`. Of what was appended to of late it is known without a look."""
        self._readers.require_open()
        return self._writer.acknowledged(stream) or super().describe(stream)

    def derived_id(self, said: bytes) -> str:
        """See `EventStore.derived_id`."""
        with self._readers.lend() as connection:
            row = connection.execute(_SECRET).fetchone()
        if row is None:
            raise StoreDamaged(f"The store {self._path} has lost its secret.")
        return secret_id(row[0], said)

    def erase(self, root: str, bodies: Mapping[str, bytes]) -> None:
        """See `EventStore.erase`, and `erase_all` here."""
        self.erase_all({root: bodies})

    def erase_all(self, bodies: Mapping[str, Mapping[str, bytes]]) -> None:
        """See `EventStore.erase_all`. The file is written anew, without what stood on its free space.

        Where that is hindered (a full disk, a reader that holds the log) it is done when the store is next
        opened.
        """
        connections.require_own_process(self._pid, self._path)
        self._group_commit.exclusively(lambda: self._writer.erase(bodies))

    @property
    def projections(self) -> SqliteProjections:
        """See `EventStore.projections`."""

        def change(act: Callable[[sqlite3.Connection], None]) -> None:
            connections.require_own_process(self._pid, self._path)
            self._group_commit.exclusively(lambda: self._writer.change(act))

        return SqliteProjections(self._readers, change)

    @contextmanager
    def as_copy(self) -> Iterator[SqliteCopy]:
        """The store as one into which another is copied (`service.transparency.copying`)."""
        connections.require_own_process(self._pid, self._path)
        yield SqliteCopy(
            self._readers,
            self._path,
            lambda change, clean: self._group_commit.exclusively(
                lambda: self._writer.change_whole(change, clean)
            ),
        )

    def wait(self, after: int, timeout: float) -> int:
        """See `EventReader.wait`."""
        return self._wakeups.until(None, self.head, after, timeout)

    def wait_for(self, stream: str, after: int, timeout: float) -> int:
        """See `EventReader.wait_for`."""
        return self._wakeups.until(stream, lambda: self.version(stream), after, timeout)

    def close(self) -> None:
        """See `EventReader.close`. Appends that were accepted are finished first."""
        if os.getpid() != self._pid:
            return  # a forked process lets its parent's connections alone
        self._group_commit.close(self._disconnect)
        self._ownership.release()
        self._wakeups.announce_all()

    def _disconnect(self) -> None:
        # The writer last: who closes last moves the log into the file, and readers may not write.
        self._readers.close()
        self._writer.close()

    def _append_alone(self, request: Request) -> list[Appended]:
        answer = self._writer.commit_alone(request)
        if self._wakeups.awaited:
            self._announce(answer)
        return answer

    def _append_together(self, group: Sequence[AppendTicket]) -> None:
        self._writer.commit_together(group)
        if self._wakeups.awaited:
            for ticket in group:
                self._announce(ticket.answer or ())

    def _announce(self, answer: Iterable[Appended]) -> None:
        self._wakeups.announce([a.stream for a in answer if len(a.events) > a.repeated])


def _usable(path: Path) -> Path:
    if path.is_dir():
        raise StoreUnavailable(f"{path} is a directory. Name a file in it to hold the store.")
    if not path.parent.is_dir():
        raise StoreUnavailable(f"There is no directory {path.parent} to hold the store. Make it first.")
    return path


def _require_all_there(path: Path) -> None:
    """Raise `StoreDamaged` where the store had come farther than it goes now.

    It is looked at for reading only: who opens it to write and closes it again removes the write-ahead log,
    from which an expert might still save something.
    """
    note = Note(path)
    noted = note.read()
    if noted == 0 and path.with_name(f"{path.name}-wal").exists() and _is_empty(path):
        noted = 1  # what was kept is in the log alone, and SQLite would remove that
    if noted == 0:
        return
    if _is_empty(path):
        note.require(0, noted)
    readers = connections.Readers(path)
    try:
        with readers.lend() as connection:
            if migrations.require_store(Database(connection, execute_plugins=False), str(path)):
                note.require(head(connection), noted)
    finally:
        readers.close()


def _is_empty(path: Path) -> bool:
    return not path.exists() or path.stat().st_size == 0
