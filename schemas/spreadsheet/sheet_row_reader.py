"""Read one row of a sheet into a slip, and report each faulty cell with its place."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from engine.core.cards import SEAT_NAMES, Suit
from engine.core.events import ResultRecorded
from engine.core.field_types import Players
from engine.core.message import format_message
from engine.rulesets import CompiledRuleset
from engine.tables import seat_players, split_into_games
from engine.tables.seating import MAX_PLAYERS
from schemas.i18n.catalogs import gettext
from schemas.spreadsheet import cell_parsers
from schemas.spreadsheet.csv_sheet_file import SheetRow, unguard_cell
from schemas.spreadsheet.player_lookup import PlayerRoster
from schemas.spreadsheet.sheet_blocks import BlockColumns
from schemas.spreadsheet.sheet_messages import FaultPlace, SheetFaults, SheetLanguages, localize_message
from schemas.spreadsheet.sheet_words import (
    BLANK_CELLS,
    OUTCOME_BY_WORD,
    SHEET_COLUMNS,
    SHEET_SETTINGS,
    TOTAL_ROW_WORDS,
    TOUT_WORDS,
    fold_word,
)
from schemas.spreadsheet.slip import Slip
from schemas.wire.wire_faults import WireError, quote_value

Value = TypeVar("Value")
PREFILLED_COLUMNS: Final = frozenset(("number", "date", "table", "board", "dealer"))
"""Columns that are often filled in beforehand: a row with nothing else is no deal yet."""
EXPECTED_PLAYER: Final = "who sat there"
EXPECTED_PLAYER_OR_DEALER: Final = (
    "who sat there (or the dealer, where the players stand above the columns in the order of play)"
)


class BlockContext(NamedTuple):
    """What all rows of a block have in common.

    ``contract_by_word``: the contracts of the rules by all their names. ``reported_twins``: players with
    nearly the same name as another, who were reported before.
    """

    columns: BlockColumns
    roster: PlayerRoster
    rules: CompiledRuleset
    contract_by_word: dict[str, str]
    languages: SheetLanguages
    reported_twins: set[str]


class SheetRowReader:
    """One row below the headings, and its faults; ``warnings`` do not spoil the row."""

    def __init__(self, row: SheetRow, context: BlockContext) -> None:
        self.row = row
        self.columns, self.roster, self.rules, self.contract_by_word, self.languages, self.reported_twins = (
            context
        )
        self.faults = SheetFaults(context.languages)
        self.warnings = SheetFaults(context.languages)

    def cell_text(self, column: str) -> str:
        """The text in a column; "" if there is none."""
        return self._text_at(self.columns.columns.get(column, len(self.row.cells)))

    def _text_at(self, column_index: int) -> str:
        text = self.row.cells[column_index] if column_index < len(self.row.cells) else ""
        return "" if text in BLANK_CELLS else unguard_cell(text)

    def is_no_deal(self) -> bool:
        """Whether the row adds up the others, or has nothing but what may be filled in beforehand."""
        first = next((cell for cell in self.row.cells if cell not in BLANK_CELLS), "")
        if fold_word(first) in TOTAL_ROW_WORDS:
            message = "This row adds up the others; it is not read as a deal."
            self.faults.report((self.row.number, 0, ""), first, "a deal", message, loses_data=False)
            return True
        places = [place for name, place in self.columns.columns.items() if name in PREFILLED_COLUMNS]
        if any(self._text_at(place) for place in range(len(self.row.cells)) if place not in places):
            return False
        number = self.cell_text("number")
        if number and not number[0].isdigit():
            message = "Nothing is read from {read}: there is no deal in this row."
            self.faults.report((self.row.number, 0, ""), number, "a deal", message, loses_data=False)
        return True

    def _report_unheaded_cell(self) -> None:
        """Report the first cell that stands under no heading."""
        width = len(self.columns.headings)
        for column, cell in enumerate(self.row.cells[width:], width + 1):
            if cell:
                self.faults.report(
                    (self.row.number, column, ""),
                    cell,
                    "nothing, as there is no column here",
                    "{read} stands under no column; give the column a name, or put quotation marks about it.",
                )
                return

    def read_column(self, column: str, read: Callable[..., Value], *context: Any) -> Value | None:
        """Read a column with ``read(text, *context)``; None if it is empty or reported as a fault."""
        text = self.cell_text(column)
        return self._read_text(self.columns.columns.get(column, 0), text, read, *context) if text else None

    def _read_text(
        self, column_index: int, text: str, read: Callable[..., Value], *context: Any
    ) -> Value | None:
        try:
            return read(text, *context)
        except WireError as error:
            self.faults.report_error(self._place(column_index), error)
            self._add_spread()
            return None

    def report(self, column: str, value: str | int, expected: str, message: str = "", **parts: Any) -> None:
        """Report what is wrong in a column, or is missing where ``value`` is empty."""
        column_index = self.columns.columns.get(column)
        if column_index is None:
            term = SHEET_COLUMNS.get(column)
            heading = gettext(term.words, self.languages.sheet_lang) if term else column
            place = (self.row.number, 0, heading)
        else:
            place = self._place(column_index)
        self.faults.report(place, value, expected, message, **parts)
        self._add_spread()

    def _place(self, column_index: int) -> FaultPlace:
        return self.row.number, column_index + 1, self.columns.headings[column_index]

    def _add_spread(self) -> None:
        """Add to the last fault that a stray quotation mark may have joined several lines."""
        first, last = self.row.first_line, self.row.first_line + self.row.line_count - 1
        if first != last:
            message = format_message(
                " The row has swallowed lines {first} to {last}: is there a quotation mark too many?",
                first=first,
                last=last,
            )
            more = localize_message(message, self.languages)
            self.faults[-1] = self.faults[-1]._replace(message=self.faults[-1].message + more)

    def read_slip(self, next_number: int, table_players: Sequence[str], date: str, table: str) -> Slip:
        """Read the slip, without players if data is lost.

        ``next_number``: the number of a deal without one; ``table_players``: who sits at the table, in the
        order of play, as far as that is known.
        """
        number = self.read_column("number", cell_parsers.parse_deal_number) or next_number
        place = Slip(number, None, date=date, table=table)
        if self.row.has_unclosed_quote:
            message = "A quotation mark is opened in this row and never closed; close it, or leave it out."
            text = ";".join(self.row.cells)
            self.faults.report((self.row.number, 0, ""), text, "a closing quotation mark", message)
            return place
        self._report_unheaded_cell()
        seating = self.read_column("at the table", cell_parsers.parse_player_list, self.roster) or ()
        dealer = self.read_column("dealer", cell_parsers.parse_player, self.roster)
        players = self._read_players(dealer, seating or table_players)
        slip = place._replace(dealer=dealer, new_seating=seating)
        slip = self._read_whole(slip, players) if players else place
        loses_data = any(one.loses_data for one in self.faults)
        self.faults += self.warnings
        return place._replace(new_seating=seating) if loses_data else slip

    def _read_whole(self, slip: Slip, players: Players) -> Slip:
        note = self.read_column("note", cell_parsers.parse_note)
        for column, text in (("date", slip.date), ("table", slip.table)):
            if len(text) > 200:
                self.report(column, text, "a text of at most {most} characters", most=200)
        return slip._replace(
            players=players,
            board=self.read_column("board", cell_parsers.parse_ordinal),
            result=self._read_result(players),
            pool=self.read_column("pool", cell_parsers.parse_count),
            reserved=self.read_column("set aside", cell_parsers.parse_counts) or (),
            payments=self._read_payments(players),
            penalties=self.read_column("penalty", cell_parsers.parse_penalty_points, self.roster) or (),
            note=note or "",
        )

    def _read_players(self, dealer: str | None, table_players: Sequence[str]) -> Players | None:
        """Who plays, as stated or as follows from the dealer."""
        players_by_seat = [
            self.read_column(seat, cell_parsers.parse_player, self.roster) for seat in SEAT_NAMES
        ]
        for column, player in zip(("dealer", *SEAT_NAMES), (dealer, *players_by_seat), strict=True):
            self._warn_about_twin(column, player)
        out = self.read_column("sits out", cell_parsers.parse_player_list, self.roster) or ()
        active = [one for one in players_by_seat if one is not None]
        if not active and dealer is not None and not self.faults:
            for game in split_into_games(table_players):
                seating = seat_players(game, dealer, self.rules.ruleset)
                if seating is not None:
                    return Players(*seating.active, out or seating.sitting_out)
        for seat, player in zip(SEAT_NAMES, players_by_seat, strict=True):
            if player is None and not self.cell_text(seat):
                self.report(seat, "", EXPECTED_PLAYER if active else EXPECTED_PLAYER_OR_DEALER)
        if len(active) < len(SEAT_NAMES):
            return None
        players = [*active, *out]
        for place, player in enumerate(players):
            if player in players[:place]:
                seat = SEAT_NAMES[place] if place < len(SEAT_NAMES) else "sits out"
                self.report(seat, player, "a player who has no other place in this deal")
        if "sits out" not in self.columns.columns and set(active) <= set(table_players):
            # Of six, who play two games at once, nobody sits out.
            others = (one for one in table_players if one not in active)
            out = tuple(others) if len(table_players) < MAX_PLAYERS else ()
        return Players(active[0], active[1], active[2], out)

    def _warn_about_twin(self, column: str, player: str | None) -> None:
        """Ask once whether a player is another, named earlier, whose name sounds the same."""
        first = None if player is None else self.roster.find_by_sound(player)
        if player is None or first is None or first == player or player in self.reported_twins:
            return
        self.reported_twins.add(player)
        place = self._place(self.columns.columns[column])
        message = "{read} is read as another player than {other}; did you mean {other}?"
        self.warnings.report(place, player, "{other}", message, loses_data=False, other=first)

    def _read_result(self, players: Players) -> ResultRecorded | None:
        active_players = (players.forehand, players.middlehand, players.backhand)
        slam = self.read_column("slam", cell_parsers.parse_slam) or None
        all_nine = fold_word(self.cell_text("outcome")) in TOUT_WORDS
        outcome = "won" if all_nine else self.read_column("outcome", cell_parsers.parse_outcome)
        slam = self._require_made(slam) if all_nine else slam
        trump = self.read_column("trump", cell_parsers.parse_suit)
        contract = declarer = None
        may_be_passed_out = outcome in (None, "passed_out")
        has_no_contract = not self.cell_text("contract") or self._says_all_passed("contract")
        if may_be_passed_out and has_no_contract and self._says_all_passed("declarer", active_players):
            outcome = "passed_out"
        else:
            declarer = self.read_column("declarer", cell_parsers.parse_seat, active_players)
        if may_be_passed_out and self._says_all_passed("contract"):
            outcome = "passed_out"
        else:
            contract_and_trump = self.read_column(
                "contract", cell_parsers.parse_contract, self.rules, self.contract_by_word
            )
            if contract_and_trump is not None:
                contract, implied_trump = contract_and_trump
                if None not in (implied_trump, trump) and implied_trump != trump:
                    self.report("trump", self.cell_text("trump"), "the suit of the contract")
                trump = implied_trump if trump is None else trump
                contract = self._recorded_contract(contract, trump)
        tricks = None
        # Whose tricks they are is unknown if the declarer is unreadable.
        if declarer is not None or not self.cell_text("declarer") or outcome == "passed_out":
            tricks = self.read_column("tricks", cell_parsers.parse_tricks, declarer)
        result = ResultRecorded(
            outcome=outcome,
            declarer=declarer,
            contract=contract,
            trump=trump,
            tricks=tricks or (),
            slam=slam,
            primeras=self.read_column("primeras", cell_parsers.parse_flag),
            estuches=self.read_column("estuches", cell_parsers.parse_count),
        )
        return None if result == ResultRecorded() else result

    def _recorded_contract(self, contract: str, trump: Suit | None) -> str:
        """The contract to record; report that it is not the one in the sheet."""
        played = cell_parsers.recorded_contract_id(contract, trump, self.rules)
        if played != contract:
            place = self._place(self.columns.columns["contract"])
            text = self.cell_text("contract")
            message = "{read} in spades is recorded as {played}; by these rules that is its name."
            self.faults.report(place, text, "{played}", message, loses_data=False, played=played)
        return played

    def _says_all_passed(self, column: str, seated_players: Sequence[str] = ()) -> bool:
        """Whether a column says that all passed, and does not name one of ``seated_players``."""
        text = self.cell_text(column)
        return (
            PlayerRoster(seated_players).find(text) is None
            and OUTCOME_BY_WORD.get(fold_word(text)) == "passed_out"
        )

    def _require_made(self, slam: str | None) -> str:
        """The slam of a game whose outcome says that it was made."""
        if slam == "failed":
            outcome = quote_value(self.cell_text("outcome"))
            expected = "that it was made, or nothing, as {outcome} says it was"
            self.report("slam", self.cell_text("slam"), expected, outcome=outcome)
        return "made"

    def _read_payments(self, players: Players) -> tuple[tuple[str, int], ...]:
        """Chips by seat, or by name of those who did not play."""
        seats = {getattr(players, seat): seat for seat in SEAT_NAMES}
        found: list[tuple[str, int]] = []
        for place, player in self.columns.players_by_column.items():
            text = self._text_at(place)
            if cell_parsers.is_fraction(text):
                return self._report_fractional_chips(place, text)
            number = self._read_text(place, text, cell_parsers.parse_chips) if text else None
            if number is not None:
                found.append((seats.get(player, player), number))
        if len(found) > cell_parsers.MAX_PAID_PLAYERS:
            most = cell_parsers.MAX_PAID_PLAYERS
            self.report("", len(found), "the chips of at most {most} players", most=most)
        order = {seat: number for number, seat in enumerate(SEAT_NAMES)}
        return tuple(sorted(found, key=lambda one: (order.get(one[0], len(order)), one[0])))

    def _report_fractional_chips(self, column_index: int, text: str) -> tuple[()]:
        """Warn of chips that are not whole: the deal is read without what was paid."""
        self.warnings.report(
            self._place(column_index),
            text,
            "a whole number of chips, such as 6 or -3",
            "Chips are whole, and {read} is not; the deal is read without what was paid by it. What a chip "
            "is worth stands above the columns ({chip_value}).",
            chip_value=SHEET_SETTINGS["chip value"].words,
        )
        return ()
