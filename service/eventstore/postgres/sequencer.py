"""The order of a store on PostgreSQL: which event has which position, and why nobody who follows misses one.

Transactions end in another order than they begin, so no number that an event is given when it is written
can be followed: one that is committed late would appear behind the reader's back. So an event gets its
position from whoever holds one lock until his own commit: when it is committed, or by its own transaction as
the last thing that does. That is stored in the table ``log``. What is promised:

* Positions are 1, 2, 3, … without a gap, and are given in the order in which they become visible. Who follows
  by position misses nothing and meets nothing twice, whatever is rolled back.
* An append's events stand one behind the other, in a stream by version. An append that was acknowledged
  before another was sent stands before it.
* Who reads a store sees an event when it has its position: streams, ids and log tell the same. An append is
  acknowledged when its events have theirs, and both are on the disk: by one wait for it, that of whoever
  gave the positions.
* A position never changes; it is the event's index in the Merkle log, plus one.

Which events have no position yet is found by a cursor of transaction and place within it: each batch
keeps the snapshot in which it was seen (``pg_current_snapshot``), and the next takes what is visible now
and was not in that one, in the order of (transaction, place); what the transaction that kept it had
inserted itself has its position already. That misses nothing, below ``pg_snapshot_xmin`` or above it. So
nobody need wait until every older transaction of the server has come to its end, as with a cursor that
stops at xmin: a session that somebody leaves open only makes the next looks longer. Within a batch the
order agrees with that of every stream, since a writer's transaction is given its number after it has seen the
stream's end (`service.eventstore.postgres.insert_statement`).

Transactions are numbered by a cluster. The tables that are restored elsewhere from a dump meet other numbers:
the first that opens the store there gives positions to what had none, and begins a new *era*.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Final, NamedTuple, Self, TypeAlias

from service.eventstore.errors import StoreUnavailable
from service.eventstore.ids import new_id
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.postgres.connections import (
    WAIT_TIMEOUT_SECONDS,
    Connection,
    PostgresPool,
    advisory_lock_key,
    can_retry_on_new_connection,
)
from service.eventstore.postgres.standby_sync import collect_warnings, wait_for_standbys
from service.eventstore.postgres.tiles import store_full_tiles

EventKey: TypeAlias = tuple[str, int]
"""A stream and a version in it."""
Positions: TypeAlias = dict[EventKey, int]

_PAUSE_SECONDS: Final = 0.05
# The call goes out with the same commit, and only where something was placed.
ASSIGN_POSITIONS_QUERY: Final = """
    WITH placed AS MATERIALIZED (SELECT * FROM place_events(%s)),
         called AS MATERIALIZED (SELECT pg_notify(%s, %s) WHERE EXISTS (SELECT FROM placed))
    SELECT placed_at, placed_stream, placed_version FROM placed, called ORDER BY placed_at"""
"""Gives what is committed, or inserted before in the same transaction, its positions, under one lock."""
_POSITIONS: Final = """
    SELECT s.stream, l.version, l.position
    FROM unnest(%s::text[], %s::integer[]) AS w (stream, version)
    CROSS JOIN LATERAL (SELECT stream, stream_key FROM streams WHERE stream = w.stream OFFSET 0) AS s
    CROSS JOIN LATERAL (
        SELECT version, position FROM log WHERE stream_key = s.stream_key AND version = w.version OFFSET 0
    ) AS l"""


class NotifyChannel(NamedTuple):
    """The channel on which the processes of a store call each other, and what marks this one's calls.

    A call goes out with the transaction that gives the positions, and says only who called.
    """

    name: str
    sender_id: str

    @classmethod
    def for_schema(cls, schema: str) -> Self:
        """Those of the store in that schema of its database."""
        return cls(f"spadille_{advisory_lock_key(schema, 'calls') % (1 << 64):016x}", new_id())


class PositionNotAssigned(StoreUnavailable):
    """What was written is not there to be given its position, or cannot be given one."""

    def __init__(self) -> None:
        super().__init__(
            "What was appended has no position in the log. It was not acknowledged, and may be stored or "
            "not: send it again with the same ids. If that goes on, the tables are from another server, or "
            "were changed by somebody: start the service anew."
        )


class Sequencer:
    """Assigns positions to committed events: one process at a time, for all that wait.

    ``notify_streams`` is called with the streams that have grown, and other processes are notified.
    """

    def __init__(
        self,
        connections: PostgresPool,
        lock_key: int,
        channel: NotifyChannel,
        notify_streams: Callable[[Iterable[str]], None],
    ) -> None:
        self._connections = connections
        self._key = lock_key
        self._channel = channel
        self._announce = notify_streams

    def assign_positions(self, event_keys: Sequence[EventKey]) -> Positions:
        """The positions of events that are committed, given to them now where they have none.

        Where the connection was cut they are looked for again: what was committed then is not done twice.
        Raises `StoreUnavailable` where the server cannot be reached: they are stored, and get them later;
        `PositionNotAssigned` where the server that leads now does not have them.
        """
        deadline = time.monotonic() + WAIT_TIMEOUT_SECONDS
        operation = "written" if event_keys else "changed"  # by no append of ours that somebody waits for
        while True:
            try:
                with (
                    self._connections.translate_errors(operation),
                    self._connections.connection() as connection,
                ):
                    return self._find_positions(connection, event_keys)
            except StoreUnavailable as error:
                if not can_retry_on_new_connection(error.__cause__) or time.monotonic() > deadline:
                    raise
                time.sleep(_PAUSE_SECONDS)
                self._connections.discard_broken()

    def catch_up(self) -> None:
        """Give every event that is committed its position. Raises as `assign_positions` does."""
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

        The lock is held until it is committed. Raises psycopg's errors.
        """
        with ExitStack() as exit_stack:
            warned = exit_stack.enter_context(collect_warnings(connection))
            if insert is not None:
                exit_stack.enter_context(connection.pipeline())  # which is a transaction
                insert()
            # Behind an insert that is refused it is not looked at: psycopg would take it for prepared then.
            prepare = None if insert is None else False
            assigned = connection.execute(
                ASSIGN_POSITIONS_QUERY, (self._key, *self._channel), prepare=prepare
            )
        if warned:
            wait_for_standbys(connection)
        rows = assigned.fetchall()
        if not rows:
            return {}
        if rows[-1][0] // TILE_WIDTH > (rows[0][0] - 1) // TILE_WIDTH:
            store_full_tiles(connection, rows[-1][0])
        self._announce({stream for _, stream, _ in rows})
        return {(stream, version): position for position, stream, version in rows}


def _select_positions(connection: Connection, event_keys: Sequence[EventKey]) -> Positions:
    streams, versions = zip(*event_keys, strict=True)
    rows = connection.execute(_POSITIONS, (list(streams), list(versions)))
    return {(stream, version): position for stream, version, position in rows}
