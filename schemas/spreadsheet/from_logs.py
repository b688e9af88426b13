"""A table's log and its deals' as slips: of each deal what a slip can say, and what it cannot."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from engine.core.cards import SEAT_NAMES, SEATS, SUITS, Suit
from engine.core.events import DealOpened, Event, NoteAdded, ResultRecorded
from engine.core.log import Log, log_of
from engine.core.table_events import (
    DealStarted,
    PaymentMade,
    PenaltyGiven,
    SeatsSet,
    TableClosed,
    TableOpened,
)
from engine.core.vocabulary import Players
from engine.fold import fold_all
from engine.play.history import effective
from engine.play.state import State, start
from engine.rulesets import PUBLISHED, Book
from engine.scoring.score import Score, extras_by_cards, score
from engine.tables import Dealt, Table, dealt, table_of
from engine.tables.table import evolve_table
from schemas.spreadsheet.cells import as_played
from schemas.spreadsheet.logs import slip_of
from schemas.spreadsheet.slip import Slip, SlipTable, Terms

GIVEN_UP: Final = ("bete", "codille")
"""What a deal that was given up is paid as, where a slip says it so."""


class Told(NamedTuple):
    """A table as slips, and sentences on what of it no slip can say."""

    table: SlipTable
    untold: tuple[str, ...]


def slips_from(log: Log, deals: Mapping[str, Log], book: Book = PUBLISHED) -> Told | None:
    """The slips of a table; ``deals`` by the names by which it started them.

    None where the log does not say how the table was opened.
    """
    table = table_of(log, book)
    return None if table is None else _Telling(table, deals, book).told(log)


class _Telling:
    """A table in the making."""

    def __init__(self, table: Table, deals: Mapping[str, Log], book: Book) -> None:
        self.final, self.deals, self.book = table, deals, book
        self.slips: list[Slip] = []
        self.place: dict[str, int] = {}
        """Where the slip of a deal stands among the slips."""
        self.untold: dict[str, int] = {}
        """What no slip can say, and how often it is there."""
        self.first_dealer: str | None = None

    def told(self, log: Log) -> Told:
        """The whole log told."""
        opened = self.final.opened
        table = self.final._replace(players=opened.players, first_dealer=None, deals=())
        seated, moved = opened.players, False
        for entry in effective(log).entries:
            event = entry.event
            if isinstance(event, SeatsSet):
                moved = bool(self.place)
            table = evolve_table(table, entry)
            if isinstance(event, DealStarted):
                self.first_dealer = table.first_dealer if not self.place else self.first_dealer
                changed = moved or table.players != seated
                if self._deal(event, table.players if changed else ()):
                    seated, moved = table.players, False
            else:
                self._other(event)
        if not self.place:
            self.first_dealer = table.first_dealer
        if table.players != seated and self.place:
            self._leave_out("a change of seats after the last deal")
        closed = any(isinstance(entry.event, TableClosed) for entry in effective(log).entries)
        slips = self._of_one_evening()
        terms = _terms(opened, self._dealer_to_state(slips), closed)
        sentences = (f"{what} ({count} times)" if count > 1 else what for what, count in self.untold.items())
        return Told(SlipTable(terms, slips), tuple(sentences))

    def _of_one_evening(self) -> tuple[Slip, ...]:
        """The slips; dates and names of tables are kept where they do not part them into several tables."""
        slips = tuple(self.slips)
        if _parted([slip.date for slip in slips]):
            self._leave_out("a date that is not the same in every deal")
            slips = tuple(slip._replace(date="") for slip in slips)
        if _parted([slip.table for slip in slips]):
            self._leave_out("the name of a table that is not the same in every deal")
            slips = tuple(slip._replace(table="") for slip in slips)
        return slips

    def _dealer_to_state(self, slips: tuple[Slip, ...]) -> str | None:
        """Who deals first, where the first slip does not say it."""
        players = self.final.opened.players
        first = slips[0] if slips else None
        if first is not None and first.seated:
            return None
        if self.first_dealer is None and (not players or first is None or first.dealer is None):
            return None
        due = self.first_dealer or players[-1]
        return None if first is not None and first.dealer == due else due

    def _leave_out(self, what: str) -> None:
        self.untold[what] = self.untold.get(what, 0) + 1

    def _other(self, event: Event) -> None:
        """An entry of the table's own that starts no deal."""
        if isinstance(event, PaymentMade):
            self._leave_out("a payment outside the deals")
        elif isinstance(event, PenaltyGiven):
            place = None if event.deal is None else self.place.get(event.deal)
            if place is None:
                self._leave_out("penalty points outside the deals")
            else:
                given = (*self.slips[place].penalties, (event.player, event.points))
                self.slips[place] = self.slips[place]._replace(penalties=given)
        elif isinstance(event, NoteAdded):
            self._leave_out("a note on the table")

    def _deal(self, started: DealStarted, seated: tuple[str, ...]) -> bool:
        """The slip of a deal; False where its record is not here, or does not say who sat there."""
        log = self.deals.get(started.deal)
        if started.deal in self.place:
            return False
        folded = None if log is None else dealt(log, self.book)
        opened = None if folded is None else folded.state.opening.opened
        if log is None or folded is None or opened is None:
            self._leave_out(f"deal {started.number}, whose record is not here")
            return False
        self.place[started.deal] = len(self.slips)
        result, exact = _result(folded.state, opened)
        if not exact:
            self._leave_out(f"all that makes the payments of deal {started.number}")
        if folded.state.opening.rules.ruleset != self.final.rules.ruleset:
            self._leave_out(f"that deal {started.number} has other rules than its table")
        self.slips.append(_slip(started.number, log, folded, opened, result)._replace(seated=seated))
        return True


def _parted(said: Sequence[str]) -> bool:
    """Whether what stands in a column, blank where it is as above, makes several tables of one."""
    return any(said) and {one for one in said if one} != {said[0]}


def _terms(opened: TableOpened, first_dealer: str | None, closed: bool) -> Terms:
    plan = opened.plan
    return Terms(
        ruleset=opened.ruleset,
        revision=opened.revision,
        switches=opened.switches,
        title=opened.title,
        players=opened.players,
        first_dealer=first_dealer,
        planned_deals=None if plan is None else plan.deals,
        until=None if plan is None else plan.until,
        chip_value=opened.chip_value,
        currency=opened.currency,
        closed=closed,
    )


def _slip(number: int, log: Log, folded: Dealt, opened: DealOpened, result: ResultRecorded | None) -> Slip:
    date, table = slip_of(opened.source)
    settled, taken_over = folded.state.ending.settled, folded.state.ending.taken_over
    notes = [
        entry.event.text
        for entry in effective(log).entries
        if isinstance(entry.event, NoteAdded) and entry.event.on is None
    ]
    return Slip(
        number=number,
        players=replace(opened.players, partners=()),
        date=date,
        table=table,
        board=opened.board,
        dealer=opened.dealer,
        result=result,
        pool=opened.pool,
        set_aside=opened.reserved,
        paid=() if settled is None else _by_seat(settled.payments, opened.players),
        penalties=tuple(
            (taken_over[seat] or opened.players.at(SEATS[seat]), points) for seat, points in folded.penalties
        ),
        note="\n".join(notes),
    )


def _by_seat(payments: tuple[tuple[str, int], ...], players: Players) -> tuple[tuple[str, int], ...]:
    """Payments with those of who played laid to their seats."""
    seats = {players.at(seat): SEAT_NAMES[seat] for seat in SEATS}
    chips: dict[str, int] = {}
    for name, amount in payments:
        key = name if name in SEAT_NAMES else seats.get(name, name)
        chips[key] = chips.get(key, 0) + amount
    return tuple(chips.items())


def _result(state: State, opened: DealOpened) -> tuple[ResultRecorded | None, bool]:
    """What a slip says of how a deal ended; and whether the deal pays what such a slip does."""
    due = score(state)
    candidates = list(_candidates(state, due))
    for result in candidates:
        if _pays_alike(state, opened, result, due):
            return result, True
    return candidates[0], False


def _candidates(state: State, due: Score) -> Iterator[ResultRecorded | None]:
    """What a slip may say: what the slip of the deal said itself, with what is known from its cards."""
    ending, bargain = state.ending, state.bargain
    slip = ending.result or ResultRecorded()
    by_cards = due.decided and bool(state.play.tricks or ending.claim or ending.abandoned or ending.surrender)
    primeras, estuches = extras_by_cards(state) if by_cards else (None, None)
    trump, contract = _trump(state, slip), bargain.contract_id or slip.contract
    decided_otherwise = ending.voided or ending.ruling is not None or ending.result is None or by_cards
    result = ResultRecorded(
        outcome=due.outcome if due.decided and decided_otherwise else slip.outcome,
        declarer=slip.declarer if bargain.declarer is None else bargain.declarer,
        contract=None if contract is None else as_played(contract, trump, state.opening.rules),
        trump=trump,
        tricks=tuple(zip(SEATS, due.tricks, strict=True)) if by_cards else slip.tricks,
        slam=due.slam or slip.slam,
        primeras=slip.primeras if primeras is None else primeras,
        estuches=slip.estuches if estuches is None else estuches,
    )
    if result == ResultRecorded():
        yield None
        return
    yield result
    if result.outcome == "abandoned":
        for outcome in GIVEN_UP:
            yield replace(result, outcome=outcome)


def _trump(state: State, slip: ResultRecorded) -> Suit | None:
    """The trump suit; not that of two aces alone, nor of nolo, which is none."""
    trump = state.bargain.trump
    return slip.trump if trump is None or trump >= len(SUITS) else trump


def _pays_alike(state: State, opened: DealOpened, result: ResultRecorded | None, due: Score) -> bool:
    """Whether a deal of which only this slip is known pays what the deal itself pays."""
    if any(state.ending.taken_over):
        return False
    events: list[Event] = [opened] if result is None else [opened, result]
    told = score(fold_all(log_of(events), start(state.opening.book)))
    if (told.decided, told.payments) != (due.decided, due.payments):
        return False
    return (told.pool and told.pool.after) == (due.pool and due.pool.after)
