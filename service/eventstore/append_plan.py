"""The rules of appending, shared by all stores: what is a repeat, what is stale, what is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from service.eventstore.errors import (
    IdConflict,
    StaleVersion,
    StreamFull,
    StreamMismatch,
    UnknownEvent,
    UnknownStream,
)
from service.eventstore.events import (
    ANY_VERSION,
    AppendResult,
    NewEvent,
    SealedEvent,
    StoredEvent,
    StreamAppend,
    StreamInfo,
)
from service.eventstore.merkle.leaves import build_leaf_hasher, compute_commitment, new_salts
from service.eventstore.verified_rows import EventRow, parse_sealed_event

BODY_DIGEST_BYTES: Final = 16


class EventWithDigest(NamedTuple):
    """A stored event with the digest of what its writer sent."""

    sealed_event: SealedEvent
    digest: bytes


class PreparedEvent(NamedTuple):
    """An event that is ready to be written at its place."""

    seq: int
    event_id: str
    digest: bytes
    stored_at: str
    body: bytes
    salt: bytes
    leaf_hash: bytes


class AppendPlan(NamedTuple):
    """What one append amounts to: events stored before, and entries to write after `base_version`."""

    append: StreamAppend
    base_version: int
    repeated_events: tuple[StoredEvent, ...]
    new_events: list[PreparedEvent]


def parse_stored_events(rows: Iterable[EventRow], store_location: object) -> dict[str, EventWithDigest]:
    """Parse rows that end with the digest into events, by id. Raises `StoreDamaged`."""
    stored = [EventWithDigest(parse_sealed_event(row[:-1], store_location), row[-1]) for row in rows]
    return {one.sealed_event.event.event_id: one for one in stored}


def plan_erasure(
    root: str, replacements: Mapping[str, bytes], stored: Mapping[str, EventWithDigest]
) -> Iterator[SealedEvent]:
    """The replacement events by id, with their original salts; without those already replaced so. Raises
    `UnknownEvent`."""
    for event_id, body in replacements.items():
        if event_id not in stored:
            raise UnknownEvent(root, event_id)
        sealed = stored[event_id].sealed_event
        if sealed.salt is not None or sealed.event.body != body:
            yield sealed._replace(event=sealed.event._replace(body=body))


def collect_event_ids(appends: Sequence[StreamAppend]) -> list[str]:
    """All ids of a request. Raises `IdConflict` for a repeated id, `ValueError` for a stream named twice."""
    if len(appends) > 1 and len({append.stream for append in appends}) < len(appends):
        raise ValueError(
            "An append names each stream once; put all events of a stream into one StreamAppend."
        )
    streams: dict[str, str] = {}
    for append in appends:
        for event in append.events:
            if event.event_id in streams:
                raise IdConflict(
                    event.event_id, streams[event.event_id], None, "is used twice in this append."
                )
            streams[event.event_id] = append.stream
    return list(streams)


def find_single_event_stream(
    root: str, appends: Sequence[StreamAppend], streams: Mapping[str, StreamInfo]
) -> StreamInfo | None:
    """The stream, if the request is one event at the end of one stream (the common case); else None.

    The event's id may still be stored already.
    """
    if len(appends) != 1:
        return None
    stream, expected_version, events, kind, max_version = appends[0]
    info = streams.get(stream)
    if (
        info is None
        or len(events) != 1
        or not (expected_version is ANY_VERSION or expected_version == info.version)
        or info.root != root
        or not (kind is None or kind == info.kind)
        or (max_version is not None and info.version >= max_version)
    ):
        return None
    return info


def prepare_event(
    root: str, stream: str, event: NewEvent, seq: int, stored_at: str, salt: bytes | None = None
) -> PreparedEvent:
    """Build the event to write at this place. Raises `TypeError` if `build_body` does not return bytes."""
    body = event.build_body(event.body, seq, stored_at)
    if not isinstance(body, bytes):
        raise TypeError(
            f"build_body of event {event.event_id} gave {type(body).__name__}; a stored body is bytes."
        )
    salt = salt or new_salts(1)[0]
    leaf = build_leaf_hasher(root, stream)(seq, event.event_id, stored_at, compute_commitment(salt, body))
    return PreparedEvent(seq, event.event_id, _digest(event), stored_at, body, salt, leaf)


def prepare_next_events(new_events: Mapping[StreamInfo, NewEvent], stored_at: str) -> list[PreparedEvent]:
    """Build the next event of each of these streams. Raises as `prepare_event` does."""
    return [
        prepare_event(info.root, info.stream, event, info.version + 1, stored_at, salt)
        for (info, event), salt in zip(new_events.items(), new_salts(len(new_events)), strict=True)
    ]


def plan_appends(
    root: str,
    appends: Sequence[StreamAppend],
    streams: Mapping[str, StreamInfo],
    stored_by_id: Mapping[str, EventWithDigest],
    stored_at: str,
) -> list[AppendPlan]:
    """Plan each append from what is stored. Raises as `EventStore.append` does."""
    repeated_prefixes = [_repeated_prefix(append, stored_by_id) for append in appends]
    return [
        _plan_stream_append(root, append, streams.get(append.stream), stored, stored_at)
        for append, stored in zip(appends, repeated_prefixes, strict=True)
    ]


def _digest(event: NewEvent) -> bytes:
    return blake2b(event.body, digest_size=BODY_DIGEST_BYTES).digest()


def _repeated_prefix(
    append: StreamAppend, stored_by_id: Mapping[str, EventWithDigest]
) -> tuple[StoredEvent, ...]:
    stored: list[StoredEvent] = []
    for number, event in enumerate(append.events if stored_by_id else ()):
        known = stored_by_id.get(event.event_id)
        if known is not None:
            _require_repeat(append.stream, event, known, at_beginning=len(stored) == number)
            stored.append(known.sealed_event.event)
    return tuple(stored)


def _require_repeat(stream: str, event: NewEvent, stored: EventWithDigest, at_beginning: bool) -> None:
    stored_stream, seq = stored.sealed_event.event.stream, stored.sealed_event.event.seq
    if stored_stream != stream:
        raise IdConflict(
            event.event_id, stored_stream, seq, f"already names event {seq} of stream {stored_stream}."
        )
    if stored.digest != _digest(event):
        raise IdConflict(event.event_id, stored_stream, seq, f"is stored as event {seq} with other contents.")
    if not at_beginning:
        reason = f"is stored as event {seq}, but an event sent before it is new."
        raise IdConflict(event.event_id, stored_stream, seq, reason)


def _plan_stream_append(
    root: str, append: StreamAppend, info: StreamInfo | None, stored: tuple[StoredEvent, ...], stored_at: str
) -> AppendPlan:
    if info is None and append.kind is None:
        raise UnknownStream(append.stream)
    version = 0 if info is None else info.version
    new = append.events[len(stored) :]
    if info is not None:
        _require_same_stream(root, append, info)
    if new or not append.events:
        _require_fitting_version(append, version, stored)
    if new and append.max_version is not None and version + len(new) > append.max_version:
        raise StreamFull(append.stream, version, append.max_version)
    seqs = range(version + 1, version + 1 + len(new))
    entries = [
        prepare_event(root, append.stream, event, seq, stored_at, salt)
        for event, seq, salt in zip(new, seqs, new_salts(len(new)), strict=True)
    ]
    return AppendPlan(append, version, stored, entries)


def _require_same_stream(root: str, append: StreamAppend, info: StreamInfo) -> None:
    if info.root != root:
        raise StreamMismatch(append.stream, "root", root, info.root)
    if append.kind is not None and append.kind != info.kind:
        raise StreamMismatch(append.stream, "kind", append.kind, info.kind)


def _require_fitting_version(append: StreamAppend, version: int, stored: tuple[StoredEvent, ...]) -> None:
    expected = append.expected_version
    if expected is ANY_VERSION or expected == version:
        return
    # A writer who did not receive the answer to the first part of a batch still names the version before it.
    version_after_batch = expected + len(stored)
    if version_after_batch != version or any(
        event.seq != seq for seq, event in enumerate(stored, expected + 1)
    ):
        raise StaleVersion(append.stream, expected, version)


def build_append_results(
    root: str,
    plans: Iterable[AppendPlan],
    find_position: Callable[[str, int], int],
    own_event_ids: Collection[str] = (),
) -> list[AppendResult]:
    """The results of plans that were written; ``find_position`` tells the position of a stream's new seq.

    Repeated events among ``own_event_ids`` are new: an earlier attempt of the same append stored them.
    """
    results = []
    for append, version, repeated, entries in plans:
        stream = append.stream
        known = [
            one if one.position else one._replace(position=find_position(stream, one.seq)) for one in repeated
        ]
        new = [
            StoredEvent(find_position(stream, seq), root, stream, seq, event_id, stored_at, body)
            for seq, event_id, _, stored_at, body, _, _ in entries
        ]
        repeated_count = sum(one.event_id not in own_event_ids for one in repeated)
        results.append(AppendResult(stream, version + len(new), (*known, *new), repeated_count))
    return results
