"""One row of a sheet read into a slip: every cell of it, and every fault of a cell with its place."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from engine.core.cards import SEAT_NAMES, Seat, Suit
from engine.core.events import ResultRecorded
from engine.core.vocabulary import Players
from engine.rulesets import Rules
from engine.tables import games_of, seated
from engine.tables.seating import MOST
from schemas.spreadsheet import cells
from schemas.spreadsheet.blocks import Head, overlong
from schemas.spreadsheet.phrases import Expected, Tongue, advice, said, told_of
from schemas.spreadsheet.sheet import Row, unguarded
from schemas.spreadsheet.slip import Slip, SlipFault
from schemas.spreadsheet.words import BLANK, COLUMNS, OUTCOME_OF, SETTINGS, TOTALS, TOUTS, folded
from schemas.wire.faults import NOTHING, WireError, shown

Value = TypeVar("Value")
SAY_NOTHING: Final = frozenset(("number", "date", "table", "board", "dealer"))
"""Columns that are often filled in before the evening: a row with nothing else is no deal yet."""


class Frame(NamedTuple):
    """What all rows of a block have in common: columns, players by name, rules, languages.

    ``contracts``: those of the rules by everything that they may be called; ``twins``: the players who
    are taken for others of nearly the same name, as far as that was told.
    """

    head: Head
    known: cells.Roster
    rules: Rules
    contracts: dict[str, str]
    tongue: Tongue
    twins: set[str]


class RowReader:
    """One row below the head, and what is wrong with it; ``beside``: what is, and does not spoil the row."""

    def __init__(self, row: Row, frame: Frame) -> None:
        self.row = row
        self.head, self.known, self.rules, self.contracts, self.tongue, self.twins = frame
        self.faults: list[SlipFault] = []
        self.beside: list[SlipFault] = []

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
            self._pass_over(first, "adds_up")
            return True
        places = [place for name, place in self.head.columns.items() if name in SAY_NOTHING]
        if any(self._at(place) for place in range(len(self.row.cells)) if place not in places):
            return False
        number = self.text("number")
        if number and not number[0].isdigit():
            self._pass_over(number, "no_deal")
        return True

    def _pass_over(self, read: str, sentence: str) -> None:
        """Tells that a row is not read; nothing of the evening is lost by it."""
        message, expected = self._said(sentence, read=shown(read)), self._expected("deal")
        self.faults.append(SlipFault(self.row.number, 0, "", shown(read), expected, message, grave=False))

    def _said(self, sentence: str, **parts: object) -> str:
        return said(sentence, self.tongue, **parts)

    def _expected(self, phrase: str, **parts: object) -> str:
        return Expected(phrase, parts).told(self.tongue)

    def take(self, column: str, read: Callable[[str], Value]) -> Value | None:
        """What a column says; None where nothing stands there, or what does is told as a fault."""
        text = self.text(column)
        return self._read(self.head.columns.get(column, 0), text, read) if text else None

    def _read(self, place: int, text: str, read: Callable[[str], Value]) -> Value | None:
        try:
            return read(text)
        except WireError as error:
            self._refuse(place, *told_of(error, self.tongue))
            return None

    def refuse(self, column: str, read: str, phrase: str, **parts: object) -> None:
        """Tells what is wrong in a column, or what is missing there; ``read`` as it is shown."""
        expected = self._expected(phrase, **parts)
        place = self.head.columns.get(column, -1)
        self._refuse(place, read, expected, advice(read, expected, self.tongue), column)

    def _refuse(self, place: int, read: str, expected: str, message: str, column: str = "") -> None:
        heading = self.head.texts[place] if place >= 0 else self._called(column)
        self.faults.append(
            SlipFault(self.row.number, place + 1, heading, read, expected, message + self._spread())
        )

    def _called(self, column: str) -> str:
        """What a column that is not there would be called in this sheet."""
        return COLUMNS[column].words[self.tongue.sheet] if column in COLUMNS else column

    def _spread(self) -> str:
        """A word on a row of several lines, which a quotation mark too many may have joined."""
        first, last = self.row.line, self.row.line + self.row.lines - 1
        if first == last:
            return ""
        return self._said("swallowed", first=first, last=last)

    def slip(self, due: int, at_table: Sequence[str], date: str, table: str) -> Slip:
        """What the row says; without players where something in it is wrong.

        ``due``: the number of the deal where the row does not say it; ``at_table``: who sits there, in
        the order of play, as far as that was said.
        """
        number = self.take("number", lambda text: cells.ordinal(text.rstrip("."))) or due
        place = Slip(number, None, date=date, table=table)
        if self.row.unclosed:
            read, expected = shown(";".join(self.row.cells)), self._expected("quotation")
            self.faults.append(SlipFault(self.row.number, 0, "", read, expected, self._said("unclosed")))
            return place
        self.faults += overlong(self.row, self.head, self.tongue)
        seating = self.take("at the table", lambda text: cells.names(text, self.known)) or ()
        dealer = self.take("dealer", lambda text: cells.player(text, self.known))
        players = self._players(dealer, seating or at_table)
        slip = self._whole(place._replace(dealer=dealer, seated=seating), players) if players else place
        spoilt = any(one.grave for one in self.faults)
        self.faults += self.beside
        return place._replace(seated=seating) if spoilt else slip

    def _whole(self, slip: Slip, players: Players) -> Slip:
        """All that the row says beside who plays."""
        note = self.take("note", cells.note)
        for column, most in (("date", slip.date), ("table", slip.table)):
            if len(most) > 200:
                self.refuse(column, shown(most), "note", most=200)
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
        for column, player in zip(("dealer", *SEAT_NAMES), (dealer, *sat), strict=True):
            self._ask_about_twin(column, player)
        out = self.take("sits out", lambda text: cells.names(text, self.known)) or ()
        active = [one for one in sat if one is not None]
        if not active and dealer is not None and not self.faults:
            for game in games_of(at_table):
                due = seated(game, dealer, self.rules.ruleset)
                if due is not None:
                    return Players(*due.active, out or due.sitting_out)
        for seat, player in zip(SEAT_NAMES, sat, strict=True):
            if player is None and not self.text(seat):
                self.refuse(seat, NOTHING, "who" if active else "who_or_dealer")
        if len(active) < len(SEAT_NAMES):
            return None
        named = [*active, *out]
        for place, player in enumerate(named):
            if player in named[:place]:
                seat = SEAT_NAMES[place] if place < len(SEAT_NAMES) else "sits out"
                self.refuse(seat, shown(player), "other_place")
        if "sits out" not in self.head.columns and set(active) <= set(at_table):
            # Of six, who play two games at once, nobody sits out.
            out = tuple(one for one in at_table if one not in active and len(at_table) < MOST)
        return Players(active[0], active[1], active[2], out)

    def _ask_about_twin(self, column: str, player: str | None) -> None:
        """Asks once whether a player is another who is named before him and sounds alike."""
        first = None if player is None else self.known.meant(player)
        if player is None or first in (None, player) or player in self.twins:
            return
        self.twins.add(player)
        place, read = self.head.columns[column], shown(player)
        message = self._said("two_players", read=read, other=first)
        heading, expected = self.head.texts[place], first or ""
        self.beside.append(SlipFault(self.row.number, place + 1, heading, read, expected, message, False))

    def _result(self, players: Players) -> ResultRecorded | None:
        sat = (players.forehand, players.middlehand, players.backhand)
        slam = self.take("slam", cells.slam) or None
        all_nine = folded(self.text("outcome")) in TOUTS
        outcome = "won" if all_nine else self.take("outcome", cells.outcome)
        slam = self._made(slam) if all_nine else slam
        trump = self.take("trump", cells.suit)
        contract = declarer = None
        passed = outcome in (None, "passed_out")
        if passed and self._tells_of_passing("declarer", sat) and self._passed_or_nothing("contract"):
            outcome = "passed_out"
        else:
            declarer = self.take("declarer", lambda text: cells.seat_of(text, sat))
        if passed and self._tells_of_passing("contract"):
            outcome = "passed_out"
        else:
            named = self.take("contract", lambda text: cells.contract(text, self.rules, self.contracts))
            if named is not None:
                contract, beside = named
                if None not in (beside, trump) and beside != trump:
                    self.refuse("trump", shown(self.text("trump")), "same_suit")
                trump = beside if trump is None else trump
                contract = self._as_played(contract, trump)
        tricks = (
            self.take("tricks", lambda text: cells.tricks(text, declarer))
            if self._knows(declarer, outcome)
            else None
        )
        result = ResultRecorded(
            outcome=outcome,
            declarer=declarer,
            contract=contract,
            trump=trump,
            tricks=tricks or (),
            slam=slam,
            primeras=self.take("primeras", cells.flag),
            estuches=self.take("estuches", cells.count),
        )
        return None if result == ResultRecorded() else result

    def _as_played(self, contract: str, trump: Suit | None) -> str:
        """The contract as it is recorded; that it is another than the sheet has is told."""
        played = cells.as_played(contract, trump, self.rules)
        if played != contract:
            place, read = self.head.columns["contract"], shown(self.text("contract"))
            message = self._said("recorded_as", read=read, played=played)
            heading = self.head.texts[place]
            self.faults.append(
                SlipFault(self.row.number, place + 1, heading, read, played, message, grave=False)
            )
        return played

    def _tells_of_passing(self, column: str, sat: Sequence[str] = ()) -> bool:
        """Whether it stands in a column that all have passed; a player who ``sat`` there may be called so."""
        text = self.text(column)
        return cells.Roster(sat).find(text) is None and OUTCOME_OF.get(folded(text)) == "passed_out"

    def _passed_or_nothing(self, column: str) -> bool:
        return not self.text(column) or self._tells_of_passing(column)

    def _made(self, slam: str | None) -> str:
        """The slam of a game whose outcome is that it was made."""
        if slam == "failed":
            self.refuse("slam", shown(self.text("slam")), "no_tout", outcome=shown(self.text("outcome")))
        return "made"

    def _knows(self, declarer: Seat | None, outcome: str | None) -> bool:
        """Whether tricks can be read: not where a declarer is named whom nobody knows."""
        return declarer is not None or not self.text("declarer") or outcome == "passed_out"

    def _paid(self, players: Players) -> tuple[tuple[str, int], ...]:
        """Chips by seat, those of who did not play by name."""
        seats = {getattr(players, seat): seat for seat in SEAT_NAMES}
        found: list[tuple[str, int]] = []
        for place, player in self.head.chips.items():
            text = self._at(place)
            if cells.is_part(text):
                return self._not_whole(place, text)
            number = self._read(place, text, cells.chips) if text else None
            if number is not None:
                found.append((seats.get(player, player), number))
        if len(found) > cells.MOST_PAID:
            self.refuse("", str(len(found)), "most_chips", most=cells.MOST_PAID)
        order = {seat: number for number, seat in enumerate(SEAT_NAMES)}
        return tuple(sorted(found, key=lambda one: (order.get(one[0], len(order)), one[0])))

    def _not_whole(self, place: int, text: str) -> tuple[()]:
        """Tells of chips that are not whole: the deal is read without what was paid."""
        chip_value = SETTINGS["chip value"].words
        message = self._said("chips_are_whole", read=shown(text), chip_value=chip_value)
        heading, expected = self.head.texts[place], self._expected("chips")
        self.beside.append(SlipFault(self.row.number, place + 1, heading, shown(text), expected, message))
        return ()
