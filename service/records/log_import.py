"""Whole logs from files become records, with the ids they have or with derived ones.

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
from engine.core.field_types import Seq
from engine.core.table_events import DealStarted, PenaltyGiven
from engine.rulesets import RulesetBook
from schemas.wire.event_reader import ParsedEntry
from schemas.wire.event_writer import entry_bytes
from schemas.wire.jsonlines import MAX_ENTRIES_PER_LOG
from service.eventstore import (
    EventStore,
    IdConflict,
    NewEvent,
    StaleVersion,
    StreamAppend,
    StreamFull,
    StreamMismatch,
)
from service.eventstore.ids import derive_id
from service.records.capacity import require_capacity
from service.records.club_rules import pin_ruleset_revision
from service.records.log_grouping import One, TableLogs, group_logs
from service.records.record_streams import (
    DEAL_KIND,
    TABLE_KIND,
    MisplacedEvent,
    SubmittedEvent,
    build_new_event,
    require_allowed_event_types,
)
from service.records.tables import require_no_variation
from service.records.variation_tree import IdentifiedLog, sort_parents_first
from service.records.variations import BranchPointNotFound, Variations

DEAL_ID_NAMESPACE: Final = uuid.UUID("b4f3a1de-5d0c-5c5e-8f43-2d6f0a7c9e11")
"""Of the ids of deals that are derived from what their table calls them."""


class ImportResult(NamedTuple, Generic[One]):
    """What became of one log: the record's kind and id, its version, how many of its entries are new.

    ``failure_reason`` is a sentence where it was not imported; then nothing of it was stored.
    """

    log: One
    kind: str
    record_id: str
    version: int = 0
    new_entries: int = 0
    failure_reason: str | None = None


class _PendingImport(NamedTuple, Generic[One]):
    """A log on its way to be the record of that id."""

    source: One
    kind: str
    record_id: str
    log: Log


AuthorResolver = Callable[[str | None], str | None]
"""Says who recorded an entry, of which the file names somebody, or nobody."""


def keep_stated_author(stated_author: str | None) -> str | None:
    """Who recorded an entry: whoever the file says."""
    return stated_author


def build_author_resolver(author: str, *, trust_stated: bool) -> AuthorResolver:
    """Who recorded an entry: the author of the import, or whom the file says, where that is believed."""
    return lambda stated_author: stated_author if trust_stated and stated_author is not None else author


def import_logs(
    store: EventStore,
    logs: Iterable[One],
    book: RulesetBook,
    variations: Variations | None = None,
    resolve_author: AuthorResolver = keep_stated_author,
) -> Iterator[ImportResult[One]]:
    """Stores every log: deals alone each by itself, tables with the deals that they have started.

    A variation comes behind the deal that it leaves, wherever they stand; it may name it by its title.
    When an entry was recorded stays as the file says it; who recorded it is for ``resolve_author`` to say.
    What cannot be imported is said in its place; the rest is imported all the same. Raises
    `StoreUnavailable` and the like where the store fails: then the same import may be repeated.
    """
    found = group_logs(logs, book)
    names = _RecordIds(store)
    table_deals: list[IdentifiedLog] = []
    for evening in found.tables:
        pending_imports = _prepare_table(evening, names)
        table_deals += (IdentifiedLog(one.record_id, one.log) for one in pending_imports[1:])
        yield from _store_logs(store, pending_imports[0].record_id, pending_imports, book, resolve_author)
    for one in found.duplicate_deals:
        yield ImportResult(
            one,
            DEAL_KIND,
            names.derive(one.log),
            failure_reason="This deal is here twice; the first one counts.",
        )
    standalone_logs = [IdentifiedLog(names.derive(one.log), one.log) for one in found.standalone_deals]
    known = variations or Variations(store)
    for place, log in sort_parents_first(standalone_logs, table_deals):
        deal = _PendingImport(found.standalone_deals[place], DEAL_KIND, standalone_logs[place].record_id, log)
        yield from _import_standalone_deal(store, deal, known, book, resolve_author)


def _import_standalone_deal(
    store: EventStore,
    deal: _PendingImport[One],
    variations: Variations,
    book: RulesetBook,
    resolve_author: AuthorResolver,
) -> list[ImportResult[One]]:
    """A deal alone; a variation only where it leaves a deal that is there by now."""
    first = deal.log[0]
    opening = SubmittedEvent(ParsedEntry(first.event, first.metadata._replace(id=deal.record_id)))
    try:
        event = variations.complete_opening(opening).reading.event
    except BranchPointNotFound as error:
        return [ImportResult(deal.source, DEAL_KIND, deal.record_id, failure_reason=str(error))]
    log = (first._replace(event=event), *deal.log[1:])
    return _store_logs(store, deal.record_id, [deal._replace(log=log)], book, resolve_author)


class _RecordIds:
    """Ids of records: that of the opening, else one that the store derives from all that the log says.

    Two logs that say the very same are still two. Nobody can try out by its id what a log says that he
    may not know.
    """

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._content_counts: Counter[bytes] = Counter()

    def derive(self, log: Log) -> str:
        """The id of the record that a log becomes."""
        if log[0].metadata.id is not None:
            return log[0].metadata.id
        content = b"\n".join(entry_bytes(entry, omit_unknown=True) for entry in log)
        self._content_counts[content] += 1
        return self._store.keyed_id(b"%d %s" % (self._content_counts[content], content))


def _prepare_table(evening: TableLogs[One], names: _RecordIds) -> list[_PendingImport[One]]:
    """A table with its deals: its log names them by their records' ids, and their openings name it."""
    table = names.derive(evening.table_log.log)
    records = {
        started.deal: _deal_record_id(started.deal, evening.deals, table) for started in evening.table.deals
    }
    return [
        _PendingImport(
            evening.table_log, TABLE_KIND, table, _replace_deal_ids(evening.table_log.log, records)
        ),
        *(
            _PendingImport(deal, DEAL_KIND, records[name], _set_table(deal.log, table))
            for name, deal in evening.deals.items()
        ),
    ]


def _deal_record_id(name: str, deals: Mapping[str, One], table: str) -> str:
    """The id of the record of the deal that a table calls so."""
    own_id = deals[name].log[0].metadata.id if name in deals else None
    return own_id or _parse_uuid(name) or str(uuid.uuid5(DEAL_ID_NAMESPACE, f"{table} {name}"))


def _parse_uuid(name: str) -> str | None:
    try:
        return str(uuid.UUID(name))
    except ValueError:
        return None


def _replace_deal_ids(log: Log, record_ids: Mapping[str, str]) -> Log:
    return tuple(entry._replace(event=_replace_deal_ids_in_event(entry.event, record_ids)) for entry in log)


def _replace_deal_ids_in_event(event: Event, record_ids: Mapping[str, str]) -> Event:
    """The event, naming deals by the ids of their records."""
    if isinstance(event, CorrectionMade):
        return replace(
            event, with_=tuple(_replace_deal_ids_in_event(part, record_ids) for part in event.with_)
        )
    if isinstance(event, DealStarted | PenaltyGiven) and event.deal is not None:
        return replace(event, deal=record_ids.get(event.deal, event.deal))
    return event


def _set_table(log: Log, table: str) -> Log:
    """A deal whose opening names its table."""
    first = log[0]
    if isinstance(first.event, DealOpened) and first.event.table != table:
        first = first._replace(event=replace(first.event, table=table))
    return (first, *log[1:])


def _store_logs(
    store: EventStore,
    root: str,
    pending_imports: list[_PendingImport[One]],
    book: RulesetBook,
    resolve_author: AuthorResolver,
) -> list[ImportResult[One]]:
    """Stores several logs of one root in one step, or says of each why none of them is stored."""
    try:
        for one in pending_imports:
            require_capacity(one.record_id, (), [entry.event for entry in one.log])
        appends = [
            StreamAppend(
                one.record_id,
                0,
                list(_build_new_events(store, root, one, book, resolve_author)),
                one.kind,
                MAX_ENTRIES_PER_LOG,
            )
            for one in pending_imports
        ]
        append_results = store.append(root, appends)
    except (MisplacedEvent, IdConflict, StaleVersion, StreamFull, StreamMismatch) as error:
        return [
            ImportResult(one.source, one.kind, one.record_id, failure_reason=str(error))
            for one in pending_imports
        ]
    return [
        ImportResult(
            one.source, one.kind, one.record_id, answer.version, len(answer.events) - answer.repeated_count
        )
        for one, answer in zip(pending_imports, append_results, strict=True)
    ]


def _build_new_events(
    store: EventStore,
    root: str,
    pending_import: _PendingImport[One],
    book: RulesetBook,
    resolve_author: AuthorResolver,
) -> Iterator[NewEvent]:
    """The entries as the store takes them; when they are stored is for it to say."""
    for entry in pending_import.log:
        event_id = (
            pending_import.record_id
            if entry.seq == 1
            else entry.metadata.id or _derive_entry_id(pending_import.record_id, entry.seq)
        )
        record = entry.metadata._replace(id=event_id, recorded_by=resolve_author(entry.metadata.recorded_by))
        submitted_event = SubmittedEvent(ParsedEntry(entry.event, record), f"/{entry.seq}")
        require_allowed_event_types(submitted_event, pending_import.kind)
        if entry.seq == 1 and root != pending_import.record_id:
            require_no_variation(submitted_event)
        if entry.seq == 1:
            submitted_event = pin_ruleset_revision(store, root, submitted_event, book)
        yield build_new_event(submitted_event)


def _derive_entry_id(record: str, seq: Seq) -> str:
    """The id of an entry that has none. Not of the number alone: by that slips name a table's deals."""
    return derive_id(record, f"entry {seq}")
