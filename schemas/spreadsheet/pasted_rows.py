"""Split a piece of a spreadsheet, pasted into a slip batch, into rows, and guess what its columns mean.

The person who pasted it sees the guess and may change it.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from engine.core.cards import SEATS
from schemas.spreadsheet import cell_parsers
from schemas.spreadsheet.csv_sheet_file import parse_sheet_rows, unguard_cell
from schemas.spreadsheet.row_reader import RowContext
from schemas.spreadsheet.sheet_blocks import find_column
from schemas.spreadsheet.sheet_messages import CellValueError
from schemas.spreadsheet.sheet_row_reader import is_total_word
from schemas.spreadsheet.sheet_words import OUTCOME_BY_WORD, fold_word
from schemas.spreadsheet.typed_row import TYPED_ROW_COLUMNS

CELL_BY_COLUMN: Final = {
    "sits out": "sits_out", "tricks": "outcome", "slam": "extras", "primeras": "extras", "estuches": "extras",
}  # fmt: skip
"""The cells of a slip batch for columns of a club's sheet, if they are called otherwise."""
PLAYER_PREFIX: Final = "player:"
"""Before the player whose chips stand in a column."""
MIN_READABLE_PART: Final = 0.6
"""The part of a column's cells that must be readable as what it means."""
MIN_HEADINGS: Final = 2
"""A first row that names this many columns, or players, has the headings."""


class PastedTable(NamedTuple):
    """Pasted text as rows.

    ``headings``: empty if the text has none. ``column_meanings``: the cell of a row that each column seems to
    hold, or ``player:`` and a player, or None. ``total_rows``: the text of rows that add up others.
    """

    headings: tuple[str, ...]
    column_meanings: tuple[str | None, ...]
    rows: tuple[tuple[str, ...], ...]
    total_rows: tuple[str, ...]


def parse_pasted_text(text: str, context: RowContext) -> PastedTable:
    """Split pasted text into rows, whatever separates its cells. Never fails."""
    sheet_rows = parse_sheet_rows(text, len)
    rows = [tuple(map(unguard_cell, row.cells)) for row in sheet_rows if not row.is_blank]
    headings = rows.pop(0) if rows and _is_heading_row(rows[0], context) else ()
    total_rows = [row for row in rows if is_total_word(next(filter(None, row)))]
    deal_rows = [row for row in rows if row not in total_rows]
    width = max(map(len, (headings, *deal_rows)), default=0)
    meanings = (
        [_find_meaning(heading, context) for heading in headings]
        if headings
        else _guess_meanings(deal_rows, width, context)
    )
    meanings += [None] * (width - len(meanings))
    filled = tuple((*row, *[""] * (width - len(row))) for row in deal_rows)
    totals = tuple(" ".join(filter(None, row)) for row in total_rows)
    return PastedTable(headings, tuple(meanings), filled, totals)


def _is_heading_row(row: Sequence[str], context: RowContext) -> bool:
    """Whether a row names columns: no deal names two players and no numbers."""
    meanings = {_find_meaning(cell, context) for cell in row} - {None}
    column_meanings = {one for one in meanings if one and not one.startswith(PLAYER_PREFIX)}
    numbers = any(cell[:1].isdigit() for cell in row)
    return not numbers and (len(column_meanings) >= MIN_HEADINGS or len(meanings) > MIN_HEADINGS)


def _find_meaning(text: str, context: RowContext) -> str | None:
    column = find_column(text)
    if column is not None:
        cell = CELL_BY_COLUMN.get(column, column)
        return cell if cell in TYPED_ROW_COLUMNS else None
    try:
        return PLAYER_PREFIX + context.names.find(text)
    except CellValueError:
        return None


def _guess_meanings(rows: Sequence[Sequence[str]], width: int, context: RowContext) -> list[str | None]:
    """Guess what columns without headings mean: for each meaning the first column that mostly fits."""
    columns = [[row[place] for row in rows if place < len(row) and row[place]] for place in range(width)]
    found: list[str | None] = [None] * width

    def find_unknown(fits: Callable[[Sequence[str]], bool]) -> list[int]:
        return [place for place, texts in enumerate(columns) if found[place] is None and fits(texts)]

    for meaning, read in _build_readers(context).items():
        fits = _counts_up if meaning == "number" else partial(_is_mostly_readable, read)
        for place in find_unknown(fits)[:1]:
            found[place] = meaning
    players = tuple(context.names.names_by_player)
    numbers = find_unknown(partial(_is_mostly_readable, _parse_number))
    if len(numbers) == len(players):
        for place, player in zip(numbers, players, strict=True):
            found[place] = PLAYER_PREFIX + player
    rest = [place for place in find_unknown(bool) if place not in numbers]
    if rest:
        found[rest[-1]] = "note"
    # A single column with players is the declarer's.
    if "dealer" in found and "declarer" not in found:
        found[found.index("dealer")] = "declarer"
    return found


def _build_readers(context: RowContext) -> dict[str, Callable[[str], object]]:
    """What a cell may hold, in the order of trying."""
    return {
        "contract": lambda text: _parse_contract_or_pass(text, context),
        "dealer": context.names.find,
        "declarer": context.names.find,
        "trump": cell_parsers.parse_suit,
        "number": cell_parsers.parse_deal_number,
        "outcome": lambda text: cell_parsers.parse_ending(text, SEATS[0]),
    }


def _parse_contract_or_pass(text: str, context: RowContext) -> object:
    """A contract, or that all passed."""
    if OUTCOME_BY_WORD.get(fold_word(text)) == "passed_out":
        return text
    return cell_parsers.parse_contract(text, context.rules, context.contract_by_word)


def _parse_number(text: str) -> object:
    return float(text.replace(",", ".").replace("−", "-").replace("–", "-"))


def _is_mostly_readable(read: Callable[[str], object], texts: Sequence[str]) -> bool:
    readable = 0
    for text in texts:
        with suppress(ValueError):
            read(text)
            readable += 1
    return bool(texts) and readable >= MIN_READABLE_PART * len(texts)


def _counts_up(texts: Sequence[str]) -> bool:
    """Whether a column numbers the deals: each number is larger than the one above it."""
    if not _is_mostly_readable(cell_parsers.parse_deal_number, texts):
        return False
    numbers = [int(text.rstrip(".")) for text in texts if text.rstrip(".").isdecimal()]
    return numbers == sorted(set(numbers))
