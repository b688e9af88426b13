"""A table's own log folded: how it was opened, who sits there, what was started and paid (DESIGN 4)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.core import table_events
from engine.core.events import Event, NoteAdded, type_name
from engine.core.field_types import Seq
from engine.core.log import Entry, Log
from engine.core.message import Message, format_message
from engine.core.table_events import TABLE_EVENTS
from engine.judging.opening import format_revision
from engine.play.findings import Finding, Findings, build_finding
from engine.play.history import effective
from engine.rulesets import NO_RULES, PUBLISHED_RULESETS, CompiledRuleset, RulesetBook, find_ruleset
from engine.rulesets.switches import explain_unknown_switch
from engine.tables.ledger import parse_chip_value
from engine.tables.seating import MAX_PLAYERS, MIN_PLAYERS

RULE = "9. Record"


class Table(NamedTuple):
    """A table as its log has it now.

    ``players``: who sits there, in the order of play; ``members``: everybody who ever did;
    ``first_dealer``: who deals first, where that was said; ``deals``: those that were started;
    ``voided``: why the table is set aside, None where it counts.
    """

    opening_event: table_events.TableOpened
    rules: CompiledRuleset
    players: tuple[str, ...]
    members: tuple[str, ...]
    first_dealer: str | None
    deals: tuple[table_events.DealStarted, ...]
    is_closed: bool
    voided: str | None = None

    @property
    def next_number(self) -> int:
        """The number that the next deal gets."""
        return max((deal.number for deal in self.deals), default=0) + 1


def find_table_opening(log: Log) -> table_events.TableOpened | None:
    """How the table was opened, as the record has it now; None where the log does not say."""
    entries = (*effective(log).entries, *log)
    return next((entry.event for entry in entries if isinstance(entry.event, table_events.TableOpened)), None)


def list_started_deals(log: Log) -> Iterator[tuple[int, Seq]]:
    """The numbers of the deals, each with the table's entry that started it."""
    for entry in effective(log).entries:
        if isinstance(entry.event, table_events.DealStarted):
            yield entry.event.number, entry.seq


def withdrawn_numbers(log: Log) -> frozenset[int]:
    """The numbers under which deals were started that were taken back since; ``log`` is the table's."""
    started = {entry.event.number for entry in log if isinstance(entry.event, table_events.DealStarted)}
    return frozenset(started - {number for number, _ in list_started_deals(log)})


def start_table(opening_event: table_events.TableOpened, book: RulesetBook = PUBLISHED_RULESETS) -> Table:
    """A table at the moment of its opening."""
    rules = (
        find_ruleset(book, opening_event.ruleset, opening_event.revision, opening_event.switches) or NO_RULES
    )
    players = tuple(dict.fromkeys(opening_event.players))
    return Table(opening_event, rules, players, players, None, (), False)


def fold_table(log: Log, book: RulesetBook = PUBLISHED_RULESETS) -> Table | None:
    """The table after its log; None where that opens no table."""
    opening = find_table_opening(log)
    if opening is None:
        return None
    table = start_table(opening, book)
    for entry in effective(log).entries:
        table = evolve_table(table, entry)
    return table


def evolve_table(table: Table, entry: Entry) -> Table:
    """The table after one entry; what does not concern its seats and deals leaves it as it is."""
    event = entry.event
    if isinstance(event, table_events.PlayerJoined):
        return _join_player(table, event)
    if isinstance(event, table_events.PlayerLeft):
        remaining = tuple(player for player in table.players if player != event.player)
        return table._replace(players=remaining)
    if isinstance(event, table_events.SeatsSet):
        members = tuple(dict.fromkeys((*table.members, *event.players)))
        dealer = event.dealer or table.first_dealer
        return table._replace(
            players=tuple(dict.fromkeys(event.players)), members=members, first_dealer=dealer
        )
    if isinstance(event, table_events.DealStarted):
        return table._replace(deals=(*table.deals, event))
    if isinstance(event, table_events.TableVoided):
        return table._replace(voided=event.reason)
    return table._replace(is_closed=True) if isinstance(event, table_events.TableClosed) else table


def _join_player(table: Table, event: table_events.PlayerJoined) -> Table:
    if event.player in table.players:
        return table
    place = len(table.players) if event.place is None else event.place - 1
    players = (*table.players[:place], event.player, *table.players[place:])
    return table._replace(players=players, members=tuple(dict.fromkeys((*table.members, event.player))))


def judge_table_opening(table: Table, log: Log) -> Findings:
    """What is wrong with how a table was opened: unknown rules, a player named twice, no chip's worth."""
    opening_event = table.opening_event
    seq = next((entry.seq for entry in effective(log).entries if entry.event is opening_event), 1)
    found = [_build_mismatch(seq, message) for message in _list_duplicate_players(opening_event.players)]
    if opening_event.chip_value is not None and parse_chip_value(opening_event.chip_value) is None:
        message = format_message(
            "The value of a chip, {worth!r}, is not a number above 0, so nothing is counted in "
            "money; write a number such as 0.25 or 10.",
            worth=opening_event.chip_value,
        )
        found.append(_build_mismatch(seq, message))
    if not table.rules.is_known:
        message = format_message(
            "The ruleset {ruleset!r}{revision} is unknown; nobody can be seated by it.",
            ruleset=opening_event.ruleset,
            revision=format_revision(opening_event.revision),
        )
        found.append(build_finding(seq, "unknown_ruleset", message, RULE))
    for name, value in table.rules.unknown_switches:
        message = explain_unknown_switch(table.rules.ruleset, name, value)
        found.append(build_finding(seq, "unknown_switch", message, RULE, about=name))
    return tuple(found)


def judge_table(table: Table, entry: Entry) -> Findings:
    """What an entry of the table's own log breaks; ``table`` is the table before it."""
    seq, event, _ = entry
    found = tuple(_build_mismatch(seq, message) for message in _list_misfits(table, event))
    if table.is_closed and not isinstance(event, NoteAdded | table_events.TableVoided):
        message = format_message("The table was closed before this was entered.")
        found = (*found, build_finding(seq, "entry_after_close", message, RULE))
    return found


def _list_misfits(table: Table, event: Event) -> Iterator[Message]:
    """Why an entry does not fit the table as it was."""
    if isinstance(event, table_events.TableOpened) and event is not table.opening_event:
        yield format_message("This table has been opened already.")
    elif not isinstance(event, TABLE_EVENTS):
        yield format_message("{event} belongs to a deal, not to a table.", event=type_name(type(event)))
    elif isinstance(event, table_events.PlayerJoined) and event.player in table.players:
        yield format_message("{player} sits down, but sits there already.", player=event.player)
    elif isinstance(event, table_events.PlayerLeft) and event.player not in table.players:
        yield format_message("{player} leaves, but does not sit at this table.", player=event.player)
    elif isinstance(event, table_events.SeatsSet):
        yield from _list_duplicate_players(event.players)
        if event.dealer is not None and event.dealer not in event.players:
            yield format_message(
                "{player} is to deal first, but does not sit at this table.", player=event.dealer
            )
    elif isinstance(event, (table_events.PaymentMade, table_events.PenaltyGiven)):
        names = (event.from_, event.to) if isinstance(event, table_events.PaymentMade) else (event.player,)
        for name in names:
            if name not in table.members:
                yield format_message("{player} does not sit at this table.", player=name)
        if isinstance(event, table_events.PaymentMade):
            yield from _list_payment_faults(event)
    elif isinstance(event, table_events.DealStarted):
        yield from _list_start_faults(table, event)


def _list_payment_faults(event: table_events.PaymentMade) -> Iterator[Message]:
    """What is unlikely about a payment by hand; it counts as it is."""
    if event.from_ == event.to:
        yield format_message("{player} pays {player}, which changes nothing.", player=event.to)
    if event.amount == 0:
        yield format_message("{player} pays {other} nothing.", player=event.from_, other=event.to)
    elif event.amount < 0:
        yield format_message(
            "{player} pays {other} {chips}, less than nothing: it counts as {back} from {other} to {player}.",
            player=event.from_,
            other=event.to,
            chips=event.amount,
            back=-event.amount,
        )


def _list_duplicate_players(players: Sequence[str]) -> Iterator[Message]:
    for player in dict.fromkeys(players):
        if players.count(player) > 1:
            yield format_message("{player} is named twice; a player has only one place.", player=player)


def _list_start_faults(table: Table, event: table_events.DealStarted) -> Iterator[Message]:
    if not MIN_PLAYERS <= len(table.players) <= MAX_PLAYERS:
        few = {
            0: format_message("Nobody sits at this table; three to six can play."),
            1: format_message("One player sits at this table; three to six can play."),
        }
        count = len(table.players)
        yield few.get(count) or format_message(
            "{count} players sit at this table; three to six can play.", count=count
        )
    if event.deal in {deal.deal for deal in table.deals}:
        yield format_message("This deal has been started already; it counts once.")
    elif event.number in {deal.number for deal in table.deals}:
        yield format_message("There is a deal number {number} already.", number=event.number)


def _build_mismatch(seq: Seq, message: Message) -> Finding:
    return build_finding(seq, "table_mismatch", message, RULE)
