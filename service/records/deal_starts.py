"""Starting deals at a table: completing their openings, and storing them with the table's entries."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from engine import build_log, effective
from engine.core.cards import SEAT_NAMES
from engine.core.events import DealOpened
from engine.core.log import EntryMetadata
from engine.core.table_events import DealStarted, TableClosed
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook, find_ruleset
from engine.tables import EveningPreview, Seating, Table, fold_evening_deal
from engine.tables.ledger import NextDeal
from schemas.wire.event_reader import ParsedEntry
from schemas.wire.event_writer import event_object
from schemas.wire.jsonlines import MAX_ENTRIES_PER_LOG
from service.eventstore import (
    AppendResult,
    EventReader,
    EventStore,
    IdConflict,
    NewEvent,
    StreamAppend,
    StreamInfo,
)
from service.eventstore.events import ExpectedVersion
from service.eventstore.ids import derive_id, new_id
from service.records.capacity import require_capacity
from service.records.record_streams import (
    DEAL_KIND,
    MisplacedEvent,
    SubmittedEvent,
    assign_event_ids,
    build_new_event,
    require_no_variation,
    require_valid_placement,
    submitted_event_id,
)
from service.records.repository import parse_stored_entry, read_log, table_deal_info
from service.records.slip_batches import build_table_continuation
from service.records.strict_mode import require_no_violations

Json = Mapping[str, Any]
DealReader = Callable[[int, Sequence[Json]], list[SubmittedEvent]]
"""Reads the events of the deal at an index of the batch. Raises a problem if they cannot be read."""

OPENING_DEFAULT_FIELDS: Final = (
    "ruleset", "revision", "switches", "table", "number", "players", "dealer", "pool", "reserved",
    "date",
)  # fmt: skip
"""Fields that the opening of a deal may leave to its table."""


class NextPlayersUnknown(Exception):
    """Neither the opening nor the table says who plays; the text says why, and what to do."""


class DealStartResult(NamedTuple):
    """The appends to the table and to each deal that was started."""

    table_append: AppendResult
    deal_appends: tuple[AppendResult, ...]


def complete_deals(
    store: EventStore,
    table: StreamInfo,
    deals_json: Sequence[Sequence[Json]],
    read_deal: DealReader,
    book: RulesetBook = PUBLISHED_RULESETS,
) -> list[list[SubmittedEvent]]:
    """Deals as they are to be started at a table: each opening in full, on top of the deals before it.

    An opening may leave out what the table knows. A repeat gets the same fields as the first time. Raises
    `NextPlayersUnknown`, and as ``read_deal``.
    """

    @cache
    def preview() -> EveningPreview:
        return build_table_continuation(
            read_log(store, table.stream),
            lambda deal: read_log(store, table_deal_info(store, table.stream, deal).stream),
            book,
        )

    found = []
    for number, (opening_fields, *rest) in enumerate(deals_json):
        stated_fields = {name: value for name, value in opening_fields.items() if value is not None}
        stored_opening = _find_stored_opening(store, table, stated_fields)
        opening = stored_opening or _complete_opening(store, preview(), table, stated_fields, book)
        submitted_events = assign_event_ids(read_deal(number, [opening, *rest]))
        if stored_opening is None:
            _continue_with_deal(preview(), submitted_events, book)
        found.append(submitted_events)
    return found


def _find_stored_opening(
    store: EventStore, table: StreamInfo, stated_fields: dict[str, Any]
) -> dict[str, Any] | None:
    """The stored opening of a repeat, completed as the first time; None for a new one."""
    event_id = stated_fields.get("id")
    stored_events = store.find_events(table.root, [event_id.lower()]) if isinstance(event_id, str) else {}
    for stored in stored_events.values():
        event = parse_stored_entry(stored).event
        if isinstance(event, DealOpened):
            opening_json = event_object(event)
            defaults: dict[str, Any] = {
                name: opening_json[name] for name in OPENING_DEFAULT_FIELDS if name in opening_json
            }
            return _merge_opening_fields(stated_fields, defaults)
    return None


def _complete_opening(
    store: EventReader,
    preview: EveningPreview,
    table: StreamInfo,
    stated_fields: dict[str, Any],
    book: RulesetBook,
) -> dict[str, Any]:
    """A new opening. Raises `NextPlayersUnknown` if neither it nor the table says who plays."""
    table_opening = event_object(preview.table.opening_event)
    ruleset = stated_fields.get("ruleset", table_opening["ruleset"])
    defaults: dict[str, Any] = {
        "id": new_id(),
        "table": table.stream,
        "number": preview.table.next_number,
        "ruleset": ruleset,
        **({"date": table_opening["date"]} if "date" in table_opening else {}),
    }
    if ruleset == table_opening["ruleset"]:
        defaults |= {name: table_opening[name] for name in ("revision", "switches") if name in table_opening}
        defaults |= _next_deal_defaults(preview.next_deals(), stated_fields)
    newest = find_ruleset(book, ruleset) if isinstance(ruleset, str) else None
    if newest is not None:
        # Later revisions do not change the deal.
        defaults.setdefault("revision", newest.ruleset.revision)
    opening = _merge_opening_fields(stated_fields, defaults)
    if "players" not in opening:
        raise NextPlayersUnknown(_explain_unknown_players(store, table, preview.table, ruleset))
    return opening


def _explain_unknown_players(
    store: EventReader, table: StreamInfo, table_state: Table, ruleset: object
) -> str:
    """Why the table does not say who plays its next deal, and what to do."""
    if ruleset != table_state.opening_event.ruleset:
        return (
            "The deal has other rules than the table, so the table does not know who plays it. Name them "
            "in `players`."
        )
    if table_state.is_closed:
        entries = effective(read_log(store, table.stream)).entries
        seq = next(entry.seq for entry in reversed(entries) if isinstance(entry.event, TableClosed))
        return (
            f"Entry {seq} closed the table, so nobody is due for another deal. To continue the evening, "
            f"take the closing back: send the table a correction_made with `replaces` [{seq}] and `with` "
            "[]. Or open a new table. If this deal was played before the closing, name the players in "
            "`players`."
        )
    seated_players = ", ".join(table_state.players) or "nobody"
    return (
        f"The table has too few players for a deal: {seated_players}. Send a player_joined event for each "
        "player who joins, or name the players of this deal in `players`."
    )


def _merge_opening_fields(stated_fields: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """An opening with ``defaults`` for the fields that it lacks, also for those who sit out."""
    opening = {**defaults, "type": "deal_opened", **stated_fields}
    players, out = stated_fields.get("players"), defaults.get("players", {}).get("sitting_out")
    if isinstance(players, Mapping) and out:
        opening["players"] = {"sitting_out": out, **players}
    return opening


def _next_deal_defaults(next_deals: Sequence[NextDeal], stated_fields: Mapping[str, Any]) -> dict[str, Any]:
    """The seats, the dealer and the pool of the next deal.

    If other players are stated than are due, only the pool of their game.
    """
    players = stated_fields.get("players")
    active = [players.get(seat) for seat in SEAT_NAMES] if isinstance(players, Mapping) else None
    next_deal = next((one for one in next_deals if active and _are_all_seated(one.seating, active)), None)
    if next_deal is None and next_deals:
        next_deal = next_deals[0]
    if next_deal is None:
        return {}
    seating, defaults = next_deal.seating, dict[str, Any]()
    if "players" not in stated_fields or active == list(seating.active):
        defaults["players"] = dict(zip(SEAT_NAMES, seating.active, strict=True))
        defaults["dealer"] = seating.dealer
        if seating.sitting_out:
            defaults["players"]["sitting_out"] = list(seating.sitting_out)
    if next_deal.pool is not None and "pool" not in stated_fields:
        defaults["pool"] = next_deal.pool
        if next_deal.reserved:
            defaults["reserved"] = list(next_deal.reserved)
    return defaults


def _are_all_seated(seating: Seating, players: list[Any]) -> bool:
    """Whether all these players belong to the game with that seating."""
    return all(player in (*seating.active, *seating.sitting_out) for player in players)


def _continue_with_deal(
    preview: EveningPreview, submitted_events: Sequence[SubmittedEvent], book: RulesetBook
) -> None:
    """Count the deal for the next ones; storing it refuses an opening without a number."""
    event = submitted_events[0].reading.event
    if isinstance(event, DealOpened) and event.number is not None:
        started = DealStarted(submitted_event_id(submitted_events[0]), event.number)
        log = build_log(one.reading.event for one in submitted_events)
        preview.add_deal(started, fold_evening_deal(log, book))


def start_deals(
    store: EventStore,
    table: StreamInfo,
    expected_version: ExpectedVersion,
    deals: Sequence[Sequence[SubmittedEvent]],
    *,
    strict: bool = False,
    book: RulesetBook = PUBLISHED_RULESETS,
) -> DealStartResult:
    """Stores deals, each from its opening on, and the table's entries of them: all, or none.

    Raises `MisplacedEvent`, `StrictModeViolation` where ``strict``, or as the store does.
    """
    table_events = []
    for opening, *rest in deals:
        table_events.append(build_deal_started_event(table, opening))
        for one in rest:
            require_valid_placement(one, DEAL_KIND, opening=False)
    appends = [StreamAppend(table.stream, expected_version, table_events, max_version=MAX_ENTRIES_PER_LOG)]
    for deal_events in deals:
        deal = submitted_event_id(deal_events[0])
        require_capacity(deal, (), [one.reading.event for one in deal_events])
        new_events = [build_new_event(one) for one in deal_events]
        appends.append(StreamAppend(deal, 0, new_events, DEAL_KIND, MAX_ENTRIES_PER_LOG))
        if strict and not store.find_events(table.root, [deal]):
            require_no_violations((), deal_events, book)
    table_append, *deal_appends = store.append(table.root, appends)
    return DealStartResult(table_append, tuple(deal_appends))


def build_deal_started_event(table: StreamInfo, opening: SubmittedEvent) -> NewEvent:
    """The table's entry for a deal with that opening. Raises `MisplacedEvent`, `IdConflict`."""
    require_valid_placement(opening, DEAL_KIND, opening=True)
    deal, event, record = submitted_event_id(opening), opening.reading.event, opening.reading.metadata
    if not isinstance(event, DealOpened) or event.number is None or event.table != table.stream:
        raise MisplacedEvent(opening, f"The deal starts at the table {table.stream}; leave `table` out.")
    require_no_variation(opening)
    if deal == table.stream:
        raise IdConflict(deal, table.stream, 1, "already names the table.")
    started_metadata = EntryMetadata(
        derive_id(deal, "deal_started"), record.recorded_at, None, record.recorded_by
    )
    return build_new_event(SubmittedEvent(ParsedEntry(DealStarted(deal, event.number), started_metadata)))
