"""The one connection that writes: groups of appends, each group one transaction and one disk sync."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from service.eventstore import appending
from service.eventstore.appending import Plan
from service.eventstore.erasing import entries_of
from service.eventstore.errors import StoreClosed, StoreDamaged, StoreError, StoreUnavailable
from service.eventstore.group_commit import Ticket
from service.eventstore.interface import Append, Appended, Clock, StreamInfo
from service.eventstore.reached import Note
from service.eventstore.sqlite import connections, migrations
from service.eventstore.sqlite.connections import sqlite3
from service.eventstore.sqlite.tables import STREAMS_AT_HAND, Row, Tables, answers
from service.eventstore.sqlite.tiles import head

Request: TypeAlias = tuple[str, Sequence[Append]]
"""What one caller wants appended in one step: the root and what goes to its streams."""

AppendTicket: TypeAlias = Ticket[Request, list[Appended]]
Outcome: TypeAlias = list[Appended] | Exception


_TO_BE_CLEANED: Final = "PRAGMA user_version = 1"
"""Marks, in the file and in the transaction, that something was erased and the file is to be written anew."""
_CLEAN: Final = "PRAGMA user_version = 0"


_WIDEST_GAP: Final = 1_000_000
"""So many positions are never left out."""


class Writer:
    """Commits requests, alone or in groups. Not for two threads at once: `GroupCommit` sees to that."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._closed = False
        self._connection: sqlite3.Connection | None = None
        self._note = Note(path)
        self._acknowledged: dict[str, StreamInfo] = {}
        self.notice = self._open()
        self._file = _file_at(path)

    def acknowledged(self, stream: str) -> StreamInfo | None:
        """A stream that was appended to of late, as it stands on the disk; None of any other."""
        return self._acknowledged.get(stream)

    def commit_alone(self, request: Request) -> list[Appended]:
        """Write one request and answer when it is on the disk. Raises why it is refused or failed."""
        self._require_file_in_place()
        appended = self._commit_one_event(request)
        if appended is not None:
            self._acknowledge(appended)
            return [appended]
        ticket: AppendTicket = Ticket(request)
        self.commit_together([ticket])
        return ticket.settled()

    def commit_together(self, group: Sequence[AppendTicket]) -> None:
        """Write what the group asks for, and answer each when all of it is on the disk.

        A request that is refused leaves the others be. Where the transaction fails nobody is acknowledged.
        """
        try:
            self._require_file_in_place()
            if self._connection is None:
                self._open()
            self._execute("BEGIN IMMEDIATE")
            outcomes = self._write_hopefully([ticket.work for ticket in group])
            self._tables.store_tiles()
            self._execute("COMMIT")
            self._note.write(self._tables.head)
        except (sqlite3.Error, StoreError) as error:
            self._abandon()
            for ticket in group:
                ticket.error = self._told(error)
        except BaseException:
            self._abandon()
            raise
        else:
            for ticket, outcome in zip(group, outcomes, strict=True):
                if isinstance(outcome, Exception):
                    ticket.error = outcome
                else:
                    ticket.answer = outcome
                    for appended in outcome:
                        self._acknowledge(appended)

    def erase(self, bodies: Mapping[str, Mapping[str, bytes]]) -> None:
        """Put other bodies in the place of events', by root and id, so that the file does not hold the old
        ones any more; and record that they were erased (`service.eventstore.erasing`)."""

        def erase(_: sqlite3.Connection) -> None:
            now = self._clock()
            erased = [one for root, here in bodies.items() for one in self._tables.erase(root, here, now)]
            if erased:
                self._record(entries_of(erased), now)
                self._execute(_TO_BE_CLEANED)

        self.change(erase)

    def change(self, act: Callable[[sqlite3.Connection], None]) -> None:
        """Do something to the tables, in one transaction; not to the events, of which more is known here."""
        try:
            self._require_file_in_place()
            connection = self._connection
            if connection is None:
                self._open()
                connection = self._connection
            assert connection is not None
            self._execute("BEGIN IMMEDIATE")
            act(connection)
            self._execute("COMMIT")
            self._note.write(self._tables.head)
            self._clean()
        except (sqlite3.Error, StoreError) as error:
            self._abandon()
            raise self._told(error, "change") from error
        except BaseException:
            self._abandon()
            raise

    def change_whole(self, act: Callable[[sqlite3.Connection], None], leaving_nothing: bool) -> None:
        """Do something to the events themselves, in one transaction; ``leaving_nothing`` of what it puts
        other contents in the place of."""

        def changed(connection: sqlite3.Connection) -> None:
            act(connection)
            self._tables.forget()
            self._tables.store_tiles()
            if leaving_nothing:
                self._execute(_TO_BE_CLEANED)

        self.change(changed)

    def _record(self, append: Append, now: str) -> None:
        """Append what the store itself has to say, in the transaction that is open."""
        plans = appending.plan(append.stream, [append], self._tables.look_up([append]), {}, now)
        self._tables.insert([row for plan in plans for row in self._tables.rows(append.stream, plan)])
        self._tables.store_tiles()

    def close(self) -> None:
        """Close the connection for good, by which the log goes into the file itself. Twice is harmless."""
        self._closed = True
        self._disconnect()
        self._note.close()

    def _require_file_in_place(self) -> None:
        """Raise `StoreUnavailable` where the file that was opened is not at its path any more.

        The system goes on writing to a file that was moved or deleted. What is stored in it then is missing
        in the file that the next start opens.
        """
        if _file_at(self._path) != self._file:
            raise StoreUnavailable(
                f"The store {self._path} was moved, deleted or replaced while the service runs. Nothing was "
                f"stored. Move the same file back, or stop the service, put the right file there, and start "
                f"it again."
            )

    def _open(self) -> str | None:
        """Open the file, bring it up to date and set it to keep what it acknowledges."""
        if self._closed:
            raise StoreClosed(f"The store {self._path} is closed.")
        try:
            db = connections.open_writer(self._path)
            try:
                migrations.require_store(db, str(self._path))
                notice = connections.make_durable(db)
                migrations.migrate(db)
                _require_next_position(db.conn, self._path)
                self._note.write(head(db.conn))
            except BaseException:
                db.close()
                raise
        except sqlite3.Error as error:
            raise connections.told(error, self._path, "open") from error
        self._connection = db.conn
        self._execute = db.conn.execute
        self._tables = Tables(db.conn, self._path)
        try:
            self._clean()
        except sqlite3.Error as error:
            self._disconnect()
            raise connections.told(error, self._path, "open") from error
        return notice

    def _clean(self) -> None:
        """Write the file anew where something was erased: what stood there may still be on its free space.

        SQLite's own overwriting (secure_delete) does not reach the copies that it left when it moved rows
        from page to page. The mark is in the file, so that who is stopped here goes on at the next opening.
        """
        if self._execute("PRAGMA user_version").fetchone()[0] == 0:
            return
        self._execute("VACUUM")
        (hindered, _, _) = self._execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not hindered:
            self._execute(_CLEAN)

    def _disconnect(self) -> None:
        self._tables.forget()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _acknowledge(self, appended: Appended) -> None:
        """Remember how far a stream has come, so that whoever asks next need not look it up."""
        info = self._tables.at_hand.get(appended.stream)
        if info is None or len(self._acknowledged) > STREAMS_AT_HAND:
            self._acknowledged.clear()
        else:
            self._acknowledged[info.stream] = info

    def _abandon(self) -> None:
        """Undo what was begun. A connection that cannot even do that is given up for a new one."""
        self._acknowledged.clear()
        self._tables.forget()
        try:
            if self._in_transaction():
                self._execute("ROLLBACK")
        except sqlite3.Error:
            self._disconnect()

    def _in_transaction(self) -> bool:
        return self._connection is not None and self._connection.in_transaction

    def _told(self, error: Exception, doing: str = "write") -> Exception:
        if not isinstance(error, sqlite3.Error):
            return error
        told = connections.told(error, self._path, doing)
        told.__cause__ = error
        return told

    def _commit_one_event(self, request: Request) -> Appended | None:
        """Append one event where its stream ends, as callers mostly do; None where it is not so simple.

        A single INSERT is a transaction by itself, and undoes itself where it fails.
        """
        root, appends = request
        if self._tables.tile_is_due:
            return None
        info = appending.one_more(root, appends, self._tables.at_hand)
        if info is None:
            return None
        entry = appending.finished(root, info.stream, appends[0].events[0], info.version + 1, self._clock())
        try:
            appended = self._tables.insert_one(info, entry)
            self._note.write(self._tables.head)
            return appended
        except sqlite3.IntegrityError:
            return None  # the id is stored already: to be looked into
        except sqlite3.Error as error:
            self._abandon()
            raise self._told(error) from error
        except BaseException:
            self._abandon()
            raise

    def _write_hopefully(self, requests: Sequence[Request]) -> list[Outcome]:
        """Write a group by one statement, as if none of its ids were stored yet, which is nearly always so.

        Where that fails nothing of it is left, and each request is looked into for itself.
        """
        self._tables.forget_surplus()
        rows: list[Row] = []
        now = self._clock()
        hoped = [self._hoped_for(root, appends, now, rows) for root, appends in requests]
        try:
            position = self._tables.insert(rows)
        except Exception:
            if not self._in_transaction():
                raise
            self._undo_to("ROLLBACK", "BEGIN IMMEDIATE")
            return [self._write_carefully(request) for request in requests]
        outcomes: list[Outcome] = []
        for request, plans in zip(requests, hoped, strict=True):
            if plans is None:
                outcomes.append(self._write_carefully(request))
            else:
                outcomes.append(answers(request[0], plans, position))
                position += sum(len(plan.entries) for plan in plans)
        return outcomes

    def _hoped_for(
        self, root: str, appends: Sequence[Append], now: str, rows: list[Row]
    ) -> list[Plan] | None:
        """The plans of a request none of whose ids is stored, their rows added to `rows`; None if amiss."""
        try:
            info = appending.one_more(root, appends, self._tables.at_hand)
            if info is None:
                appending.event_ids(appends)
                plans = appending.plan(root, appends, self._tables.look_up(appends), {}, now)
            else:
                append, seq = appends[0], info.version + 1
                entry = appending.finished(root, info.stream, append.events[0], seq, now)
                plans = [Plan(append, info.version, (), [entry])]
        except sqlite3.Error:
            raise
        except Exception:  # also what a writer's own `finish` raised
            return None
        for plan in plans:
            rows += self._tables.rows(root, plan)
        return plans

    def _write_carefully(self, request: Request) -> Outcome:
        """Look at the ids, then write; what was begun is undone where the request is refused."""
        root, appends = request
        self._execute("SAVEPOINT request")
        try:
            remembered = self._tables.remembered(root, appending.event_ids(appends))
            plans = appending.plan(root, appends, self._tables.look_up(appends), remembered, self._clock())
            rows = [row for plan in plans for row in self._tables.rows(root, plan)]
            return answers(root, plans, self._tables.insert(rows))
        except Exception as refusal:
            if not self._in_transaction():
                raise
            self._undo_to("ROLLBACK TO request")
            return self._told(refusal)
        finally:
            if self._in_transaction():
                self._execute("RELEASE request")

    def _undo_to(self, *statements: str) -> None:
        self._tables.forget()
        for statement in statements:
            self._execute(statement)


def _file_at(path: Path) -> tuple[int, int] | None:
    """The device and number of the file at a path; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _require_next_position(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `StoreDamaged` where SQLite would go on at a position far behind the newest event."""
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'events'").fetchone()
    reached = head(connection)
    if row is not None and not (isinstance(row[0], int) and row[0] <= reached + _WIDEST_GAP):
        raise StoreDamaged(
            f"The store {path} is damaged: it ends at position {reached} and would go on behind {row[0]}. "
            f"Keep a copy of it as it is, and restore it from a backup."
        )
