"""Contents are erased on PostgreSQL: the stand-in, what the leaf holds, and the entry that records it.

What stood there stays in files of the server until it makes room of it (``VACUUM``), and in its write-ahead
log and backups as long as these are kept: docs/scaling.md says what to do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from service.eventstore import append_plan
from service.eventstore.erasure_log import ERASURE_STREAM, build_erasure_append
from service.eventstore.errors import StoreUnavailable, UnknownEvent
from service.eventstore.events import StoredEvent
from service.eventstore.postgres.connections import Connection, PostgresAddress
from service.eventstore.postgres.event_queries import StreamKeyCache, find_sealed_events
from service.eventstore.postgres.insert_statement import insert_plans, lock_streams, select_latest_streams
from service.eventstore.verified_rows import placeholder_row_digest

_ERASE: Final = """
    SELECT erase_contents(s.root_key, s.stream_key, %s, %s, %s, %s, %s)
    FROM streams AS s WHERE s.stream = %s"""


def erase_events(
    connection: Connection,
    address: PostgresAddress,
    schema: str,
    keys: StreamKeyCache,
    replacements: Mapping[str, Mapping[str, bytes]],
    erased_at: str,
) -> None:
    """Put other bodies in the place of events', by root and id, in the transaction that is open.

    Raises `UnknownEvent`, and `StoreDamaged` where an event is not as it was recorded.
    """
    lock_streams(connection, schema, [ERASURE_STREAM])
    erased = [
        each
        for root, bodies in replacements.items()
        for each in _build_erased_events(connection, address, root, bodies)
    ]
    if not erased:
        return
    # The entries first: their statement is what gives the transaction its number, when it has seen the end
    # of their stream.
    streams = select_latest_streams(connection, [ERASURE_STREAM])
    append = build_erasure_append([event for event, _ in erased])
    plans = append_plan.plan_appends(ERASURE_STREAM, [append], streams, {}, erased_at)
    if not insert_plans(connection, schema, ERASURE_STREAM, plans, keys):
        raise StoreUnavailable("Somebody else recorded an erasure without waiting for his turn. Do it again.")
    for event, commitment in erased:
        placeholder = (event.body, placeholder_row_digest(event.body))
        connection.execute(_ERASE, (event.seq, *placeholder, commitment, erased_at, event.stream))


def _build_erased_events(
    connection: Connection, address: PostgresAddress, root: str, replacements: Mapping[str, bytes]
) -> Iterator[tuple[StoredEvent, bytes]]:
    """The events as they are to be, each with its commitment; without those that are so already."""
    stored = find_sealed_events(connection, address, root, list(replacements))
    for event_id, body in replacements.items():
        if event_id not in stored:
            raise UnknownEvent(root, event_id)
        event, _, commitment, salt = stored[event_id]
        if salt is not None or event.body != body:
            yield event._replace(body=body), commitment
