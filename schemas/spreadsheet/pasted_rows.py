"""A piece of a spreadsheet that is pasted into a slip batch: its rows, and what its columns seem to mean.

Nothing is decided here: whoever pasted it sees the guess, and may say otherwise.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from engine.core.cards import SEATS
from schemas.spreadsheet import cell_parsers
from schemas.spreadsheet.csv_sheet_file import SheetRow, parse_sheet_rows, unguard_cell
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
"""What the columns of a club's sheet are in a slip batch; of the others nothing is taken."""
PLAYER_PREFIX: Final = "player:"
"""Before a player whose chips stand in a column."""
MIN_READABLE_PART: Final = 0.6
"""So large a part of a column's cells has to be read for it to mean that."""
MIN_HEADINGS: Final = 2
"""A first row that names so many columns, or players, is a head."""


class PastedTable(NamedTuple):
    """Pasted text as rows.

    ``headings``: what the columns are called, empty where there is no head; ``column_meanings``: what each
    seems to mean, a cell of a row or ``player:`` and a player, None where nothing; ``total_rows``: rows that
    add up others, as they stand.
    """

    headings: tuple[str, ...]
    column_meanings: tuple[str | None, ...]
    rows: tuple[tuple[str, ...], ...]
    total_rows: tuple[str, ...]


def parse_pasted_text(text: str, context: TypingContext) -> PastedTable:
    """Pasted text taken apart, whatever stands between its cells. Never fails."""
    rows = [
        row
        for row in parse_sheet_rows(text, lambda row: _count_readable_cells(row, context))
        if not row.is_blank
    ]
    head = _unguard_row(rows[0]) if rows and _is_heading_row(rows[0].cells, context) else ()
    rows_below = [_unguard_row(row) for row in (rows[1:] if head else rows)]
    total_rows = [row for row in rows_below if _is_total_row(row)]
    deal_rows = [row for row in rows_below if not _is_total_row(row)]
    width = max(map(len, (head, *deal_rows)), default=0)
    columns = (
        [_find_meaning(one, context) for one in head] if head else _guess_meanings(deal_rows, width, context)
    )
    columns += [None] * (width - len(columns))
    filled = tuple((*row, *[""] * (width - len(row))) for row in deal_rows)
    return PastedTable(head, tuple(columns), filled, tuple(" ".join(filter(None, row)) for row in total_rows))


def _unguard_row(row: SheetRow) -> tuple[str, ...]:
    return tuple(unguard_cell(cell) for cell in row.cells)


def _is_total_row(row: Sequence[str]) -> bool:
    return fold_word(next((cell for cell in row if cell), "")) in TOTAL_ROW_WORDS


def _is_heading_row(row: Sequence[str], context: TypingContext) -> bool:
    """Whether a row names columns: no deal names two players beside nothing that ended."""
    meanings = {_find_meaning(cell, context) for cell in row} - {None}
    column_meanings = {one for one in meanings if one and not one.startswith(PLAYER_PREFIX)}
    numbers = any(cell[:1].isdigit() for cell in row)
    return not numbers and (len(column_meanings) >= MIN_HEADINGS or len(meanings) > MIN_HEADINGS)


def _find_meaning(text: str, context: TypingContext) -> str | None:
    """What a head says of its column."""
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
    """How many cells of a row can be read as something: by the best separator it is the most."""
    readers = list(_build_readers(context).values())
    return sum(
        bool(_find_meaning(cell, context)) or any(_is_readable(read, cell) for read in readers)
        for cell in row
        if cell not in BLANK_CELLS
    )


def _guess_meanings(rows: Sequence[Sequence[str]], width: int, context: TypingContext) -> list[str | None]:
    """What the columns mean where no head says it: each the first thing that most of its cells can be."""
    columns = [[row[place] for row in rows if place < len(row) and row[place]] for place in range(width)]
    found: list[str | None] = [None] * width
    for meaning, read in _build_readers(context).items():
        fits = [
            place
            for place, texts in enumerate(columns)
            if found[place] is None
            and (_counts_up(texts) if meaning == "number" else _is_mostly_readable(read, texts))
        ]
        if fits:
            found[fits[0]] = meaning
    players = tuple(context.player_names.names_by_player)
    numbers = [
        place
        for place, texts in enumerate(columns)
        if found[place] is None and _is_mostly_readable(_parse_number, texts)
    ]
    if len(numbers) == len(players):
        for place, player in zip(numbers, players, strict=True):
            found[place] = PLAYER_PREFIX + player
    rest = [
        place for place, one in enumerate(found) if one is None and columns[place] and place not in numbers
    ]
    if rest:
        found[rest[-1]] = "note"
    return _prefer_declarer(found)


def _prefer_declarer(meanings: list[str | None]) -> list[str | None]:
    """Of one column with players it is the declarer's; of two the first is the dealer's."""
    if "dealer" in meanings and "declarer" not in meanings:
        meanings[meanings.index("dealer")] = "declarer"
    return meanings


def _build_readers(context: TypingContext) -> dict[str, Callable[[str], object]]:
    """What a cell may be, in the order in which it is tried."""
    return {
        "contract": lambda text: _parse_contract_or_pass(text, context),
        "dealer": context.find_player,
        "declarer": context.find_player,
        "trump": parse_typed_suit,
        "number": cell_parsers.parse_deal_number,
        "outcome": _parse_ending,
    }


def _parse_ending(text: str) -> object:
    """A word for how it ended, or tricks, or both."""
    word = text.rstrip("0123456789?+-/ ")
    return parse_typed_outcome(word) if word else cell_parsers.parse_tricks(text, SEATS[0])


def _parse_contract_or_pass(text: str, context: TypingContext) -> object:
    """A contract, or that all passed; a number is none, though a title may begin so."""
    if OUTCOME_BY_WORD.get(fold_word(text)) == "passed_out":
        return text
    return find_contract(text, context)


def _parse_number(text: str) -> object:
    return float(text.replace(",", ".").replace("−", "-").replace("–", "-"))


def _is_mostly_readable(read: Callable[[str], object], texts: Sequence[str]) -> bool:
    return bool(texts) and sum(_is_readable(read, text) for text in texts) >= MIN_READABLE_PART * len(texts)


def _counts_up(texts: Sequence[str]) -> bool:
    """Whether a column counts the deals: each number is larger than the one above it."""
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
