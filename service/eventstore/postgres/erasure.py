"""Erases contents on PostgreSQL; docs/scaling.md says what stays on the server, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from service.eventstore import append_plan
from service.eventstore.erasure_log import ERASURE_STREAM, build_erasure_append
from service.eventstore.events import SealedEvent
from service.eventstore.postgres.connections import Connection, PostgresAddress
from service.eventstore.postgres.event_queries import find_stored_events
from service.eventstore.postgres.insert_statement import insert_plans, lock_streams, select_latest_streams
from service.eventstore.verified_rows import placeholder_row_digest

_ERASE: Final = """
    SELECT erase_contents(s.root_key, s.stream_key, %s, %s, %s, %s, %s)
    FROM streams AS s WHERE s.stream = %s"""


def erase_events(
    connection: Connection,
    address: PostgresAddress,
    schema: str,
    replacements: Mapping[str, Mapping[str, bytes]],
    erased_at: str,
) -> None:
    """Replace the bodies of events, by root and id, in the open transaction.

    Raises `UnknownEvent`, and `StoreDamaged` if an event is not as it was recorded.
    """
    lock_streams(connection, schema, [ERASURE_STREAM])
    erased: list[SealedEvent] = []
    for root, bodies in replacements.items():
        stored = find_stored_events(connection, address, root, bodies)
        positioned = {event_id: one for event_id, one in stored.items() if one.sealed_event.event.position}
        erased += append_plan.plan_erasure(root, bodies, positioned)
    if not erased:
        return
    streams = select_latest_streams(connection, [ERASURE_STREAM])
    append = build_erasure_append([one.event for one in erased])
    plans = append_plan.plan_appends(ERASURE_STREAM, [append], streams, {}, erased_at)
    insert_plans(connection, ERASURE_STREAM, plans)
    for event, _, commitment, _ in erased:
        digest = placeholder_row_digest(event.body)
        connection.execute(_ERASE, (event.seq, event.body, digest, commitment, erased_at, event.stream))
