"""The order of a store on PostgreSQL: how events get positions, and why a follower misses none.

Transactions commit in a different order than they start, so a follower cannot rely on a number assigned when
an event is written: one committed late would appear before the follower's position. Therefore an event gets
its position under one lock that is held until commit: after the event is committed, or in its own transaction
as the last step. Positions are stored in the table ``log``. Guarantees:

* Positions are 1, 2, 3, … without a gap, assigned in the order in which they become visible. A follower by
  position misses nothing and sees nothing twice, whatever is rolled back.
* The events of an append have consecutive positions, in a stream by version. An append that was acknowledged
  before another was sent precedes it.
* A reader sees an event when it has its position: streams, ids and log agree. An append is acknowledged when
  its events have positions and both are on the disk; the commit that assigns the positions waits for it.
* A position never changes; it is the event's index in the Merkle log, plus one.

A cursor of transaction and place within it finds events without a position: each batch stores the snapshot in
which it was seen (``pg_current_snapshot``), and the next takes what is visible now and was not in that one,
in the order of (transaction, place); events that the storing transaction inserted itself have positions
already. This misses nothing, below ``pg_snapshot_xmin`` or above it. So nobody has to wait until every older
transaction of the server has ended, as with a cursor that stops at xmin: a session left open only makes the
next queries longer. Within a batch the order agrees with that of every stream, since a writer's transaction
receives its number after it has seen the stream's end (`service.eventstore.postgres.insert_statement`).

Transaction numbers belong to a cluster. When a dump is restored elsewhere, numbers differ: the first process
that opens the store there assigns positions to events that had none, and begins a new *era*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Final, TypeAlias

from service.eventstore.errors import StoreUnavailable
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.postgres.connections import (
    Connection,
    PostgresPool,
    advisory_lock_key,
)
from service.eventstore.postgres.event_queries import open_merkle_tables
from service.eventstore.postgres.standby_sync import collect_warnings, wait_for_standbys

EventKey: TypeAlias = tuple[str, int]
"""A stream and a version in it."""
Positions: TypeAlias = dict[EventKey, int]

# The notification is sent with the same commit, and only if positions were assigned.
ASSIGN_POSITIONS_QUERY: Final = """
    WITH placed AS MATERIALIZED (SELECT * FROM place_events(%s)),
         called AS MATERIALIZED (SELECT pg_notify(%s, '') WHERE EXISTS (SELECT FROM placed))
    SELECT placed_at, placed_stream, placed_version FROM placed, called ORDER BY placed_at"""
"""Assigns positions to what is committed, or inserted earlier in the same transaction, under one lock."""
_POSITIONS: Final = """
    SELECT s.stream, l.version, l.position
    FROM unnest(%s::text[], %s::integer[]) AS w (stream, version)
    CROSS JOIN LATERAL (SELECT stream, stream_key FROM streams WHERE stream = w.stream OFFSET 0) AS s
    CROSS JOIN LATERAL (
        SELECT version, position FROM log WHERE stream_key = s.stream_key AND version = w.version OFFSET 0
    ) AS l"""


def notify_channel(schema: str) -> str:
    """The channel on which the processes of the store in that schema notify each other.

    A notification is sent with the transaction that assigns positions.
    """
    return f"spadille_{advisory_lock_key(schema, 'calls') % (1 << 64):016x}"


class PositionNotAssigned(StoreUnavailable):
    """The written events are missing, or cannot get positions."""

    def __init__(self) -> None:
        super().__init__(
            "The new events got no position in the log. They were not acknowledged, and may or may not be "
            "stored: send them again with the same ids. If the error comes back, the tables were changed, "
            "or come from another server: restart the service."
        )


class Sequencer:
    """Assigns positions to committed events: one process at a time, on behalf of all that wait.

    ``notify_waiters`` is called when positions were assigned, and other processes are notified.
    """

    def __init__(
        self,
        connections: PostgresPool,
        lock_key: int,
        channel: str,
        notify_waiters: Callable[[], None],
    ) -> None:
        self._connections = connections
        self._key = lock_key
        self._channel = channel
        self._notify_waiters = notify_waiters

    def assign_positions(self, event_keys: Sequence[EventKey]) -> Positions:
        """The positions of committed events, assigned now if they have none.

        After a broken connection they are looked up again: nothing that was committed is repeated. Raises
        `StoreUnavailable` if the server cannot be reached: the events are stored, and get positions later;
        `PositionNotAssigned` if the new leader does not have them.
        """

        def find() -> Positions:
            with self._connections.connection() as connection:
                return self._find_positions(connection, event_keys)

        # Without events no caller waits for an append.
        return self._connections.retry("written" if event_keys else "changed", find)

    def catch_up(self) -> None:
        """Assign positions to all committed events. Raises as `assign_positions` does."""
        self.assign_positions(())

    def _find_positions(self, connection: Connection, event_keys: Sequence[EventKey]) -> Positions:
        found = self.assign_new_positions(connection)
        missing = [event_key for event_key in event_keys if event_key not in found]
        if missing:
            found |= _select_positions(connection, missing)
            if any(event_key not in found for event_key in missing):
                raise PositionNotAssigned
            wait_for_standbys(connection)
        return found

    def assign_new_positions(
        self, connection: Connection, insert: Callable[[], object] | None = None
    ) -> Positions:
        """The new positions of what is committed, and of what ``insert`` sends first in the same transaction.

        Holds the lock until commit. Raises psycopg's errors.
        """
        with ExitStack() as exit_stack:
            warned = exit_stack.enter_context(collect_warnings(connection))
            if insert is not None:
                exit_stack.enter_context(connection.pipeline())  # a pipeline is a transaction
                insert()
            # After a refused insert this does not run: psycopg would otherwise assume that it is prepared.
            prepare = None if insert is None else False
            assigned = connection.execute(ASSIGN_POSITIONS_QUERY, (self._key, self._channel), prepare=prepare)
        if warned:
            wait_for_standbys(connection)
        rows = assigned.fetchall()
        if not rows:
            return {}
        if rows[-1][0] // TILE_WIDTH > (rows[0][0] - 1) // TILE_WIDTH:
            with connection.transaction():
                open_merkle_tables(connection).store_full_tiles()
        self._notify_waiters()
        return {(stream, version): position for position, stream, version in rows}


def _select_positions(connection: Connection, event_keys: Sequence[EventKey]) -> Positions:
    streams, versions = zip(*event_keys, strict=True)
    rows = connection.execute(_POSITIONS, (list(streams), list(versions)))
    return {(stream, version): position for stream, version, position in rows}
