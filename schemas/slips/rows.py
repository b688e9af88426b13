"""One row of a sheet read into a slip: every cell of it, and every fault of a cell with its place."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from engine.cards import SEAT_NAMES, Seat, Suit
from engine.events import ResultRecorded
from engine.rulesets import Rules
from engine.tables import games_of, seated
from engine.tables.seating import MOST
from engine.vocabulary import Players
from schemas.faults import NOTHING, Fault, WireError, shown, unfit
from schemas.slips import cells
from schemas.slips.blocks import Head, overlong
from schemas.slips.sheet import Row, unguarded
from schemas.slips.slip import Slip, SlipFault
from schemas.slips.words import BLANK, OUTCOME_OF, TOTALS, folded

Value = TypeVar("Value")
SAY_NOTHING: Final = frozenset(("number", "date", "table", "board", "dealer"))
"""Columns that are often filled in before the evening: a row with nothing else is no deal yet."""


class Frame(NamedTuple):
    """What all rows of a block have in common: columns, players by name, rules.

    ``contracts``: those of the rules by everything that they may be called.
    """

    head: Head
    known: cells.Roster
    rules: Rules
    contracts: dict[str, str]


class RowReader:
    """One row below the head, and what is wrong with it."""

    def __init__(self, row: Row, frame: Frame) -> None:
        self.row = row
        self.head, self.known, self.rules, self.contracts = frame
        self.faults: list[SlipFault] = []

    def text(self, column: str) -> str:
        """What stands in a column, "" where nothing does."""
        return self._at(self.head.columns.get(column, len(self.row.cells)))

    def _at(self, place: int) -> str:
        text = self.row.cells[place] if place < len(self.row.cells) else ""
        return "" if text in BLANK else unguarded(text)

    def is_no_deal(self) -> bool:
        """Whether the row adds up the others, or has nothing but what is often filled in beforehand."""
        first = next((cell for cell in self.row.cells if cell not in BLANK), "")
        if folded(first) in TOTALS:
            self._pass_over(first, "This row adds up the others; it is not read as a deal.")
            return True
        places = [place for name, place in self.head.columns.items() if name in SAY_NOTHING]
        if any(self._at(place) for place in range(len(self.row.cells)) if place not in places):
            return False
        number = self.text("number")
        if number and not number[0].isdigit():
            self._pass_over(number, f"Nothing is read from {shown(number)}: there is no deal in this row.")
        return True

    def _pass_over(self, read: str, message: str) -> None:
        """Tells that a row is not read; nothing of the evening is lost by it."""
        self.faults.append(SlipFault(self.row.number, 0, "", shown(read), "a deal", message, grave=False))

    def take(self, column: str, read: Callable[[str], Value]) -> Value | None:
        """What a column says; None where nothing stands there, or what does is told as a fault."""
        text = self.text(column)
        return self._read(self.head.columns.get(column, 0), text, read) if text else None

    def _read(self, place: int, text: str, read: Callable[[str], Value]) -> Value | None:
        try:
            return read(text)
        except WireError as error:
            self._refuse(place, error.faults[0])
            return None

    def refuse(self, column: str, fault: Fault) -> None:
        """Tells what is wrong in a column, or what is missing there."""
        self._refuse(self.head.columns.get(column, -1), fault, column)

    def _refuse(self, place: int, fault: Fault, column: str = "") -> None:
        heading = self.head.texts[place] if place >= 0 else column
        message = fault.advice + self._spread()
        self.faults.append(
            SlipFault(self.row.number, place + 1, heading, fault.read, fault.expected, message)
        )

    def _spread(self) -> str:
        """A word on a row of several lines, which a quotation mark too many may have joined."""
        first, last = self.row.line, self.row.line + self.row.lines - 1
        if first == last:
            return ""
        return f" The row has swallowed lines {first} to {last}: is there a quotation mark too many?"

    def slip(self, due: int, at_table: Sequence[str], date: str, table: str) -> Slip:
        """What the row says; without players where something in it is wrong.

        ``due``: the number of the deal where the row does not say it; ``at_table``: who sits there, in
        the order of play, as far as that was said.
        """
        number = self.take("number", lambda text: cells.ordinal(text.rstrip("."))) or due
        place = Slip(number, None, date=date, table=table)
        if self.row.unclosed:
            message = "A quotation mark is opened in this row and never closed; close it, or leave it out."
            read, expected = shown(";".join(self.row.cells)), "a closing quotation mark"
            self.faults.append(SlipFault(self.row.number, 0, "", read, expected, message))
            return place
        self.faults += overlong(self.row, self.head)
        seating = self.take("at the table", lambda text: cells.names(text, self.known)) or ()
        dealer = self.take("dealer", lambda text: cells.player(text, self.known))
        players = self._players(dealer, seating or at_table)
        slip = self._said(place._replace(dealer=dealer, seated=seating), players) if players else place
        return place._replace(seated=seating) if any(one.grave for one in self.faults) else slip

    def _said(self, slip: Slip, players: Players) -> Slip:
        """All that the row says beside who plays."""
        note = self.take("note", cells.note)
        for column, most in (("date", slip.date), ("table", slip.table)):
            if len(most) > 200:
                self.refuse(column, unfit(most, "a text of at most 200 characters").faults[0])
        return slip._replace(
            players=players,
            board=self.take("board", cells.ordinal),
            result=self._result(players),
            pool=self.take("pool", cells.count),
            set_aside=self.take("set aside", cells.counts) or (),
            paid=self._paid(players),
            penalties=self.take("penalty", lambda text: cells.points(text, self.known)) or (),
            note=note or "",
        )

    def _players(self, dealer: str | None, at_table: Sequence[str]) -> Players | None:
        """Who plays: as it stands, else as it must be where this dealer gives."""
        sat = [self.take(seat, lambda text: cells.player(text, self.known)) for seat in SEAT_NAMES]
        out = self.take("sits out", lambda text: cells.names(text, self.known)) or ()
        active = [one for one in sat if one is not None]
        if not active and dealer is not None and not self.faults:
            for game in games_of(at_table):
                due = seated(game, dealer, self.rules.ruleset)
                if due is not None:
                    return Players(*due.active, out or due.sitting_out)
        for seat, player in zip(SEAT_NAMES, sat, strict=True):
            if player is None and not self.text(seat):
                self.refuse(seat, Fault("", NOTHING, self._who_sat_there(active)))
        if len(active) < len(SEAT_NAMES):
            return None
        named = [*active, *out]
        for place, player in enumerate(named):
            if player in named[:place]:
                seat = SEAT_NAMES[place] if place < len(SEAT_NAMES) else "sits out"
                self.refuse(seat, Fault("", shown(player), "a player who has no other place in this deal"))
        if "sits out" not in self.head.columns and set(active) <= set(at_table):
            # Of six, who play two games at once, nobody sits out.
            out = tuple(one for one in at_table if one not in active and len(at_table) < MOST)
        return Players(active[0], active[1], active[2], out)

    def _who_sat_there(self, active: Sequence[str]) -> str:
        if active:
            return "who sat there"
        return "who sat there (or the dealer, where the players stand above the columns in the order of play)"

    def _result(self, players: Players) -> ResultRecorded | None:
        sat = (players.forehand, players.middlehand, players.backhand)
        declarer = self.take("declarer", lambda text: cells.seat_of(text, sat))
        outcome = self.take("outcome", cells.outcome)
        trump = self.take("trump", cells.suit)
        contract = None
        if OUTCOME_OF.get(folded(self.text("contract"))) == "passed_out" and outcome in (None, "passed_out"):
            outcome = "passed_out"
        else:
            named = self.take("contract", lambda text: cells.contract(text, self.rules, self.contracts))
            if named is not None:
                contract, beside = named
                if None not in (beside, trump) and beside != trump:
                    self.refuse("trump", Fault("", shown(self.text("trump")), "the suit of the contract"))
                trump = beside if trump is None else trump
                contract = self._as_played(contract, trump)
        tricks = (
            self.take("tricks", lambda text: cells.tricks(text, declarer)) if self._knows(declarer) else None
        )
        result = ResultRecorded(
            outcome=outcome,
            declarer=declarer,
            contract=contract,
            trump=trump,
            tricks=tricks or (),
            slam=self.take("slam", cells.slam) or None,
            primeras=self.take("primeras", cells.flag),
            estuches=self.take("estuches", cells.count),
        )
        return None if result == ResultRecorded() else result

    def _as_played(self, contract: str, trump: Suit | None) -> str:
        """The contract as it is recorded; that it is another than the sheet has is told."""
        played = cells.as_played(contract, trump, self.rules)
        if played != contract:
            place, read = self.head.columns["contract"], shown(self.text("contract"))
            message = f"{read} in spades is recorded as {played}; by these rules that is its name."
            heading = self.head.texts[place]
            self.faults.append(
                SlipFault(self.row.number, place + 1, heading, read, played, message, grave=False)
            )
        return played

    def _knows(self, declarer: Seat | None) -> bool:
        """Whether tricks can be read: not where a declarer is named whom nobody knows."""
        return declarer is not None or not self.text("declarer")

    def _paid(self, players: Players) -> tuple[tuple[str, int], ...]:
        """Chips by seat, those of who did not play by name."""
        seats = {getattr(players, seat): seat for seat in SEAT_NAMES}
        found: list[tuple[str, int]] = []
        for place, player in self.head.chips.items():
            text = self._at(place)
            number = self._read(place, text, cells.chips) if text else None
            if number is not None:
                found.append((seats.get(player, player), number))
        if len(found) > cells.MOST_PAID:
            expected = f"the chips of at most {cells.MOST_PAID} players"
            self.refuse("", Fault("", f"{len(found)} of them", expected))
        order = {seat: number for number, seat in enumerate(SEAT_NAMES)}
        return tuple(sorted(found, key=lambda one: (order.get(one[0], len(order)), one[0])))
