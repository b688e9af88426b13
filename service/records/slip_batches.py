"""A pile of slips at a table: rows typed from paper read and judged, and several deals stored in one step.

What is read is not stored. What is stored is deals, each from its opening on, as `service.records.tables`
starts one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple

from engine import Audit, Finding, Log, audit
from engine.core.events import DealOpened, Event, NoteAdded
from engine.core.log import Entry, Record
from engine.core.table_events import DealStarted
from engine.core.vocabulary import Players
from engine.rulesets import PUBLISHED, Book
from engine.tables import Ahead, Seating, Taken, dealt, games_of
from engine.tables.ledger import NextDeal, chip_value
from schemas.spreadsheet.phrases import Misfit, told_of
from schemas.spreadsheet.typed import CellFault, Frame, RowReader, Typed, frame_of
from service.records.tables import deals_of, table_of

MOST_ROWS: Final = 200
"""A pile has at most so many rows: more than anybody plays in an evening."""
SLIP_OF_A_PILE: Final = "00000000-0000-7000-8000-{:012}"
"""What a deal is called while it is only read."""


class RowRead(NamedTuple):
    """A row: what it says, the events that it comes to (none while it is not whole), and what they bring.

    ``differs``: by player what the paper says, where that is not what the rules make it.
    """

    typed: Typed
    events: tuple[Event, ...]
    judged: Audit
    taken: Taken
    findings: tuple[Finding, ...]
    faults: tuple[CellFault, ...]
    differs: tuple[tuple[str, str], ...]


class PileRead(NamedTuple):
    """A pile as it was read; ``players``: everybody who has chips, in the order in which paper has them."""

    players: tuple[str, ...]
    rows: tuple[RowRead, ...]


def ahead_of(log: Log, log_of_deal: Callable[[str], Log], book: Book = PUBLISHED) -> Ahead:
    """The evening of a table, to be told further."""
    return Ahead(log, deals_of(log_of_deal, table_of(log, book), book), book)


def read_pile(
    ahead: Ahead,
    rows: Sequence[Mapping[str, str]],
    called: Mapping[str, Sequence[str]],
    *,
    lang: str,
    paper_shows: str,
    book: Book = PUBLISHED,
) -> PileRead:
    """Rows read one after another on top of what the table has; a row that says nothing yet keeps its place.

    ``called`` has for each player what he is called, the name that is shown first. ``paper_shows``: whether
    the cell ``paper`` has running ``totals``, or the ``chips`` of its deal. Nobody has to be due: then no row
    is read, and the answer has none.
    """
    frame = frame_of(ahead.table.rules, called, lang)
    paper = Paper(frame, rows, paper_shows, chip_value(ahead.table.opened.chip_value))
    found: list[RowRead] = []
    for place, row in enumerate(rows, 1):
        due = _due(ahead, row, frame)
        if due is None:
            break
        found.append(_read(ahead, place, row, due, frame, paper, book))
    return PileRead(tuple(name for name, _ in ahead.totals), tuple(found))


def planned(ahead: Ahead, count: int, book: Book = PUBLISHED) -> list[tuple[int, Seating]]:
    """The next deals as they are due while nobody comes or goes: their numbers, and who sits where."""
    found = []
    for place in range(1, count + 1):
        if not (following := ahead.following()):
            break
        due = following[0]
        log = _log([opening_of(ahead, due.seating, due.number, due)])
        ahead.take(DealStarted(SLIP_OF_A_PILE.format(place), due.number), dealt(log, book))
        found.append((due.number, due.seating))
    return found


def _due(ahead: Ahead, row: Mapping[str, str], frame: Frame) -> NextDeal | None:
    """What the row's deal is opened with: of several games the one whose players it names, else the next."""
    following = ahead.following()
    named = [row.get(column, "") for column in ("dealer", "declarer")]
    for due in following:
        for text in filter(None, named):
            if any(frame.company.is_called(one, text) for one in _players(ahead, due)):
                return due
    return following[0] if following else None


def _players(ahead: Ahead, due: NextDeal) -> tuple[str, ...]:
    return games_of(ahead.table.players)[due.game]


def _read(
    ahead: Ahead,
    place: int,
    row: Mapping[str, str],
    due: NextDeal,
    frame: Frame,
    paper: "Paper",
    book: Book,
) -> RowRead:
    numbers = frozenset(deal.number for deal in ahead.table.deals)
    typed = RowReader(row, frame).typed(
        due.number, lambda number: ahead.seating_of(number, due), _players(ahead, due), numbers
    )
    opening = opening_of(ahead, typed.seating, typed.number, due)
    told: list[Event] = [opening]
    if typed.result is not None:
        told += [typed.result, *([NoteAdded(typed.note)] if typed.note else [])]
    log = _log(told)
    judged = audit(log, book)
    taken = ahead.take(DealStarted(SLIP_OF_A_PILE.format(place), typed.number), dealt(log, book))
    beside = () if typed.result is None else judged.findings
    found = (*beside, *(one.finding for one in taken.findings))
    faults, differs = paper.compared(row.get("paper", ""), taken)
    return RowRead(
        typed,
        tuple(told) if typed.result is not None else (),
        judged,
        taken,
        found,
        (*typed.faults, *faults),
        differs,
    )


def opening_of(ahead: Ahead, seating: Seating, number: int, due: NextDeal) -> DealOpened:
    """The opening of a further deal of the table, as the ledger has it due."""
    own = ahead.table.opened
    opening = DealOpened(
        ruleset=own.ruleset,
        players=Players(*seating.active, seating.sitting_out),
        revision=own.revision if own.revision is not None else ahead.table.rules.ruleset.revision,
        switches=own.switches,
        dealer=seating.dealer,
        number=number,
    )
    if due.pool is None:
        return opening
    return replace(opening, pool=due.pool, reserved=due.reserved)


def _log(events: Iterable[Event]) -> Log:
    return tuple(Entry(seq, event, Record()) for seq, event in enumerate(events, 1))


class Paper:
    """What stands on the paper, to be compared with what the rules make it: in chips, or in money."""

    def __init__(
        self, frame: Frame, rows: Sequence[Mapping[str, str]], shows: str, worth: Decimal | None
    ) -> None:
        self.frame, self.shows = frame, shows
        said = [number for row in rows for number in _numbers(row.get("paper", "")) or () if number]
        self.worth = worth if worth and any(number % 1 for number in said) else Decimal(1)

    def compared(self, text: str, taken: Taken) -> tuple[tuple[CellFault, ...], tuple[tuple[str, str], ...]]:
        """What cannot be read of the cell, and who has other chips than it says, with what it says."""
        if not text.strip():
            return (), ()
        line, numbers = taken.line, _numbers(text)
        due: dict[str, int] = dict(line.totals)
        players = tuple(due)
        if self.shows == "chips":
            due = dict.fromkeys(players, 0)
            for player, chips in (*line.stake, *line.chips):
                due[player] = due.get(player, 0) + chips
        if numbers is None or len(numbers) > len(players):
            fault = Misfit(text, "paper", players=self.frame.company.shown(players))
            return (CellFault("paper", *told_of(fault, self.frame.tongue)),), ()
        return (), tuple(
            (player, _plain(number))
            for player, number in zip(players, numbers, strict=False)
            if number is not None and number != due[player] * self.worth
        )


def _numbers(text: str) -> list[Decimal | None] | None:
    """Numbers with spaces between, decimal commas too, "?" for one that is not there.

    None where something else stands there.
    """
    found: list[Decimal | None] = []
    for part in text.replace("−", "-").replace("–", "-").replace(";", " ").replace("/", " ").split():
        try:
            number = None if part == "?" else Decimal(part.rstrip(",.").replace(",", "."))
        except InvalidOperation:
            return None
        if number is not None and not (number.is_finite() and abs(number) < 10**9):
            return None
        found.append(number)
    return found


def _plain(number: Decimal) -> str:
    return format(number, "f")
