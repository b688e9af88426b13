"""The statements that write events on PostgreSQL, and their assumptions.

The order of the log depends on this: a transaction receives its number after it has seen the ends of its
streams (`service.eventstore.postgres.sequencer`). A single statement ensures it by its snapshot, several
statements by locking the streams first.

An append waits once for the disk, and many share that wait. Appends that are written together get their
positions in the same transaction. Otherwise the transaction does not wait: nobody sees or is notified of its
events before they have positions, and the commit that assigns them does wait. The server's write-ahead log is
written in order, so everything earlier is then on the disk too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from service.eventstore.append_plan import AppendPlan
from service.eventstore.events import StreamInfo
from service.eventstore.postgres.connections import Connection, advisory_lock_key

_LOCK: Final = """
    SELECT pg_advisory_xact_lock(k), set_config('synchronous_commit', 'off', true)
    FROM unnest(%s::bigint[]) AS k"""

_VERSIONS: Final = """
    SELECT s.stream, (SELECT r.root FROM roots AS r WHERE r.root_key = s.root_key), s.kind, (
        SELECT max(e.version) FROM events AS e WHERE e.root_key = s.root_key AND e.stream_key = s.stream_key
    )
    FROM streams AS s WHERE s.stream = ANY(%s)"""

_NEW_ROOTS: Final = """
    INSERT INTO roots (root) SELECT n.root FROM unnest(%s::text[]) WITH ORDINALITY AS n (root, number)
    ORDER BY n.number ON CONFLICT DO NOTHING"""
_NEW_STREAMS: Final = """
    INSERT INTO streams (stream, root_key, kind) SELECT n.stream, r.root_key, n.kind
    FROM unnest(%s::text[], %s::text[], %s::text[]) WITH ORDINALITY AS n (root, stream, kind, number)
    JOIN roots AS r ON r.root = n.root ORDER BY n.number"""
_NEW_EVENTS: Final = """
    INSERT INTO events
        (root_key, stream_key, version, event_id, digest, stored_at, body, salt, leaf, ordinal)
    SELECT s.root_key, s.stream_key, n.version, n.event_id, n.digest, n.stored_at, n.body, n.salt, n.leaf,
        n.ordinal
    FROM unnest(%s::text[], %s::integer[], %s::text[], %b::bytea[], %s::text[], %b::bytea[], %b::bytea[],
        %b::bytea[]) WITH ORDINALITY
        AS n (stream, version, event_id, digest, stored_at, body, salt, leaf, ordinal)
    JOIN streams AS s ON s.stream = n.stream ORDER BY n.ordinal"""

# Nobody waits for a lock: if another transaction holds a stream exclusively, nothing is written for that
# stream, and only the caller concerned waits, not the rest of the group. The log, a single table, tells the
# version of a stream: if a written event has no position yet, nothing is written.
SYNCED_INSERT_STATEMENT: Final = b"""
    WITH locked AS MATERIALIZED (
        SELECT bool_and(pg_try_advisory_xact_lock_shared(k)) AS held FROM unnest(%(locks)s::bigint[]) AS k
    ), known AS MATERIALIZED (
        SELECT s.root_key, s.stream_key, s.stream
        FROM unnest(%(roots)s::text[], %(names)s::text[], %(versions)s::integer[])
            AS c (root, stream, version)
        CROSS JOIN LATERAL (SELECT * FROM streams WHERE stream = c.stream OFFSET 0) AS s
        WHERE s.root_key = (SELECT root_key FROM roots WHERE root = c.root)
            AND c.version = (SELECT max(version) FROM log WHERE stream_key = s.stream_key)
    ), fits AS MATERIALIZED (
        SELECT held AND (SELECT count(*) FROM known) = cardinality(%(names)s::text[]) AS so FROM locked
    )
    INSERT INTO events
        (root_key, stream_key, version, event_id, digest, stored_at, body, salt, leaf, ordinal)
    SELECT s.root_key, s.stream_key, e.version, e.event_id, e.digest, e.stored_at, e.body, e.salt, e.leaf,
        e.ordinal
    FROM fits, unnest(
        %(streams)s::text[], %(seqs)s::integer[], %(ids)s::text[], %(digests)b::bytea[],
        %(moments)s::text[], %(bodies)b::bytea[], %(salts)b::bytea[], %(leaves)b::bytea[]
    ) WITH ORDINALITY
        AS e (stream, version, event_id, digest, stored_at, body, salt, leaf, ordinal)
    JOIN known AS s ON s.stream = e.stream
    WHERE fits.so ORDER BY e.ordinal"""
"""Writes to existing streams, of one root or of many, if they are at the planned versions. Sent in one
transaction with `sequencer.ASSIGN_POSITIONS_QUERY`, as nearly every append is."""


def lock_streams(connection: Connection, schema: str, streams: Sequence[str]) -> None:
    """Lock streams exclusively until the transaction ends; waits for current writers."""
    connection.execute(_LOCK, (_stream_lock_keys(schema, streams),))


def select_latest_streams(connection: Connection, streams: Sequence[str]) -> dict[str, StreamInfo]:
    """The streams as they are, including events that have no position yet."""
    rows = connection.execute(_VERSIONS, ([one for one in streams if "\0" not in one],))
    return {row[0]: StreamInfo._make(row) for row in rows}


def insert_plans(connection: Connection, root: str, plans: Sequence[AppendPlan]) -> None:
    """Write plans for streams that this transaction has locked (`lock_streams`)."""
    new = [plan.append for plan in plans if plan.new_events and not plan.base_version]
    insert_streams(connection, [(root, one.stream, one.kind or "") for one in new])
    insert_events(connection, [(plan.append.stream, *entry) for plan in plans for entry in plan.new_events])


def insert_streams(connection: Connection, streams: Sequence[tuple[str, str, str]]) -> None:
    """Create streams, each with a root, a name and a kind, and their roots if those are new."""
    if streams:
        roots, names, kinds = zip(*streams, strict=True)
        connection.execute(_NEW_ROOTS, (list(dict.fromkeys(roots)),))
        connection.execute(_NEW_STREAMS, (list(roots), list(names), list(kinds)))


def insert_events(connection: Connection, events: Iterable[tuple[Any, ...]]) -> None:
    """Write events: stream, version, id, digest, time, body, salt and leaf hash of each."""
    if columns := [list(column) for column in zip(*events, strict=True)]:
        connection.execute(_NEW_EVENTS, columns)


def build_insert_parameters(
    schema: str, plans: Sequence[AppendPlan], streams: Mapping[str, StreamInfo]
) -> dict[str, list[Any]]:
    """The parameters of `SYNCED_INSERT_STATEMENT`. A stream may be in several plans, each of which continues
    the one before it."""
    first: dict[str, int] = {}
    for plan in plans:
        first.setdefault(plan.append.stream, plan.base_version)
    entries = [(plan.append.stream, *entry) for plan in plans for entry in plan.new_events]
    names = ("streams", "seqs", "ids", "digests", "moments", "bodies", "salts", "leaves")
    return {
        **{name: list(column) for name, column in zip(names, zip(*entries, strict=True), strict=True)},
        "locks": _stream_lock_keys(schema, list(first)),
        "roots": [streams[name].root for name in first],
        "names": list(first),
        "versions": list(first.values()),
    }


def _stream_lock_keys(schema: str, streams: Sequence[str]) -> list[int]:
    """The lock keys of the streams, in the order in which every process takes them."""
    return sorted({advisory_lock_key(schema, "stream", one) for one in streams})
