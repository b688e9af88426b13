"""Read one row of a sheet into a slip, and report each faulty cell with its place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.core.cards import SEAT_NAMES, SEATS, Seat
from engine.core.events import ResultRecorded
from engine.core.field_types import Players
from engine.tables import Seating, seat_others, split_into_games
from engine.tables.seating import MAX_PLAYERS, MIN_PLAYERS
from schemas.i18n.catalogs import gettext
from schemas.spreadsheet import cell_parsers
from schemas.spreadsheet.cell_parsers import Ending
from schemas.spreadsheet.csv_sheet_file import SheetRow
from schemas.spreadsheet.player_lookup import PlayerNames, PlayerRoster
from schemas.spreadsheet.row_reader import RowContext, RowReader
from schemas.spreadsheet.sheet_blocks import LINEUP_COLUMNS, BlockColumns
from schemas.spreadsheet.sheet_messages import SEAT_CHOICES, CellValueError, FaultPlace, SheetFaults
from schemas.spreadsheet.sheet_words import (
    BLANK_CELLS,
    SHEET_COLUMNS,
    SHEET_SETTINGS,
    TOTAL_ROW_WORDS,
    fold_word,
)
from schemas.spreadsheet.slip import Slip

PREFILLED_COLUMNS: Final = frozenset(("number", "date", "table", "board", "dealer"))
"""Columns that are often filled in beforehand: a row with nothing else is no deal yet."""
MISSING_NOUNS: Final = {"contract": "what was played", "declarer": "who declared", "outcome": "how it ended"}
PLAYED_OUTCOMES: Final = ("won", "bete", "codille")
_is_chips: Final = re.compile(r"[+−–-]\s*[0-9]+").fullmatch


class BlockContext(NamedTuple):
    """What all rows of a block have in common; ``dealers`` are those whom it names, as they sit."""

    columns: BlockColumns
    roster: PlayerRoster
    row_context: RowContext
    dealers: tuple[str, ...]


@dataclass(slots=True)
class TableProgress:
    """A table before a row: who sits there in the order of play, if that is known, and its slips.

    ``entry_count``: of the table's log.
    """

    players: tuple[str, ...]
    slips: list[Slip] = field(default_factory=list)
    numbers: set[int] = field(default_factory=set)
    entry_count: int = 0


class SheetRowReader(RowReader):
    """Reads one row below the headings."""

    def __init__(self, row: SheetRow, block: BlockContext) -> None:
        self.row, self.block = row, block
        columns, chips = block.columns.columns, block.columns.players_by_column
        cells: dict[str | int, str] = {column: row.text_at(place) for column, place in columns.items()}
        cells |= {place: row.text_at(place) for place in chips}
        super().__init__({column: text for column, text in cells.items() if text}, block.row_context)
        self.deal: int | None = None
        self.dealer: str | None = None
        self.table_players: tuple[str, ...] = ()
        self.lineup: tuple[str, ...] = ()

    def report_faults(self, faults: SheetFaults) -> None:
        """Report what was found wrong in the row."""
        for column, error, loses_data in self.faults:
            faults.report(self._place(column), error, loses_data=loses_data, deal=self.deal)

    def _place(self, column: str | int | None) -> FaultPlace:
        headings = self.block.columns.headings
        place = self.block.columns.columns.get(column) if isinstance(column, str) else column
        if place is not None:
            return self.row.number, place + 1, headings[place] if place < len(headings) else ""
        words = SHEET_COLUMNS[column].words if column in SHEET_COLUMNS else ""
        return self.row.number, 0, gettext(words, self.context.languages.sheet_lang)

    def is_no_deal(self) -> bool:
        """Whether the row adds up others, or has nothing but chips and what may be filled in beforehand."""
        columns, number = self.block.columns, self.cells.get("number", "")
        first = next((cell for cell in self.row.cells if cell not in BLANK_CELLS), "")
        has_chips = not self.cells.keys().isdisjoint(columns.players_by_column)
        known = {columns.columns[one] for one in PREFILLED_COLUMNS & columns.columns.keys()}
        known.update(columns.players_by_column)
        if not is_total_word(first):
            if any(self.row.text_at(place) for place in range(len(self.row.cells)) if place not in known):
                return False
            if number[:1].isdigit():
                return not has_chips
            if not number and not has_chips:
                return True
        message = "There is no deal in this row; nothing is read from it."
        self.add_fault(None, "", message, loses_data=False, is_general=True)
        return True

    def read_slip(self, table: TableProgress, date: str, table_name: str) -> Slip:
        """Read the slip of a row; without players if data is lost."""
        next_number = table.slips[-1].number + 1 if table.slips else 1
        self.deal = self.read_number(next_number, table.numbers)
        slip = Slip(self.deal, None, date=date, table=table_name)
        self.table_players = table.players
        if self.row.has_unclosed_quote:
            message = "A quotation mark is opened in this row and never closed; close it, or leave it out."
            self.add_fault(None, "", message, is_general=True)
            return slip
        stray_cells = self.row.cells[len(self.block.columns.headings) :]
        if stray := next(filter(None, stray_cells), None):
            message = "{read} stands under no column; name the column, or put quotation marks about it."
            place = len(self.row.cells) - len(stray_cells) + stray_cells.index(stray)
            self.add_fault(place, "", message, text=stray, is_general=True)
        slip = slip._replace(new_seating=self._read_new_seating(table))
        players = self._read_players()
        if players is None:
            return slip
        whole_slip = self._read_slip_of(players, slip)
        is_spoiled = any(one.loses_data for one in self.faults)
        payments = self._read_payments(players)  # chips that cannot be read cost only themselves
        return slip if is_spoiled else whole_slip._replace(payments=payments)

    def _read_slip_of(self, players: Players, place: Slip) -> Slip:
        for column in ("date", "table"):
            self.read(column, cell_parsers.parse_name)
        result = self._read_sheet_result(players)
        return place._replace(
            players=players,
            dealer=self.dealer,
            board=self.read("board", cell_parsers.parse_ordinal),
            result=None if result == ResultRecorded() else result,
            pool=self.read("pool", cell_parsers.parse_count),
            reserved=self.read("set aside", cell_parsers.parse_counts) or (),
            penalties=self.read("penalty", cell_parsers.parse_penalty_points, self.block.roster) or (),
            note=self.read("note", cell_parsers.parse_note) or "",
        )

    # Who sits where

    def _read_new_seating(self, table: TableProgress) -> tuple[str, ...]:
        """Who sits at the table from this deal on; empty if that does not change."""
        roster = self.block.roster
        seating = self.read("at the table", cell_parsers.parse_player_list, roster) or ()
        lineup = (self.read(column, cell_parsers.parse_player, roster) for column in LINEUP_COLUMNS)
        players = tuple(one for one in lineup if one is not None)
        if not seating:
            self.lineup = players
            known = tuple(one for one in table.players if one in players)
            seating = players if table.players and players and not _is_rotation(players, known) else ()
        self.table_players = seating or table.players or players
        return seating

    def _read_players(self) -> Players | None:
        """Who plays, as stated or as follows from the dealer."""
        roster = self.block.roster
        self.dealer = self.read("dealer", cell_parsers.parse_player, roster)
        by_seat = [self.read(seat, cell_parsers.parse_player, roster) for seat in SEAT_NAMES]
        out = self.read("sits out", cell_parsers.parse_player_list, roster) or ()
        if not any(seat in self.cells for seat in SEAT_NAMES):
            return self._seat_by_dealer(out)
        for column, player in zip(("dealer", *SEAT_NAMES), (self.dealer, *by_seat), strict=True):
            self._warn_about_twin(column, player)
        active = tuple(one for one in by_seat if one is not None)
        if len(active) < len(SEATS):
            empty = next((seat for seat in SEAT_NAMES if seat not in self.cells), None)
            if empty is not None:
                self.add_fault(empty, "who sat there")
            return None
        players = (*active, *out)
        for place, player in enumerate(players):
            if player in players[:place]:
                seat = SEAT_NAMES[place] if place < len(SEAT_NAMES) else "sits out"
                self.add_fault(seat, "a player who has no other place in this deal")
        if "sits out" not in self.block.columns.columns:
            out = self._others_at_table(active)
        return Players(active[0], active[1], active[2], out)

    def _others_at_table(self, active: tuple[str, ...]) -> tuple[str, ...]:
        """Who sits out besides those who play; of six, who play two games at once, nobody does."""
        others = tuple(one for one in self.table_players if one not in active)
        is_one_game = set(active) <= set(self.table_players) and len(self.table_players) < MAX_PLAYERS
        return others if is_one_game else ()

    def _seat_by_dealer(self, out: tuple[str, ...]) -> Players | None:
        at_table = self.lineup or self.table_players
        if not MIN_PLAYERS <= len(at_table) <= MAX_PLAYERS:
            self.add_fault(
                None,
                "",
                "Nothing says who sat there; add a row above the columns: {players}, then {names}, each in a "
                "cell of its own and in the order of play; or make a column for each of {seats}.",
                is_general=True,
                players=SHEET_SETTINGS["players"].words,
                names=", ".join(self.block.dealers or ("…", "…", "…")),
                seats=SEAT_CHOICES,
            )
            return None
        self.dealer = self.read("dealer", _plain_names(at_table).find, at_table)
        if self.dealer is None:
            if "dealer" not in self.cells:
                self.add_fault("dealer", "who dealt")
            return None
        game = next(one for one in split_into_games(at_table) if self.dealer in one)
        seating = seat_others(game, self.dealer, out, self.rules.ruleset)
        if seating is None:
            players, count = ", ".join(game), len(game) - len(SEATS)
            self.add_fault(
                "sits out", "as many as sit out: {count} of {players}", count=count, players=players
            )
            return None
        return Players(*seating.active, seating.sitting_out or self._others_at_table(seating.active))

    def _warn_about_twin(self, column: str, player: str | None) -> None:
        """Ask whether a player is another, named earlier, whose name sounds the same."""
        other = None if player is None else self.block.roster.find_by_sound(player)
        if player is not None and other not in (None, player):
            message = "{read} is read as another player than {other}; did you mean {other}?"
            self.add_fault(column, "", message, text=player, loses_data=False, other=other)

    # How it ended

    def parse_ending(self, text: str, declarer: Seat | None) -> Ending:
        """How the deal ended; what a typed row may write for it, a sheet has for chips."""
        if _is_chips(text):
            raise CellValueError(text, "how it ended; chips stand in a column with the player's name")
        return super().parse_ending(text, declarer)

    def _read_sheet_result(self, players: Players) -> ResultRecorded:
        seating = Seating(
            self.dealer or "", players.forehand, players.middlehand, players.backhand, players.sitting_out
        )
        stated = self.block.roster.find(self.cells.get("declarer", ""))
        others = () if stated is None else (stated,)
        self.names = _plain_names((*seating.active, *seating.sitting_out, *others))
        assert self.deal is not None
        result = self.read_result(seating, self.deal)
        if self.stated_contract not in (None, result.contract) and result.contract is not None:
            titles = cell_parsers.list_contract_titles([self.rules.contracts[result.contract]])
            message = "{read} in spades is recorded as {played}; by these rules that is its name."
            self.add_fault("contract", "", message, loses_data=False, played=titles)
        missing = self.list_missing(result)
        if len(missing) < len(MISSING_NOUNS) and result.outcome in (None, *PLAYED_OUTCOMES):
            for column in missing:
                self.add_fault(column, MISSING_NOUNS[column], loses_data=False)
        return result

    def _read_payments(self, players: Players) -> tuple[tuple[str, int], ...]:
        """Chips by seat, or by name of those who did not play; none if one of them cannot be read."""
        seats, fault_count = {getattr(players, seat): seat for seat in SEAT_NAMES}, len(self.faults)
        chips = {
            seats.get(player, player): self.read(place, cell_parsers.parse_chips)
            for place, player in self.block.columns.players_by_column.items()
        }
        order = {seat: number for number, seat in enumerate(SEAT_NAMES)}
        found = sorted(chips.items(), key=lambda one: (order.get(one[0], len(order)), one[0]))
        is_readable = len(self.faults) == fault_count
        return tuple((name, number) for name, number in found if number is not None) if is_readable else ()


def _plain_names(players: Sequence[str]) -> PlayerNames:
    return PlayerNames({one: (one,) for one in players})


def is_total_word(text: str) -> bool:
    """Whether a cell says that its row adds up others: "I alt kr.", "Season total"."""
    words = text.rstrip(":").split()
    ends = (words[:1], words[:2], words[-1:], words[-2:])
    return any(fold_word(" ".join(some)) in TOTAL_ROW_WORDS for some in ends)


def _is_rotation(players: Sequence[str], others: Sequence[str]) -> bool:
    """Whether players sit in the same order around a table."""
    return any(tuple(players) == (*others[start:], *others[:start]) for start in range(len(others)))
