"""Records: the streams of the store as logs of the engine, and new entries on their way into it.

A deal's id is the id of the event that opened it, a table's likewise: so a client that sends
the same opening again gets the same deal again. A table and its deals share the table's root; a
deal alone is its own root.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

import orjson

from engine import Entry, Log
from engine.core.events import DEAL_EVENTS, CorrectionMade, DealOpened, Event
from engine.core.log import Record
from engine.core.table_events import TABLE_EVENTS, DealStarted, TableOpened
from schemas.wire.declaration import TYPE_OF
from schemas.wire.faults import WireError, unfit
from schemas.wire.lines import LONGEST
from schemas.wire.reader import Reading, read_entry, seq_fault
from schemas.wire.writer import entry_bytes, entry_object
from service.config.urls import PREFIX
from service.eventstore import (
    PAGE,
    EventReader,
    NewEvent,
    StoreDamaged,
    StoredEvent,
    StreamInfo,
    UnknownStream,
)
from service.eventstore.ids import derived_id, new_id

DEAL: Final = "deal"
TABLE: Final = "table"

HOLDS: Final[dict[str, frozenset[type[Event]]]] = {
    DEAL: frozenset(DEAL_EVENTS),
    TABLE: frozenset(TABLE_EVENTS),
}
"""What the streams of each kind hold."""
OPENS: Final[dict[str, type[Event]]] = {DEAL: DealOpened, TABLE: TableOpened}
"""What each kind of stream begins with, and has once."""


class Posted(NamedTuple):
    """An event as a client sent it, and where it stands in what he sent (a JSON Pointer)."""

    reading: Reading
    pointer: str = ""


class Misplaced(Exception):
    """An event that does not belong into the stream it was sent to; the text says where it belongs."""

    def __init__(self, posted: Posted, sentence: str) -> None:
        super().__init__(sentence)
        self.pointer = posted.pointer


class UnknownRecord(UnknownStream):
    """No deal, or no table, of this id is recorded; ``kind`` says which of the two was looked for."""

    def __init__(self, kind: str, stream: str) -> None:
        super().__init__(stream)
        self.kind = kind


def described(store: EventReader, kind: str, stream: str) -> StreamInfo:
    """The stream, if it is of that kind. Raises `UnknownRecord`."""
    try:
        info = store.describe(stream)
    except UnknownStream:
        raise UnknownRecord(kind, stream) from None
    if info.kind != kind:
        raise UnknownRecord(kind, stream)
    return info


def described_at(store: EventReader, table: str, deal: str) -> StreamInfo:
    """A deal of that table. Raises `UnknownRecord` for any other, which a table's log may name all the same.

    An imported log names whatever it likes: who may read the table need not be one who may read that.
    """
    info = described(store, DEAL, deal)
    if info.root != table:
        raise UnknownRecord(DEAL, deal)
    return info


def stored_events(
    store: EventReader, stream: str, after: int = 0, upto: int | None = None
) -> Iterator[StoredEvent]:
    """A stream's events behind ``after``, up to and with ``upto``, read a page at a time."""
    while upto is None or after < upto:
        page = store.read(stream, after, PAGE if upto is None else min(PAGE, upto - after))
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1].seq


def log_in(store: EventReader, stream: str, upto: int | None = None) -> Log:
    """A stream as a log: all of it, or its first ``upto`` entries. Raises `UnknownStream`."""
    return tuple(entry_in(event) for event in stored_events(store, stream, upto=upto))


def entry_in(event: StoredEvent) -> Entry:
    """A stored event as the entry it holds. Raises `StoreDamaged` where it holds none."""
    try:
        return read_entry(orjson.loads(event.body), event.seq)
    except (orjson.JSONDecodeError, WireError) as error:
        raise StoreDamaged(
            f"Event {event.seq} of stream {event.stream} cannot be read as the entry of a log: {error}"
        ) from error


def require_place(posted: Posted, kind: str, opening: bool) -> None:
    """Raises `Misplaced` where the event cannot stand in a stream of that ``kind``.

    ``opening`` is True for its first entry.
    """
    event = posted.reading.event
    name = TYPE_OF[type(event)]
    if opening:
        if not isinstance(event, OPENS[kind]):
            raise Misplaced(posted, f"A {kind} begins with {kind}_opened, not with {name}.")
    elif isinstance(event, OPENS[kind]):
        raise Misplaced(posted, f"{name} opens a new {kind}: send it to {PREFIX}/{kind}s.")
    elif isinstance(event, DealStarted):
        raise Misplaced(
            posted, "A deal of a table is started by sending its opening to …/deals of the table."
        )
    require_kind(posted, kind)


def require_kind(posted: Posted, kind: str) -> None:
    """Raises `Misplaced` where the event, or a part of it, is none that a stream of that ``kind`` holds."""
    parts = with_parts(posted.reading.event)
    if strange := next((one for one in parts if type(one) not in HOLDS[kind]), None):
        other = TABLE if kind == DEAL else DEAL
        raise Misplaced(posted, f"{TYPE_OF[type(strange)]} belongs to a {other}, and this is a {kind}.")


def with_parts(event: Event) -> Iterator[Event]:
    """The event, and what corrections put in, however deep."""
    yield event
    if isinstance(event, CorrectionMade):
        for part in event.with_:
            yield from with_parts(part)


def with_ids(sent: Sequence[Posted]) -> list[Posted]:
    """The same with ids, where the writer gave none.

    What stands behind an event that has one gets one that follows from it and from its place: so the same
    sent again is the same again. Elsewhere ids are new.
    """
    origin, first = None, 0
    found = []
    for index, one in enumerate(sent):
        if one.reading.record.id is not None:
            origin, first = one.reading.record.id, index
            found.append(one)
        else:
            derived = new_id() if origin is None else derived_id(origin, str(index - first + 1))
            found.append(_with_id(one, derived))
    return found


def _with_id(posted: Posted, event_id: str) -> Posted:
    event, record, claimed = posted.reading
    return posted._replace(reading=Reading(event, record._replace(id=event_id), claimed))


def in_name_of(author: str, sent: Sequence[Posted]) -> list[Posted]:
    """The same, recorded by ``author``, whoever is named in it."""
    return [
        one._replace(reading=one.reading._replace(record=one.reading.record._replace(recorded_by=author)))
        for one in sent
    ]


def id_of(posted: Posted) -> str:
    """The id of what has one by now."""
    event_id = posted.reading.record.id
    assert event_id is not None, "ids are given before anything is stored"
    return event_id


def new_event(posted: Posted) -> NewEvent:
    """The event as the store takes it: recognised by what the writer sent, stored in canonical form.

    When and where it is stored is for the store to say; a ``seq`` that the writer claims has to
    be the one it gets, else the append raises ``WireError``.
    """
    event, record, _ = posted.reading
    return NewEvent(id_of(posted), _writers_body(event, record), partial(_finished, posted))


def _writers_body(event: Event, record: Record) -> bytes:
    """What the writer said, by which a repeat is known: not where it stands, nor who recorded it, nor when.

    So what was exported, and says more of that than its writer did, is the same again.
    """
    unsigned = record._replace(recorded_at=None, stored_at=None, recorded_by=None)
    said = entry_object(Entry(0, event, unsigned), bare=True)
    del said["seq"]
    return orjson.dumps(said)


def _finished(posted: Posted, body: bytes, seq: int, stored_at: str) -> bytes:
    """The stored body of an event, once its place is known."""
    event, record, claimed = posted.reading
    if claimed is not None and claimed != seq:
        fault = seq_fault(claimed, seq)
        raise WireError([replace(fault, pointer=posted.pointer + fault.pointer)])
    # What another store kept already was recorded no later than it says it was stored there.
    recorded_at = record.recorded_at or record.stored_at
    made = entry_bytes(Entry(seq, event, record._replace(recorded_at=recorded_at, stored_at=stored_at)))
    if len(made) > LONGEST:
        # What is stored can be read back from a file, and a line of that has so many bytes at most.
        (fault,) = unfit(f"an event of {len(made)} bytes", f"one of at most {LONGEST}").faults
        raise WireError([replace(fault, pointer=posted.pointer)])
    return made


def entries_after(version: int, posted: Sequence[Posted]) -> Log:
    """The entries that the events would be behind a log of that ``version``."""
    return tuple(
        Entry(seq, one.reading.event, one.reading.record) for seq, one in enumerate(posted, version + 1)
    )
