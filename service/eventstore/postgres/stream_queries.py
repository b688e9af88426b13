"""Queries for the streams on PostgreSQL, in order of creation, and for those that branch off others."""

from __future__ import annotations

from typing import Final

from service.eventstore.events import BRANCH_FIELD, StreamInfo
from service.eventstore.postgres.connections import Connection

_OF_ROOT: Final = """
    SELECT s.stream, s.stream_key, s.root_key, s.kind, l.position
    FROM streams AS s
    CROSS JOIN LATERAL (
        SELECT position FROM log WHERE stream_key = s.stream_key AND version = 1 OFFSET 0
    ) AS l
    WHERE s.root_key = (SELECT root_key FROM roots WHERE root = %(root)s)"""
_OF_ALL: Final = """
    SELECT s.stream, s.stream_key, s.root_key, s.kind, l.position
    FROM log AS l
    CROSS JOIN LATERAL (SELECT * FROM streams WHERE stream_key = l.stream_key OFFSET 0) AS s
    WHERE l.version = 1"""
_KIND: Final = "s.kind = %(kind)s"
_BEHIND: Final = """
    l.position {} (
        SELECT a.position FROM streams AS b
        CROSS JOIN LATERAL (
            SELECT position FROM log WHERE stream_key = b.stream_key AND version = 1 OFFSET 0
        ) AS a
        WHERE b.stream = %(after)s)"""
_LISTED: Final = """
    SELECT k.stream, (SELECT root FROM roots WHERE root_key = k.root_key), k.kind,
        (SELECT max(version) FROM log WHERE stream_key = k.stream_key)
    FROM ({wanted} ORDER BY l.position {order} LIMIT %(limit)s) AS k ORDER BY k.position {order}"""

# Exactly as in the index that finds them (`service.eventstore.postgres.tables`).
_BRANCHES: Final = f"""
    SELECT l.position, (SELECT stream FROM streams WHERE stream_key = e.stream_key)
    FROM (
        SELECT stream_key FROM events
        WHERE version = 1 AND position('\\x{BRANCH_FIELD.hex()}'::bytea IN body) > 0 OFFSET 0
    ) AS e
    CROSS JOIN LATERAL (
        SELECT position FROM log WHERE stream_key = e.stream_key AND version = 1 OFFSET 0
    ) AS l
    WHERE l.position > %s ORDER BY l.position LIMIT %s"""


def select_streams(
    connection: Connection,
    root: str | None,
    kind: str | None,
    after: str | None,
    limit: int,
    newest_first: bool,
) -> list[StreamInfo]:
    """See `EventReader.list_streams`: the order is that of their first events in the log."""
    values = {"root": root, "kind": kind, "after": after}
    if any(value is not None and "\0" in value for value in values.values()):
        return []
    order, comparison = ("DESC", "<") if newest_first else ("ASC", ">")
    conditions = [_OF_ALL if root is None else _OF_ROOT]
    if kind is not None:
        conditions.append(_KIND)
    if after is not None:
        conditions.append(_BEHIND.format(comparison))
    query = _LISTED.format(wanted=" AND ".join(conditions), order=order)
    return [StreamInfo._make(row) for row in connection.execute(query.encode(), {**values, "limit": limit})]


def select_branches(connection: Connection, after: int, limit: int) -> list[tuple[int, str]]:
    """See `EventReader.list_branches`."""
    rows = connection.execute(_BRANCHES.encode(), (after, limit))
    return [(position, stream) for position, stream in rows]
