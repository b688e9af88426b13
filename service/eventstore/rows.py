"""Events as they stand in the rows of a store, each held to its leaf hash before anybody is told of it.

A bit that a disk or a stranger has turned is so never handed on as what was recorded. SQLite itself has no
checksums in its pages, and would not notice; PostgreSQL's find what a disk did, not what a stranger did.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NoReturn

from service.eventstore.errors import StoreDamaged
from service.eventstore.interface import Sealed, StoredEvent
from service.eventstore.merkle.leaves import Leaves, commitment, leaves_of

Row = Sequence[Any]
"""Position, root, stream, version, id, moment, body, leaf, salt; and of an event whose contents were erased
the commitment that was kept and the digest of what stands there now, else None."""

_DIGEST_BYTES: Final = 16
_ITS_STREAM: Final = itemgetter(1, 2)


def digest_of_standin(body: bytes) -> bytes:
    """The digest that a row has for what was put in the place of erased contents."""
    return blake2b(body, digest_size=_DIGEST_BYTES).digest()


def sealed_in(row: Row, place: object) -> Sealed:
    """The event of a row with what proves it. Raises `StoreDamaged` where it is not as it was recorded."""
    (event,) = events_in([row], place)
    leaf, salt, kept = row[7:10]
    return Sealed(event, leaf, kept if salt is None else commitment(salt, event.body), salt)


def events_in(rows: Iterable[Row], place: object) -> list[StoredEvent]:
    """The events of rows. Raises `StoreDamaged` where one is not as it was recorded."""
    events: list[StoredEvent] = []
    for (root, stream), run in groupby(rows, _ITS_STREAM):
        events += events_of(root, stream, [(row[0], *row[3:]) for row in run], place)
    return events


def leaves_in(rows: Sequence[Row], place: object) -> list[tuple[int, bytes]]:
    """The positions and leaf hashes of rows, each computed from its event. Raises as `events_in` does."""
    return [(event.position, row[7]) for event, row in zip(events_in(rows, place), rows, strict=True)]


def events_of(root: str, stream: str, rows: Iterable[Row], place: object) -> list[StoredEvent]:
    """The events of a stream's rows, which lack root and stream. Raises as `events_in` does."""
    events = []
    leaf_of: Leaves | None = None
    for position, version, event_id, stored_at, body, leaf, salt, kept, digest in rows:
        try:
            leaf_of = leaf_of or leaves_of(root, stream)
            if salt is not None:
                kept = commitment(salt, body)
            # Digests of stand-ins are not in stores whose events were erased before there were any.
            elif digest != b"" and digest != digest_of_standin(body):
                raise ValueError("another stand-in")
            if leaf != leaf_of(version, event_id, stored_at, kept):
                raise ValueError("another leaf")
        except (TypeError, ValueError, AttributeError):  # also another type than the store writes
            tell_damaged(place, stream, version)
        events.append(StoredEvent(position, root, stream, version, event_id, stored_at, body))
    return events


def require_no_gap(events: Sequence[StoredEvent], after: int, stream: str, place: object) -> None:
    """Raise `StoreDamaged` where a page of a stream leaves an event out."""
    for due, event in enumerate(events, max(0, after) + 1):
        if event.seq != due:
            tell_damaged(place, stream, due)


def tell_damaged(place: object, stream: object, seq: object) -> NoReturn:
    """Raise `StoreDamaged` for an event."""
    raise StoreDamaged(
        f"Event {seq} of stream {stream} in the store {place} is not as it was recorded. Keep a copy of the "
        f"store as it is, see with spadille verify what else is damaged, and restore it from a backup.",
        stream if isinstance(stream, str) else None,
        seq if isinstance(seq, int) else None,
    )
