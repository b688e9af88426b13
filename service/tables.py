"""Tables: what a table's log comes to, and deals that are started there."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine import Entry, Log, effective
from engine.events import DealOpened
from engine.log import Record
from engine.rulesets import PUBLISHED, find
from engine.table_events import DealStarted, PlayerJoined, PlayerLeft, SeatsSet, TableClosed, TableOpened
from schemas.reader import Reading
from schemas.writer import event_fields
from service.ids import derived_id, new_id
from service.records import DEAL, Misplaced, Posted, entry_in, id_of, log_in, new_event, require_place
from service.store import Append, Appended, EventStore, IdConflict, StoreDamaged, StreamInfo
from service.store.interface import Expected


class Table(NamedTuple):
    """A table as its log has it now: how it was opened, who sits there, which deals were started."""

    opened: TableOpened
    players: tuple[str, ...]
    deals: tuple[DealStarted, ...]
    closed: bool

    @property
    def next_number(self) -> int:
        """The number that the next deal gets."""
        return max((deal.number for deal in self.deals), default=0) + 1


def table_in(store: EventStore, table: str) -> Table:
    """The table, as its log has it now. Raises `UnknownStream`."""
    return table_of(log_in(store, table))


def table_of(log: Log) -> Table:
    """What a table's log comes to."""
    entries = effective(log).entries
    opened = next((e.event for e in (*entries, *log) if isinstance(e.event, TableOpened)), None)
    if opened is None:
        raise StoreDamaged("The log of a table does not say how it was opened.")
    players = list(opened.players)
    for entry in entries:
        _seat(players, entry)
    deals = tuple(entry.event for entry in entries if isinstance(entry.event, DealStarted))
    closed = any(isinstance(entry.event, TableClosed) for entry in entries)
    return Table(opened, tuple(players), deals, closed)


def _seat(players: list[str], entry: Entry) -> None:
    """Seats the players anew, where the entry says so."""
    event = entry.event
    if isinstance(event, PlayerJoined):
        players.insert(len(players) if event.place is None else event.place - 1, event.player)
    elif isinstance(event, PlayerLeft) and event.player in players:
        players.remove(event.player)
    elif isinstance(event, SeatsSet):
        players[:] = event.players


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
    now = table_in(store, table.stream)
    own = event_fields(now.opened)
    rest: dict[str, Any] = {"table": table.stream, "number": now.next_number}
    if stated.setdefault("ruleset", now.opened.ruleset) == now.opened.ruleset:
        rest |= {name: own[name] for name in ("revision", "switches") if name in own}
    newest = find(PUBLISHED, stated["ruleset"]) if isinstance(stated["ruleset"], str) else None
    if newest is not None:
        # A deal keeps the revision it was played by, whatever is published later.
        rest.setdefault("revision", newest.ruleset.revision)
    return {**rest, "type": "deal_opened", "id": new_id(), **stated}


FILLED_IN: Final = ("ruleset", "revision", "switches", "table", "number")
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
