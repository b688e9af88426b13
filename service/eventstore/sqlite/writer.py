"""The only connection that writes: groups of appends, each group one transaction and one disk sync."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from service.eventstore import append_plan
from service.eventstore.append_plan import AppendPlan
from service.eventstore.erasure_log import build_erasure_append
from service.eventstore.errors import StoreClosed, StoreDamaged, StoreUnavailable
from service.eventstore.events import AppendResult, Clock, NewEvent, StreamAppend, StreamInfo
from service.eventstore.head_file import HeadFile
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.sqlite import connections, migrations
from service.eventstore.sqlite.connections import sqlite3
from service.eventstore.sqlite.event_tables import EventTables, InsertRow
from service.eventstore.sqlite.merkle_tables import select_head

AppendRequest: TypeAlias = tuple[str, Sequence[StreamAppend]]
"""What one caller appends in one step: the root and the appends to its streams."""

AppendOutcome: TypeAlias = list[AppendResult] | Exception
Outcome = TypeVar("Outcome")


_MAX_POSITION_GAP: Final = 1_000_000
"""A larger gap in the positions is treated as damage."""


class SqliteWriter:
    """Commits requests, alone or in groups. Not thread-safe: `GroupCommit` serialises the calls."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._closed = False
        self._connection: sqlite3.Connection | None = None
        self._head_file = HeadFile(path)
        self.warning = self._open()
        self._file = _file_identity(path)

    def commit_group(self, group: Sequence[AppendRequest]) -> list[AppendOutcome]:
        """Write the requests of a group; return their outcomes when all are on the disk.

        A refused request does not affect the others. If the transaction fails, none is acknowledged: raises
        `StoreError`.
        """
        if (outcomes := self._write_single_events(group)) is not None:
            return outcomes
        with self._transaction("write"):
            return self._write_optimistic(group)

    def erase(self, replacements: Mapping[str, Mapping[str, bytes]]) -> None:
        """Replace the bodies of events, by root and id, so that the file no longer contains the old ones, and
        record the erasure (`service.eventstore.erasure_log`)."""

        def erase(_: sqlite3.Connection) -> None:
            now = self._clock()
            erased = [
                one
                for root, bodies in replacements.items()
                for one in self._tables.replace_contents(root, bodies, now)
            ]
            if erased:
                self._append_own_event(build_erasure_append(erased), now)
                self._execute(connections.MARK_FOR_VACUUM)

        self.run_in_transaction(erase)

    def run_in_transaction(self, action: Callable[[sqlite3.Connection], Outcome]) -> Outcome:
        """Run an action on the tables in one transaction. Not for events, as these are cached here."""
        with self._transaction("change") as connection:
            outcome = action(connection)
        try:
            connections.vacuum_if_marked(connection)
        except sqlite3.Error as error:
            self._roll_back()
            raise self._translate_error(error, "change") from error
        return outcome

    @contextmanager
    def _transaction(self, operation: str) -> Iterator[sqlite3.Connection]:
        """One transaction: afterwards all of it is on the disk, or nothing changed."""
        try:
            self._require_file_in_place()
            if self._connection is None:
                self._open()
            assert self._connection is not None
            self._execute("BEGIN IMMEDIATE")
            yield self._connection
            self._tables.head = self._tables.merkle_tables.store_full_tiles()
            self._execute("COMMIT")
            self._head_file.write(self._tables.head)
        except sqlite3.Error as error:
            self._roll_back()
            raise self._translate_error(error, operation) from error
        except BaseException:
            self._roll_back()
            raise

    def rewrite_events(self, action: Callable[[sqlite3.Connection], None], must_vacuum: bool) -> None:
        """Run an action on the events themselves in one transaction; ``must_vacuum`` if it replaces
        contents."""

        def changed(connection: sqlite3.Connection) -> None:
            action(connection)
            self._tables.clear_cache()
            if must_vacuum:
                self._execute(connections.MARK_FOR_VACUUM)

        self.run_in_transaction(changed)

    def _append_own_event(self, append: StreamAppend, now: str) -> None:
        """Append an event of the store itself in the open transaction."""
        plans = append_plan.plan_appends(
            append.stream, [append], self._tables.load_streams([append]), {}, now
        )
        self._tables.insert_rows(
            [row for plan in plans for row in self._tables.build_insert_rows(append.stream, plan)]
        )

    def close(self) -> None:
        """Close the connection, which moves the log into the file. Closing twice is harmless."""
        self._closed = True
        self._disconnect()
        self._head_file.close()

    def _require_file_in_place(self) -> None:
        """Raise `StoreUnavailable` if the opened file is no longer at its path.

        The system continues to write to a file that was moved or deleted. Events stored there would be
        missing from the file that the next start opens.
        """
        if _file_identity(self._path) != self._file:
            raise StoreUnavailable(
                f"The store {self._path} was moved, deleted or replaced while the service is running. "
                "Nothing was stored. Move the same file back. Or stop the service, put the right file "
                "there, and start it again."
            )

    def _open(self) -> str | None:
        """Open the file, upgrade it and configure it for durability."""
        if self._closed:
            raise StoreClosed(f"The store {self._path} is closed.")
        try:
            db = connections.open_write_connection(self._path)
            try:
                migrations.require_store_or_empty(db, str(self._path))
                in_memory = connections.is_in_memory(self._path)
                notice = None if in_memory else connections.configure_durability(db)
                migrations.migrate(db)
                _require_next_position(db.conn, self._path)
                self._head_file.write(select_head(db.conn))
            except BaseException:
                db.close()
                raise
        except sqlite3.Error as error:
            raise connections.translate_error(error, self._path, "open") from error
        self._connection = db.conn
        self._execute = db.conn.execute
        self._tables = EventTables(db.conn, self._path)
        try:
            connections.vacuum_if_marked(db.conn)
        except sqlite3.Error as error:
            self._disconnect()
            raise connections.translate_error(error, self._path, "open") from error
        return notice

    def _disconnect(self) -> None:
        self._tables.clear_cache()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _roll_back(self) -> None:
        """Undo what was begun. If even that fails, replace the connection by a new one."""
        self._tables.clear_cache()
        try:
            if self._in_transaction():
                self._execute("ROLLBACK")
        except sqlite3.Error:
            self._disconnect()

    def _in_transaction(self) -> bool:
        return self._connection is not None and self._connection.in_transaction

    def _translate_error(self, error: Exception, operation: str = "write") -> Exception:
        if not isinstance(error, sqlite3.Error):
            return error
        store_error = connections.translate_error(error, self._path, operation)
        store_error.__cause__ = error
        return store_error

    def _write_single_events(self, group: Sequence[AppendRequest]) -> list[AppendOutcome] | None:
        """Append one event each to known streams, the common case; None if a request is not that simple.

        A single INSERT is a transaction by itself, and undoes itself if it fails.
        """
        self._require_file_in_place()
        in_tile = self._tables.head % TILE_WIDTH
        if in_tile == 0 or in_tile + len(group) > TILE_WIDTH:
            return None  # unknown, or a tile is full and has to be stored
        new_events: dict[StreamInfo, NewEvent] = {}
        for root, appends in group:
            info = append_plan.find_single_event_stream(root, appends, self._tables.cached_streams)
            if info is None or info in new_events:
                return None
            new_events[info] = appends[0].events[0]
        try:
            entries = append_plan.prepare_next_events(new_events, self._clock())
        except Exception:  # in a writer's own `build_body`; nothing is written yet, the slow path finds which
            return None
        try:
            results = self._tables.insert_single_events(list(new_events), entries)
            self._head_file.write(self._tables.head)
        except sqlite3.IntegrityError:
            return None  # an id is stored already: the slow path decides
        except sqlite3.Error as error:
            self._roll_back()
            raise self._translate_error(error) from error
        except BaseException:
            self._roll_back()
            raise
        return [[result] for result in results]

    def _write_optimistic(self, requests: Sequence[AppendRequest]) -> list[AppendOutcome]:
        """Write a group with one statement, as if none of its ids were stored yet, which is nearly always
        true.

        If it fails, nothing of it remains, and each request is handled alone.
        """
        self._tables.trim_cache()
        rows: list[InsertRow] = []
        now = self._clock()
        optimistic_plans = [self._plan_optimistic(root, appends, now, rows) for root, appends in requests]
        try:
            position = self._tables.insert_rows(rows)
        except Exception:
            if not self._in_transaction():
                raise
            self._undo("ROLLBACK", "BEGIN IMMEDIATE")
            return [self._write_pessimistic(request) for request in requests]
        positions = count(position)
        return [
            self._write_pessimistic(request)
            if plans is None
            else _build_results(request[0], plans, positions)
            for request, plans in zip(requests, optimistic_plans, strict=True)
        ]

    def _plan_optimistic(
        self, root: str, appends: Sequence[StreamAppend], now: str, rows: list[InsertRow]
    ) -> list[AppendPlan] | None:
        """The plans of a request with only new ids, their rows added to `rows`; None if anything is wrong."""
        try:
            info = append_plan.find_single_event_stream(root, appends, self._tables.cached_streams)
            if info is None:
                append_plan.collect_event_ids(appends)
                plans = append_plan.plan_appends(root, appends, self._tables.load_streams(appends), {}, now)
            else:
                append, seq = appends[0], info.version + 1
                entry = append_plan.prepare_event(root, info.stream, append.events[0], seq, now)
                plans = [AppendPlan(append, info.version, (), [entry])]
        except sqlite3.Error:
            raise
        except Exception:  # also an exception in a writer's own `build_body`
            return None
        for plan in plans:
            rows += self._tables.build_insert_rows(root, plan)
        return plans

    def _write_pessimistic(self, request: AppendRequest) -> AppendOutcome:
        """Check the ids, then write; undo everything if the request is refused."""
        root, appends = request
        self._execute("SAVEPOINT request")
        try:
            stored_by_id = self._tables.find_stored_events(root, append_plan.collect_event_ids(appends))
            plans = append_plan.plan_appends(
                root, appends, self._tables.load_streams(appends), stored_by_id, self._clock()
            )
            rows = [row for plan in plans for row in self._tables.build_insert_rows(root, plan)]
            return _build_results(root, plans, count(self._tables.insert_rows(rows)))
        except Exception as refusal:
            if not self._in_transaction():
                raise
            self._undo("ROLLBACK TO request")
            return self._translate_error(refusal)
        finally:
            if self._in_transaction():
                self._execute("RELEASE request")

    def _undo(self, *statements: str) -> None:
        self._tables.clear_cache()
        for statement in statements:
            self._execute(statement)


def _build_results(root: str, plans: Sequence[AppendPlan], positions: Iterator[int]) -> list[AppendResult]:
    """The results of plans whose new events have these positions, in order."""
    return append_plan.build_append_results(root, plans, lambda *_: next(positions))


def _file_identity(path: Path) -> tuple[int, int] | None:
    """The device and inode number of the file at a path; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _require_next_position(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `StoreDamaged` if SQLite would continue at a position far after the newest event."""
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'events'").fetchone()
    head = select_head(connection)
    if row is not None and not (isinstance(row[0], int) and row[0] <= head + _MAX_POSITION_GAP):
        raise StoreDamaged(
            f"The store {path} is damaged: it ends at position {head}, but the next event would follow "
            f"position {row[0]}. Keep a copy of it as it is, and restore it from a backup."
        )
