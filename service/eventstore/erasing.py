"""What was erased stands in the log as entries of its own: which events, and a digest of what is there now.

So an erasure has its place in the log like all that happens to a store, and a checkpoint made since covers
it. Who pretends one later can only enter it behind the checkpoints that others keep.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

import orjson

from service.eventstore.ids import new_id
from service.eventstore.interface import ANY, Append, NewEvent, StoredEvent

STREAM: Final = "5e1d1b1e-0000-8000-8000-657261736564"
"""The stream, and root, of all erasures of a store."""
KIND: Final = "erasures"
TYPE: Final = "contents_erased"
_AT_ONCE: Final = 500


class Standin(NamedTuple):
    """What an entry says of one event: its position, and the digest of what stands there since."""

    position: int
    digest: bytes


def entries_of(erased: Sequence[StoredEvent]) -> Append:
    """What records that these events were erased; their bodies are what stands in the old ones' place."""
    starts = range(0, len(erased), _AT_ONCE)
    return Append(STREAM, ANY, [_entry(erased[start : start + _AT_ONCE]) for start in starts], KIND)


def standins_in(said: dict[str, Any]) -> Iterator[Standin]:
    """What such an entry says of each event. Raises `ValueError` where it is none."""
    try:
        for one in said["events"]:
            yield Standin(int(one["position"]), bytes.fromhex(one["standin"]))
    except (KeyError, TypeError) as error:
        raise ValueError("an entry of what was erased names events with position and standin") from error


def standin_digest(body: bytes) -> bytes:
    """SHA-256 of what stands in the place of erased contents."""
    return sha256(body).digest()


def _entry(erased: Sequence[StoredEvent]) -> NewEvent:
    event_id = new_id()
    events = [
        {
            "root": one.root,
            "event": one.event_id,
            "position": one.position,
            "standin": standin_digest(one.body).hex(),
        }
        for one in erased
    ]
    return NewEvent(event_id, orjson.dumps({"type": TYPE, "id": event_id, "events": events}))
