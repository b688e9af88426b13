"""Split a piece of a spreadsheet, pasted into a slip batch, into rows, and guess what its columns mean.

The person who pasted it sees the guess and may change it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from engine.core.cards import SEATS
from schemas.spreadsheet import cell_parsers
from schemas.spreadsheet.csv_sheet_file import parse_sheet_rows, unguard_cell
from schemas.spreadsheet.sheet_blocks import find_column
from schemas.spreadsheet.sheet_words import BLANK_CELLS, OUTCOME_BY_WORD, TOTAL_ROW_WORDS, fold_word
from schemas.spreadsheet.typed_row import TypingContext, find_contract, parse_typed_outcome, parse_typed_suit
from schemas.wire.wire_faults import WireError

MEANING_BY_COLUMN: Final = {
    "number": "number",
    "dealer": "dealer",
    "sits out": "sits_out",
    "contract": "contract",
    "trump": "trump",
    "declarer": "declarer",
    "outcome": "outcome",
    "tricks": "outcome",
    "slam": "extras",
    "primeras": "extras",
    "estuches": "extras",
    "note": "note",
}
"""The cells of a slip batch that columns of a club's sheet belong to; others are not used."""
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


def parse_pasted_text(text: str, context: TypingContext) -> PastedTable:
    """Split pasted text into rows, whatever separates its cells. Never fails."""
    sheet_rows = parse_sheet_rows(text, lambda cells: _count_readable_cells(cells, context))
    rows = [tuple(map(unguard_cell, row.cells)) for row in sheet_rows if not row.is_blank]
    headings = rows.pop(0) if rows and _is_heading_row(rows[0], context) else ()
    total_rows = [row for row in rows if _is_total_row(row)]
    deal_rows = [row for row in rows if not _is_total_row(row)]
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


def _is_total_row(row: Sequence[str]) -> bool:
    return fold_word(next((cell for cell in row if cell), "")) in TOTAL_ROW_WORDS


def _is_heading_row(row: Sequence[str], context: TypingContext) -> bool:
    """Whether a row names columns: no deal names two players and no numbers."""
    meanings = {_find_meaning(cell, context) for cell in row} - {None}
    column_meanings = {one for one in meanings if one and not one.startswith(PLAYER_PREFIX)}
    numbers = any(cell[:1].isdigit() for cell in row)
    return not numbers and (len(column_meanings) >= MIN_HEADINGS or len(meanings) > MIN_HEADINGS)


def _find_meaning(text: str, context: TypingContext) -> str | None:
    column = find_column(text)
    if column is not None:
        return MEANING_BY_COLUMN.get(column)
    if fold_word(text) == "spil":
        return "contract"
    try:
        return PLAYER_PREFIX + context.find_player(text)
    except WireError:
        return None


def _count_readable_cells(row: Sequence[str], context: TypingContext) -> int:
    """How many cells of a row are readable, which the best separator makes most."""
    readers = list(_build_readers(context).values())
    return sum(
        bool(_find_meaning(cell, context)) or any(_is_readable(read, cell) for read in readers)
        for cell in row
        if cell not in BLANK_CELLS
    )


def _guess_meanings(rows: Sequence[Sequence[str]], width: int, context: TypingContext) -> list[str | None]:
    """Guess what columns without headings mean: for each meaning the first column that mostly fits."""
    columns = [[row[place] for row in rows if place < len(row) and row[place]] for place in range(width)]
    found: list[str | None] = [None] * width

    def find_unknown(fits: Callable[[Sequence[str]], bool]) -> list[int]:
        return [place for place, texts in enumerate(columns) if found[place] is None and fits(texts)]

    for meaning, read in _build_readers(context).items():
        fits = _counts_up if meaning == "number" else partial(_is_mostly_readable, read)
        for place in find_unknown(fits)[:1]:
            found[place] = meaning
    players = tuple(context.player_names.names_by_player)
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


def _build_readers(context: TypingContext) -> dict[str, Callable[[str], object]]:
    """What a cell may hold, in the order of trying."""
    return {
        "contract": lambda text: _parse_contract_or_pass(text, context),
        "dealer": context.find_player,
        "declarer": context.find_player,
        "trump": parse_typed_suit,
        "number": cell_parsers.parse_deal_number,
        "outcome": _parse_ending,
    }


def _parse_ending(text: str) -> object:
    """An outcome, tricks, or both."""
    word = text.rstrip("0123456789?+-/ ")
    return parse_typed_outcome(word) if word else cell_parsers.parse_tricks(text, SEATS[0])


def _parse_contract_or_pass(text: str, context: TypingContext) -> object:
    """A contract, or that all passed."""
    if OUTCOME_BY_WORD.get(fold_word(text)) == "passed_out":
        return text
    return find_contract(text, context)


def _parse_number(text: str) -> object:
    return float(text.replace(",", ".").replace("−", "-").replace("–", "-"))


def _is_mostly_readable(read: Callable[[str], object], texts: Sequence[str]) -> bool:
    return bool(texts) and sum(_is_readable(read, text) for text in texts) >= MIN_READABLE_PART * len(texts)


def _counts_up(texts: Sequence[str]) -> bool:
    """Whether a column numbers the deals: each number is larger than the one above it."""
    if not _is_mostly_readable(cell_parsers.parse_deal_number, texts):
        return False
    numbers = [int(text.rstrip(".")) for text in texts if text.rstrip(".").isdecimal()]
    return numbers == sorted(set(numbers))


def _is_readable(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except (WireError, ValueError):
        return False
    return True
