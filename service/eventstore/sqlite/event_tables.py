"""The tables as the writer uses them: known streams and ids, and the rows to add."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from service.eventstore.append_plan import (
    AppendPlan,
    EventWithDigest,
    PreparedEvent,
    parse_stored_events,
    plan_erasure,
)
from service.eventstore.events import (
    BRANCH_FIELD,
    AppendResult,
    StoredEvent,
    StreamAppend,
    StreamInfo,
)
from service.eventstore.group_commit import MAX_GROUP_SIZE
from service.eventstore.sqlite.connections import sqlite3
from service.eventstore.sqlite.merkle_tables import SqliteMerkleTables
from service.eventstore.verified_rows import placeholder_row_digest

STREAM_CACHE_SIZE: Final = 4096
"""Streams whose keys and versions are cached, so that most appends need not look them up."""

_ERASED: Final = "CASE WHEN e.salt IS NULL THEN"
EVENT_COLUMNS: Final = f"""
    e.position, r.root, s.stream, e.version, e.event_id, e.stored_at, e.body, e.leaf, e.salt,
    {_ERASED} (SELECT commitment FROM erasures WHERE erasures.position = e.position) END,
    {_ERASED} e.digest END"""
"""The columns of an event, from the tables ``events AS e``, ``streams AS s`` and ``roots AS r``."""

IS_BRANCH_CONDITION: Final = f"version = 1 AND instr(e.body, X'{BRANCH_FIELD.hex()}') > 0"
"""The condition on ``events AS e`` for first events that branch off another record."""

_STREAM: Final = """
    SELECT s.stream_key, s.root_key, s.stream, r.root, s.kind,
           coalesce((SELECT max(version) FROM events WHERE stream_key = s.stream_key), 0)
    FROM streams AS s JOIN roots AS r USING (root_key) WHERE s.stream = ?"""

_SELECT_STORED_EVENTS: Final = f"""
    SELECT {EVENT_COLUMNS}, e.digest
    FROM json_each(?) AS wanted CROSS JOIN roots AS r
    CROSS JOIN events AS e USING (root_key) CROSS JOIN streams AS s USING (stream_key)
    WHERE r.root = ? AND e.event_id = wanted.value"""

_NEW_EVENTS: Final = """
    INSERT INTO events (stream_key, root_key, version, event_id, digest, stored_at, body, salt, leaf)
    VALUES """
_NEW_EVENT_VALUES: Final = "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
_MAX_ROWS_PER_STATEMENT: Final = MAX_GROUP_SIZE
"""So a whole group of single events is one statement, which is stored whole or not at all."""

InsertRow: TypeAlias = tuple[int, int, int, str, bytes, str, bytes, bytes, bytes]


class _Keys(NamedTuple):
    """The integer keys of a stream and its root."""

    stream: int
    root: int


class EventTables:
    """What the writing connection knows and adds in the open transaction.

    It caches streams, so call `clear_cache` when something is undone.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._path = path
        self._connection = connection
        self._execute = connection.execute
        self._streams: dict[str, StreamInfo] = {}
        self._keys: dict[str, _Keys] = {}
        self.merkle_tables = SqliteMerkleTables(connection)
        self.head = 0
        """The position of the last written event, 0 if unknown."""

    @property
    def cached_streams(self) -> Mapping[str, StreamInfo]:
        """The cached streams, each at its version in this transaction."""
        return self._streams

    def load_streams(self, appends: Sequence[StreamAppend]) -> Mapping[str, StreamInfo]:
        """Load the streams of these appends, as far as they exist; returns all cached streams."""
        for append in appends:
            if append.stream not in self._streams:
                row = self._execute(_STREAM, (append.stream,)).fetchone()
                if row is not None:
                    self._keys[append.stream] = _Keys(row[0], row[1])
                    self._streams[append.stream] = StreamInfo._make(row[2:])
        return self._streams

    def clear_cache(self) -> None:
        """Clear the cache, because something was undone."""
        self.head = 0
        self._clear_streams()

    def _clear_streams(self) -> None:
        self._streams.clear()
        self._keys.clear()

    def trim_cache(self) -> None:
        """Limit the size of the cache."""
        if len(self._streams) > STREAM_CACHE_SIZE:
            self._clear_streams()

    def find_stored_events(self, root: str, ids: Sequence[str]) -> dict[str, EventWithDigest]:
        """The stored events of the root with these ids."""
        return select_stored_events(self._connection, self._path, root, ids)

    def build_insert_rows(self, root: str, plan: AppendPlan) -> list[InsertRow]:
        """The rows of a plan. Creates its stream if it is new, and sets the stream's new version."""
        append, version, _, entries = plan
        if not entries:
            return []
        if append.stream not in self._streams:
            self._make_stream(root, append)
        keys = self._keys[append.stream]
        self._advance(self._streams[append.stream], version + len(entries))
        return [keys + entry for entry in entries]

    def insert_rows(self, rows: Sequence[InsertRow]) -> int:
        """Insert the events; returns the position of the first. The others follow without a gap."""
        for start in range(0, len(rows), _MAX_ROWS_PER_STATEMENT):
            part = rows[start : start + _MAX_ROWS_PER_STATEMENT]
            values = part[0] if len(part) == 1 else list(chain.from_iterable(part))
            self.head = self._execute(_insert_statement(len(part)), values).lastrowid or 0
        return self.head - len(rows) + 1

    def insert_single_events(
        self, infos: Sequence[StreamInfo], entries: Sequence[PreparedEvent]
    ) -> list[AppendResult]:
        """Insert an event into each of these cached streams."""
        rows = [self._keys[info.stream] + entry for info, entry in zip(infos, entries, strict=True)]
        first = self.insert_rows(rows)
        results = []
        for position, (info, entry) in enumerate(zip(infos, entries, strict=True), first):
            seq, event_id, _, stored_at, body, _, _ = entry
            self._advance(info, seq)
            event = StoredEvent(position, info.root, info.stream, seq, event_id, stored_at, body)
            results.append(AppendResult(info.stream, seq, (event,), 0))
        return results

    def replace_contents(
        self, root: str, replacements: Mapping[str, bytes], erased_at: str
    ) -> list[StoredEvent]:
        """Replace the bodies of events by id; keep their commitments.

        Returns the changed events. Raises `UnknownEvent` and `StoreDamaged`.
        """
        erased = []
        for event, _, commitment, salt in plan_erasure(
            root, replacements, self.find_stored_events(root, list(replacements))
        ):
            if salt is not None:
                self._execute(
                    "INSERT INTO erasures VALUES (?, ?, ?)", (event.position, commitment, erased_at)
                )
            # The old digest is a hash without salt: guessing could recover what was erased. The new one is of
            # the replacement, which no leaf covers.
            self._execute(
                "UPDATE events SET body = ?, salt = NULL, digest = ? WHERE position = ?",
                (event.body, placeholder_row_digest(event.body), event.position),
            )
            erased.append(event)
        return erased

    def _advance(self, info: StreamInfo, version: int) -> None:
        self._streams[info.stream] = StreamInfo(info.stream, info.root, info.kind, version)

    def _make_stream(self, root: str, append: StreamAppend) -> None:
        """Create the stream, and its root if that is new too."""
        row = self._execute("SELECT root_key FROM roots WHERE root = ?", (root,)).fetchone()
        if row is None:
            root_key = self._execute("INSERT INTO roots (root) VALUES (?)", (root,)).lastrowid or 0
        else:
            root_key = int(row[0])
        stream, kind = append.stream, append.kind or ""
        cursor = self._execute(
            "INSERT INTO streams (stream, root_key, kind) VALUES (?, ?, ?)", (stream, root_key, kind)
        )
        self._keys[stream] = _Keys(cursor.lastrowid or 0, root_key)
        self._streams[stream] = StreamInfo(stream, root, kind, 0)


@cache
def _insert_statement(row_count: int) -> str:
    return _NEW_EVENTS + ", ".join([_NEW_EVENT_VALUES] * row_count)


def select_stored_events(
    connection: sqlite3.Connection, path: Path, root: str, ids: Collection[str]
) -> dict[str, EventWithDigest]:
    """The stored events of the root with these ids. Raises `StoreDamaged`."""
    rows = connection.execute(_SELECT_STORED_EVENTS, (json.dumps(list(ids)), root))
    return parse_stored_events(rows.fetchall(), path)
