"""Queries on the tables on PostgreSQL: streams and their keys, events with their proofs."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from service.eventstore.append_plan import EventWithDigest, parse_stored_events
from service.eventstore.events import StreamInfo
from service.eventstore.merkle_tables import MerkleTables
from service.eventstore.postgres.connections import Connection, PostgresAddress
from service.eventstore.sql_dialect import POSTGRES_DIALECT
from service.eventstore.verified_rows import EventRow, raise_event_damaged

_ERASED: Final = "CASE WHEN e.salt IS NULL THEN"
_KEPT: Final = f"""
    {_ERASED} (
        SELECT x.commitment FROM erasures AS x WHERE x.stream_key = e.stream_key AND x.version = e.version
    ) END,
    {_ERASED} e.digest END"""
EVENT_COLUMNS: Final = f"""
    l.position, r.root, s.stream, e.version, e.event_id, e.stored_at, e.body, e.leaf, e.salt, {_KEPT}"""
"""The columns of an event, from ``events AS e``, ``log AS l``, ``streams AS s`` and ``roots AS r``."""

STREAM_CACHE_SIZE: Final = 4096
"""Streams whose keys are cached."""

_KEYS: Final = """
    SELECT s.stream, r.root, s.kind, s.root_key, s.stream_key
    FROM streams AS s JOIN roots AS r USING (root_key) WHERE s.stream = %s"""

_DESCRIBED: Final = """
    SELECT s.stream, r.root, s.kind, (SELECT max(l.version) FROM log AS l WHERE l.stream_key = s.stream_key)
    FROM streams AS s JOIN roots AS r USING (root_key) WHERE s.stream = %s"""

# Read a stream's positions in one go, and the events with them. The root is a literal number, so that only
# one partition is read; that the keys belong to this stream is checked once. If the log lacks one of the
# versions, the others would get wrong positions: then none is returned.
_READ: Final = f"""
    SELECT p.places[(e.version - %(after)s::bigint)::integer],
        e.version, e.event_id, e.stored_at, e.body, e.leaf, e.salt, {_KEPT}
    FROM (
        SELECT CASE
            WHEN cardinality(l.places) = least(%(last)s, l.newest) - %(after)s::bigint THEN l.places
        END AS places, l.newest, (SELECT stream FROM streams WHERE stream_key = %(stream_key)s) AS stream
        FROM (
            SELECT ARRAY(
                SELECT position FROM log
                WHERE stream_key = %(stream_key)s AND version > %(after)s AND version <= %(last)s
                ORDER BY version
            ) AS places, (SELECT max(version) FROM log WHERE stream_key = %(stream_key)s) AS newest OFFSET 0
        ) AS l OFFSET 0
    ) AS p
    JOIN events AS e ON e.root_key = %(root_key)s AND e.stream_key = %(stream_key)s
        AND e.version > %(after)s AND e.version <= %(last)s AND e.version <= p.newest
    WHERE p.stream = %(stream)s
    ORDER BY e.version""".encode()

# Few rows: look up the matching row of each. A plan made for a small table would read a large one completely.
_FIND: Final = f"""
    SELECT {EVENT_COLUMNS.replace("l.position", "coalesce(l.position, 0)")}, e.digest
    FROM events AS e
    CROSS JOIN LATERAL (SELECT stream FROM streams WHERE stream_key = e.stream_key OFFSET 0) AS s
    CROSS JOIN LATERAL (SELECT root FROM roots WHERE root_key = e.root_key OFFSET 0) AS r
    LEFT JOIN LATERAL (
        SELECT position FROM log WHERE stream_key = e.stream_key AND version = e.version OFFSET 0
    ) AS l ON true
    WHERE e.root_key = (SELECT root_key FROM roots WHERE root = %s) AND e.event_id = ANY(%s)""".encode()

# An event that the log names but that does not exist must show as damage, not be skipped.
_JOIN_LOG_TO_EVENTS: Final = """
    CROSS JOIN LATERAL (SELECT stream, kind FROM streams WHERE stream_key = l.stream_key OFFSET 0) AS s
    CROSS JOIN LATERAL (SELECT root FROM roots WHERE root_key = l.root_key OFFSET 0) AS r
    LEFT JOIN LATERAL (
        SELECT * FROM events
        WHERE root_key = l.root_key AND stream_key = l.stream_key AND version = l.version OFFSET 0
    ) AS e ON true
    ORDER BY l.position"""
"""Joins rows ``l`` of the log to their streams, roots and events, in the order of the log."""
_LOG_PAGE: Final = "(SELECT * FROM log WHERE position > %s ORDER BY position LIMIT %s)"
_FULL: Final = f"""
    SELECT {EVENT_COLUMNS}, e.digest, s.kind,
        (SELECT x.erased_at FROM erasures AS x WHERE x.stream_key = e.stream_key AND x.version = e.version)
    FROM {{}} AS l {_JOIN_LOG_TO_EVENTS}"""
FOLLOW_FULL_QUERY: Final = _FULL.format(_LOG_PAGE).encode()
FULL_AT_QUERY: Final = _FULL.format("(SELECT * FROM log WHERE position = ANY(%s))").encode()
FOLLOW_QUERY: Final = f"SELECT {EVENT_COLUMNS} FROM {_LOG_PAGE} AS l {_JOIN_LOG_TO_EVENTS}".encode()
"""Selects a limited number of rows of events after a position, in order; and with what a copy needs."""


class StreamKeys(NamedTuple):
    """A stream with its root and kind, and their keys in the tables."""

    stream: str
    root: str
    kind: str
    root_key: int
    stream_key: int


class StreamKeyCache:
    """The keys of committed streams, looked up once.

    After a failover that lost events, keys can belong to another stream: every statement that uses them also
    checks the stream's name.
    """

    def __init__(self) -> None:
        self._known: dict[str, StreamKeys] = {}

    def get(self, connection: Connection, stream: str) -> StreamKeys | None:
        """The keys of a stream, None if it does not exist."""
        keys = self._known.get(stream)
        if keys is None and "\0" not in stream:  # PostgreSQL cannot store a text with a zero byte
            row = connection.execute(_KEYS, (stream,)).fetchone()
            if row is not None:
                if len(self._known) > STREAM_CACHE_SIZE:
                    self._known.clear()
                keys = self._known[stream] = StreamKeys._make(row)
        return keys

    def discard(self, streams: Iterable[str]) -> None:
        """Remove these from the cache."""
        for stream in streams:
            self._known.pop(stream, None)


def open_merkle_tables(connection: Connection) -> MerkleTables:
    """The tables of the Merkle log, over that connection."""
    return MerkleTables(POSTGRES_DIALECT, connection)


def select_head(connection: Connection) -> int:
    """The position of the newest event, 0 if there is none."""
    return open_merkle_tables(connection).head()


def select_stream_info(connection: Connection, stream: str) -> StreamInfo | None:
    """A stream as far as its events have positions, None if there is none."""
    if "\0" in stream:
        return None
    row = connection.execute(_DESCRIBED, (stream,)).fetchone()
    return None if row is None or row[3] is None else StreamInfo._make(row)


def select_stream_rows(
    connection: Connection, address: PostgresAddress, keys: StreamKeys, after: int, limit: int
) -> list[EventRow]:
    """The rows of a stream's events with a version above ``after``, as far as they have positions.

    Raises `StoreDamaged` if the log lacks one.
    """
    after = max(0, after)
    parameters = {**keys._asdict(), "after": after, "last": after + limit}
    rows = connection.execute(_READ, parameters, binary=True).fetchall()
    if rows and rows[0][0] is None:
        raise_event_damaged(address, keys.stream, "(its position)")
    return [(row[0], keys.root, keys.stream, *row[1:]) for row in rows]


def find_stored_events(
    connection: Connection, address: PostgresAddress, root: str, event_ids: Collection[str]
) -> dict[str, EventWithDigest]:
    """The stored events of a root with these ids; the position is 0 for an event that has none yet.

    Raises `StoreDamaged`.
    """
    storable_ids = [one for one in event_ids if "\0" not in one]
    if "\0" in root or not storable_ids:
        return {}
    rows = connection.execute(_FIND, (root, storable_ids), binary=True).fetchall()
    return parse_stored_events(rows, address)
