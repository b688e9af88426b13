"""Records erasures in the log itself: which events, and a digest of what replaced their contents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

import orjson

from service.eventstore.events import ANY_VERSION, NewEvent, StoredEvent, StreamAppend
from service.eventstore.ids import new_id

ERASURE_STREAM: Final = "5e1d1b1e-0000-8000-8000-657261736564"
"""The stream, and root, of all erasures of a store."""
ERASURE_STREAM_KIND: Final = "erasures"
ERASURE_EVENT_TYPE: Final = "contents_erased"
_EVENTS_PER_ENTRY: Final = 500


class Placeholder(NamedTuple):
    """One event in an erasure entry: its position, and the digest of its replacement."""

    position: int
    digest: bytes


def build_erasure_append(erased: Sequence[StoredEvent]) -> StreamAppend:
    """Build the append that records the erasure of these events; their bodies are the replacements."""
    starts = range(0, len(erased), _EVENTS_PER_ENTRY)
    return StreamAppend(
        ERASURE_STREAM,
        ANY_VERSION,
        [_build_entry(erased[start : start + _EVENTS_PER_ENTRY]) for start in starts],
        ERASURE_STREAM_KIND,
    )


def parse_placeholders(entry: dict[str, Any]) -> Iterator[Placeholder]:
    """The placeholders in an erasure entry. Raises `ValueError` if it is not such an entry."""
    try:
        for one in entry["events"]:
            yield Placeholder(int(one["position"]), bytes.fromhex(one["standin"]))
    except (KeyError, TypeError) as error:
        raise ValueError("an entry of what was erased names events with position and standin") from error


def placeholder_sha256(body: bytes) -> bytes:
    """SHA-256 of the replacement of erased contents."""
    return sha256(body).digest()


def _build_entry(erased: Sequence[StoredEvent]) -> NewEvent:
    event_id = new_id()
    events = [
        {
            "root": one.root,
            "event": one.event_id,
            "position": one.position,
            "standin": placeholder_sha256(one.body).hex(),
        }
        for one in erased
    ]
    return NewEvent(event_id, orjson.dumps({"type": ERASURE_EVENT_TYPE, "id": event_id, "events": events}))
