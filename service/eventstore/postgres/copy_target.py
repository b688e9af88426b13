"""A store on PostgreSQL as the copy of another store.

The sequencer's lock is held from the first event to the last, so that no other event gets a position.
Requires the owner of the tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from service.eventstore.events import FullEvent
from service.eventstore.interface import CopyTarget, EventReader
from service.eventstore.merkle.leaves import SALT_BYTES
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.postgres.connections import Connection, PostgresPool
from service.eventstore.postgres.event_queries import open_merkle_tables, select_head
from service.eventstore.postgres.insert_statement import insert_events, insert_streams

_ERASURES: Final = """
    INSERT INTO erasures (root_key, stream_key, version, commitment, erased_at)
    SELECT root_key, stream_key, %s, %s, %s FROM streams WHERE stream = %s ON CONFLICT DO NOTHING"""
_STAND_IN: Final = """
    UPDATE events AS e SET body = %s, digest = %s, salt = NULL FROM streams AS s
    WHERE s.stream = %s AND e.root_key = s.root_key AND e.stream_key = s.stream_key AND e.version = %s"""

_NO_SALT_YET: Final = bytes(SALT_BYTES)
"""A temporary salt for the row of an event without contents, until the next statement removes it."""


class PostgresCopyTarget(CopyTarget):
    """A store on PostgreSQL that is written as a copy, over the connection that holds the lock."""

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
        """The copy; holds the sequencer's lock ``lock_key`` for the duration of a `with`."""
        with connections.translate_errors("written"), connections.connection() as writing:
            writing.execute("SELECT pg_advisory_lock(%s)", (lock_key,))
            try:
                yield cls(store, connections, writing, lock_key)
            finally:
                if not writing.broken:
                    writing.execute("SELECT pg_advisory_unlock(%s)", (lock_key,))

    def replace_secret(self, secret: bytes) -> None:
        """See `CopyTarget.replace_secret`. The trigger that protects the secret is dropped for that one
        statement."""
        with self._connections.translate_errors("written"), self._writing.transaction():
            self._writing.execute("ALTER TABLE secrets DISABLE TRIGGER secrets_stay")
            self._writing.execute("UPDATE secrets SET secret = %s", (secret,))
            self._writing.execute("ALTER TABLE secrets ENABLE TRIGGER secrets_stay")

    def add_events(self, events: Sequence[FullEvent], erased: Sequence[FullEvent]) -> None:
        """See `CopyTarget.add_events`. If this is interrupted before positions are assigned, the next opening
        assigns them."""
        with self._connections.translate_errors("written"):
            with self._writing.transaction():
                if events and select_head(self._writing) != events[0].sealed_event.event.position - 1:
                    raise self._build_changed_error()
                self._insert(events)
                self._erase([*erased, *(one for one in events if one.sealed_event.salt is None)])
            self._assign_positions(events)

    def _assign_positions(self, events: Sequence[FullEvent]) -> None:
        """Assign positions, which must be the original ones."""
        assigned = self._writing.execute("SELECT * FROM place_events(%s)", (self._key,)).fetchall()
        expected = [
            (one.position, one.stream, one.seq) for one in (each.sealed_event.event for each in events)
        ]
        if assigned != expected:
            raise self._build_changed_error()
        if assigned and assigned[-1][0] // TILE_WIDTH > (assigned[0][0] - 1) // TILE_WIDTH:
            with self._writing.transaction():
                open_merkle_tables(self._writing).store_full_tiles()

    def _insert(self, events: Sequence[FullEvent]) -> None:
        sealed = [(one.sealed_event.event, one) for one in events]
        first = [(event.root, event.stream, one.kind) for event, one in sealed if event.seq == 1]
        insert_streams(self._writing, first)
        rows = [
            (
                event.stream, event.seq, event.event_id, one.digest, event.stored_at, event.body,
                one.sealed_event.salt or _NO_SALT_YET, one.sealed_event.leaf_hash,
            )
            for event, one in sealed
        ]  # fmt: skip
        insert_events(self._writing, rows)

    def _erase(self, events: Sequence[FullEvent]) -> None:
        """Replace contents by placeholders, and keep the commitments that the leaf hashes contain."""
        for (event, _, commitment, _), _, digest, erased_at in events:
            self._writing.execute(_ERASURES, (event.seq, commitment, erased_at, event.stream))
            self._writing.execute(_STAND_IN, (event.body, digest, event.stream, event.seq))
