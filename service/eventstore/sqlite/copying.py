"""A store file as the original of a copy, and as the copy of an original: see `service.eventstore.whole`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from service.eventstore.errors import StoreDamaged
from service.eventstore.merkle.leaves import SALT_BYTES
from service.eventstore.rows import sealed_in
from service.eventstore.sqlite.connections import Readers, sqlite3
from service.eventstore.sqlite.tables import COLUMNS
from service.eventstore.sqlite.tiles import head, read_tile
from service.eventstore.whole import TAKEN, NotACopy, WholeEvent

_WHOLE: Final = f"""
    SELECT {COLUMNS}, e.digest, s.kind, (SELECT erased_at FROM erasures AS x WHERE x.position = e.position)
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

Change = Callable[[sqlite3.Connection], None]


class SqliteOriginal:
    """A store file that is read to be copied; another process may be writing to it."""

    def __init__(self, readers: Readers, path: Path) -> None:
        self._readers = readers
        self._path = path

    def head(self) -> int:
        """See `Original.head`."""
        with self._readers.lend() as connection:
            return head(connection)

    def tile(self, level: int, number: int) -> list[bytes]:
        """See `EventReader.tile`."""
        with self._readers.lend() as connection:
            return read_tile(connection, level, number)

    def secret(self) -> bytes:
        """See `Original.secret`."""
        with self._readers.lend() as connection:
            row = connection.execute(_SECRET).fetchone()
        if row is None:
            raise StoreDamaged(f"The store {self._path} has lost its secret.")
        return bytes(row[0])

    def events(self, after: int, limit: int) -> list[WholeEvent]:
        """See `Original.events`."""
        return self._asked(_EVENTS, (after, limit))

    def at(self, positions: Sequence[int]) -> list[WholeEvent]:
        """See `Original.at`."""
        return self._asked(_AT, (json.dumps(list(positions)),))

    def _asked(self, query: str, values: Sequence[object]) -> list[WholeEvent]:
        with self._readers.lend() as connection:
            rows = connection.execute(query, values).fetchall()
        return [WholeEvent(sealed_in(row[:11], self._path), row[12], row[11], row[13]) for row in rows]


class SqliteCopy(SqliteOriginal):
    """A store file that is written as a copy, by the one connection that writes.

    ``change`` does something in a transaction of that connection; with True for its second argument what was
    there before is not to be found in the file any more.
    """

    def __init__(self, readers: Readers, path: Path, change: Callable[[Change, bool], None]) -> None:
        super().__init__(readers, path)
        self._change = change

    def take_secret(self, secret: bytes) -> None:
        """See `Copy.take_secret`. The trigger that keeps it is out of the way for that one statement."""

        def replace(connection: sqlite3.Connection) -> None:
            (guard,) = connection.execute(_GUARD).fetchone()
            connection.execute("DROP TRIGGER secrets_refuse_update")
            connection.execute("UPDATE secrets SET secret = ?", (secret,))
            connection.execute(guard)

        self._change(replace, False)

    def add(self, events: Sequence[WholeEvent], erased: Sequence[WholeEvent]) -> None:
        """See `Copy.add`."""

        def add(connection: sqlite3.Connection) -> None:
            if events and head(connection) != events[0].sealed.event.position - 1:
                raise NotACopy(TAKEN.format(self._path))
            _erase(connection, erased)
            _make_streams(connection, events)
            _insert(connection, events)
            _erase(connection, [one for one in events if one.sealed.salt is None])

        self._change(add, bool(erased))


def _make_streams(connection: sqlite3.Connection, events: Iterable[WholeEvent]) -> None:
    for one in events:
        event = one.sealed.event
        if event.seq == 1:
            connection.execute(_NEW_ROOT, (event.root,))
            connection.execute(_NEW_STREAM, (event.root, event.stream, one.kind))


def _insert(connection: sqlite3.Connection, events: Sequence[WholeEvent]) -> None:
    names = list({one.sealed.event.stream for one in events})
    keys = {stream: both for stream, *both in connection.execute(_KEYS, (json.dumps(names),))}
    rows: list[tuple[Any, ...]] = []
    for (event, leaf, _, salt), _, digest, _ in events:
        place = (event.position, *keys[event.stream], event.seq, event.event_id)
        rows.append((*place, digest, event.stored_at, event.body, salt or _NO_SALT_YET, leaf))
    connection.executemany(_ADD, rows)


def _erase(connection: sqlite3.Connection, events: Iterable[WholeEvent]) -> None:
    """Have stand-ins where the contents were, and beside them what the leaf hashes hold of those."""
    for (event, _, committed, _), _, digest, erased_at in events:
        connection.execute(_ERASURE, (event.position, committed, erased_at))
        connection.execute(_STAND_IN, (event.body, digest, event.position))
