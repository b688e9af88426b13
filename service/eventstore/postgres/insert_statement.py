"""The one statement by which events are written on PostgreSQL, and what it counts on.

It is one statement so that one snapshot has seen the streams' ends before the transaction is given its
number: on that the order of the log rests (`service.eventstore.postgres.sequencer`).

An append costs one wait for the disk, and many share it. Those that go together have their events placed in
the same transaction. Otherwise the transaction does not wait: nobody sees its events, and nobody is told of
them, before they have their positions, and that commit does wait. The server's log is written in order, so
what came before is on the disk with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import psycopg

from service.eventstore.append_plan import AppendPlan
from service.eventstore.events import StreamInfo
from service.eventstore.postgres.connections import Connection, advisory_lock_key
from service.eventstore.postgres.event_queries import StreamKeyCache, StreamKeys

_LOCK: Final = "SELECT pg_advisory_xact_lock(k) FROM unnest(%s::bigint[]) AS k"

_VERSIONS: Final = """
    SELECT s.stream, (SELECT r.root FROM roots AS r WHERE r.root_key = s.root_key), s.kind, (
        SELECT max(e.version) FROM events AS e WHERE e.root_key = s.root_key AND e.stream_key = s.stream_key
    )
    FROM streams AS s WHERE s.stream = ANY(%s)"""

_LOCKED: Final = """
    WITH locked AS MATERIALIZED (
        SELECT count(pg_advisory_xact_lock_shared(k)) AS held,
               set_config('synchronous_commit', 'off', true) AS not_yet_synced
        FROM unnest(%(locks)s::bigint[]) AS k
    )"""
_VALUES: Final = """
        %(seqs)s::integer[], %(ids)s::text[], %(digests)b::bytea[], %(moments)s::text[],
        %(bodies)b::bytea[], %(salts)b::bytea[], %(leaves)b::bytea[]"""
_EVENT: Final = "e.version, e.event_id, e.digest, e.stored_at, e.body, e.salt, e.leaf, e.ordinal"
_COLUMNS: Final = """
        root_key, stream_key, version, event_id, digest, stored_at, body, salt, leaf, ordinal"""

# Both statements count on the versions by which they were planned: `fits` says whether they still are so.

_LAST_EVENT: Final = """
                SELECT max(v.version) FROM events AS v
                WHERE v.root_key = c.root_key AND v.stream_key = c.stream_key"""
_LAST_PLACED: Final = "SELECT max(l.version) FROM log AS l WHERE l.stream_key = c.stream_key"
_NOT_YET_SYNCED: Final = " AND set_config('synchronous_commit', 'off', true) IS NOT NULL"


def _into_streams_statement(last: str, not_yet_synced: str = "") -> bytes:
    """What writes into streams that are there, of one root or of many; ``last`` tells how far each has come.

    Nobody waits for a lock: where another has a stream to himself nothing is written, and whoever is
    concerned waits for him, but not the others of a group. Keys that were looked up on a server that leads no
    more may be another stream's by now: they have to be this one's.
    """
    return f"""
    WITH locked AS MATERIALIZED (
        SELECT bool_and(pg_try_advisory_xact_lock_shared(k)){not_yet_synced} AS held
        FROM unnest(%(locks)s::bigint[]) AS k
    ), fits AS MATERIALIZED (
        SELECT held AND NOT EXISTS (
            SELECT FROM unnest(
                %(roots)s::bigint[], %(keys)s::bigint[], %(names)s::text[], %(versions)s::integer[]
            ) AS c (root_key, stream_key, stream, version)
            WHERE c.version IS DISTINCT FROM ({last})
            OR NOT EXISTS (
                SELECT FROM (SELECT * FROM streams WHERE stream_key = c.stream_key OFFSET 0) AS s
                WHERE s.root_key = c.root_key AND s.stream = c.stream)
        ) AS so FROM locked
    )
    INSERT INTO events ({_COLUMNS})
    SELECT e.root_key, e.stream_key, {_EVENT}
    FROM fits, unnest(%(of_roots)s::bigint[], %(of_keys)s::bigint[], {_VALUES}) WITH ORDINALITY
        AS e (root_key, stream_key, version, event_id, digest, stored_at, body, salt, leaf, ordinal)
    WHERE fits.so ORDER BY e.ordinal""".encode()


_INTO_STREAMS: Final = _into_streams_statement(_LAST_EVENT, _NOT_YET_SYNCED)
# Those that go together count on the log, which is one table: a stream of which something was written and not
# placed yet is left to the pessimistic way.
SYNCED_INSERT_STATEMENT: Final = _into_streams_statement(_LAST_PLACED)
"""Sent in one transaction with `sequencer.ASSIGN_POSITIONS_QUERY`, as nearly every append is."""

# Streams that are to be made are counted on to have version 0.
_INTO_NEW_STREAMS: Final = f"""{_LOCKED}, fits AS MATERIALIZED (
        SELECT held IS NOT NULL AND not_yet_synced IS NOT NULL AND NOT EXISTS (
            SELECT FROM unnest(%(streams)s::text[], %(versions)s::integer[]) AS c (stream, version)
            LEFT JOIN streams AS s ON s.stream = c.stream
            WHERE c.version <> coalesce((
                SELECT max(v.version) FROM events AS v
                WHERE v.root_key = s.root_key AND v.stream_key = s.stream_key), 0)
        ) AS so FROM locked
    ), made_root AS (
        INSERT INTO roots (root) SELECT %(root)s FROM fits
        WHERE so AND NOT EXISTS (SELECT FROM roots WHERE root = %(root)s)
        ON CONFLICT DO NOTHING RETURNING root_key
    ), its_root AS (
        SELECT root_key FROM made_root UNION ALL SELECT root_key FROM roots WHERE root = %(root)s
    ), made AS (
        INSERT INTO streams (stream, root_key, kind)
        SELECT n.stream, its_root.root_key, n.kind
        FROM fits, its_root,
            unnest(%(new)s::text[], %(kinds)s::text[]) WITH ORDINALITY AS n (stream, kind, number)
        WHERE fits.so ORDER BY n.number
        RETURNING stream, stream_key, root_key
    ), its AS (
        SELECT * FROM made UNION ALL
        SELECT s.stream, s.stream_key, s.root_key FROM streams AS s WHERE s.stream = ANY(%(streams)s)
    )
    INSERT INTO events ({_COLUMNS})
    SELECT its.root_key, its.stream_key, {_EVENT}
    FROM fits, unnest(%(of)s::text[], {_VALUES}) WITH ORDINALITY
        AS e (stream, version, event_id, digest, stored_at, body, salt, leaf, ordinal)
    JOIN its USING (stream)
    WHERE fits.so ORDER BY e.ordinal""".encode()


def lock_streams(connection: Connection, schema: str, streams: Sequence[str]) -> None:
    """Have streams to oneself until the transaction ends, as soon as whoever writes to them has come to his
    end."""
    connection.execute(_LOCK, (_stream_lock_keys(schema, streams),))


def select_latest_streams(connection: Connection, streams: Sequence[str]) -> dict[str, StreamInfo]:
    """The streams as they stand, with the events that have no position yet."""
    rows = connection.execute(_VERSIONS, ([one for one in streams if "\0" not in one],))
    return {row[0]: StreamInfo._make(row) for row in rows}


def insert_plans(
    connection: Connection, schema: str, root: str, plans: Sequence[AppendPlan], key_cache: StreamKeyCache
) -> bool:
    """Write what is planned, if every stream still is at the version it was planned for; else nothing.

    Raises psycopg's `UniqueViolation` where another was quicker.
    """
    names = [plan.append.stream for plan in plans]
    if all(plan.base_version for plan in plans):
        keys = load_stream_keys(connection, plans, key_cache)
        if keys is not None:
            has_inserted = insert_into_streams(connection, schema, plans, keys)
            if not has_inserted:
                key_cache.discard(names)
            return has_inserted
    new = [plan.append for plan in plans if plan.new_events and not plan.base_version]
    parameters = _build_columns(plans) | {
        "locks": _stream_lock_keys(schema, names),
        "root": root,
        "streams": names,
        "versions": [plan.base_version for plan in plans],
        "of": [plan.append.stream for plan in plans for _ in plan.new_events],
        "new": [one.stream for one in new],
        "kinds": [one.kind for one in new],
    }
    return connection.execute(_INTO_NEW_STREAMS, parameters).rowcount == len(parameters["seqs"])


def insert_into_streams(
    connection: Connection, schema: str, plans: Sequence[AppendPlan], keys: Mapping[str, StreamKeys]
) -> bool:
    """Write into streams that are there, of one root or of many, as `insert_plans` does.

    A stream may be in several plans, each of which goes on from the one before it.
    """
    parameters = _build_parameters(schema, plans, keys)
    return connection.execute(_INTO_STREAMS, parameters).rowcount == len(parameters["seqs"])


class PipelinedInsert:
    """The same, sent in a pipeline to be committed on the disk, and asked later whether it fitted."""

    def __init__(
        self, connection: Connection, schema: str, plans: Sequence[AppendPlan], keys: Mapping[str, StreamKeys]
    ) -> None:
        self._connection = connection
        self._parameters = _build_parameters(schema, plans, keys)
        self._rows: psycopg.Cursor[Any] | None = None

    def send(self) -> None:
        """Send it; nothing has been answered yet."""
        self._rows = self._connection.execute(SYNCED_INSERT_STATEMENT, self._parameters)

    @property
    def has_inserted(self) -> bool:
        """Whether it was written, all of it; else nothing was."""
        return self._rows is not None and self._rows.rowcount == len(self._parameters["seqs"])


def _build_parameters(
    schema: str, plans: Sequence[AppendPlan], keys: Mapping[str, StreamKeys]
) -> dict[str, list[Any]]:
    first: dict[str, int] = {}
    for plan in plans:
        first.setdefault(plan.append.stream, plan.base_version)
    of = [keys[plan.append.stream] for plan in plans for _ in plan.new_events]
    return _build_columns(plans) | {
        "locks": _stream_lock_keys(schema, list(first)),
        "roots": [keys[name].root_key for name in first],
        "keys": [keys[name].stream_key for name in first],
        "names": list(first),
        "versions": list(first.values()),
        "of_roots": [one.root_key for one in of],
        "of_keys": [one.stream_key for one in of],
    }


def load_stream_keys(
    connection: Connection, plans: Sequence[AppendPlan], key_cache: StreamKeyCache
) -> dict[str, StreamKeys] | None:
    """The keys of the streams, None where one of them is not there."""
    keys: dict[str, StreamKeys] = {}
    for plan in plans:
        known = key_cache.get(connection, plan.append.stream)
        if known is None:
            return None
        keys[known.stream] = known
    return keys


def _build_columns(plans: Sequence[AppendPlan]) -> dict[str, list[Any]]:
    """The events of the plans, column by column."""
    entries = [entry for plan in plans for entry in plan.new_events]
    return {
        "seqs": [entry.seq for entry in entries],
        "ids": [entry.event_id for entry in entries],
        "digests": [entry.digest for entry in entries],
        "moments": [entry.stored_at for entry in entries],
        "bodies": [entry.body for entry in entries],
        "salts": [entry.salt for entry in entries],
        "leaves": [entry.leaf_hash for entry in entries],
    }


def _stream_lock_keys(schema: str, streams: Sequence[str]) -> list[int]:
    """The streams' locks, in the one order in which everybody takes them."""
    return sorted({advisory_lock_key(schema, "stream", one) for one in streams})
