"""A table's own log folded: how it was opened, who sits there, what was started and paid (DESIGN 4)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.core.events import Event, NoteAdded, type_name
from engine.core.log import Entry, Log
from engine.core.message import Said, said
from engine.core.table_events import (
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
from engine.core.vocabulary import Seq
from engine.judging.opening import revision_said
from engine.play.findings import Finding, Findings, finding
from engine.play.history import effective
from engine.rulesets import NO_RULES, PUBLISHED, Book, Rules, find
from engine.rulesets.switches import why_not_set
from engine.tables.ledger import chip_value
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


def judge_opening(table: Table, log: Log) -> Findings:
    """What is wrong with how a table was opened: unknown rules, a player named twice, no chip's worth."""
    opened = table.opened
    seq = next((entry.seq for entry in effective(log).entries if entry.event is opened), 1)
    found = [_fault(seq, message) for message in _named_twice(opened.players)]
    if opened.chip_value is not None and chip_value(opened.chip_value) is None:
        message = said(
            "A chip is said to be worth {worth!r}, so nothing is counted in money; "
            "write a number above 0, such as 0.25 or 10.",
            worth=opened.chip_value,
        )
        found.append(_fault(seq, message))
    if not table.rules.known:
        message = said(
            "The ruleset {ruleset!r}{revision} is not known here; no deal can be seated by it.",
            ruleset=opened.ruleset,
            revision=revision_said(opened.revision),
        )
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
        message = said("The table was closed before this was entered.")
        found = (*found, finding(seq, "entry_after_close", message, RULE))
    return found


def _misfits(table: Table, event: Event) -> Iterator[Said]:
    """Why an entry does not fit the table as it was."""
    if isinstance(event, TableOpened) and event is not table.opened:
        yield said("This table has been opened already.")
    elif not isinstance(event, TABLE_EVENTS):
        yield said("{event} belongs to a deal, not to a table.", event=type_name(type(event)))
    elif isinstance(event, PlayerJoined) and event.player in table.players:
        yield said("{player} sits down, but sits there already.", player=event.player)
    elif isinstance(event, PlayerLeft) and event.player not in table.players:
        yield said("{player} leaves, but does not sit at this table.", player=event.player)
    elif isinstance(event, SeatsSet):
        yield from _named_twice(event.players)
        if event.dealer is not None and event.dealer not in event.players:
            yield said("{player} is to deal first, but does not sit at this table.", player=event.dealer)
    elif isinstance(event, (PaymentMade, PenaltyGiven)):
        names = (event.from_, event.to) if isinstance(event, PaymentMade) else (event.player,)
        for name in names:
            if name not in table.members:
                yield said("{player} does not sit at this table.", player=name)
        if isinstance(event, PaymentMade):
            yield from _payment_faults(event)
    elif isinstance(event, DealStarted):
        yield from _start_faults(table, event)


def _payment_faults(event: PaymentMade) -> Iterator[Said]:
    """What is unlikely of a payment by hand; it counts as it stands."""
    if event.from_ == event.to:
        yield said("{player} pays himself, which changes nothing.", player=event.to)
    if event.amount == 0:
        yield said("{player} pays {other} nothing.", player=event.from_, other=event.to)
    elif event.amount < 0:
        yield said(
            "{player} pays {other} {chips}, less than nothing: it counts as {back} from {other} to {player}.",
            player=event.from_,
            other=event.to,
            chips=event.amount,
            back=-event.amount,
        )


def _named_twice(players: Sequence[str]) -> Iterator[Said]:
    for player in dict.fromkeys(players):
        if players.count(player) > 1:
            yield said("{player} is named twice; one player has one place.", player=player)


def _start_faults(table: Table, event: DealStarted) -> Iterator[Said]:
    if not FEWEST <= len(table.players) <= MOST:
        few = {
            0: said("Nobody sits at this table; three to six can play."),
            1: said("One player sits at this table; three to six can play."),
        }
        count = len(table.players)
        yield few.get(count) or said("{count} players sit at this table; three to six can play.", count=count)
    if event.deal in {deal.deal for deal in table.deals}:
        yield said("This deal has been started already; it counts once.")
    elif event.number in {deal.number for deal in table.deals}:
        yield said("There is a deal number {number} already.", number=event.number)


def _fault(seq: Seq, message: Said) -> Finding:
    return finding(seq, "table_mismatch", message, RULE)
