"""A table's own log folded: how it was opened, who sits there, what was started and paid (DESIGN 4)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.events import Event, NoteAdded, type_name
from engine.findings import Finding, Findings, finding
from engine.history import effective
from engine.log import Entry, Log
from engine.rulesets import NO_RULES, PUBLISHED, Book, Rules, find
from engine.rulesets.switches import why_not_set
from engine.table_events import (
    TABLE_EVENTS,
    DealStarted,
    PaymentMade,
    PenaltyGiven,
    PlayerJoined,
    PlayerLeft,
    SeatsSet,
    TableClosed,
    TableOpened,
)
from engine.tables.ledger import chip_value
from engine.tables.seating import FEWEST, MOST
from engine.vocabulary import Seq

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


def judge_opening(table: Table, log: Log) -> Findings:
    """What is wrong with how a table was opened: unknown rules, a player named twice, no chip's worth."""
    opened = table.opened
    seq = next((entry.seq for entry in effective(log).entries if entry.event is opened), 1)
    found = [_fault(seq, message) for message in _named_twice(opened.players)]
    if opened.chip_value is not None and chip_value(opened.chip_value) is None:
        message = f"A chip is said to be worth {opened.chip_value!r}, so nothing is counted in money; write "
        found.append(_fault(seq, f"{message}a number above 0, such as 0.25 or 10."))
    if not table.rules.known:
        revision = "" if opened.revision is None else f", revision {opened.revision},"
        message = f"The ruleset {opened.ruleset!r}{revision} is not known here; no deal can be seated by it."
        found.append(finding(seq, "unknown_ruleset", message, RULE))
    for name, value in table.rules.unknown:
        message = why_not_set(table.rules.ruleset, name, value)
        found.append(finding(seq, "unknown_switch", message, RULE, about=name))
    return tuple(found)


def judge_table(table: Table, entry: Entry) -> Findings:
    """What an entry of the table's own log breaks; ``table`` is the table before it."""
    seq, event, _ = entry
    found = tuple(_fault(seq, message) for message in _misfits(table, event))
    if table.closed and not isinstance(event, NoteAdded):
        message = "The table was closed before this was entered."
        found = (*found, finding(seq, "entry_after_close", message, RULE))
    return found


def _misfits(table: Table, event: Event) -> Iterator[str]:
    """Why an entry does not fit the table as it was."""
    if isinstance(event, TableOpened) and event is not table.opened:
        yield "This table has been opened already."
    elif not isinstance(event, TABLE_EVENTS):
        yield f"{type_name(type(event))} belongs to a deal, not to a table."
    elif isinstance(event, PlayerJoined) and event.player in table.players:
        yield f"{event.player} sits down, but sits there already."
    elif isinstance(event, PlayerLeft) and event.player not in table.players:
        yield f"{event.player} leaves, but does not sit at this table."
    elif isinstance(event, SeatsSet):
        yield from _named_twice(event.players)
        if event.dealer is not None and event.dealer not in event.players:
            yield f"{event.dealer} is to deal first, but does not sit at this table."
    elif isinstance(event, (PaymentMade, PenaltyGiven)):
        names = (event.from_, event.to) if isinstance(event, PaymentMade) else (event.player,)
        for name in names:
            if name not in table.members:
                yield f"{name} does not sit at this table."
        if isinstance(event, PaymentMade):
            yield from _payment_faults(event)
    elif isinstance(event, DealStarted):
        yield from _start_faults(table, event)


def _payment_faults(event: PaymentMade) -> Iterator[str]:
    """What is unlikely of a payment by hand; it counts as it stands."""
    if event.from_ == event.to:
        yield f"{event.to} pays himself, which changes nothing."
    if event.amount == 0:
        yield f"{event.from_} pays {event.to} nothing."
    elif event.amount < 0:
        yield (
            f"{event.from_} pays {event.to} {event.amount}, less than nothing: it counts as "
            f"{-event.amount} from {event.to} to {event.from_}."
        )


def _named_twice(players: Sequence[str]) -> Iterator[str]:
    for player in dict.fromkeys(players):
        if players.count(player) > 1:
            yield f"{player} is named twice; one player has one place."


def _start_faults(table: Table, event: DealStarted) -> Iterator[str]:
    if not FEWEST <= len(table.players) <= MOST:
        sit = ("Nobody sits", "One player sits")
        count = len(table.players)
        told = sit[count] if count < len(sit) else f"{count} players sit"
        yield f"{told} at this table; three to six can play."
    if event.deal in {deal.deal for deal in table.deals}:
        yield "This deal has been started already; it counts once."
    elif event.number in {deal.number for deal in table.deals}:
        yield f"There is a deal number {event.number} already."


def _fault(seq: Seq, message: str) -> Finding:
    return finding(seq, "table_mismatch", message, RULE)
