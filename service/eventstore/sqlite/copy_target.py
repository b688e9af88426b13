"""A store file as the copy of another store."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from service.eventstore.events import FullEvent
from service.eventstore.interface import CopyTarget, EventReader
from service.eventstore.merkle.leaves import SALT_BYTES
from service.eventstore.sqlite.connections import sqlite3
from service.eventstore.sqlite.merkle_tables import select_head

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
"""A temporary salt for the row of an event without contents, until the next statement removes it."""

RewriteAction = Callable[[sqlite3.Connection], None]


class SqliteCopyTarget(CopyTarget):
    """A store file that is written as a copy.

    ``rewrite_events`` runs an action in a transaction; with True the old contents are removed from the file.
    """

    def __init__(self, store: EventReader, rewrite_events: Callable[[RewriteAction, bool], None]) -> None:
        super().__init__(store)
        self._change = rewrite_events

    def replace_secret(self, secret: bytes) -> None:
        """See `CopyTarget.replace_secret`. The trigger that protects the secret is dropped for that one
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
                raise self._build_changed_error()
            _make_streams(connection, events)
            _insert(connection, events)
            _erase(connection, [*erased, *(one for one in events if one.sealed_event.salt is None)])

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
    """Replace contents by placeholders, and keep the commitments that the leaf hashes contain."""
    for (event, _, committed, _), _, digest, erased_at in events:
        connection.execute(_ERASURE, (event.position, committed, erased_at))
        connection.execute(_STAND_IN, (event.body, digest, event.position))
