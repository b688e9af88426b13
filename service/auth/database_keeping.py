"""A register's rows on PostgreSQL, beside the store: for any number of processes that serve the same records.

Who changes something has a lock of the whole register to himself until it is committed. Changes are few, and
so everything that one file promises holds: an invitation that is good for once lets one in, whichever
processes he and others ask at the same moment. Reading takes no lock.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final

import psycopg

from service.auth.database_tables import LEDGER, STEPS, TABLES
from service.auth.keeping import Execute
from service.eventstore.errors import StoreError, StoreUnavailable
from service.eventstore.group_commit import GroupCommit, Ticket
from service.eventstore.postgres.confirming import confirm, warnings_of
from service.eventstore.postgres.connections import (
    PROGRAM,
    WAIT_SECONDS,
    Address,
    Connection,
    Connections,
    is_gone,
    lock_key,
    may_be_done_elsewhere,
    require_writable,
    told,
)
from service.eventstore.postgres.migration_list import Ledger, bring_up
from service.eventstore.postgres.migrations import schema_of

MOST_CONNECTIONS: Final = 4
"""One for whoever changes something, one for who asks whether anything has changed, two for the rest."""
CHANGES_KEPT: Final = 1000
REGISTER: Final = Ledger("register", LEDGER, TABLES, STEPS)

_PAUSE_SECONDS: Final = 0.05
_ANOTHER: Final = "Another change of the register is being made. Nothing of this change was kept."
_LOCK_LIGHTLY: Final = "SELECT pg_try_advisory_xact_lock(%s)"
_STATE: Final = "SELECT number, stamp FROM register_changes ORDER BY number DESC LIMIT 1"
_CHANGED: Final = """
    INSERT INTO register_changes (number, stamp)
    SELECT coalesce(max(number), 0) + 1, %s FROM register_changes RETURNING number"""
_LONG_AGO: Final = "DELETE FROM register_changes WHERE number <= %s"
_WAS_CHANGED: Final = "SELECT 1 FROM register_changes WHERE stamp = %s"


class InDatabase:
    """Keeps the rows on the server at ``address``, in tables that are made where they are not there yet.

    Raises `StoreUnavailable` where the server cannot be reached, takes no writes, or this user may not make
    the tables, `NotAStore`, `StoreTooNew`.
    """

    def __init__(self, address: str) -> None:
        self._address = Address(address)
        self._connections = Connections(
            self._address, MOST_CONNECTIONS, writing=True, program=f"{PROGRAM}-register"
        )
        self._mutex = threading.RLock()
        self._step = threading.local()
        self._looks: GroupCommit[None, tuple[int, int]] = GroupCommit(self._look, self._look_for_all)
        try:
            with self._connections.told("opened"), self._connections.lend() as connection:
                require_writable(connection)
                schema = schema_of(connection, self._address)
                bring_up(connection, self._address, schema, REGISTER, lambda _: None)
        except BaseException:
            self._connections.close()
            raise
        self._lock = lock_key(schema, "register")

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """See `Keeping.rows`."""
        if any(isinstance(value, str) and not _can_be_stored(value) for value in values):
            return []  # a text that PostgreSQL cannot hold stands in no row
        within: Connection | None = getattr(self._step, "connection", None)
        if within is not None:
            return within.execute(_in_its_sql(query), values).fetchall()
        return self._connections.look(lambda one: one.execute(_in_its_sql(query), values).fetchall())

    @contextmanager
    def changing(self, lightly: bool = False) -> Iterator[Execute]:
        """See `Keeping.changing`. Where a connection breaks at the end it is found out what became of it.

        A commit waits for the standbys, as long as there are none for good, and has the lock meanwhile. What
        is changed lightly waits for neither: who only reads must not.
        """
        within: Connection | None = getattr(self._step, "connection", None)
        if within is not None:
            yield _executing(within)
            return
        self._connections.require_open()
        stamp, finished = secrets.randbits(63), False
        try:
            with self._turn(lightly), ExitStack() as step:
                self._step.connection = self._begun(step, lightly)
                try:
                    yield _executing(self._step.connection)
                    _note_change(self._step.connection, stamp)
                finally:
                    self._step.connection = None
                finished = True
        except psycopg.Error as error:
            if not (finished and is_gone(error)):
                raise self._not_kept(error) from error
            self._require_kept(stamp, error)

    def state(self) -> tuple[int, int]:
        """See `Keeping.state`. Threads that ask at the same moment share one look."""
        return self._looks.submit(None)

    def to_be_cleaned(self) -> None:
        """See `Keeping.to_be_cleaned`: on a server nothing is noted."""

    def clean(self) -> None:
        """See `Keeping.clean`: the server uses the space again by itself, and only its owner can hurry it."""

    def close(self) -> None:
        """See `Keeping.close`."""
        self._connections.close()

    @contextmanager
    def _turn(self, lightly: bool) -> Iterator[None]:
        """One thread of this process at a time."""
        if not self._mutex.acquire(blocking=not lightly):
            raise StoreUnavailable(_ANOTHER)
        try:
            yield
        finally:
            self._mutex.release()

    def _begun(self, step: ExitStack, lightly: bool) -> Connection:
        """A connection on which a change has begun; another where the first turns out to have been cut."""
        try:
            return self._begin(step, lightly)
        except psycopg.Error as error:
            if not may_be_done_elsewhere(error):
                raise
            step.close()
            self._connections.renew()
            return self._begin(step, lightly)

    def _begin(self, step: ExitStack, lightly: bool = False) -> Connection:
        connection = step.enter_context(self._connections.lend())
        step.enter_context(_confirmed(connection))
        step.enter_context(connection.transaction())
        require_writable(connection)
        if lightly:
            if connection.execute(_LOCK_LIGHTLY, (self._lock,)).fetchone() != (True,):
                raise StoreUnavailable(_ANOTHER)
            connection.execute("SET LOCAL synchronous_commit = off")
        else:
            # What is read from here on was committed by whoever had the lock before.
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (self._lock,))
        return connection

    def _require_kept(self, stamp: int, error: psycopg.Error) -> None:
        """Return where the change of that stamp was kept, though it was not acknowledged; else raise."""
        kept = self._was_kept(stamp)
        if kept is None:
            raise StoreUnavailable(
                f"{told(error, self._address, 'changed')} Whether this change of the register was kept is "
                f"not known: look, and make it again where it was not."
            ) from error
        if not kept:
            raise self._not_kept(error) from error

    def _was_kept(self, stamp: int) -> bool | None:
        """Whether the change of that stamp was kept; None where nobody answers for ten seconds."""
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                with ExitStack() as step:
                    # The lock waits for whatever the broken connection may have left running.
                    connection = self._begin(step)
                    kept = connection.execute(_WAS_CHANGED, (stamp,)).fetchone() is not None
                    if kept:
                        confirm(connection)
                    return kept
            except psycopg.Error:
                if time.monotonic() > deadline:
                    return None
                time.sleep(_PAUSE_SECONDS)
                self._connections.renew()

    def _not_kept(self, error: psycopg.Error) -> StoreError:
        said = told(error, self._address, "changed")
        return type(said)(f"{said} Nothing of this change was kept.")

    def _look(self, _: None) -> tuple[int, int]:
        row = self._connections.look(lambda connection: connection.execute(_STATE).fetchone())
        return (row[0], row[1]) if row else (0, 0)

    def _look_for_all(self, group: Sequence[Ticket[None, tuple[int, int]]]) -> None:
        try:
            found = self._look(None)
        except StoreError as error:
            for ticket in group:
                ticket.error = error
            return
        for ticket in group:
            ticket.answer = found


@contextmanager
def _confirmed(connection: Connection) -> Iterator[None]:
    """What is committed within is on the standbys that are waited for, also where that wait was ended."""
    with warnings_of(connection) as warned:
        yield
    if warned:
        confirm(connection)


def _note_change(connection: Connection, stamp: int) -> None:
    (number,) = connection.execute(_CHANGED, (stamp,)).fetchone() or (0,)
    connection.execute(_LONG_AGO, (number - CHANGES_KEPT,))


def _executing(connection: Connection) -> Execute:
    def execute(statement: str, values: Sequence[Any] = (), /) -> object:
        return connection.execute(_in_its_sql(statement), values)

    return execute


def _in_its_sql(statement: str) -> bytes:
    """A statement of the register's, in which no ``?`` and no ``%`` stands but for a value."""
    return statement.replace("?", "%s").encode()


def _can_be_stored(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)
