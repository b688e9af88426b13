"""A store on PostgreSQL as the copy of another store.

Who copies holds the lock of those who give positions, from the first event to the last: so what he added gets
the positions that it had, and a service that is started on a half-made copy is told to wait. He is the owner
of the tables, as he writes what nobody else may: events that have no contents any more, and a secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from service.eventstore.events import FullEvent
from service.eventstore.interface import CopyTarget, EventReader
from service.eventstore.merkle.leaves import SALT_BYTES
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.postgres.connections import Connection, PostgresPool
from service.eventstore.postgres.tiles import select_head, store_full_tiles

_NEW_ROOTS: Final = """
    INSERT INTO roots (root) SELECT n.root FROM unnest(%s::text[]) WITH ORDINALITY AS n (root, number)
    ORDER BY n.number ON CONFLICT DO NOTHING"""
_NEW_STREAMS: Final = """
    INSERT INTO streams (stream, root_key, kind) SELECT n.stream, r.root_key, n.kind
    FROM unnest(%s::text[], %s::text[], %s::text[]) WITH ORDINALITY AS n (stream, root, kind, number)
    JOIN roots AS r ON r.root = n.root ORDER BY n.number"""
_ADD: Final = """
    INSERT INTO events
        (root_key, stream_key, version, event_id, digest, stored_at, body, salt, leaf, ordinal)
    SELECT s.root_key, s.stream_key, n.version, n.event_id, n.digest, n.stored_at, n.body, n.salt, n.leaf,
        n.ordinal
    FROM unnest(%s::text[], %s::integer[], %s::text[], %b::bytea[], %s::text[], %b::bytea[], %b::bytea[],
        %b::bytea[]) WITH ORDINALITY
        AS n (stream, version, event_id, digest, stored_at, body, salt, leaf, ordinal)
    JOIN streams AS s ON s.stream = n.stream ORDER BY n.ordinal"""
_ERASURES: Final = """
    INSERT INTO erasures (root_key, stream_key, version, commitment, erased_at)
    SELECT root_key, stream_key, %s, %s, %s FROM streams WHERE stream = %s"""
_STAND_IN: Final = """
    UPDATE events AS e SET body = %s, digest = %s, salt = NULL FROM streams AS s
    WHERE s.stream = %s AND e.root_key = s.root_key AND e.stream_key = s.stream_key AND e.version = %s"""
_ERASE: Final = """
    SELECT erase_contents(s.root_key, s.stream_key, %s, %s, %s, %s, %s)
    FROM streams AS s WHERE s.stream = %s"""

_NO_SALT_YET: Final = bytes(SALT_BYTES)
"""Stands in the row of an event without contents until, a statement later, it has none."""


class PostgresCopyTarget(CopyTarget):
    """A store on PostgreSQL that is written as a copy, over the one connection that has the lock."""

    def __init__(
        self, store: EventReader, connections: PostgresPool, locked_connection: Connection, lock_key: int
    ) -> None:
        super().__init__(store)
        self._connections = connections
        self._writing = locked_connection
        self._key = lock_key

    @classmethod
    @contextmanager
    def open_exclusively(
        cls, store: EventReader, connections: PostgresPool, lock_key: int
    ) -> Iterator[PostgresCopyTarget]:
        """The copy, with the lock ``lock_key`` of those who give positions for the length of a `with`."""
        with connections.translate_errors("written"), connections.connection() as writing:
            writing.execute("SELECT pg_advisory_lock(%s)", (lock_key,))
            try:
                yield cls(store, connections, writing, lock_key)
            finally:
                if not writing.broken:
                    writing.execute("SELECT pg_advisory_unlock(%s)", (lock_key,))

    def replace_secret(self, secret: bytes) -> None:
        """See `CopyTarget.replace_secret`. The trigger that keeps it is out of the way for that one
        statement."""
        with self._connections.translate_errors("written"), self._writing.transaction():
            self._writing.execute("ALTER TABLE secrets DISABLE TRIGGER secrets_stay")
            self._writing.execute("UPDATE secrets SET secret = %s", (secret,))
            self._writing.execute("ALTER TABLE secrets ENABLE TRIGGER secrets_stay")

    def add_events(self, events: Sequence[FullEvent], erased: Sequence[FullEvent]) -> None:
        """See `CopyTarget.add_events`. Who is stopped before they have their positions leaves that to the
        next opening."""
        with self._connections.translate_errors("written"):
            with self._writing.transaction():
                if events and select_head(self._writing) != events[0].sealed_event.event.position - 1:
                    raise self._build_changed_error()
                self._erase(erased)
                self._make_streams(events)
                self._insert(events)
            self._assign_positions(events)

    def _assign_positions(self, events: Sequence[FullEvent]) -> None:
        """Have them given their positions, which are to be those that they had."""
        assigned = self._writing.execute("SELECT * FROM place_events(%s)", (self._key,)).fetchall()
        expected = [
            (one.position, one.stream, one.seq) for one in (each.sealed_event.event for each in events)
        ]
        if assigned != expected:
            raise self._build_changed_error()
        if assigned and assigned[-1][0] // TILE_WIDTH > (assigned[0][0] - 1) // TILE_WIDTH:
            store_full_tiles(self._writing, assigned[-1][0])

    def _make_streams(self, events: Sequence[FullEvent]) -> None:
        first_events = [
            (one.sealed_event.event, one.kind) for one in events if one.sealed_event.event.seq == 1
        ]
        roots = [event.root for event, _ in first_events]
        self._writing.execute(_NEW_ROOTS, (list(dict.fromkeys(roots)),))
        columns = ([event.stream for event, _ in first_events], roots, [kind for _, kind in first_events])
        self._writing.execute(_NEW_STREAMS, columns)

    def _insert(self, events: Sequence[FullEvent]) -> None:
        self._writing.execute(_ADD, _build_columns(events))
        for (event, _, commitment, salt), _, digest, erased_at in events:
            if salt is None:
                self._writing.execute(_ERASURES, (event.seq, commitment, erased_at, event.stream))
                self._writing.execute(_STAND_IN, (event.body, digest, event.stream, event.seq))

    def _erase(self, erased: Sequence[FullEvent]) -> None:
        for (event, _, commitment, _), _, digest, erased_at in erased:
            placeholder = (event.body, digest)
            self._writing.execute(_ERASE, (event.seq, *placeholder, commitment, erased_at, event.stream))


def _build_columns(events: Sequence[FullEvent]) -> list[list[Any]]:
    """What is inserted of the events, column by column."""
    sealed = [(one.sealed_event.event, one.sealed_event.salt) for one in events]
    return [
        [event.stream for event, _ in sealed],
        [event.seq for event, _ in sealed],
        [event.event_id for event, _ in sealed],
        [one.digest for one in events],
        [event.stored_at for event, _ in sealed],
        [event.body for event, _ in sealed],
        [salt or _NO_SALT_YET for _, salt in sealed],
        [one.sealed_event.leaf_hash for one in events],
    ]
