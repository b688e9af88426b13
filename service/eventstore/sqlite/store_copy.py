"""A store file as the original of a copy, and as the copy of an original: see
`service.eventstore.store_copy`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from service.eventstore.errors import StoreDamaged
from service.eventstore.merkle.leaves import SALT_BYTES
from service.eventstore.sqlite.connections import ReaderPool, sqlite3
from service.eventstore.sqlite.event_tables import EVENT_COLUMNS
from service.eventstore.sqlite.tiles import select_head, select_tile
from service.eventstore.store_copy import COPY_TARGET_CHANGED, CopyDiverged, FullEvent
from service.eventstore.verified_rows import parse_sealed_event

_WHOLE: Final = f"""
    SELECT {EVENT_COLUMNS}, e.digest, s.kind,
        (SELECT erased_at FROM erasures AS x WHERE x.position = e.position)
    FROM events AS e CROSS JOIN streams AS s USING (stream_key)
    CROSS JOIN roots AS r ON r.root_key = s.root_key"""
_EVENTS: Final = f"{_WHOLE} WHERE e.position > ? ORDER BY e.position LIMIT ?"
_AT: Final = f"{_WHOLE} WHERE e.position IN (SELECT value FROM json_each(?)) ORDER BY e.position"
_SECRET: Final = "SELECT secret FROM secrets"
_KEYS: Final = """
    SELECT stream, stream_key, root_key FROM json_each(?) AS wanted JOIN streams ON stream = wanted.value"""
_NEW_ROOT: Final = "INSERT INTO roots (root) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM roots WHERE root = ?1)"
_NEW_STREAM: Final = """
    INSERT INTO streams (stream, root_key, kind) SELECT ?2, root_key, ?3 FROM roots WHERE root = ?1"""
_ADD: Final = """
    INSERT INTO events
        (position, stream_key, root_key, version, event_id, digest, stored_at, body, salt, leaf)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_ERASURE: Final = """
    INSERT INTO erasures (position, commitment, erased_at)
    SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM erasures WHERE position = ?1)"""
_STAND_IN: Final = "UPDATE events SET body = ?, digest = ?, salt = NULL WHERE position = ?"
_GUARD: Final = "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = 'secrets_refuse_update'"

_NO_SALT_YET: Final = bytes(SALT_BYTES)
"""Stands in the row of an event without contents until, a statement later, it has none."""

RewriteAction = Callable[[sqlite3.Connection], None]


class SqliteCopySource:
    """A store file that is read to be copied; another process may be writing to it."""

    def __init__(self, readers: ReaderPool, path: Path) -> None:
        self._readers = readers
        self._path = path

    def head(self) -> int:
        """See `CopySource.head`."""
        with self._readers.connection() as connection:
            return select_head(connection)

    def read_tile(self, level: int, number: int) -> list[bytes]:
        """See `EventReader.read_tile`."""
        with self._readers.connection() as connection:
            return select_tile(connection, level, number)

    def read_secret(self) -> bytes:
        """See `CopySource.read_secret`."""
        with self._readers.connection() as connection:
            row = connection.execute(_SECRET).fetchone()
        if row is None:
            raise StoreDamaged(f"The store {self._path} has lost its secret.")
        return bytes(row[0])

    def read_full_events(self, after: int, limit: int) -> list[FullEvent]:
        """See `CopySource.read_full_events`."""
        return self._query_full_events(_EVENTS, (after, limit))

    def read_full_events_at(self, positions: Sequence[int]) -> list[FullEvent]:
        """See `CopySource.read_full_events_at`."""
        return self._query_full_events(_AT, (json.dumps(list(positions)),))

    def _query_full_events(self, query: str, values: Sequence[object]) -> list[FullEvent]:
        with self._readers.connection() as connection:
            rows = connection.execute(query, values).fetchall()
        return [
            FullEvent(parse_sealed_event(row[:11], self._path), row[12], row[11], row[13]) for row in rows
        ]


class SqliteCopyTarget(SqliteCopySource):
    """A store file that is written as a copy, by the one connection that writes.

    ``rewrite_events`` does something in a transaction of that connection; with True for its second argument
    what was there before is not to be found in the file any more.
    """

    def __init__(
        self, readers: ReaderPool, path: Path, rewrite_events: Callable[[RewriteAction, bool], None]
    ) -> None:
        super().__init__(readers, path)
        self._change = rewrite_events

    def replace_secret(self, secret: bytes) -> None:
        """See `CopyTarget.replace_secret`. The trigger that keeps it is out of the way for that one
        statement."""

        def replace(connection: sqlite3.Connection) -> None:
            (guard,) = connection.execute(_GUARD).fetchone()
            connection.execute("DROP TRIGGER secrets_refuse_update")
            connection.execute("UPDATE secrets SET secret = ?", (secret,))
            connection.execute(guard)

        self._change(replace, False)

    def add_events(self, events: Sequence[FullEvent], erased: Sequence[FullEvent]) -> None:
        """See `CopyTarget.add_events`."""

        def add(connection: sqlite3.Connection) -> None:
            if events and select_head(connection) != events[0].sealed_event.event.position - 1:
                raise CopyDiverged(COPY_TARGET_CHANGED.format(self._path))
            _erase(connection, erased)
            _make_streams(connection, events)
            _insert(connection, events)
            _erase(connection, [one for one in events if one.sealed_event.salt is None])

        self._change(add, bool(erased))


def _make_streams(connection: sqlite3.Connection, events: Iterable[FullEvent]) -> None:
    for one in events:
        event = one.sealed_event.event
        if event.seq == 1:
            connection.execute(_NEW_ROOT, (event.root,))
            connection.execute(_NEW_STREAM, (event.root, event.stream, one.kind))


def _insert(connection: sqlite3.Connection, events: Sequence[FullEvent]) -> None:
    names = list({one.sealed_event.event.stream for one in events})
    keys = {stream: both for stream, *both in connection.execute(_KEYS, (json.dumps(names),))}
    rows: list[tuple[Any, ...]] = []
    for (event, leaf, _, salt), _, digest, _ in events:
        place = (event.position, *keys[event.stream], event.seq, event.event_id)
        rows.append((*place, digest, event.stored_at, event.body, salt or _NO_SALT_YET, leaf))
    connection.executemany(_ADD, rows)


def _erase(connection: sqlite3.Connection, events: Iterable[FullEvent]) -> None:
    """Have stand-ins where the contents were, and beside them what the leaf hashes hold of those."""
    for (event, _, committed, _), _, digest, erased_at in events:
        connection.execute(_ERASURE, (event.position, committed, erased_at))
        connection.execute(_STAND_IN, (event.body, digest, event.position))
