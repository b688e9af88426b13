"""Tables: what a table's log comes to, its ledger, and deals that are started there."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine import Log, effective
from engine.core.cards import SEAT_NAMES
from engine.core.events import DealOpened
from engine.core.log import EntryMetadata
from engine.core.table_events import DealStarted, TableClosed
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook, find_ruleset
from engine.tables import EveningDeal, Ledger, Seating, Table, compute_ledger, fold_evening_deal
from engine.tables import fold_table as folded_table
from engine.tables.ledger import NextDeal
from engine.tables.rescoring import EveningRescoring, OtherRules, rescore_evening
from engine.tables.table_report import TableReport, compile_table_report
from schemas.wire.event_reader import ParsedEntry
from schemas.wire.event_writer import event_object
from schemas.wire.jsonlines import MAX_ENTRIES_PER_LOG
from service.config.urls import API_PREFIX
from service.eventstore import (
    AppendResult,
    EventReader,
    EventStore,
    IdConflict,
    NewEvent,
    StoreDamaged,
    StreamAppend,
    StreamInfo,
    UnknownStream,
)
from service.eventstore.events import ExpectedVersion
from service.eventstore.ids import derive_id, new_id
from service.records.record_streams import (
    DEAL_KIND,
    MisplacedEvent,
    SubmittedEvent,
    build_new_event,
    require_valid_placement,
    submitted_event_id,
)
from service.records.repository import parse_stored_entry, read_log, table_deal_info


def read_table(store: EventReader, table: str, book: RulesetBook = PUBLISHED_RULESETS) -> Table:
    """The table, as its log has it now. Raises `UnknownStream`."""
    return table_from_log(read_log(store, table), book)


def table_from_log(log: Log, book: RulesetBook = PUBLISHED_RULESETS) -> Table:
    """What a table's log comes to. Raises `StoreDamaged` where it opens no table."""
    table = folded_table(log, book)
    if table is None:
        raise StoreDamaged("The log of a table does not say how it was opened.")
    return table


def read_ledger(store: EventReader, table: str, book: RulesetBook = PUBLISHED_RULESETS) -> Ledger:
    """The ledger of a table, from its log and those of its deals. Raises `UnknownStream`."""

    def read_deal_log(deal: str) -> Log:
        return read_log(store, table_deal_info(store, table, deal).stream)

    return build_ledger(read_log(store, table), read_deal_log, book)


def build_ledger(
    log: Log, read_deal_log: Callable[[str], Log], book: RulesetBook = PUBLISHED_RULESETS
) -> Ledger:
    """The ledger of a table with that log; ``read_deal_log`` gives the log of each of its deals by its id."""
    ledger = compute_ledger(log, fold_table_deals(read_deal_log, table_from_log(log, book), book), book)
    if ledger is None:
        raise StoreDamaged("The log of a table does not say how it was opened.")
    return ledger


def build_table_report(
    log: Log, deals: Mapping[str, Log], other_rules: OtherRules | None, book: RulesetBook = PUBLISHED_RULESETS
) -> tuple[TableReport, EveningRescoring | None]:
    """The report on a table with that log, ``deals`` being the logs of its deals; and by ``other_rules``.

    Raises `StoreDamaged` where the log opens no table.
    """
    report = compile_table_report(log, deals, book)
    if report is None:
        raise StoreDamaged("The log of a table does not say how it was opened.")
    return report, None if other_rules is None else rescore_evening(log, deals, other_rules, book)


def fold_table_deals(
    read_deal_log: Callable[[str], Log], table: Table, book: RulesetBook = PUBLISHED_RULESETS
) -> dict[str, EveningDeal]:
    """The deals of a table, folded; one whose stream is not there is left out."""
    found = {}
    for started in table.deals:
        try:
            found[started.deal] = fold_evening_deal(read_deal_log(started.deal), book)
        except UnknownStream:
            continue
    return found


class NextPlayersUnknown(Exception):
    """A deal that leaves it to its table who plays, where that does not say.

    The text says why, and what to do.
    """


class DealStartResult(NamedTuple):
    """A deal that was started: what became of the table's entry, and of the deal's."""

    table_append: AppendResult
    deal_append: AppendResult


def complete_deal_opening(
    store: EventStore,
    table: StreamInfo,
    opening_fields: Mapping[str, Any],
    book: RulesetBook = PUBLISHED_RULESETS,
) -> dict[str, Any]:
    """The opening of a deal at a table: what was sent, and for the rest what the table says.

    ``opening_fields`` has the fields of ``deal_opened``. A deal that has been started already gets for the
    rest what it got then: so a repeat is a repeat, also when the next number is another by now.
    Raises `NextPlayersUnknown`.
    """
    stated_fields = {name: value for name, value in opening_fields.items() if value is not None}
    stored_defaults = find_stored_opening_defaults(store, table, stated_fields.get("id"))
    if stored_defaults is not None:
        return merge_opening_fields(stated_fields, stored_defaults)
    table_state = read_table(store, table.stream, book)
    table_opening = event_object(table_state.opening_event)
    defaults: dict[str, Any] = {"id": new_id(), "table": table.stream, "number": table_state.next_number}
    ruleset = stated_fields.get("ruleset", table_opening["ruleset"])
    defaults["ruleset"] = ruleset
    if ruleset == table_opening["ruleset"]:
        defaults |= {name: table_opening[name] for name in ("revision", "switches") if name in table_opening}
        defaults |= next_deal_defaults(read_ledger(store, table.stream, book).next_deals, stated_fields)
    if "players" not in stated_fields and "players" not in defaults:
        raise NextPlayersUnknown(
            _explain_unknown_players(store, table, table_state, own_rules=ruleset == table_opening["ruleset"])
        )
    newest = find_ruleset(book, ruleset) if isinstance(ruleset, str) else None
    if newest is not None:
        # A deal keeps the revision it was played by, whatever is published later.
        defaults.setdefault("revision", newest.ruleset.revision)
    return merge_opening_fields(stated_fields, defaults)


def find_stored_opening_defaults(
    store: EventStore, table: StreamInfo, event_id: object
) -> dict[str, Any] | None:
    """What an opening that is stored already got of what may be left out; None where it is new."""
    stored_events = store.find_events(table.root, [event_id.lower()]) if isinstance(event_id, str) else {}
    for stored in stored_events.values():
        event = parse_stored_entry(stored).event
        if isinstance(event, DealOpened):
            opening_json = event_object(event)
            return {name: opening_json[name] for name in OPENING_DEFAULT_FIELDS if name in opening_json}
    return None


def _explain_unknown_players(
    store: EventReader, table: StreamInfo, table_state: Table, *, own_rules: bool
) -> str:
    """Why the table cannot say who plays its next deal, and what to do."""
    if not own_rules:
        return (
            "The deal is by other rules than the table's, which cannot say who plays it. Say so in `players`."
        )
    if table_state.is_closed:
        entries = effective(read_log(store, table.stream)).entries
        seq = next(entry.seq for entry in reversed(entries) if isinstance(entry.event, TableClosed))
        return (
            f"The table was closed, by its entry {seq}, and so nobody is due for a further deal. If the"
            " evening goes on, take the closing back: send the table a correction_made with `replaces`"
            f" [{seq}] and `with` []. Or open a new table. If this deal was played before that, say in"
            " `players` by whom."
        )
    seated_players = ", ".join(table_state.players) or "nobody"
    return (
        f"Too few sit at the table for a deal: {seated_players}. Send a player_joined event for "
        "each player who joins, or say in `players` who plays this deal."
    )


def merge_opening_fields(stated_fields: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """An opening as stated, with ``defaults`` for what it leaves out; also who sits out, of its players."""
    opening = {**defaults, "type": "deal_opened", **stated_fields}
    players, out = stated_fields.get("players"), defaults.get("players", {}).get("sitting_out")
    if isinstance(players, Mapping) and out:
        opening["players"] = {"sitting_out": out, **players}
    return opening


def next_deal_defaults(next_deals: Sequence[NextDeal], stated_fields: Mapping[str, Any]) -> dict[str, Any]:
    """Who sits where and what lies in the pool, by what a ledger says is due.

    Where other players are stated than are due, the seats and the dealer are left open; the pool is
    that of their game.
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
    """Whether these players all belong to the game that is seated so."""
    return all(player in (*seating.active, *seating.sitting_out) for player in players)


OPENING_DEFAULT_FIELDS: Final = (
    "ruleset", "revision", "switches", "table", "number", "players", "dealer", "pool", "reserved",
)  # fmt: skip
"""What the opening of a deal may leave for its table to say."""


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


def start_deal(
    store: EventStore, table: StreamInfo, expected_version: ExpectedVersion, opening: SubmittedEvent
) -> DealStartResult:
    """Starts a deal: its opening, and the table's entry of it, in one step.

    Raises `MisplacedEvent`, or as the store does.
    """
    deal_started = build_deal_started_event(table, opening)
    append_results = store.append(
        table.root,
        [
            StreamAppend(table.stream, expected_version, [deal_started], max_version=MAX_ENTRIES_PER_LOG),
            StreamAppend(
                submitted_event_id(opening), 0, [build_new_event(opening)], DEAL_KIND, MAX_ENTRIES_PER_LOG
            ),
        ],
    )
    return DealStartResult(*append_results)


def build_deal_started_event(table: StreamInfo, opening: SubmittedEvent) -> NewEvent:
    """The table's entry of a deal with that opening. Raises `MisplacedEvent`, `IdConflict`."""
    require_valid_placement(opening, DEAL_KIND, opening=True)
    deal, event, record = submitted_event_id(opening), opening.reading.event, opening.reading.metadata
    if not isinstance(event, DealOpened) or event.number is None or event.table != table.stream:
        raise MisplacedEvent(opening, f"The deal is started at the table {table.stream}; leave `table` out.")
    require_no_variation(opening)
    if deal == table.stream:
        raise IdConflict(deal, table.stream, 1, "already names the table.")
    started_metadata = EntryMetadata(
        derive_id(deal, "deal_started"), record.recorded_at, None, record.recorded_by
    )
    return build_new_event(SubmittedEvent(ParsedEntry(DealStarted(deal, event.number), started_metadata)))
