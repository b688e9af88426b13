"""A table's own log folded: how it was opened, who sits there, what was started and paid (DESIGN 4)."""

from typing import NamedTuple

from engine.findings import Finding, Findings, finding
from engine.history import effective
from engine.log import Entry, Log
from engine.rulesets import NO_RULES, PUBLISHED, Book, Rules, find
from engine.table_events import (
    DealStarted,
    PaymentMade,
    PenaltyGiven,
    PlayerJoined,
    PlayerLeft,
    SeatsSet,
    TableClosed,
    TableOpened,
)
from engine.tables.seating import FEWEST, MOST

RULE = "9. Record"


class Table(NamedTuple):
    """A table as its log has it now.

    ``players``: who sits there, in the order of play; ``members``: everybody who ever did;
    ``first_dealer``: who deals first, where that was said; ``deals``: those that were started.
    """

    opened: TableOpened
    rules: Rules
    players: tuple[str, ...]
    members: tuple[str, ...]
    first_dealer: str | None
    deals: tuple[DealStarted, ...]
    closed: bool

    @property
    def next_number(self) -> int:
        """The number that the next deal gets."""
        return max((deal.number for deal in self.deals), default=0) + 1


def opening_in(log: Log) -> TableOpened | None:
    """How the table was opened, as the record has it now; None where the log does not say."""
    entries = (*effective(log).entries, *log)
    return next((entry.event for entry in entries if isinstance(entry.event, TableOpened)), None)


def opened_table(opened: TableOpened, book: Book = PUBLISHED) -> Table:
    """A table at the moment of its opening."""
    rules = find(book, opened.ruleset, opened.revision, opened.switches) or NO_RULES
    players = tuple(dict.fromkeys(opened.players))
    return Table(opened, rules, players, players, None, (), False)


def table_of(log: Log, book: Book = PUBLISHED) -> Table | None:
    """What a table's log comes to; None where it does not say how the table was opened."""
    opened = opening_in(log)
    if opened is None:
        return None
    table = opened_table(opened, book)
    for entry in effective(log).entries:
        table = evolve_table(table, entry)
    return table


def evolve_table(table: Table, entry: Entry) -> Table:
    """The table after one entry; what does not concern its seats and deals leaves it as it is."""
    event = entry.event
    if isinstance(event, PlayerJoined):
        return _joined(table, event)
    if isinstance(event, PlayerLeft):
        left = tuple(player for player in table.players if player != event.player)
        return table._replace(players=left)
    if isinstance(event, SeatsSet):
        members = tuple(dict.fromkeys((*table.members, *event.players)))
        dealer = event.dealer or table.first_dealer
        return table._replace(
            players=tuple(dict.fromkeys(event.players)), members=members, first_dealer=dealer
        )
    if isinstance(event, DealStarted):
        return table._replace(deals=(*table.deals, event))
    return table._replace(closed=True) if isinstance(event, TableClosed) else table


def _joined(table: Table, event: PlayerJoined) -> Table:
    if event.player in table.players:
        return table
    place = len(table.players) if event.place is None else event.place - 1
    players = (*table.players[:place], event.player, *table.players[place:])
    return table._replace(players=players, members=tuple(dict.fromkeys((*table.members, event.player))))


def judge_table(table: Table, entry: Entry) -> Findings:
    """What an entry of the table's own log breaks; ``table`` is the table before it."""
    seq, event, _ = entry
    told: list[str] = []
    if table.closed:
        told.append("The table is closed, and something is entered after that.")
    if isinstance(event, PlayerJoined) and event.player in table.players:
        told.append(f"{event.player} sits down, but sits there already.")
    if isinstance(event, PlayerLeft) and event.player not in table.players:
        told.append(f"{event.player} leaves, but does not sit at this table.")
    if isinstance(event, (PaymentMade, PenaltyGiven)):
        names = (event.from_, event.to) if isinstance(event, PaymentMade) else (event.player,)
        told += [f"{name} does not sit at this table." for name in names if name not in table.members]
    if isinstance(event, DealStarted):
        told += _start_faults(table, event)
    return tuple(_fault(seq, message) for message in told)


def _start_faults(table: Table, event: DealStarted) -> list[str]:
    told = []
    if not FEWEST <= len(table.players) <= MOST:
        told.append(f"{len(table.players)} players sit at this table; three to six can play.")
    if event.deal in {deal.deal for deal in table.deals}:
        told.append("This deal has been started already.")
    elif event.number in {deal.number for deal in table.deals}:
        told.append(f"There is a deal number {event.number} already.")
    return told


def _fault(seq: int | str, message: str) -> Finding:
    return finding(seq, "table_mismatch", message, RULE)
