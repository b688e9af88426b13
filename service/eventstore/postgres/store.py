"""The store on PostgreSQL: many processes write and read, acknowledged events are durable."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any, ClassVar, Final, Self

from service.eventstore.append_plan import EventWithDigest
from service.eventstore.clock import utc_now
from service.eventstore.commit_notifier import CommitNotifier, poll_until_above
from service.eventstore.errors import StandbyLagging, StoreUnavailable, UnknownStream
from service.eventstore.events import (
    AppendResult,
    Clock,
    DiskUsage,
    StreamAppend,
)
from service.eventstore.interface import EventReader, EventStore
from service.eventstore.postgres.connections import (
    MAX_CONNECTIONS,
    WAIT_TIMEOUT_SECONDS,
    Connection,
    Outcome,
    PostgresAddress,
    PostgresPool,
    is_only_process,
    require_writable,
)
from service.eventstore.postgres.copy_target import PostgresCopyTarget
from service.eventstore.postgres.event_queries import (
    FOLLOW_FULL_QUERY,
    FOLLOW_QUERY,
    FULL_AT_QUERY,
    StreamKeyCache,
    find_stored_events,
    open_merkle_tables,
    select_head,
    select_stream_info,
    select_stream_rows,
)
from service.eventstore.postgres.in_flight import InFlight
from service.eventstore.postgres.inspection import PostgresInspection, list_unreadable_tables
from service.eventstore.postgres.migration_list import require_current
from service.eventstore.postgres.migrations import (
    STORE_MIGRATIONS,
    migrate_store,
    select_schema_name,
    sequencer_lock_key,
)
from service.eventstore.postgres.poller import Poller
from service.eventstore.postgres.sequencer import Sequencer, notify_channel
from service.eventstore.postgres.stream_queries import select_branches, select_streams
from service.eventstore.postgres.writer import PostgresWriter
from service.eventstore.sql_dialect import POSTGRES_DIALECT
from service.eventstore.verified_rows import EventRow

_LEAVING_SECONDS: Final = 1.0
"""Seconds that a session may take to end after its process has ended."""
_KEPT_AT: Final = """
    SELECT (SELECT system_identifier FROM pg_control_system()), oid, current_schema()
    FROM pg_database WHERE datname = current_database()"""
_SYNCED: Final = "SELECT current_setting('fsync'), current_setting('full_page_writes')"
_USED: Final = """
    SELECT sum(pg_total_relation_size(oid)) FROM pg_class
    WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'r'"""
_UNSYNCED: Final = (
    "The PostgreSQL server does not sync its files (fsync or full_page_writes is off): a power cut can "
    "damage the store and lose acknowledged events."
)


class PostgresReader(EventReader):
    """A store on PostgreSQL opened for reading only; others may be writing to it meanwhile.

    ``address`` is as libpq takes it, such as ``postgresql://user@host:5432/database``. Raises
    `StoreUnavailable` if the server cannot be reached, is too old, or has no store of this version,
    `NotAStore`, `StoreTooNew`.
    """

    _dialect = POSTGRES_DIALECT
    _writes: ClassVar = False

    def __init__(
        self, address: str, max_connections: int = MAX_CONNECTIONS, timeout: float = WAIT_TIMEOUT_SECONDS
    ) -> None:
        self.location = self._address = PostgresAddress(address)
        self._keys = StreamKeyCache()
        self._min_position = 0
        self._connections = PostgresPool(
            self._address, max_connections, writable=self._writes, timeout=timeout
        )
        try:
            with self._connections.translate_errors("opened"), self._connections.connection() as connection:
                self._schema = select_schema_name(connection, self._address)
                self._prepare(connection)
                synced = connection.execute(_SYNCED).fetchone()
        except BaseException:
            self._connections.close()
            raise
        self.warning = None if synced == ("on", "on") else _UNSYNCED

    def _prepare(self, connection: Connection) -> None:
        require_current(connection, self._address, STORE_MIGRATIONS)

    @property
    def address(self) -> str:
        """The address without the password."""
        return str(self._address)

    def with_min_position(self, min_position: int) -> Self:
        """The same reader, which raises `StandbyLagging` if the server lacks that position."""
        reader = copy(self)
        reader._min_position = min_position
        return reader

    def _run_read(self, query: Callable[[Connection], Outcome], /) -> Outcome:
        def query_if_current(connection: Connection) -> Outcome:
            position = select_head(connection)
            if position < self._min_position:
                raise StandbyLagging(position, self._min_position)
            return query(connection)

        return self._connections.run_read(query_if_current if self._min_position else query)

    _merkle_tables = staticmethod(open_merkle_tables)
    _select_stream = staticmethod(select_stream_info)
    _select_streams = staticmethod(select_streams)
    _select_branches = staticmethod(select_branches)

    def _find_stored_events(
        self, connection: Connection, root: str, event_ids: Collection[str]
    ) -> dict[str, EventWithDigest]:
        return find_stored_events(connection, self._address, root, event_ids)

    def _select_log_rows(self, after: int, limit: int) -> Sequence[EventRow]:
        return self._select_rows(FOLLOW_QUERY, (after, limit))

    def _select_full_rows(self, after: int, limit: int) -> Sequence[EventRow]:
        return self._select_rows(FOLLOW_FULL_QUERY, (after, limit))

    def _select_full_rows_at(self, positions: Sequence[int]) -> Sequence[EventRow]:
        return self._select_rows(FULL_AT_QUERY, (list(positions),))

    def _select_rows(self, query: bytes, values: Sequence[object]) -> list[tuple[Any, ...]]:
        return self._run_read(lambda connection: connection.execute(query, values, binary=True).fetchall())

    def _select_stream_rows(self, stream: str, after: int, limit: int) -> list[EventRow]:
        def select(connection: Connection) -> list[EventRow]:
            keys = self._keys.get(connection, stream)
            if keys is None:
                raise UnknownStream(stream)
            return select_stream_rows(connection, self._address, keys, after, limit)

        rows = self._run_read(select)
        if not rows and self.stream_info(stream).version > after:
            # The stream has just grown, or the cached keys are from a former leader.
            self._keys.discard([stream])
            rows = self._run_read(select)
        return rows

    def inspection(self) -> PostgresInspection:
        """Access to the raw tables, to verify them. Raises `StoreUnavailable` if this user may not read them
        all: a table without read access is not damaged."""
        if hidden := self._run_read(list_unreadable_tables):
            raise StoreUnavailable(
                f"This user cannot verify the store {self._address}, because it may not read "
                f"{', '.join(hidden)}. docs/scaling.md lists the rights that the user needs."
            )
        return PostgresInspection(self._connections)

    def storage_identity(self) -> tuple[Any, ...]:
        """What identifies the tables: the server's cluster, the database and the schema.

        A standby has the same identity; a copy of the store has another.
        """
        (row,) = self._connections.fetch_all(_KEPT_AT)
        return row

    def disk_usage(self) -> DiskUsage:
        """See `EventReader.disk_usage`. A server does not report the free space on its disk."""
        ((used,),) = self._connections.fetch_all(_USED)
        return DiskUsage(int(used or 0), None)

    def close(self) -> None:
        """See `EventReader.close`."""
        self._connections.close()


class PostgresStore(PostgresReader, EventStore):
    """A store on PostgreSQL opened for writing, by any number of processes.

    Its tables are created or upgraded if the user may do so. Raises as `PostgresReader` does.
    """

    has_other_writers = True
    _writes: ClassVar = True

    def __init__(self, address: str, clock: Clock = utc_now, max_connections: int = MAX_CONNECTIONS) -> None:
        super().__init__(address, max_connections)
        self._pid = os.getpid()
        self._in_flight = InFlight()
        self._notifier = CommitNotifier()
        channel = notify_channel(self._schema)
        self._sequencer = Sequencer(
            self._connections, sequencer_lock_key(self._schema), channel, self._notifier.notify
        )
        self._writer = PostgresWriter(self._connections, self._address, self._schema, self._sequencer, clock)
        self._poller = Poller(self._connections, self._address, channel, self._sequencer, self._notifier)
        try:
            self._sequencer.catch_up()
        except BaseException:
            self._connections.close()
            raise

    def _prepare(self, connection: Connection) -> None:
        require_writable(connection)
        migrate_store(connection, self._address, self._schema)

    def append(self, root: str, appends: Sequence[StreamAppend]) -> list[AppendResult]:
        """See `EventStore.append`. If a connection breaks, this finds out what became of the append."""
        self._connections.require_open()
        with self._in_flight.track(is_append=True):
            return self._writer.append(root, appends)

    def require_only_process(self) -> None:
        """Raise `StoreUnavailable` if other processes of Spadille have this store open.

        Call it right after opening the store: this process is identified by its first connection.
        """
        if not poll_until_above(
            lambda: int(self._connections.run_read(is_only_process)), 0, _LEAVING_SECONDS
        ):
            raise StoreUnavailable(
                f"Other Spadille processes have the store {self._address} open, and may still have the "
                "contents to be erased in memory. Stop them first."
            )

    def erase(self, replacements: Mapping[str, Mapping[str, bytes]]) -> None:
        """See `EventStore.erase`, and `service.eventstore.postgres.erasure` for what stays on the
        server."""
        self._connections.require_open()
        with self._in_flight.track():
            self._writer.erase(replacements)

    def _run_in_transaction(self, action: Callable[[Connection], Outcome], /) -> Outcome:
        """Run it in a transaction during which nobody else changes a projection or erases contents."""
        with (
            self._connections.translate_errors("written"),
            self._connections.connection() as connection,
            connection.transaction(),
        ):
            # What a crash loses here is computed again; the events were durable before.
            connection.execute("SET LOCAL synchronous_commit = off")
            connection.execute("LOCK TABLE projections IN SHARE ROW EXCLUSIVE MODE")
            return action(connection)

    @contextmanager
    def open_copy_target(self) -> Iterator[PostgresCopyTarget]:
        """See `EventStore.open_copy_target`."""
        with PostgresCopyTarget.open_exclusively(
            self, self._connections, sequencer_lock_key(self._schema)
        ) as copy:
            yield copy

    def wait_for_events(self, after: int, timeout: float) -> int:
        """See `EventReader.wait_for_events`. Other processes notify; if that is lost, it takes up to a tenth
        of a second."""
        self._poller.start()
        return super().wait_for_events(after, timeout)

    def close(self) -> None:
        """See `EventReader.close`. Appends in progress are finished first."""
        if os.getpid() != self._pid:
            return  # a forked process leaves its parent's connections alone
        self._in_flight.drain()
        self._poller.stop()
        super().close()
        self._notifier.notify()
