"""Tables: what a table's log comes to, its ledger, and deals that are started there."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine import Log
from engine.events import DealOpened
from engine.log import Record
from engine.rulesets import PUBLISHED, find
from engine.table_events import DealStarted
from engine.tables import Dealt, Ledger, Table, dealt, ledger
from engine.tables import table_of as folded_table
from engine.tables.ledger import NextDeal
from schemas.reader import Reading
from schemas.writer import event_fields
from service.ids import derived_id, new_id
from service.records import DEAL, Misplaced, Posted, entry_in, id_of, log_in, new_event, require_place
from service.store import (
    Append,
    Appended,
    EventReader,
    EventStore,
    IdConflict,
    StoreDamaged,
    StreamInfo,
    UnknownStream,
)
from service.store.interface import Expected


def table_in(store: EventReader, table: str) -> Table:
    """The table, as its log has it now. Raises `UnknownStream`."""
    return table_of(log_in(store, table))


def table_of(log: Log) -> Table:
    """What a table's log comes to. Raises `StoreDamaged` where it opens no table."""
    table = folded_table(log)
    if table is None:
        raise StoreDamaged("The log of a table does not say how it was opened.")
    return table


def ledger_in(store: EventReader, table: str, version: int | None = None) -> Ledger:
    """The ledger of a table, from its log and those of its deals. Raises `UnknownStream`."""
    log = log_in(store, table, version)
    made = ledger(log, deals_of(store, table_of(log)))
    if made is None:
        raise StoreDamaged("The log of a table does not say how it was opened.")
    return made


def deals_of(store: EventReader, table: Table) -> dict[str, Dealt]:
    """The deals of a table, folded; one whose stream is not there is left out."""
    found = {}
    for started in table.deals:
        try:
            found[started.deal] = dealt(log_in(store, started.deal))
        except UnknownStream:
            continue
    return found


class Started(NamedTuple):
    """A deal that was started: what became of the table's entry, and of the deal's."""

    table: Appended
    deal: Appended


def opening_at(store: EventStore, table: StreamInfo, sent: Mapping[str, Any]) -> dict[str, Any]:
    """The opening of a deal at a table: what was sent, and for the rest what the table says.

    ``sent`` has the fields of ``deal_opened``. A deal that has been started already gets for the
    rest what it got then: so a repeat is a repeat, also when the next number is another by now.
    """
    stated = {name: value for name, value in sent.items() if value is not None}
    event_id = stated.get("id")
    known = store.find(table.root, [event_id.lower()]) if isinstance(event_id, str) else {}
    for stored in known.values():
        event = entry_in(stored).event
        if isinstance(event, DealOpened):
            then = event_fields(event)
            filled_in: dict[str, Any] = {name: then[name] for name in FILLED_IN if name in then}
            return {**filled_in, "type": "deal_opened", **stated}
    now = ledger_in(store, table.stream)
    own = event_fields(table_in(store, table.stream).opened)
    number = max((line.number or 0 for line in now.lines), default=0) + 1
    rest: dict[str, Any] = {"table": table.stream, "number": number}
    if stated.setdefault("ruleset", own["ruleset"]) == own["ruleset"]:
        rest |= {name: own[name] for name in ("revision", "switches") if name in own}
        rest |= _as_due(now, stated)
    newest = find(PUBLISHED, stated["ruleset"]) if isinstance(stated["ruleset"], str) else None
    if newest is not None:
        # A deal keeps the revision it was played by, whatever is published later.
        rest.setdefault("revision", newest.ruleset.revision)
    return {**rest, "type": "deal_opened", "id": new_id(), **stated}


def _as_due(now: Ledger, stated: Mapping[str, Any]) -> dict[str, Any]:
    """Who sits where and what lies in the pool, as far as that is not stated otherwise.

    Where other players are stated than are due, the dealer is left open; the pool is the game's.
    """
    due = _game_meant(now, stated.get("players"))
    if due is None:
        return {}
    seating = due.seating
    rest: dict[str, Any] = {}
    seats = dict(zip(("forehand", "middlehand", "backhand"), seating.active, strict=True))
    if "players" not in stated:
        out = {"sitting_out": list(seating.sitting_out)} if seating.sitting_out else {}
        rest |= {"players": {**seats, **out}, "dealer": seating.dealer}
    elif all(_named(stated["players"], seat) == player for seat, player in seats.items()):
        rest["dealer"] = seating.dealer
    if due.pool is not None and "pool" not in stated:
        rest["pool"] = due.pool
        if due.reserved and "reserved" not in stated:
            rest["reserved"] = list(due.reserved)
    return rest


def _game_meant(now: Ledger, players: Any) -> NextDeal | None:
    """The game of which a deal with these players is: the first, unless they all sit in another."""
    for due in now.following:
        if players is None or _named(players, "forehand") in (*due.seating.active, *due.seating.sitting_out):
            return due
    return now.following[0] if now.following else None


def _named(players: Any, seat: str) -> Any:
    return players.get(seat) if isinstance(players, Mapping) else None


FILLED_IN: Final = (
    "ruleset", "revision", "switches", "table", "number", "players", "dealer", "pool", "reserved",
)  # fmt: skip
"""What the opening of a deal may leave for its table to say."""


def start_deal(store: EventStore, table: StreamInfo, expected: Expected, opening: Posted) -> Started:
    """Starts a deal: its opening, and the table's entry of it, in one step.

    Raises `Misplaced`, or as the store does.
    """
    require_place(opening, DEAL, opening=True)
    deal, event, record = id_of(opening), opening.reading.event, opening.reading.record
    if not isinstance(event, DealOpened) or event.number is None or event.table != table.stream:
        raise Misplaced(opening, f"The deal is started at the table {table.stream}; leave `table` out.")
    if deal == table.stream:
        raise IdConflict(deal, table.stream, 1, "already names the table.")
    kept = Record(derived_id(deal, "deal_started"), record.recorded_at, None, record.recorded_by)
    noted = new_event(Posted(Reading(DealStarted(deal, event.number), kept)))
    answers = store.append(
        table.root,
        [Append(table.stream, expected, [noted]), Append(deal, 0, [new_event(opening)], DEAL)],
    )
    return Started(*answers)
