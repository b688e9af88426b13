"""What the streams of deals and of tables hold, and new entries on their way into them.

A deal's id is the id of the event that opened it, a table's likewise: so a client that sends
the same opening again gets the same deal again. A table and its deals share the table's root; a
deal alone is its own root.
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
"""What the streams of each kind hold."""
OPENING_TYPE_BY_KIND: Final[dict[str, type[Event]]] = {DEAL_KIND: DealOpened, TABLE_KIND: TableOpened}
"""What each kind of stream begins with, and has once."""


class SubmittedEvent(NamedTuple):
    """An event as a client sent it, and where it stands in what he sent (a JSON Pointer)."""

    reading: ParsedEntry
    pointer: str = ""


class MisplacedEvent(Exception):
    """An event that does not belong into the stream it was sent to; the text says where it belongs."""

    def __init__(self, submitted_event: SubmittedEvent, message: str) -> None:
        super().__init__(message)
        self.pointer = submitted_event.pointer


def require_valid_placement(submitted_event: SubmittedEvent, kind: str, opening: bool) -> None:
    """Raises `MisplacedEvent` where the event cannot stand in a stream of that ``kind``.

    ``opening`` is True for its first entry.
    """
    event = submitted_event.reading.event
    name = EVENT_TYPE_BY_CLASS[type(event)]
    if opening:
        if not isinstance(event, OPENING_TYPE_BY_KIND[kind]):
            raise MisplacedEvent(submitted_event, f"A {kind} begins with {kind}_opened, not with {name}.")
    elif isinstance(event, OPENING_TYPE_BY_KIND[kind]):
        raise MisplacedEvent(submitted_event, f"{name} opens a new {kind}: send it to {API_PREFIX}/{kind}s.")
    elif isinstance(event, DealStarted):
        raise MisplacedEvent(
            submitted_event, "A deal of a table is started by sending its opening to …/deals of the table."
        )
    require_allowed_event_types(submitted_event, kind)


def require_allowed_event_types(submitted_event: SubmittedEvent, kind: str) -> None:
    """Raises `MisplacedEvent` where the event, or a part of it, is none that a stream of that ``kind``
    holds."""
    parts = flatten_corrections(submitted_event.reading.event)
    if foreign_event := next((one for one in parts if type(one) not in EVENT_TYPES_BY_KIND[kind]), None):
        other_kind = TABLE_KIND if kind == DEAL_KIND else DEAL_KIND
        raise MisplacedEvent(
            submitted_event,
            f"{EVENT_TYPE_BY_CLASS[type(foreign_event)]} belongs to a {other_kind}, and this is a {kind}.",
        )


def require_no_variation(opening: SubmittedEvent) -> None:
    """Raises `MisplacedEvent` for a variation: it was not played at a table, and nobody is paid for it."""
    event = opening.reading.event
    if isinstance(event, DealOpened) and event.branch is not None:
        raise MisplacedEvent(opening, f"A variation is no deal of a table. Send it to {API_PREFIX}/deals.")


def require_no_table(opening: SubmittedEvent) -> None:
    """Raises `MisplacedEvent` for a deal that names a table: recorded alone, the table would not know of
    it."""
    event = opening.reading.event
    if isinstance(event, DealOpened) and event.table is not None:
        raise MisplacedEvent(
            opening._replace(pointer=f"{opening.pointer}/table"),
            f"A deal of a table is started there: send its opening to {API_PREFIX}/tables/…/deals of the "
            f"table that it names ({event.table[:60]}), or leave `table` out where it is a deal alone. A "
            f"file of logs goes to {API_PREFIX}/import.",
        )


def flatten_corrections(event: Event) -> Iterator[Event]:
    """The event, and what corrections put in, however deep."""
    yield event
    if isinstance(event, CorrectionMade):
        for part in event.with_:
            yield from flatten_corrections(part)


def assign_event_ids(submitted_events: Sequence[SubmittedEvent]) -> list[SubmittedEvent]:
    """The same with ids, where the writer gave none.

    What stands behind an event that has one gets one that follows from it and from its place: so the same
    sent again is the same again. Elsewhere ids are new.
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
    """The same, recorded by ``author``, whoever is named in it."""
    return [_with_metadata(one, recorded_by=author) for one in submitted_events]


def _with_metadata(submitted_event: SubmittedEvent, **changes: Any) -> SubmittedEvent:
    reading = submitted_event.reading
    return submitted_event._replace(reading=reading._replace(metadata=reading.metadata._replace(**changes)))


def submitted_event_id(submitted_event: SubmittedEvent) -> str:
    """The id of what has one by now."""
    event_id = submitted_event.reading.metadata.id
    assert event_id is not None, "ids are given before anything is stored"
    return event_id


def build_new_event(submitted_event: SubmittedEvent) -> NewEvent:
    """The event as the store takes it: recognised by what the writer sent, stored in canonical form.

    When and where it is stored is for the store to say; a ``seq`` that the writer claims has to
    be the one it gets, else the append raises ``WireError``.
    """
    event, record, _ = submitted_event.reading
    return NewEvent(
        submitted_event_id(submitted_event),
        _build_comparison_body(event, record),
        partial(_build_stored_body, submitted_event),
    )


def _build_comparison_body(event: Event, record: EntryMetadata) -> bytes:
    """What the writer said, by which a repeat is known: not where it stands, nor who recorded it, nor when.

    So what was exported, and says more of that than its writer did, is the same again.
    """
    unsigned = record._replace(recorded_at=None, stored_at=None, recorded_by=None)
    event_json = entry_object(Entry(0, event, unsigned), omit_unknown=True)
    del event_json["seq"]
    return orjson.dumps(event_json)


def _build_stored_body(submitted_event: SubmittedEvent, body: bytes, seq: int, stored_at: str) -> bytes:
    """The stored body of an event, once its place is known."""
    event, record, claimed = submitted_event.reading
    if claimed is not None and claimed != seq:
        fault = seq_mismatch_fault(claimed, seq)
        raise WireError([replace(fault, pointer=submitted_event.pointer + fault.pointer)])
    # What another store kept already was recorded no later than it says it was stored there.
    recorded_at = record.recorded_at or record.stored_at
    body_bytes = entry_bytes(Entry(seq, event, record._replace(recorded_at=recorded_at, stored_at=stored_at)))
    if len(body_bytes) > MAX_LINE_BYTES:
        # What is stored can be read back from a file, and a line of that has so many bytes at most.
        (fault,) = unexpected_value_error(
            f"an event of {len(body_bytes)} bytes", f"one of at most {MAX_LINE_BYTES}"
        ).faults
        raise WireError([replace(fault, pointer=submitted_event.pointer)])
    return body_bytes


def build_entries_after(version: int, submitted_events: Sequence[SubmittedEvent]) -> Log:
    """The entries that the events would be behind a log of that ``version``."""
    return tuple(
        Entry(seq, one.reading.event, one.reading.metadata)
        for seq, one in enumerate(submitted_events, version + 1)
    )
