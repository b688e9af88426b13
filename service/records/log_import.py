"""Importing logs as records, with the ids that they have or with derived ones.

Importing a file again gives the same records: an entry without an id gets one derived from its log. A table
and its deals are stored in one step.
"""

import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Generic, NamedTuple

from engine import Entry, Log
from engine.core.events import CorrectionMade, DealOpened, Event
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
    require_no_variation,
)
from service.records.variations import BranchPointNotFound, IdentifiedLog, Variations, sort_parents_first

DEAL_ID_NAMESPACE: Final = uuid.UUID("b4f3a1de-5d0c-5c5e-8f43-2d6f0a7c9e11")
"""For ids of deals that are derived from their names at the table."""


class ImportResult(NamedTuple, Generic[One]):
    """The record of an imported log, its version and the number of new entries.

    ``failure_reason`` is a sentence if nothing of it was stored.
    """

    log: One
    kind: str
    record_id: str
    version: int = 0
    new_entries: int = 0
    failure_reason: str | None = None


class _PendingImport(NamedTuple, Generic[One]):
    """A log that becomes the record of that id."""

    source: One
    kind: str
    record_id: str
    log: Log

    def fail(self, reason: Exception) -> ImportResult[One]:
        """The result if it cannot be stored."""
        return ImportResult(self.source, self.kind, self.record_id, failure_reason=str(reason))


def import_logs(
    store: EventStore,
    logs: Iterable[One],
    book: RulesetBook,
    variations: Variations | None = None,
    author: str | None = None,
    *,
    trust_stated_author: bool = True,
) -> Iterator[ImportResult[One]]:
    """Store logs: tables with the deals that they started, other deals each by itself.

    Variations come after the deals that they leave. The recording time is that of the file; the recorder is
    ``author``, or with ``trust_stated_author`` the one that the file states. A log that cannot be imported
    does not stop the others. Raises `StoreUnavailable` and the like if the store fails: then the import may
    be repeated.
    """
    return _LogImport(store, book, variations or Variations(store), author, trust_stated_author).run(logs)


class _LogImport:
    """One import, in which equal logs without ids are different records."""

    def __init__(
        self,
        store: EventStore,
        book: RulesetBook,
        variations: Variations,
        author: str | None,
        trusts_stated_author: bool,
    ) -> None:
        self._store, self._book, self._variations = store, book, variations
        self._author, self._trusts_stated_author = author, trusts_stated_author
        self._content_counts: Counter[bytes] = Counter()

    def run(self, logs: Iterable[One]) -> Iterator[ImportResult[One]]:
        """Store the logs, and yield the result of each."""
        found = group_logs(logs, self._book)
        table_deals: list[IdentifiedLog] = []
        for evening in found.tables:
            pending_imports = self._prepare_table(evening)
            table_deals += (IdentifiedLog(one.record_id, one.log) for one in pending_imports[1:])
            yield from self._store_logs(pending_imports)
        for one in found.duplicate_deals:
            reason = "This deal appears twice; only the first one counts."
            yield ImportResult(one, DEAL_KIND, self._record_id(one.log), failure_reason=reason)
        standalone_logs = [IdentifiedLog(self._record_id(one.log), one.log) for one in found.standalone_deals]
        for place, log in sort_parents_first(standalone_logs, table_deals):
            record_id = standalone_logs[place].record_id
            yield self._import_standalone_deal(
                _PendingImport(found.standalone_deals[place], DEAL_KIND, record_id, log)
            )

    def _record_id(self, log: Log) -> str:
        """The id of the opening, else one that the store derives from the log and the number of equal logs.

        It is keyed, so that nobody can test guesses of a hidden log by its id.
        """
        if log[0].metadata.id is not None:
            return log[0].metadata.id
        content = b"\n".join(entry_bytes(entry, omit_unknown=True) for entry in log)
        self._content_counts[content] += 1
        return self._store.keyed_id(b"%d %s" % (self._content_counts[content], content))

    def _import_standalone_deal(self, deal: _PendingImport[One]) -> ImportResult[One]:
        """Import a deal without a table; a variation only if the deal that it leaves is there."""
        first = deal.log[0]
        opening = SubmittedEvent(ParsedEntry(first.event, first.metadata._replace(id=deal.record_id)))
        try:
            event = self._variations.complete_opening(opening).reading.event
        except BranchPointNotFound as error:
            return deal.fail(error)
        (result,) = self._store_logs([deal._replace(log=(first._replace(event=event), *deal.log[1:]))])
        return result

    def _prepare_table(self, evening: TableLogs[One]) -> list[_PendingImport[One]]:
        """A table with its deals: its log refers to their records, and their openings to the table."""
        source = evening.table_log
        table = self._record_id(source.log)
        records = {
            name: _deal_record_id(name, evening.deals, table) for name in evening.started_deals.values()
        }
        return [
            _PendingImport(source, TABLE_KIND, table, _replace_deal_ids(source.log, records)),
            *(
                _PendingImport(deal, DEAL_KIND, records[name], _set_table(deal.log, table))
                for name, deal in evening.deals.items()
            ),
        ]

    def _store_logs(self, pending_imports: Sequence[_PendingImport[One]]) -> list[ImportResult[One]]:
        """Store logs with the first as their root, all or none; the results of all."""
        root = pending_imports[0].record_id
        try:
            for one in pending_imports:
                require_capacity(one.record_id, (), [entry.event for entry in one.log])
            append_results = self._store.append(
                root,
                [
                    StreamAppend(
                        one.record_id,
                        0,
                        [self._build_new_event(root, one, entry) for entry in one.log],
                        one.kind,
                        MAX_ENTRIES_PER_LOG,
                    )
                    for one in pending_imports
                ],
            )
        except (MisplacedEvent, IdConflict, StaleVersion, StreamFull, StreamMismatch) as error:
            return [one.fail(error) for one in pending_imports]
        return [
            ImportResult(
                one.source,
                one.kind,
                one.record_id,
                answer.version,
                len(answer.events) - answer.repeated_count,
            )
            for one, answer in zip(pending_imports, append_results, strict=True)
        ]

    def _build_new_event(self, root: str, pending_import: _PendingImport[One], entry: Entry) -> NewEvent:
        record_id, metadata, is_opening = pending_import.record_id, entry.metadata, entry.seq == 1
        # Not derived from the number alone, from which slips derive the ids of a table's deals.
        event_id = metadata.id or derive_id(record_id, f"entry {entry.seq}")
        stated_author = metadata.recorded_by if self._trusts_stated_author else None
        metadata = metadata._replace(
            id=record_id if is_opening else event_id, recorded_by=stated_author or self._author
        )
        submitted_event = SubmittedEvent(ParsedEntry(entry.event, metadata), f"/{entry.seq}")
        require_allowed_event_types(submitted_event, pending_import.kind)
        if is_opening:
            if root != record_id:
                require_no_variation(submitted_event)
            submitted_event = pin_ruleset_revision(self._store, root, submitted_event, self._book)
        return build_new_event(submitted_event)


def _deal_record_id(name: str, deals: Mapping[str, One], table: str) -> str:
    """The id of the record of the deal with that name at a table."""
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
    """The event, with deals named by the ids of their records."""
    if isinstance(event, CorrectionMade):
        return replace(
            event, with_=tuple(_replace_deal_ids_in_event(part, record_ids) for part in event.with_)
        )
    if isinstance(event, DealStarted | PenaltyGiven) and event.deal is not None:
        return replace(event, deal=record_ids.get(event.deal, event.deal))
    return event


def _set_table(log: Log, table: str) -> Log:
    """The log of a deal whose opening names its table."""
    first = log[0]
    if isinstance(first.event, DealOpened) and first.event.table != table:
        first = first._replace(event=replace(first.event, table=table))
    return (first, *log[1:])
