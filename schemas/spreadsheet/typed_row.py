"""Read a row that is typed from paper: what it says of a deal, what is wrong, what is missing.

A row that is not filled in yet is no fault.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from engine.core.cards import SEATS
from engine.core.events import ResultRecorded
from engine.play.phases import FIXED_TRUMPS
from engine.tables import Seating, seat_others, seat_players
from schemas.spreadsheet import cell_parsers
from schemas.spreadsheet.row_reader import RowContext, RowReader
from schemas.spreadsheet.sheet_messages import (
    CellValueError,
    SheetLanguages,
    describe_cell_error,
    localize_message,
)
from schemas.spreadsheet.sheet_words import BLANK_CELLS

TYPED_ROW_COLUMNS: Final = (
    "number", "dealer", "sits_out", "contract", "trump", "declarer", "outcome", "extras", "note", "paper",
)  # fmt: skip
"""The cells of a row; ``outcome`` takes a word or tricks, ``paper`` the chips that the paper shows."""
PLANNED_COLUMNS: Final = ("number", "dealer", "sits_out")
"""Cells with what the table knows already: a row with nothing else is blank."""


class CellFault(NamedTuple):
    """Why a cell cannot be read: what stands there, what should, and a sentence with both."""

    column: str
    read: str
    expected: str
    message: str


def build_cell_fault(column: str, error: CellValueError, languages: SheetLanguages) -> CellFault:
    """The fault of a cell that cannot be read."""
    expected = localize_message(error.expected, languages)
    return CellFault(column, error.read, expected, describe_cell_error(error, languages))


class TypedSlip(NamedTuple):
    """What a row says.

    ``seating``: as stated, else as planned. ``result`` None: it is not whole, as ``missing_columns`` and
    ``faults`` show. ``is_blank``: the row has nothing but what the table knows.
    """

    number: int
    seating: Seating
    result: ResultRecorded | None
    note: str
    is_blank: bool
    missing_columns: tuple[str, ...]
    faults: tuple[CellFault, ...]


class TypedRowReader(RowReader):
    """Reads one row."""

    def __init__(self, row: Mapping[str, str], context: RowContext) -> None:
        # A dash is a sign for an outcome, and an empty cell elsewhere.
        cells = {
            column: text.strip()
            for column, text in row.items()
            if text.strip() and (column == "outcome" or text.strip() not in BLANK_CELLS)
        }
        super().__init__(cells, context)

    def read_typed_slip(
        self,
        next_number: int,
        find_seating: Callable[[int], Seating],
        game_players: Sequence[str],
        taken_numbers: frozenset[int],
    ) -> TypedSlip:
        """Read the slip of the next deal, with this number, of the game of ``game_players``.

        ``find_seating`` returns who sits where in the deal of a number; other deals have ``taken_numbers``.
        """
        number = self.read_number(next_number, taken_numbers)
        seating = self._read_seating(find_seating(number), game_players)
        is_blank = not set(self.cells) - {*PLANNED_COLUMNS, "paper"}
        result = None if is_blank else self._read_result(seating, number)
        missing = () if result is None else self.list_missing(result)
        note = self.read("note", cell_parsers.parse_note) or ""
        faults = tuple(
            build_cell_fault(str(column), error, self.context.languages) for column, error, _ in self.faults
        )
        complete_result = None if missing or faults else result
        return TypedSlip(number, seating, complete_result, note, is_blank, missing, faults)

    def _read_seating(self, expected_seating: Seating, game_players: Sequence[str]) -> Seating:
        dealer = self.read("dealer", self.names.find, game_players) or expected_seating.dealer
        planned = expected_seating
        if dealer != expected_seating.dealer:
            planned = seat_players(game_players, dealer, self.rules.ruleset) or expected_seating
        out = self.read("sits_out", self._parse_sitters, game_players, len(planned.sitting_out))
        return seat_others(game_players, dealer, out, self.rules.ruleset) or planned if out else planned

    def _parse_sitters(self, text: str, game_players: Sequence[str], count: int) -> tuple[str, ...]:
        parts = cell_parsers.split_at_commas(re.sub(r"\s+(?:og|and)\s+|[;/&+]", ",", text))
        found = tuple(dict.fromkeys(self.names.find(part, game_players) for part in parts))
        if len(found) != count:
            players = self.names.format_names(game_players)
            raise CellValueError(
                text, "as many as sit out: {count} of {players}", count=count, players=players
            )
        return found

    def _read_result(self, seating: Seating, number: int) -> ResultRecorded:
        result = self.read_result(seating, number, assumed_declarer=SEATS[0])
        if result.slam == "made" and result.outcome is None and not result.tricks:
            # A slip that only says that all nine were taken says that it was won.
            result = replace(result, outcome="won")
        if result.contract is not None and self.rules.contracts[result.contract].trump in FIXED_TRUMPS:
            result = replace(result, trump=None)
        return result
