"""Events from the rows of a store, each checked against its leaf hash before it is returned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, Final, NoReturn

from service.eventstore.errors import StoreDamaged
from service.eventstore.events import FullEvent, SealedEvent, StoredEvent
from service.eventstore.merkle.leaves import build_leaf_hasher, compute_commitment

EventRow = Sequence[Any]
"""Position, root, stream, version, id, time, body, leaf, salt; and if the contents were erased the original
commitment and the digest of the replacement, else None."""

_DIGEST_BYTES: Final = 16


def placeholder_row_digest(body: bytes) -> bytes:
    """The digest in the row of an event whose contents were erased."""
    return blake2b(body, digest_size=_DIGEST_BYTES).digest()


def parse_sealed_event(row: EventRow, store_location: object) -> SealedEvent:
    """The event of a row with its proof. Raises `StoreDamaged` if it is not as it was recorded."""
    position, root, stream, version, event_id, stored_at, body, leaf, salt, commitment, digest = row
    try:
        if salt is not None:
            commitment = compute_commitment(salt, body)
        # Older stores have erased events without a digest of the placeholder.
        elif digest != b"" and digest != placeholder_row_digest(body):
            raise ValueError("another stand-in")
        if leaf != build_leaf_hasher(root, stream)(version, event_id, stored_at, commitment):
            raise ValueError("another leaf")
    except (TypeError, ValueError, AttributeError):  # also a type that the store does not write
        raise_event_damaged(store_location, stream, version)
    event = StoredEvent(position, root, stream, version, event_id, stored_at, body)
    return SealedEvent(event, leaf, commitment, salt)


def parse_full_event(row: EventRow, store_location: object) -> FullEvent:
    """The event of a row that also has its digest, the kind of its stream and when it was erased."""
    return FullEvent(parse_sealed_event(row[:11], store_location), row[12], row[11], row[13])


def parse_events(rows: Iterable[EventRow], store_location: object) -> list[StoredEvent]:
    """The events of rows. Raises as `parse_sealed_event` does."""
    return [parse_sealed_event(row, store_location).event for row in rows]


def require_no_gap(events: Sequence[StoredEvent], after: int, stream: str, store_location: object) -> None:
    """Raise `StoreDamaged` if an event is missing from a page of a stream."""
    for expected_seq, event in enumerate(events, max(0, after) + 1):
        if event.seq != expected_seq:
            raise_event_damaged(store_location, stream, expected_seq)


def raise_event_damaged(store_location: object, stream: object, seq: object) -> NoReturn:
    """Raise `StoreDamaged` for an event."""
    raise StoreDamaged(
        f"Event {seq} of stream {stream} in the store {store_location} is not as it was recorded. Keep a "
        "copy of the store as it is, run spadille verify to see what else is damaged, and restore it from "
        "a backup.",
        stream if isinstance(stream, str) else None,
        seq if isinstance(seq, int) else None,
    )
