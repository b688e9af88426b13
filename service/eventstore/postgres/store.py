"""The store on PostgreSQL: many processes write and read, and what it acknowledges stays.

What is promised of order stands in `service.eventstore.postgres.sequencer`, of appends in
`service.eventstore.postgres.writing`, of the tables in `service.eventstore.postgres.tables`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from types import TracebackType
from typing import Any, ClassVar, Final, Self

from service.eventstore.clock import utc_now
from service.eventstore.errors import StoreDamaged, StoreUnavailable, UnknownStream
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
from service.eventstore.postgres.connections import (
    MOST_CONNECTIONS,
    WAIT_SECONDS,
    Address,
    Connection,
    Connections,
    Outcome,
    is_alone,
    require_writable,
)
from service.eventstore.postgres.copying import PostgresCopy, PostgresOriginal
from service.eventstore.postgres.in_flight import Underway
from service.eventstore.postgres.inspection import PostgresInspection, tables_hidden
from service.eventstore.postgres.listing import branches_after, streams_listed
from service.eventstore.postgres.migrations import (
    bring_up_to_date,
    require_current,
    schema_of,
    sequencing_key,
)
from service.eventstore.postgres.notify_channel import Calls
from service.eventstore.postgres.poller import Lookout
from service.eventstore.postgres.projections import PostgresProjectionReader, PostgresProjections
from service.eventstore.postgres.replay_position import Reached
from service.eventstore.postgres.rows import (
    KeysAtHand,
    StreamKeys,
    described,
    found_in,
    rows_after,
    rows_of,
)
from service.eventstore.postgres.sequencer import Sequencer
from service.eventstore.postgres.tiles import head, read_tile
from service.eventstore.postgres.writing import Writer
from service.eventstore.rows import Row, events_in, events_of, leaves_in, require_no_gap, sealed_in
from service.eventstore.waiting import Wakeups, looked_at_until

_LEAVING_SECONDS: Final = 1.0
"""So long a session may take to end whose process has just ended."""
_SECRET: Final = "SELECT secret FROM secrets"
_KEPT_AT: Final = """
    SELECT (SELECT system_identifier FROM pg_control_system()), oid, current_schema()
    FROM pg_database WHERE datname = current_database()"""
_SYNCED: Final = "SELECT current_setting('fsync'), current_setting('full_page_writes')"
_USED: Final = """
    SELECT sum(pg_total_relation_size(oid)) FROM pg_class
    WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'r'"""
_UNSYNCED: Final = (
    "The PostgreSQL server does not sync its files (fsync or full_page_writes is off): a power cut can "
    "damage the store and take what was acknowledged."
)


class PostgresReader:
    """A store on PostgreSQL opened for reading only; others may be writing to it meanwhile.

    ``address`` is as libpq takes it, such as ``postgresql://user@host:5432/database``. A connection is waited
    for ``patience`` seconds. Raises
    `StoreUnavailable` where the server cannot be reached, is too old, or has no store of this version,
    `NotAStore`, `StoreTooNew`. An event that is not as it was recorded is never told: whoever reads it is
    told `StoreDamaged`.
    """

    _writes: ClassVar = False

    def __init__(
        self, address: str, most_connections: int = MOST_CONNECTIONS, patience: float = WAIT_SECONDS
    ) -> None:
        self._address = Address(address)
        self._keys = KeysAtHand()
        self._reached, self._least = Reached(), 0
        self._connections = Connections(
            self._address, most_connections, writing=self._writes, patience=patience
        )
        try:
            with self._connections.told("opened"), self._connections.lend() as connection:
                self._schema = schema_of(connection, self._address)
                self._prepare(connection)
                synced = connection.execute(_SYNCED).fetchone()
        except BaseException:
            self._connections.close()
            raise
        self.notice: str | None = None if synced == ("on", "on") else _UNSYNCED

    def _prepare(self, connection: Connection) -> None:
        require_current(connection, self._address)

    @property
    def address(self) -> str:
        """Where it is, without a password."""
        return str(self._address)

    def reaching(self, position: int) -> Self:
        """The same over the same connections, which raises `Behind` where the server lacks that position.

        A standby may be behind its leader, each as far as it has come.
        """
        made = copy(self)
        made._least = position
        return made

    def _look(self, ask: Callable[[Connection], Outcome]) -> Outcome:
        def asked(connection: Connection) -> Outcome:
            self._reached.require(connection, self._least)
            return ask(connection)

        return self._connections.look(asked if self._least else ask)

    def read(self, stream: str, after: int = 0, limit: int = PAGE) -> list[StoredEvent]:
        """See `EventReader.read`."""
        root, rows = self._rows_of(stream, after, limit)
        events = events_of(root, stream, rows, self._address)
        require_no_gap(events, after, stream, self._address)
        return events

    def version(self, stream: str) -> int:
        """See `EventReader.version`."""
        return self.describe(stream).version

    def describe(self, stream: str) -> StreamInfo:
        """See `EventReader.describe`."""

        found = self._look(lambda connection: described(connection, stream))
        if found is None:
            raise UnknownStream(stream)
        return found

    def streams(
        self,
        root: str | None = None,
        kind: str | None = None,
        after: str | None = None,
        limit: int = PAGE,
        *,
        backwards: bool = False,
    ) -> list[StreamInfo]:
        """See `EventReader.streams`. A stream is made where its first event stands."""
        if after is not None:
            self.describe(after)
        checked_limit(limit)
        return self._look(lambda connection: streams_listed(connection, root, kind, after, limit, backwards))

    def branches(self, after: int = 0, limit: int = PAGE) -> list[tuple[int, str]]:
        """See `EventReader.branches`."""
        checked_limit(limit)
        return self._look(lambda connection: branches_after(connection, after, limit))

    def find(self, root: str, event_ids: Iterable[str]) -> dict[str, StoredEvent]:
        """See `EventReader.find`."""
        wanted = list(event_ids)
        found = self._look(lambda connection: found_in(connection, self._address, root, wanted))
        events = {event_id: one.remembered.event for event_id, one in found.items()}
        return {event_id: event for event_id, event in events.items() if event.position}

    def follow(self, after: int = 0, limit: int = PAGE) -> list[StoredEvent]:
        """See `EventReader.follow`."""
        return events_in(self._rows_after(after, limit), self._address)

    def _rows_after(self, after: int, limit: int) -> list[Row]:
        checked_limit(limit)
        return self._look(lambda connection: rows_after(connection, after, limit))

    def head(self) -> int:
        """See `EventReader.head`."""
        return self._look(head)

    def sealed(self, stream: str, after: int = 0, limit: int = PAGE) -> list[Sealed]:
        """See `EventReader.sealed`."""
        root, rows = self._rows_of(stream, after, limit)
        sealed = [sealed_in((row[0], root, stream, *row[1:]), self._address) for row in rows]
        require_no_gap([one.event for one in sealed], after, stream, self._address)
        return sealed

    def _rows_of(self, stream: str, after: int, limit: int) -> tuple[str, list[Row]]:
        """The stream's root, and rows of `rows_of`."""
        checked_limit(limit)

        def ask(connection: Connection) -> tuple[str, list[Row]]:
            keys = self._keys_of(connection, stream)
            return keys.root, rows_of(connection, self._address, keys, after, limit)

        root, rows = self._look(ask)
        if not rows and self.describe(stream).version > after:
            # It has grown this moment, or what was at hand are the keys of a server that leads no more.
            self._keys.forget([stream])
            root, rows = self._look(ask)
        return root, rows

    def _keys_of(self, connection: Connection, stream: str) -> StreamKeys:
        keys = self._keys.of(connection, stream)
        if keys is None:
            raise UnknownStream(stream)
        return keys

    def tile(self, level: int, number: int) -> list[bytes]:
        """See `EventReader.tile`."""
        return self._look(lambda connection: read_tile(connection, level, number))

    def checked_leaves(self, after: int = 0, limit: int = PAGE) -> list[tuple[int, bytes]]:
        """See `EventReader.checked_leaves`."""
        return leaves_in(self._rows_after(after, limit), self._address)

    def inspection(self) -> PostgresInspection:
        """A look at the tables without trust, for who verifies them. Raises `StoreUnavailable` where this
        user may not read them all: what he may not see is not damaged."""
        if hidden := self._look(tables_hidden):
            raise StoreUnavailable(
                f"The store {self._address} cannot be verified by this user, who may not read "
                f"{', '.join(hidden)}. docs/scaling.md says which rights that takes."
            )
        return PostgresInspection(self._connections)

    @property
    def projections(self) -> PostgresProjectionReader:
        """See `EventReader.projections`."""
        return PostgresProjectionReader(self._look)

    def original(self) -> PostgresOriginal:
        """The store as one that is copied into another (`service.transparency.copying`)."""
        return PostgresOriginal(self._connections, self._address)

    def wait(self, after: int, timeout: float) -> int:
        """See `EventReader.wait`. The log is looked at ten times a second."""
        return looked_at_until(self.head, after, timeout)

    def wait_for(self, stream: str, after: int, timeout: float) -> int:
        """See `EventReader.wait_for`, and `wait` here."""
        return looked_at_until(lambda: self.version(stream), after, timeout)

    def derived_id(self, said: bytes) -> str:
        """See `EventStore.derived_id`."""
        row = self._look(lambda connection: connection.execute(_SECRET).fetchone())
        if row is None:
            raise StoreDamaged(f"The store {self._address} has lost its secret.")
        return secret_id(row[0], said)

    def kept_at(self) -> tuple[Any, ...]:
        """Where the tables are, as the server knows it: its cluster, the database and the schema.

        A standby of it says the same, and something else is said where a copy of the store is.
        """
        return self._look(lambda connection: connection.execute(_KEPT_AT).fetchone()) or ()

    def room(self) -> Room:
        """See `EventReader.room`. What is free on the server's disk a server does not tell."""

        def ask(connection: Connection) -> Room:
            (used,) = connection.execute(_USED).fetchone() or (0,)
            return Room(int(used or 0), None)

        return self._look(ask)

    def close(self) -> None:
        """See `EventReader.close`."""
        self._connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class PostgresStore(PostgresReader):
    """A store on PostgreSQL opened for writing, by any number of processes at once.

    Its tables are made where they are not there yet, and brought up to date where they are older, if the user
    may. Raises as `PostgresReader` does.
    """

    _writes: ClassVar = True

    def __init__(
        self, address: str, clock: Clock = utc_now, most_connections: int = MOST_CONNECTIONS
    ) -> None:
        super().__init__(address, most_connections)
        self._pid = os.getpid()
        self._underway = Underway()
        self._wakeups = Wakeups()
        calls = Calls.of(self._schema)
        self._sequencer = Sequencer(
            self._connections, sequencing_key(self._schema), calls, self._wakeups.announce
        )
        self._writer = Writer(
            self._connections, self._address, self._schema, self._keys, self._sequencer, clock
        )
        self._lookout = Lookout(self._connections, self._address, calls, self._sequencer, self._wakeups)
        try:
            self._sequencer.catch_up()
        except BaseException:
            self._connections.close()
            raise

    def _prepare(self, connection: Connection) -> None:
        require_writable(connection)
        bring_up_to_date(connection, self._address, self._schema)

    def append(self, root: str, appends: Sequence[Append]) -> list[Appended]:
        """See `EventStore.append`. Where a connection breaks it is found out what became of the append."""
        self._connections.require_open()
        with self._underway.appending():
            return self._writer.append(root, appends)

    def require_alone(self) -> None:
        """Raise `StoreUnavailable` where other processes of Spadille have this store open.

        They may write to it at any time otherwise; but who erases wants nobody to keep what he read before.
        To be asked when the store was just opened, as it counts this process by its first connection.
        """
        if not looked_at_until(lambda: int(self._connections.look(is_alone)), 0, _LEAVING_SECONDS):
            raise StoreUnavailable(
                f"Other processes of Spadille have the store {self._address} open, and may have in memory "
                f"what is to be erased. Stop them first."
            )

    def erase(self, root: str, bodies: Mapping[str, bytes]) -> None:
        """See `EventStore.erase`, and `erase_all` here."""
        self.erase_all({root: bodies})

    def erase_all(self, bodies: Mapping[str, Mapping[str, bytes]]) -> None:
        """See `EventStore.erase_all`, and `service.eventstore.postgres.erasing` for what stays where."""
        self._connections.require_open()
        with self._underway.doing():
            self._writer.erase(bodies)

    @property
    def projections(self) -> PostgresProjections:
        """See `EventStore.projections`."""
        return PostgresProjections(self._look, self._connections)

    @contextmanager
    def as_copy(self) -> Iterator[PostgresCopy]:
        """The store as one into which another is copied (`service.transparency.copying`), and nobody else
        writes.

        Raises `StoreUnavailable` where somebody does.
        """
        with PostgresCopy.alone(self._connections, self._address, sequencing_key(self._schema)) as copy:
            yield copy

    def wait(self, after: int, timeout: float) -> int:
        """See `EventReader.wait`. Another process calls; where that is lost it takes a tenth of a second."""
        self._lookout.begin()
        return self._wakeups.until(None, self.head, after, timeout)

    def wait_for(self, stream: str, after: int, timeout: float) -> int:
        """See `EventReader.wait_for`, and `wait` here."""
        self._lookout.begin()
        return self._wakeups.until(stream, lambda: self.version(stream), after, timeout)

    def close(self) -> None:
        """See `EventReader.close`. Appends that were begun are finished first."""
        if os.getpid() != self._pid:
            return  # a forked process lets its parent's connections alone
        self._underway.end()
        self._lookout.end()
        super().close()
        self._wakeups.announce_all()
