"""The tables on PostgreSQL looked at without trust, page by page while others write.

Pages are cut by position and are transactions of their own: no snapshot is held from the first event to the
last, which would keep the server from clearing up, and which a standby would cut off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from service.eventstore.inspection import RawEvent
from service.eventstore.merkle.leaves import compute_commitment, compute_event_leaf
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.postgres.connections import Connection, PostgresPool
from service.eventstore.postgres.projection_tables import PROJECTION_TABLES
from service.eventstore.postgres.safeguards import find_safeguard_differences
from service.eventstore.postgres.tables import STORE_TABLES
from service.eventstore.postgres.tiles import select_head
from service.eventstore.prefetch import prefetch_pages

_PAGE: Final = 1024
_MOST: Final = (1 << 63) - 1
_MESSAGES: Final = 20
_MAX_CACHED_NAMES: Final = 20_000

_ERASED: Final = "CASE WHEN e.salt IS NULL THEN"
_ERASURE: Final = "FROM erasures AS x WHERE x.stream_key = e.stream_key AND x.version = e.version"
_OF_EVENT: Final = f"""
    e.stream_key, e.version, e.event_id, e.stored_at, e.body, e.salt, e.leaf,
    {_ERASED} (SELECT x.commitment {_ERASURE}) END, {_ERASED} e.digest END,
    {_ERASED} (SELECT x.erased_at {_ERASURE}) END"""
_DIFFERING: Final = "CASE WHEN l.leaf <> e.leaf THEN l.leaf END"

# An event that the log names and that is not there is a position without one: the walk sees the gap.
_PAGES: Final = f"""
    SELECT l.position, {_DIFFERING}, {_OF_EVENT}
    FROM (SELECT * FROM log WHERE position > %s AND position <= %s ORDER BY position LIMIT %s) AS l
    CROSS JOIN LATERAL (
        SELECT * FROM events
        WHERE root_key = l.root_key AND stream_key = l.stream_key AND version = l.version OFFSET 0
    ) AS e
    ORDER BY l.position""".encode()
_SELECT_PAGE_END: Final = """
    SELECT position FROM log WHERE position > %s AND position <= %s ORDER BY position LIMIT 1 OFFSET %s"""
_OF_STREAM: Final = f"""
    SELECT l.position, {_DIFFERING}, {_OF_EVENT}
    FROM streams AS s JOIN events AS e USING (root_key, stream_key)
    JOIN log AS l ON l.stream_key = e.stream_key AND l.version = e.version
    WHERE s.stream = %s ORDER BY e.version""".encode()
# As its leaf has it, an event is of the root that its stream is of.
_NAMES: Final = """
    SELECT s.stream_key, r.root, s.stream, s.kind FROM streams AS s LEFT JOIN roots AS r USING (root_key)
    WHERE s.stream_key = ANY(%s)"""

# What was seen when the last positions were given has one, and so has all of an older numbering.
_DUE: Final = """
    (e.era < last.era OR e.era = last.era AND coalesce(pg_visible_in_snapshot(e.tx, last.seen), false))"""
_LAST: Final = "WITH last AS (SELECT era, seen FROM log ORDER BY position DESC LIMIT 1)"
_COUNT_UNPOSITIONED: Final = f"""{_LAST}
    SELECT (SELECT count(*) FROM events AS e, last WHERE {_DUE}) - (SELECT count(*) FROM log, last
        WHERE log.era < last.era OR last.seen IS NOT NULL)"""
_SELECT_UNPOSITIONED: Final = f"""{_LAST}
    SELECT 0, NULL, {_OF_EVENT} FROM events AS e, last
    WHERE {_DUE} AND NOT EXISTS (
        SELECT FROM log AS l WHERE l.stream_key = e.stream_key AND l.version = e.version)
    LIMIT {_MESSAGES}""".encode()
_SELECT_LOG_LEAVES: Final = "SELECT position, leaf FROM log WHERE position > %s AND position <= %s"
_TILES_AT_ONCE: Final = 8

StreamNames = tuple[str, str, str]
"""A stream's root, its own name and its kind."""


class PostgresInspection:
    """Looks at the tables of a store; see `Inspection`.

    A server's own checks of its files are not asked for here: they are its owner's, and need his rights.
    """

    recorded_head = 0
    reports_leaf_mismatch = True

    def __init__(self, connections: PostgresPool) -> None:
        self._connections = connections
        self._names: dict[int, StreamNames] = {}

    def find_integrity_errors(self) -> list[str]:
        """Nothing: what a server finds amiss with a page it says when that is read."""
        return []

    def last_assigned_position(self) -> int:
        """0: positions are counted by the log itself."""
        return 0

    def find_schema_differences(self) -> list[str]:
        """See `Inspection.find_schema_differences`: keys, triggers and functions."""
        return self._connections.run_read(find_safeguard_differences)

    def last_position(self) -> int:
        """See `Inspection.last_position`."""
        return self._connections.run_read(select_head)

    def read_raw_events(self, after: int = 0, up_to: int | None = None) -> Iterator[RawEvent]:
        """See `Inspection.read_raw_events`. Reads without an end are prefetched; a reader of one part is one
        of several that work at the same time."""
        pages = self._read_pages(after, up_to)
        for page in prefetch_pages(pages) if up_to is None else pages:
            yield from page

    def _read_pages(self, after: int, up_to: int | None) -> Iterator[list[RawEvent]]:
        last = _MOST if up_to is None else up_to
        position: int | None = after
        while position is not None and position < last:
            page, position = self._read_page(position, last)
            yield page

    def _read_page(self, after: int, last: int) -> tuple[list[RawEvent], int | None]:
        """The events of a page, and the position where it ends; None for that behind the last one."""

        def query_page(connection: Connection) -> tuple[list[RawEvent], int | None]:
            rows = connection.execute(_PAGES, (after, last, _PAGE), binary=True, prepare=True).fetchall()
            if len(rows) == _PAGE:
                return self._parse_raw_events(connection, rows), rows[-1][0]
            # Fewer may be for the log's end, or for events that are gone.
            row = connection.execute(_SELECT_PAGE_END, (after, last, _PAGE - 1)).fetchone()
            return self._parse_raw_events(connection, rows), row[0] if row else None

        return self._connections.run_read(query_page)

    def read_raw_event(self, position: int) -> RawEvent | None:
        """See `Inspection.read_raw_event`."""
        found = self._query_raw_events(_PAGES, (position - 1, position, 1))
        return found[0] if found else None

    def read_raw_stream(self, stream: str) -> list[RawEvent]:
        """See `Inspection.read_raw_stream`."""
        return [] if "\0" in stream else self._query_raw_events(_OF_STREAM, (stream,))

    def find_unpositioned_events(self) -> list[RawEvent]:
        """See `Inspection.find_unpositioned_events`. They are only looked for where there are more events
        than positions."""
        row = self._connections.run_read(
            lambda connection: connection.execute(_COUNT_UNPOSITIONED.encode()).fetchone()
        )
        return self._query_raw_events(_SELECT_UNPOSITIONED, ()) if row and row[0] else []

    def read_leaf_tiles(self) -> Iterator[tuple[int, list[bytes]]]:
        """See `Inspection.read_leaf_tiles`: the log has a leaf hash for each position, or lacks it."""
        full_tiles = self._connections.run_read(select_head) // TILE_WIDTH
        for first in range(0, full_tiles, _TILES_AT_ONCE):
            stop = min(first + _TILES_AT_ONCE, full_tiles)
            leaves = self._read_log_leaves(first * TILE_WIDTH, stop * TILE_WIDTH)
            for number in range(first, stop):
                positions = range(number * TILE_WIDTH + 1, (number + 1) * TILE_WIDTH + 1)
                yield number, [leaves.get(position, b"") for position in positions]

    def _read_log_leaves(self, after: int, up_to: int) -> dict[int, bytes]:
        def query_leaves(connection: Connection) -> dict[int, bytes]:
            return dict(connection.execute(_SELECT_LOG_LEAVES, (after, up_to), binary=True).fetchall())

        return self._connections.run_read(query_leaves)

    def read_subtree_hashes(self) -> dict[tuple[int, int], bytes]:
        """See `Inspection.read_subtree_hashes`."""
        rows = self._connections.run_read(
            lambda connection: connection.execute(
                "SELECT level, number, hash FROM subtrees", binary=True
            ).fetchall()
        )
        return {(level, number): value for level, number, value in rows}

    def _query_raw_events(self, query: bytes, values: Sequence[object]) -> list[RawEvent]:
        return self._connections.run_read(
            lambda connection: self._parse_raw_events(
                connection, connection.execute(query, values, binary=True).fetchall()
            )
        )

    def _parse_raw_events(self, connection: Connection, rows: Sequence[Sequence[Any]]) -> list[RawEvent]:
        """The rows as events. Names are looked up once for all events of a stream."""
        if len(self._names) > _MAX_CACHED_NAMES:
            self._names.clear()
        names = self._names
        unknown = list({row[2] for row in rows if row[2] not in names})
        if unknown:
            for key, *stream_names in connection.execute(_NAMES, (unknown,)):
                root, stream, kind = (one or "" for one in stream_names)
                names[key] = (root, stream, kind)
        events = []
        for (
            position,
            logged_leaf,
            key,
            version,
            event_id,
            stored_at,
            body,
            salt,
            leaf,
            commitment,
            placeholder,
            erased_at,
        ) in rows:
            root, stream, kind = names.get(key, _NO_STREAM)
            event = RawEvent._make(
                (
                    position, root, stream, version, event_id, stored_at,
                    body, salt, leaf, commitment, kind, placeholder, erased_at or "",
                )
            )  # fmt: skip
            events.append(event if logged_leaf is None else _with_mismatched_leaf(event, logged_leaf))
        return events


_NO_STREAM: Final[StreamNames] = ("", "", "")
_INSPECTED_TABLES: Final = [*(table for table in STORE_TABLES if table != "secrets"), *PROJECTION_TABLES]
_SELECT_UNREADABLE_TABLES: Final = """
    SELECT relname FROM pg_class
    WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relname = ANY(%s)
        AND NOT has_table_privilege(oid, 'SELECT') ORDER BY relname"""


def list_unreadable_tables(connection: Connection) -> list[str]:
    """The tables of a store that this user may not read, by name."""
    return [str(name) for (name,) in connection.execute(_SELECT_UNREADABLE_TABLES, (_INSPECTED_TABLES,))]


def _with_mismatched_leaf(event: RawEvent, logged_leaf: bytes) -> RawEvent:
    """The event with that of its two leaf hashes which it does not come to."""
    commitment = (
        compute_commitment(event.salt, event.body) if event.salt is not None else event.commitment or b""
    )
    computed_leaf = compute_event_leaf(
        event.root, event.stream, event.version, event.event_id, event.stored_at, commitment
    )
    return event if computed_leaf == logged_leaf else event._replace(leaf_hash=logged_leaf)
