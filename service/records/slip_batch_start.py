"""Several deals started at a table in one step, each with what a slip says of it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.core.events import DealOpened
from engine.core.log import Entry, EntryMetadata, seq_key
from engine.core.table_events import DealStarted
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.tables import EveningPreview, fold_evening_deal
from schemas.wire.event_writer import event_object
from schemas.wire.jsonlines import MAX_ENTRIES_PER_LOG
from service.eventstore import AppendResult, EventStore, StreamAppend, StreamInfo
from service.eventstore.events import ExpectedVersion
from service.eventstore.ids import new_id
from service.records.append import StrictModeViolation
from service.records.capacity import require_capacity
from service.records.record_streams import (
    DEAL_KIND,
    SubmittedEvent,
    assign_event_ids,
    build_entries_after,
    build_new_event,
    require_valid_placement,
    submitted_event_id,
)
from service.records.repository import read_log, table_deal_info
from service.records.slip_batches import build_table_continuation
from service.records.strict_mode import find_refused_findings
from service.records.tables import (
    NextPlayersUnknown,
    build_deal_started_event,
    find_stored_opening_defaults,
    merge_opening_fields,
    next_deal_defaults,
)

Json = Mapping[str, Any]
DealReader = Callable[[int, Sequence[Json]], list[SubmittedEvent]]
"""Reads the events of the deal at a place of the batch. Raises the problem of those that cannot be read."""


class SlipBatchResult(NamedTuple):
    """Deals that were started: what became of the table's entries, and of each deal's."""

    table_append: AppendResult
    deal_appends: tuple[AppendResult, ...]


def complete_slip_batch(
    store: EventStore,
    table: StreamInfo,
    deals_json: Sequence[Sequence[Json]],
    read_deal: DealReader,
    book: RulesetBook = PUBLISHED_RULESETS,
) -> list[list[SubmittedEvent]]:
    """The deals of a batch as they are to be stored: each opening in full, on top of the deals before it.

    What an opening leaves out is as for one that is sent alone
    (`service.records.tables.complete_deal_opening`); a deal that is stored already gets what it got
    then. Raises `NextPlayersUnknown`, and as ``read_deal``.
    """
    log = read_log(store, table.stream)
    preview = build_table_continuation(
        log, lambda deal: read_log(store, table_deal_info(store, table.stream, deal).stream), book
    )
    found = []
    for number, events in enumerate(deals_json):
        first, rest = events[0], events[1:]
        stated_fields = {name: value for name, value in first.items() if value is not None}
        stored_defaults = find_stored_opening_defaults(store, table, stated_fields.get("id"))
        opening = (
            _complete_opening(preview, table, stated_fields)
            if stored_defaults is None
            else merge_opening_fields(stated_fields, stored_defaults)
        )
        submitted_events = assign_event_ids(read_deal(number, [opening, *rest]))
        if stored_defaults is None:
            _continue_with_deal(preview, submitted_events, book)
        found.append(submitted_events)
    return found


def _complete_opening(
    preview: EveningPreview, table: StreamInfo, stated_fields: dict[str, Any]
) -> dict[str, Any]:
    table_opening = event_object(preview.table.opening_event)
    defaults: dict[str, Any] = {"id": new_id(), "table": table.stream, "number": preview.table.next_number}
    if stated_fields.get("ruleset", table_opening["ruleset"]) == table_opening["ruleset"]:
        defaults |= {
            name: table_opening[name] for name in ("ruleset", "revision", "switches") if name in table_opening
        }
        if preview.table.rules.is_known:
            defaults.setdefault("revision", preview.table.rules.ruleset.revision)
        defaults |= next_deal_defaults(preview.next_deals(), stated_fields)
    if "players" not in stated_fields and "players" not in defaults:
        raise NextPlayersUnknown(
            "The table cannot say who plays these deals. Say so in `players` of each opening."
        )
    return merge_opening_fields(stated_fields, defaults)


def _continue_with_deal(
    preview: EveningPreview, submitted_events: Sequence[SubmittedEvent], book: RulesetBook
) -> None:
    """The deal counts for those behind it; one whose opening has no place is told when it is stored."""
    event = submitted_events[0].reading.event
    if isinstance(event, DealOpened) and event.number is not None:
        log = tuple(
            Entry(seq, one.reading.event, EntryMetadata()) for seq, one in enumerate(submitted_events, 1)
        )
        preview.add_deal(
            DealStarted(submitted_event_id(submitted_events[0]), event.number), fold_evening_deal(log, book)
        )


def start_slip_batch(
    store: EventStore,
    table: StreamInfo,
    expected_version: ExpectedVersion,
    deals: Sequence[Sequence[SubmittedEvent]],
    *,
    strict: bool,
    book: RulesetBook = PUBLISHED_RULESETS,
) -> SlipBatchResult:
    """Stores the deals of a batch and the table's entries of them: all, or none.

    Raises `MisplacedEvent`, `StrictModeViolation` where ``strict``, or as the store does.
    """
    table_events = []
    for deal_events in deals:
        table_events.append(build_deal_started_event(table, deal_events[0]))
        for one in deal_events[1:]:
            require_valid_placement(one, DEAL_KIND, opening=False)
    for deal_events in deals:
        require_capacity(submitted_event_id(deal_events[0]), (), [one.reading.event for one in deal_events])
    if strict:
        _require_no_violations(store, table, deals, book)
    first, *rest = store.append(
        table.root,
        [
            StreamAppend(table.stream, expected_version, table_events, max_version=MAX_ENTRIES_PER_LOG),
            *(
                StreamAppend(
                    submitted_event_id(one[0]),
                    0,
                    [build_new_event(event) for event in one],
                    DEAL_KIND,
                    MAX_ENTRIES_PER_LOG,
                )
                for one in deals
            ),
        ],
    )
    return SlipBatchResult(first, tuple(rest))


def _require_no_violations(
    store: EventStore, table: StreamInfo, deals: Sequence[Sequence[SubmittedEvent]], book: RulesetBook
) -> None:
    """Raises `StrictModeViolation` for what is found at a deal that is new."""
    for deal_events in deals:
        is_new = not store.find_events(table.root, [submitted_event_id(deal_events[0])])
        if is_new and (found := find_refused_findings((), build_entries_after(0, deal_events), book)):
            raise StrictModeViolation(found, [deal_events[seq_key(one.seq)[0] - 1].pointer for one in found])
