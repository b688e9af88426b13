"""Reads the tables on PostgreSQL without trusting them, page by page, each in its own transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from service.eventstore.inspection import Inspection, RawEvent
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.postgres.connections import Connection, PostgresPool
from service.eventstore.postgres.event_queries import select_head
from service.eventstore.postgres.projection_tables import PROJECTION_TABLES
from service.eventstore.postgres.safeguards import find_safeguard_differences
from service.eventstore.postgres.tables import STORE_TABLES

_PAGE: Final = 1024
_MOST: Final = (1 << 63) - 1
_MESSAGES: Final = 20

_ERASED: Final = "CASE WHEN e.salt IS NULL THEN"
_ERASURE: Final = "FROM erasures AS x WHERE x.stream_key = e.stream_key AND x.version = e.version"
# In the order of `RawEvent`. As in its leaf, the event's root is the root of its stream.
_RAW_EVENT: Final = f"""
    coalesce(r.root, ''), coalesce(s.stream, ''), e.version, e.event_id, e.stored_at, e.body, e.salt, e.leaf,
    {_ERASED} (SELECT x.commitment {_ERASURE}) END, coalesce(s.kind, ''), {_ERASED} e.digest END,
    coalesce({_ERASED} (SELECT x.erased_at {_ERASURE}) END, '')"""
_NAMES: Final = """
    LEFT JOIN LATERAL (SELECT * FROM streams WHERE stream_key = e.stream_key OFFSET 0) AS s ON true
    LEFT JOIN LATERAL (SELECT root FROM roots WHERE root_key = s.root_key OFFSET 0) AS r ON true"""
_DIFFERING: Final = "CASE WHEN l.leaf <> e.leaf THEN l.leaf END"

# If the log names an event that does not exist, its position has none: the reader sees the gap.
_PAGES: Final = f"""
    SELECT l.position, {_RAW_EVENT}, {_DIFFERING}
    FROM (SELECT * FROM log WHERE position > %s AND position <= %s ORDER BY position LIMIT %s) AS l
    CROSS JOIN LATERAL (
        SELECT * FROM events
        WHERE root_key = l.root_key AND stream_key = l.stream_key AND version = l.version OFFSET 0
    ) AS e {_NAMES}
    ORDER BY l.position""".encode()
_SELECT_PAGE_END: Final = """
    SELECT position FROM log WHERE position > %s AND position <= %s ORDER BY position LIMIT 1 OFFSET %s"""
_OF_STREAM: Final = f"""
    SELECT l.position, {_RAW_EVENT}, {_DIFFERING}
    FROM (SELECT * FROM streams WHERE stream = %s) AS wanted
    JOIN events AS e USING (root_key, stream_key)
    JOIN log AS l ON l.stream_key = e.stream_key AND l.version = e.version {_NAMES}
    ORDER BY e.version""".encode()

# Events visible when the last positions were assigned have one, and so do all events of older eras.
_DUE: Final = """
    (e.era < last.era OR e.era = last.era AND coalesce(pg_visible_in_snapshot(e.tx, last.seen), false))"""
_LAST: Final = "WITH last AS (SELECT era, seen FROM log ORDER BY position DESC LIMIT 1)"
_COUNT_UNPOSITIONED: Final = f"""{_LAST}
    SELECT (SELECT count(*) FROM events AS e, last WHERE {_DUE}) - (SELECT count(*) FROM log, last
        WHERE log.era < last.era OR last.seen IS NOT NULL)"""
_SELECT_UNPOSITIONED: Final = f"""{_LAST}
    SELECT 0, {_RAW_EVENT}, NULL::bytea FROM last, events AS e {_NAMES}
    WHERE {_DUE} AND NOT EXISTS (
        SELECT FROM log AS l WHERE l.stream_key = e.stream_key AND l.version = e.version)
    LIMIT {_MESSAGES}""".encode()
_SELECT_LOG_LEAVES: Final = "SELECT position, leaf FROM log WHERE position > %s AND position <= %s"
_TILES_AT_ONCE: Final = 8


class PostgresInspection(Inspection):
    """Inspects the tables of a store; see `Inspection`.

    This does not run the server's own checks of its files: they belong to the server's owner and need the
    owner's rights.
    """

    reports_leaf_mismatch = True

    def __init__(self, connections: PostgresPool) -> None:
        self._connections = connections

    def find_schema_differences(self) -> list[str]:
        """See `Inspection.find_schema_differences`: keys, triggers and functions."""
        return self._connections.run_read(find_safeguard_differences)

    def last_position(self) -> int:
        """See `Inspection.last_position`."""
        return self._connections.run_read(select_head)

    def read_raw_events(self, after: int = 0, up_to: int | None = None) -> Iterator[RawEvent]:
        """See `Inspection.read_raw_events`."""
        last = _MOST if up_to is None else up_to
        position: int | None = after
        while position is not None and position < last:
            page, position = self._read_page(position, last)
            yield from page

    def _read_page(self, after: int, last: int) -> tuple[list[RawEvent], int | None]:
        """The events of a page, and the position where it ends; None for the page after the last."""

        def query_page(connection: Connection) -> tuple[list[RawEvent], int | None]:
            rows = connection.execute(_PAGES, (after, last, _PAGE), binary=True, prepare=True).fetchall()
            if len(rows) == _PAGE:
                return _parse_raw_events(rows), rows[-1][0]
            # Fewer rows can mean the end of the log, or missing events.
            row = connection.execute(_SELECT_PAGE_END, (after, last, _PAGE - 1)).fetchone()
            return _parse_raw_events(rows), row[0] if row else None

        return self._connections.run_read(query_page)

    def read_raw_stream(self, stream: str) -> list[RawEvent]:
        """See `Inspection.read_raw_stream`."""
        return [] if "\0" in stream else _parse_raw_events(self._connections.fetch_all(_OF_STREAM, (stream,)))

    def find_unpositioned_events(self) -> list[RawEvent]:
        """See `Inspection.find_unpositioned_events`. They are searched for only if there are more events than
        positions."""
        if self._connections.fetch_all(_COUNT_UNPOSITIONED.encode()) in ([], [(0,)]):
            return []
        return _parse_raw_events(self._connections.fetch_all(_SELECT_UNPOSITIONED))

    def read_leaf_tiles(self) -> Iterator[tuple[int, list[bytes]]]:
        """See `Inspection.read_leaf_tiles`: the leaf hashes in the log."""
        full_tiles = self._connections.run_read(select_head) // TILE_WIDTH
        for first in range(0, full_tiles, _TILES_AT_ONCE):
            stop = min(first + _TILES_AT_ONCE, full_tiles)
            rows = self._connections.fetch_all(_SELECT_LOG_LEAVES, (first * TILE_WIDTH, stop * TILE_WIDTH))
            leaves: dict[int, bytes] = dict(rows)
            for number in range(first, stop):
                positions = range(number * TILE_WIDTH + 1, (number + 1) * TILE_WIDTH + 1)
                yield number, [leaves.get(position, b"") for position in positions]

    def read_subtree_hashes(self) -> dict[tuple[int, int], bytes]:
        """See `Inspection.read_subtree_hashes`."""
        rows = self._connections.fetch_all("SELECT level, number, hash FROM subtrees")
        return {(level, number): value for level, number, value in rows}


_INSPECTED_TABLES: Final = [*(table for table in STORE_TABLES if table != "secrets"), *PROJECTION_TABLES]
_SELECT_UNREADABLE_TABLES: Final = """
    SELECT relname FROM pg_class
    WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relname = ANY(%s)
        AND NOT has_table_privilege(oid, 'SELECT') ORDER BY relname"""


def list_unreadable_tables(connection: Connection) -> list[str]:
    """The tables of a store that this user may not read, by name."""
    return [str(name) for (name,) in connection.execute(_SELECT_UNREADABLE_TABLES, (_INSPECTED_TABLES,))]


def _parse_raw_events(rows: Sequence[Sequence[Any]]) -> list[RawEvent]:
    return [_parse_raw_event(RawEvent._make(row), logged_leaf) for *row, logged_leaf in rows]


def _parse_raw_event(event: RawEvent, logged_leaf: bytes | None) -> RawEvent:
    """The event with whichever of its two leaf hashes is wrong; ``logged_leaf`` is None if both are equal."""
    if logged_leaf is None or event.compute_leaf_hash() == logged_leaf:
        return event
    return event._replace(leaf_hash=logged_leaf)
