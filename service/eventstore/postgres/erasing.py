"""Contents are erased on PostgreSQL: the stand-in, what the leaf holds, and the entry that records it.

What stood there stays in files of the server until it makes room of it (``VACUUM``), and in its write-ahead
log and backups as long as these are kept: docs/scaling.md says what to do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from service.eventstore import appending
from service.eventstore.erasing import STREAM, entries_of
from service.eventstore.errors import StoreUnavailable, UnknownEvent
from service.eventstore.interface import StoredEvent
from service.eventstore.postgres.connections import Address, Connection
from service.eventstore.postgres.rows import KeysAtHand, sealed_of
from service.eventstore.postgres.statement import insert, lock_alone, versions_of
from service.eventstore.rows import digest_of_standin

_ERASE: Final = """
    SELECT erase_contents(s.root_key, s.stream_key, %s, %s, %s, %s, %s)
    FROM streams AS s WHERE s.stream = %s"""


def erase(
    connection: Connection,
    address: Address,
    schema: str,
    keys: KeysAtHand,
    bodies: Mapping[str, Mapping[str, bytes]],
    moment: str,
) -> None:
    """Put other bodies in the place of events', by root and id, in the transaction that is open.

    Raises `UnknownEvent`, and `StoreDamaged` where an event is not as it was recorded.
    """
    lock_alone(connection, schema, [STREAM])
    erased = [each for root, here in bodies.items() for each in _to_erase(connection, address, root, here)]
    if not erased:
        return
    # The entries first: their statement is what gives the transaction its number, when it has seen the end
    # of their stream.
    streams = versions_of(connection, [STREAM])
    append = entries_of([event for event, _ in erased])
    plans = appending.plan(STREAM, [append], streams, {}, moment)
    if not insert(connection, schema, STREAM, plans, keys):
        raise StoreUnavailable("Somebody else recorded an erasure without waiting for his turn. Do it again.")
    for event, committed in erased:
        standin = (event.body, digest_of_standin(event.body))
        connection.execute(_ERASE, (event.seq, *standin, committed, moment, event.stream))


def _to_erase(
    connection: Connection, address: Address, root: str, bodies: Mapping[str, bytes]
) -> Iterator[tuple[StoredEvent, bytes]]:
    """The events as they are to be, each with its commitment; without those that are so already."""
    stored = sealed_of(connection, address, root, list(bodies))
    for event_id, body in bodies.items():
        if event_id not in stored:
            raise UnknownEvent(root, event_id)
        event, _, committed, salt = stored[event_id]
        if salt is not None or event.body != body:
            yield event._replace(body=body), committed
