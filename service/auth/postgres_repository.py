"""A register's rows on PostgreSQL, next to the store, for any number of processes that serve it.

A change holds a lock on the whole register until it is committed. Changes are few, and so the promises of the
file hold: a one-time invitation lets in one person, whichever processes are asked at the same moment. Reading
takes no lock.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final

import psycopg

from service.auth.postgres_tables import REGISTER_MIGRATION_STEPS, REGISTER_STEPS_TABLE, REGISTER_TABLES
from service.auth.repository import StatementExecutor
from service.eventstore.errors import StoreError, StoreUnavailable
from service.eventstore.postgres.connections import (
    APPLICATION_NAME,
    WAIT_TIMEOUT_SECONDS,
    Connection,
    PostgresAddress,
    PostgresPool,
    advisory_lock_key,
    can_retry_on_new_connection,
    is_connection_lost,
    require_writable,
    translate_error,
)
from service.eventstore.postgres.migration_list import MigrationList, apply_pending_steps
from service.eventstore.postgres.migrations import select_schema_name
from service.eventstore.postgres.standby_sync import collect_warnings, wait_for_standbys

MAX_REGISTER_CONNECTIONS: Final = 4
"""One for changes, three for reading."""
MAX_STORED_CHANGES: Final = 1000
POSTGRES_REGISTER_MIGRATIONS: Final = MigrationList(
    "register", REGISTER_STEPS_TABLE, REGISTER_TABLES, REGISTER_MIGRATION_STEPS
)

_RETRY_SECONDS: Final = 0.05
_BUSY_MESSAGE: Final = "Another change of the register is in progress. This change was not stored."
_TRY_LOCK: Final = "SELECT pg_try_advisory_xact_lock(%s)"
_SELECT_DATA_VERSION: Final = "SELECT number, stamp FROM register_changes ORDER BY number DESC LIMIT 1"
_INSERT_CHANGE: Final = """
    INSERT INTO register_changes (number, stamp)
    SELECT coalesce(max(number), 0) + 1, %s FROM register_changes RETURNING number"""
_DELETE_OLD_CHANGES: Final = "DELETE FROM register_changes WHERE number <= %s"
_SELECT_CHANGE: Final = "SELECT 1 FROM register_changes WHERE stamp = %s"


class PostgresRepository:
    """Keeps the rows on the server at ``address``, creating the tables if needed.

    Raises `NotAStore`, `StoreTooNew`, or `StoreUnavailable` if the server cannot be reached, takes no writes,
    or does not let this user create the tables.
    """

    def __init__(self, address: str) -> None:
        self._address = PostgresAddress(address)
        self._connections = PostgresPool(
            self._address,
            MAX_REGISTER_CONNECTIONS,
            writable=True,
            application_name=f"{APPLICATION_NAME}-register",
        )
        self._mutex = threading.RLock()
        self._thread_transaction = threading.local()
        try:
            with self._connections.translate_errors("opened"), self._connections.connection() as connection:
                require_writable(connection)
                schema = select_schema_name(connection, self._address)
                apply_pending_steps(
                    connection, self._address, schema, POSTGRES_REGISTER_MIGRATIONS, lambda _: None
                )
        except BaseException:
            self._connections.close()
            raise
        self._lock = advisory_lock_key(schema, "register")

    def select_rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """See `AccessRepository.select_rows`."""
        if any(isinstance(value, str) and not _can_be_stored(value) for value in values):
            return []  # PostgreSQL cannot store such a text
        open_connection: Connection | None = getattr(self._thread_transaction, "connection", None)
        if open_connection is not None:
            return open_connection.execute(_to_postgres_sql(query), values).fetchall()
        return self._connections.run_read(lambda one: one.execute(_to_postgres_sql(query), values).fetchall())

    @contextmanager
    def transaction(self, best_effort: bool = False, erases: bool = False) -> Iterator[StatementExecutor]:
        """See `AccessRepository.transaction`. Finds out whether it was committed if the connection breaks.

        A commit holds the lock while it waits for standbys; with ``best_effort`` it waits for neither. The
        server reuses the space of erased rows by itself.
        """
        open_connection: Connection | None = getattr(self._thread_transaction, "connection", None)
        if open_connection is not None:
            yield _build_executor(open_connection)
            return
        self._connections.require_open()
        stamp, finished = secrets.randbits(63), False
        try:
            with self._exclusive_turn(best_effort), ExitStack() as step:
                self._thread_transaction.connection = self._open_transaction_with_retry(step, best_effort)
                try:
                    yield _build_executor(self._thread_transaction.connection)
                    _insert_change(self._thread_transaction.connection, stamp)
                finally:
                    self._thread_transaction.connection = None
                finished = True
        except psycopg.Error as error:
            if not (finished and is_connection_lost(error)):
                raise self._build_not_committed_error(error) from error
            self._require_committed(stamp, error)

    def data_version(self) -> tuple[int, int]:
        """See `AccessRepository.data_version`."""
        row = self._connections.run_read(
            lambda connection: connection.execute(_SELECT_DATA_VERSION).fetchone()
        )
        return (row[0], row[1]) if row else (0, 0)

    def close(self) -> None:
        """See `AccessRepository.close`."""
        self._connections.close()

    @contextmanager
    def _exclusive_turn(self, best_effort: bool) -> Iterator[None]:
        """One thread of this process at a time."""
        if not self._mutex.acquire(blocking=not best_effort):
            raise StoreUnavailable(_BUSY_MESSAGE)
        try:
            yield
        finally:
            self._mutex.release()

    def _open_transaction_with_retry(self, exit_stack: ExitStack, best_effort: bool) -> Connection:
        """A connection with an open transaction; a second one if the first turns out to be broken."""
        try:
            return self._open_transaction(exit_stack, best_effort)
        except psycopg.Error as error:
            if not can_retry_on_new_connection(error):
                raise
            self._connections.discard_broken()
            return self._open_transaction(exit_stack, best_effort)

    def _open_transaction(self, exit_stack: ExitStack, best_effort: bool = False) -> Connection:
        with ExitStack() as opening:  # an error here ends what was opened as a failure
            connection = opening.enter_context(self._connections.connection())
            opening.enter_context(_wait_for_standbys_after(connection))
            opening.enter_context(connection.transaction())
            require_writable(connection)
            if best_effort:
                if connection.execute(_TRY_LOCK, (self._lock,)).fetchone() != (True,):
                    raise StoreUnavailable(_BUSY_MESSAGE)
                connection.execute("SET LOCAL synchronous_commit = off")
            else:
                # What is read from here on was committed by the previous holder of the lock.
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (self._lock,))
            exit_stack.enter_context(opening.pop_all())
        return connection

    def _require_committed(self, stamp: int, error: psycopg.Error) -> None:
        """Raise unless the change of that stamp was committed, though it was not acknowledged."""
        is_committed = self._is_committed(stamp)
        if is_committed is None:
            raise StoreUnavailable(
                f"{translate_error(error, self._address, 'changed')} The register may or may not have "
                "stored this change: check, and repeat it if it is missing."
            ) from error
        if not is_committed:
            raise self._build_not_committed_error(error) from error

    def _is_committed(self, stamp: int) -> bool | None:
        """Whether the change of that stamp was committed; None without an answer for ten seconds."""
        deadline = time.monotonic() + WAIT_TIMEOUT_SECONDS
        while True:
            try:
                with ExitStack() as step:
                    # The lock waits for what the broken connection may have left running.
                    connection = self._open_transaction(step)
                    is_committed = connection.execute(_SELECT_CHANGE, (stamp,)).fetchone() is not None
                    if is_committed:
                        wait_for_standbys(connection)
                    return is_committed
            except psycopg.Error:
                if time.monotonic() > deadline:
                    return None
                time.sleep(_RETRY_SECONDS)
                self._connections.discard_broken()

    def _build_not_committed_error(self, error: psycopg.Error) -> StoreError:
        store_error = translate_error(error, self._address, "changed")
        return type(store_error)(f"{store_error} This change was not stored.")


@contextmanager
def _wait_for_standbys_after(connection: Connection) -> Iterator[None]:
    """Wait again for the standbys after a commit whose own wait was cut short."""
    with collect_warnings(connection) as warned:
        yield
    if warned:
        wait_for_standbys(connection)


def _insert_change(connection: Connection, stamp: int) -> None:
    (number,) = connection.execute(_INSERT_CHANGE, (stamp,)).fetchone() or (0,)
    connection.execute(_DELETE_OLD_CHANGES, (number - MAX_STORED_CHANGES,))


def _build_executor(connection: Connection) -> StatementExecutor:
    def execute(statement: str, values: Sequence[Any] = (), /) -> object:
        return connection.execute(_to_postgres_sql(statement), values)

    return execute


def _to_postgres_sql(statement: str) -> bytes:
    """A statement of the register, in which every ``?`` is a value and there is no ``%``."""
    return statement.replace("?", "%s").encode()


def _can_be_stored(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)
