"""What the streams of deals and tables hold, and new entries for them.

The id of a deal or table is that of its opening event: a client that sends the same opening again gets the
same record again. A table and its deals have the table as root; a deal without a table is its own root.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

import orjson

from engine import Entry, Log
from engine.core.events import DEAL_EVENTS, CorrectionMade, DealOpened, Event
from engine.core.log import EntryMetadata
from engine.core.table_events import TABLE_EVENTS, DealStarted, TableOpened
from schemas.wire.event_reader import ParsedEntry, seq_mismatch_fault
from schemas.wire.event_writer import entry_bytes, entry_object
from schemas.wire.field_specs import EVENT_TYPE_BY_CLASS
from schemas.wire.line_reader import MAX_LINE_BYTES
from schemas.wire.wire_faults import WireError, unexpected_value_error
from service.config.urls import API_PREFIX
from service.eventstore import NewEvent
from service.eventstore.ids import derive_id, new_id

DEAL_KIND: Final = "deal"
TABLE_KIND: Final = "table"

EVENT_TYPES_BY_KIND: Final[dict[str, frozenset[type[Event]]]] = {
    DEAL_KIND: frozenset(DEAL_EVENTS),
    TABLE_KIND: frozenset(TABLE_EVENTS),
}
"""The events in streams of each kind."""
OPENING_TYPE_BY_KIND: Final[dict[str, type[Event]]] = {DEAL_KIND: DealOpened, TABLE_KIND: TableOpened}
"""The event with which each kind of stream begins, and which it has once."""


class SubmittedEvent(NamedTuple):
    """An event as a client sent it, with its place in the request (a JSON Pointer)."""

    reading: ParsedEntry
    pointer: str = ""


class MisplacedEvent(Exception):
    """An event does not belong in the stream to which it was sent; the text says where it belongs."""

    def __init__(self, submitted_event: SubmittedEvent, message: str) -> None:
        super().__init__(message)
        self.pointer = submitted_event.pointer


def require_valid_placement(submitted_event: SubmittedEvent, kind: str, opening: bool) -> None:
    """Raise `MisplacedEvent` unless the event may be in a stream of that ``kind``, or be its ``opening``."""
    event = submitted_event.reading.event
    name = EVENT_TYPE_BY_CLASS[type(event)]
    if opening:
        if not isinstance(event, OPENING_TYPE_BY_KIND[kind]):
            raise MisplacedEvent(submitted_event, f"A {kind} begins with {kind}_opened, not with {name}.")
    elif isinstance(event, OPENING_TYPE_BY_KIND[kind]):
        raise MisplacedEvent(submitted_event, f"{name} opens a new {kind}: send it to {API_PREFIX}/{kind}s.")
    elif isinstance(event, DealStarted):
        raise MisplacedEvent(
            submitted_event, "To start a deal of a table, send its opening to …/deals of the table."
        )
    require_allowed_event_types(submitted_event, kind)


def require_allowed_event_types(submitted_event: SubmittedEvent, kind: str) -> None:
    """Raise `MisplacedEvent` unless the event and all its parts are of types for that ``kind`` of stream."""
    parts = flatten_corrections(submitted_event.reading.event)
    if foreign_event := next((one for one in parts if type(one) not in EVENT_TYPES_BY_KIND[kind]), None):
        other_kind = TABLE_KIND if kind == DEAL_KIND else DEAL_KIND
        raise MisplacedEvent(
            submitted_event,
            f"{EVENT_TYPE_BY_CLASS[type(foreign_event)]} belongs to a {other_kind}, but this is a {kind}.",
        )


def require_no_variation(opening: SubmittedEvent) -> None:
    """Raise `MisplacedEvent` for a variation: it was not played at a table and pays nobody."""
    event = opening.reading.event
    if isinstance(event, DealOpened) and event.branch is not None:
        raise MisplacedEvent(opening, f"A variation cannot belong to a table. Send it to {API_PREFIX}/deals.")


def require_no_table(opening: SubmittedEvent) -> None:
    """Raise `MisplacedEvent` for a deal that names a table: the table would not know of it."""
    event = opening.reading.event
    if isinstance(event, DealOpened) and event.table is not None:
        raise MisplacedEvent(
            opening._replace(pointer=f"{opening.pointer}/table"),
            f"A deal of a table starts at its table: send the opening to {API_PREFIX}/tables/…/deals of "
            f"the table that it names ({event.table[:60]}). For a single deal, leave `table` out. Send a "
            f"file of logs to {API_PREFIX}/import.",
        )


def flatten_corrections(event: Event) -> Iterator[Event]:
    """The event and all events inside corrections, at any depth."""
    yield event
    if isinstance(event, CorrectionMade):
        for part in event.with_:
            yield from flatten_corrections(part)


def assign_event_ids(submitted_events: Sequence[SubmittedEvent]) -> list[SubmittedEvent]:
    """The events, each with an id.

    One without an id after one that has one gets an id derived from that and its place, so that a repeat of
    the request has the same ids. Others get new ids.
    """
    origin, first = None, 0
    found = []
    for index, one in enumerate(submitted_events):
        if one.reading.metadata.id is not None:
            origin, first = one.reading.metadata.id, index
            found.append(one)
        else:
            derived = new_id() if origin is None else derive_id(origin, str(index - first + 1))
            found.append(_with_metadata(one, id=derived))
    return found


def set_recorded_by(author: str, submitted_events: Sequence[SubmittedEvent]) -> list[SubmittedEvent]:
    """The events, recorded by ``author``, whatever they say."""
    return [_with_metadata(one, recorded_by=author) for one in submitted_events]


def _with_metadata(submitted_event: SubmittedEvent, **changes: Any) -> SubmittedEvent:
    (event, metadata, seq), pointer = submitted_event
    return SubmittedEvent(ParsedEntry(event, metadata._replace(**changes), seq), pointer)


def submitted_event_id(submitted_event: SubmittedEvent) -> str:
    """The id of an event that has been given one."""
    event_id = submitted_event.reading.metadata.id
    assert event_id is not None, "ids are given before anything is stored"
    return event_id


def build_new_event(submitted_event: SubmittedEvent) -> NewEvent:
    """The event for the store, which recognises repeats by what the client sent and stores canonical JSON.

    The append raises ``WireError`` if the client states another ``seq`` than the event gets.
    """
    event, record, _ = submitted_event.reading
    return NewEvent(
        submitted_event_id(submitted_event),
        _build_comparison_body(event, record),
        partial(_build_stored_body, submitted_event),
    )


def _build_comparison_body(event: Event, record: EntryMetadata) -> bytes:
    """What the client said, without seq, recorder and times: so an exported event is a repeat."""
    unsigned = record._replace(recorded_at=None, stored_at=None, recorded_by=None)
    event_json = entry_object(Entry(0, event, unsigned), omit_unknown=True)
    del event_json["seq"]
    return orjson.dumps(event_json)


def _build_stored_body(submitted_event: SubmittedEvent, body: bytes, seq: int, stored_at: str) -> bytes:
    """The body of an event at its place in the stream."""
    event, record, claimed = submitted_event.reading
    if claimed is not None and claimed != seq:
        fault = seq_mismatch_fault(claimed, seq)
        raise WireError([replace(fault, pointer=submitted_event.pointer + fault.pointer)])
    # An event from another store was recorded no later than it was stored there.
    recorded_at = record.recorded_at or record.stored_at
    body_bytes = entry_bytes(Entry(seq, event, record._replace(recorded_at=recorded_at, stored_at=stored_at)))
    if len(body_bytes) > MAX_LINE_BYTES:
        # Stored events must fit into the lines of files.
        (fault,) = unexpected_value_error(
            f"an event of {len(body_bytes)} bytes", f"at most {MAX_LINE_BYTES} bytes"
        ).faults
        raise WireError([replace(fault, pointer=submitted_event.pointer)])
    return body_bytes


def build_entries_after(version: int, submitted_events: Sequence[SubmittedEvent]) -> Log:
    """The entries that the events would be after a log of that ``version``."""
    return tuple(
        Entry(seq, one.reading.event, one.reading.metadata)
        for seq, one in enumerate(submitted_events, version + 1)
    )
