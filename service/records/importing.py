"""Importing: whole logs from files become records, with the ids they have or with derived ones.

The same file imported again is the same records again: an entry without an id gets one that is derived
from what its log says. A table and its deals are stored in one step.
"""

import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, Generic, NamedTuple

from engine import Log
from engine.core.events import CorrectionMade, DealOpened, Event
from engine.core.table_events import DealStarted, PenaltyGiven
from engine.core.vocabulary import Seq
from engine.rulesets import Book
from schemas.wire.jsonlines import ENTRIES
from schemas.wire.reader import Reading
from schemas.wire.writer import entry_bytes
from service.eventstore import (
    Append,
    EventStore,
    IdConflict,
    NewEvent,
    StaleVersion,
    StreamFull,
    StreamMismatch,
)
from service.eventstore.ids import derived_id
from service.records.capacity import require_room
from service.records.club_rules import with_revision
from service.records.gather_logs import Evening, One, gathered
from service.records.records import DEAL, TABLE, Misplaced, Posted, new_event, require_kind
from service.records.tables import require_no_variation
from service.records.variation_tree import Member, parents_first
from service.records.variations import NotThere, Variations

NAMESPACE: Final = uuid.UUID("b4f3a1de-5d0c-5c5e-8f43-2d6f0a7c9e11")
"""Of the ids of deals that are derived from what their table calls them."""


class Imported(NamedTuple, Generic[One]):
    """What became of one log: the record's kind and id, its version, how many of its entries are new.

    ``why_not`` is a sentence where it was not imported; then nothing of it was stored.
    """

    log: One
    kind: str
    record: str
    version: int = 0
    new: int = 0
    why_not: str | None = None


class _Wanted(NamedTuple, Generic[One]):
    """A log on its way to be the record of that id."""

    read: One
    kind: str
    record: str
    log: Log


Signing = Callable[[str | None], str | None]
"""Says who recorded an entry, of which the file names somebody, or nobody."""


def as_named(named: str | None) -> str | None:
    """Who recorded an entry: whoever the file says."""
    return named


def signed_by(author: str, *, believed: bool) -> Signing:
    """Who recorded an entry: the author of the import, or whom the file says, where that is believed."""
    return lambda named: named if believed and named is not None else author


def import_logs(
    store: EventStore,
    logs: Iterable[One],
    book: Book,
    variations: Variations | None = None,
    signing: Signing = as_named,
) -> Iterator[Imported[One]]:
    """Stores every log: deals alone each by itself, tables with the deals that they have started.

    A variation comes behind the deal that it leaves, wherever they stand; it may name it by its title.
    When an entry was recorded stays as the file says it; who recorded it is for ``signing`` to say.
    What cannot be imported is said in its place; the rest is imported all the same. Raises
    `StoreUnavailable` and the like where the store fails: then the same import may be repeated.
    """
    found = gathered(logs, book)
    names = _Names(store)
    at_tables: list[Member] = []
    for evening in found.evenings:
        wanted = _of_evening(evening, names)
        at_tables += (Member(one.record, one.log) for one in wanted[1:])
        yield from _stored(store, wanted[0].record, wanted, book, signing)
    for one in found.twice:
        yield Imported(one, DEAL, names.of(one.log), why_not="This deal is here twice; the first one counts.")
    alone = [Member(names.of(one.log), one.log) for one in found.alone]
    known = variations or Variations(store)
    for place, log in parents_first(alone, at_tables):
        deal = _Wanted(found.alone[place], DEAL, alone[place].record, log)
        yield from _import_alone(store, deal, known, book, signing)


def _import_alone(
    store: EventStore, deal: _Wanted[One], variations: Variations, book: Book, signing: Signing
) -> list[Imported[One]]:
    """A deal alone; a variation only where it leaves a deal that is there by now."""
    first = deal.log[0]
    opening = Posted(Reading(first.event, first.record._replace(id=deal.record)))
    try:
        event = variations.opened(opening).reading.event
    except NotThere as error:
        return [Imported(deal.read, DEAL, deal.record, why_not=str(error))]
    log = (first._replace(event=event), *deal.log[1:])
    return _stored(store, deal.record, [deal._replace(log=log)], book, signing)


class _Names:
    """Ids of records: that of the opening, else one that the store derives from all that the log says.

    Two logs that say the very same are still two. Nobody can try out by its id what a log says that he
    may not know.
    """

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._seen: Counter[bytes] = Counter()

    def of(self, log: Log) -> str:
        """The id of the record that a log becomes."""
        if log[0].record.id is not None:
            return log[0].record.id
        said = b"\n".join(entry_bytes(entry, bare=True) for entry in log)
        self._seen[said] += 1
        return self._store.derived_id(b"%d %s" % (self._seen[said], said))


def _of_evening(evening: Evening[One], names: _Names) -> list[_Wanted[One]]:
    """A table with its deals: its log names them by their records' ids, and their openings name it."""
    table = names.of(evening.log.log)
    records = {
        started.deal: _record_of(started.deal, evening.deals, table) for started in evening.table.deals
    }
    return [
        _Wanted(evening.log, TABLE, table, _renamed(evening.log.log, records)),
        *(
            _Wanted(deal, DEAL, records[name], _at_table(deal.log, table))
            for name, deal in evening.deals.items()
        ),
    ]


def _record_of(name: str, deals: Mapping[str, One], table: str) -> str:
    """The id of the record of the deal that a table calls so."""
    own = deals[name].log[0].record.id if name in deals else None
    return own or _as_id(name) or str(uuid.uuid5(NAMESPACE, f"{table} {name}"))


def _as_id(name: str) -> str | None:
    try:
        return str(uuid.UUID(name))
    except ValueError:
        return None


def _renamed(log: Log, records: Mapping[str, str]) -> Log:
    return tuple(entry._replace(event=_with_records(entry.event, records)) for entry in log)


def _with_records(event: Event, records: Mapping[str, str]) -> Event:
    """The event, naming deals by the ids of their records."""
    if isinstance(event, CorrectionMade):
        return replace(event, with_=tuple(_with_records(part, records) for part in event.with_))
    if isinstance(event, DealStarted | PenaltyGiven) and event.deal is not None:
        return replace(event, deal=records.get(event.deal, event.deal))
    return event


def _at_table(log: Log, table: str) -> Log:
    """A deal whose opening names its table."""
    first = log[0]
    if isinstance(first.event, DealOpened) and first.event.table != table:
        first = first._replace(event=replace(first.event, table=table))
    return (first, *log[1:])


def _stored(
    store: EventStore, root: str, wanted: list[_Wanted[One]], book: Book, signing: Signing
) -> list[Imported[One]]:
    """Stores several logs of one root in one step, or says of each why none of them is stored."""
    try:
        for one in wanted:
            require_room(one.record, (), [entry.event for entry in one.log])
        appends = [
            Append(one.record, 0, list(_events(store, root, one, book, signing)), one.kind, ENTRIES)
            for one in wanted
        ]
        answers = store.append(root, appends)
    except (Misplaced, IdConflict, StaleVersion, StreamFull, StreamMismatch) as error:
        return [Imported(one.read, one.kind, one.record, why_not=str(error)) for one in wanted]
    return [
        Imported(one.read, one.kind, one.record, answer.version, len(answer.events) - answer.repeated)
        for one, answer in zip(wanted, answers, strict=True)
    ]


def _events(
    store: EventStore, root: str, one: _Wanted[One], book: Book, signing: Signing
) -> Iterator[NewEvent]:
    """The entries as the store takes them; when they are stored is for it to say."""
    for entry in one.log:
        event_id = one.record if entry.seq == 1 else entry.record.id or _id_of(one.record, entry.seq)
        record = entry.record._replace(id=event_id, recorded_by=signing(entry.record.recorded_by))
        posted = Posted(Reading(entry.event, record), f"/{entry.seq}")
        require_kind(posted, one.kind)
        if entry.seq == 1 and root != one.record:
            require_no_variation(posted)
        if entry.seq == 1:
            posted = with_revision(store, root, posted, book)
        yield new_event(posted)


def _id_of(record: str, seq: Seq) -> str:
    """The id of an entry that has none. Not of the number alone: by that slips name a table's deals."""
    return derived_id(record, f"entry {seq}")
