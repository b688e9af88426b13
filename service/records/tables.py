"""Tables: what a table's log comes to, its ledger, and deals that are started there."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine import Log, effective
from engine.core.cards import SEAT_NAMES
from engine.core.events import DealOpened
from engine.core.log import Record
from engine.core.table_events import DealStarted, TableClosed
from engine.rulesets import PUBLISHED, Book, find
from engine.tables import Dealt, Ledger, Seating, Table, dealt, ledger
from engine.tables import table_of as folded_table
from engine.tables.ledger import NextDeal
from engine.tables.report import TableReport, table_report
from engine.tables.rescoring import Other, Rescoring, rescored
from schemas.wire.jsonlines import ENTRIES
from schemas.wire.reader import Reading
from schemas.wire.writer import event_fields
from service.config.urls import PREFIX
from service.eventstore import (
    Append,
    Appended,
    EventReader,
    EventStore,
    IdConflict,
    NewEvent,
    StoreDamaged,
    StreamInfo,
    UnknownStream,
)
from service.eventstore.ids import derived_id, new_id
from service.eventstore.interface import Expected
from service.records.records import (
    DEAL,
    Misplaced,
    Posted,
    described_at,
    entry_in,
    id_of,
    log_in,
    new_event,
    require_place,
)


def table_in(store: EventReader, table: str, book: Book = PUBLISHED) -> Table:
    """The table, as its log has it now. Raises `UnknownStream`."""
    return table_of(log_in(store, table), book)


def table_of(log: Log, book: Book = PUBLISHED) -> Table:
    """What a table's log comes to. Raises `StoreDamaged` where it opens no table."""
    table = folded_table(log, book)
    if table is None:
        raise StoreDamaged("The log of a table does not say how it was opened.")
    return table


def ledger_in(store: EventReader, table: str, book: Book = PUBLISHED) -> Ledger:
    """The ledger of a table, from its log and those of its deals. Raises `UnknownStream`."""

    def log_of_deal(deal: str) -> Log:
        return log_in(store, described_at(store, table, deal).stream)

    return ledger_of(log_in(store, table), log_of_deal, book)


def ledger_of(log: Log, log_of_deal: Callable[[str], Log], book: Book = PUBLISHED) -> Ledger:
    """The ledger of a table with that log; ``log_of_deal`` gives the log of each of its deals by its id."""
    made = ledger(log, deals_of(log_of_deal, table_of(log, book), book), book)
    if made is None:
        raise StoreDamaged("The log of a table does not say how it was opened.")
    return made


def report_of(
    log: Log, deals: Mapping[str, Log], other: Other | None, book: Book = PUBLISHED
) -> tuple[TableReport, Rescoring | None]:
    """The report on a table with that log, ``deals`` being the logs of its deals; and by ``other`` rules.

    Raises `StoreDamaged` where the log opens no table.
    """
    made = table_report(log, deals, book)
    if made is None:
        raise StoreDamaged("The log of a table does not say how it was opened.")
    return made, None if other is None else rescored(log, deals, other, book)


def deals_of(log_of_deal: Callable[[str], Log], table: Table, book: Book = PUBLISHED) -> dict[str, Dealt]:
    """The deals of a table, folded; one whose stream is not there is left out."""
    found = {}
    for started in table.deals:
        try:
            found[started.deal] = dealt(log_of_deal(started.deal), book)
        except UnknownStream:
            continue
    return found


class NobodyDue(Exception):
    """A deal that leaves it to its table who plays, where that does not say.

    The text says why, and what to do.
    """


class Started(NamedTuple):
    """A deal that was started: what became of the table's entry, and of the deal's."""

    table: Appended
    deal: Appended


def opening_at(
    store: EventStore, table: StreamInfo, sent: Mapping[str, Any], book: Book = PUBLISHED
) -> dict[str, Any]:
    """The opening of a deal at a table: what was sent, and for the rest what the table says.

    ``sent`` has the fields of ``deal_opened``. A deal that has been started already gets for the
    rest what it got then: so a repeat is a repeat, also when the next number is another by now.
    Raises `NobodyDue`.
    """
    stated = {name: value for name, value in sent.items() if value is not None}
    then = as_opened(store, table, stated.get("id"))
    if then is not None:
        return completed(stated, then)
    now = table_in(store, table.stream, book)
    own = event_fields(now.opened)
    rest: dict[str, Any] = {"id": new_id(), "table": table.stream, "number": now.next_number}
    ruleset = stated.get("ruleset", own["ruleset"])
    rest["ruleset"] = ruleset
    if ruleset == own["ruleset"]:
        rest |= {name: own[name] for name in ("revision", "switches") if name in own}
        rest |= as_due(ledger_in(store, table.stream, book).following, stated)
    if "players" not in stated and "players" not in rest:
        raise NobodyDue(_why_nobody_is_due(store, table, now, own_rules=ruleset == own["ruleset"]))
    newest = find(book, ruleset) if isinstance(ruleset, str) else None
    if newest is not None:
        # A deal keeps the revision it was played by, whatever is published later.
        rest.setdefault("revision", newest.ruleset.revision)
    return completed(stated, rest)


def as_opened(store: EventStore, table: StreamInfo, event_id: object) -> dict[str, Any] | None:
    """What an opening that is stored already got of what may be left out; None where it is new."""
    known = store.find(table.root, [event_id.lower()]) if isinstance(event_id, str) else {}
    for stored in known.values():
        event = entry_in(stored).event
        if isinstance(event, DealOpened):
            then = event_fields(event)
            return {name: then[name] for name in FILLED_IN if name in then}
    return None


def _why_nobody_is_due(store: EventReader, table: StreamInfo, now: Table, *, own_rules: bool) -> str:
    """Why the table cannot say who plays its next deal, and what to do."""
    if not own_rules:
        return (
            "The deal is by other rules than the table's, which cannot say who plays it. Say so in `players`."
        )
    if now.closed:
        entries = effective(log_in(store, table.stream)).entries
        seq = next(entry.seq for entry in reversed(entries) if isinstance(entry.event, TableClosed))
        return (
            f"The table was closed, by its entry {seq}, and so nobody is due for a further deal. If the"
            " evening goes on, take the closing back: send the table a correction_made with `replaces`"
            f" [{seq}] and `with` []. Or open a new table. If this deal was played before that, say in"
            " `players` by whom."
        )
    there = ", ".join(now.players) or "nobody"
    return (
        f"Too few sit at the table for a deal: {there}. Send it a player_joined for whoever joins, or say in "
        "`players` who plays this deal."
    )


def completed(stated: dict[str, Any], rest: dict[str, Any]) -> dict[str, Any]:
    """An opening as stated, with ``rest`` for what it leaves out; also who sits out, of its players."""
    opening = {**rest, "type": "deal_opened", **stated}
    players, out = stated.get("players"), rest.get("players", {}).get("sitting_out")
    if isinstance(players, Mapping) and out:
        opening["players"] = {"sitting_out": out, **players}
    return opening


def as_due(following: Sequence[NextDeal], stated: Mapping[str, Any]) -> dict[str, Any]:
    """Who sits where and what lies in the pool, by what a ledger says is due.

    Where other players are stated than are due, the seats and the dealer are left open; the pool is
    that of their game.
    """
    players = stated.get("players")
    active = [players.get(seat) for seat in SEAT_NAMES] if isinstance(players, Mapping) else None
    due = next((one for one in following if active and _all_in(one.seating, active)), None)
    if due is None and following:
        due = following[0]
    if due is None:
        return {}
    seating, rest = due.seating, dict[str, Any]()
    if "players" not in stated or active == list(seating.active):
        rest["players"] = dict(zip(SEAT_NAMES, seating.active, strict=True))
        rest["dealer"] = seating.dealer
        if seating.sitting_out:
            rest["players"]["sitting_out"] = list(seating.sitting_out)
    if due.pool is not None and "pool" not in stated:
        rest["pool"] = due.pool
        if due.reserved:
            rest["reserved"] = list(due.reserved)
    return rest


def _all_in(seating: Seating, players: list[Any]) -> bool:
    """Whether these players all belong to the game that is seated so."""
    return all(player in (*seating.active, *seating.sitting_out) for player in players)


FILLED_IN: Final = (
    "ruleset", "revision", "switches", "table", "number", "players", "dealer", "pool", "reserved",
)  # fmt: skip
"""What the opening of a deal may leave for its table to say."""


def require_no_variation(opening: Posted) -> None:
    """Raises `Misplaced` for a variation: it was not played at a table, and nobody is paid for it."""
    event = opening.reading.event
    if isinstance(event, DealOpened) and event.branch is not None:
        raise Misplaced(opening, f"A variation is no deal of a table. Send it to {PREFIX}/deals.")


def require_no_table(opening: Posted) -> None:
    """Raises `Misplaced` for a deal that names a table: recorded alone, the table would not know of it."""
    event = opening.reading.event
    if isinstance(event, DealOpened) and event.table is not None:
        raise Misplaced(
            opening._replace(pointer=f"{opening.pointer}/table"),
            f"A deal of a table is started there: send its opening to {PREFIX}/tables/…/deals of the table "
            f"that it names ({event.table[:60]}), or leave `table` out where it is a deal alone. A file of "
            f"logs goes to {PREFIX}/import.",
        )


def start_deal(store: EventStore, table: StreamInfo, expected: Expected, opening: Posted) -> Started:
    """Starts a deal: its opening, and the table's entry of it, in one step.

    Raises `Misplaced`, or as the store does.
    """
    noted = start_of(table, opening)
    answers = store.append(
        table.root,
        [
            Append(table.stream, expected, [noted], most=ENTRIES),
            Append(id_of(opening), 0, [new_event(opening)], DEAL, ENTRIES),
        ],
    )
    return Started(*answers)


def start_of(table: StreamInfo, opening: Posted) -> NewEvent:
    """The table's entry of a deal with that opening. Raises `Misplaced`, `IdConflict`."""
    require_place(opening, DEAL, opening=True)
    deal, event, record = id_of(opening), opening.reading.event, opening.reading.record
    if not isinstance(event, DealOpened) or event.number is None or event.table != table.stream:
        raise Misplaced(opening, f"The deal is started at the table {table.stream}; leave `table` out.")
    require_no_variation(opening)
    if deal == table.stream:
        raise IdConflict(deal, table.stream, 1, "already names the table.")
    kept = Record(derived_id(deal, "deal_started"), record.recorded_at, None, record.recorded_by)
    return new_event(Posted(Reading(DealStarted(deal, event.number), kept)))
