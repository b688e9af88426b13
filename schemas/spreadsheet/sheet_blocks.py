"""The blocks of a sheet: settings above the columns, the headings of the columns, the rows below them.

A new block begins with other headings, or with settings.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from engine.tables.seating import MAX_PLAYERS
from schemas.i18n.catalogs import gettext
from schemas.spreadsheet.cell_parsers import MAX_PAID_PLAYERS
from schemas.spreadsheet.csv_sheet_file import SheetRow, unguard_cell
from schemas.spreadsheet.player_lookup import PlayerRoster
from schemas.spreadsheet.sheet_messages import CellValueError, FaultPlace, SheetFaults
from schemas.spreadsheet.sheet_words import (
    BLANK_CELLS,
    COLUMN_BY_WORD,
    SETTING_BY_WORD,
    SHEET_COLUMNS,
    SHEET_SETTINGS,
    SheetTerm,
    fold_word,
)
from schemas.wire.wire_faults import MAX_QUOTED_LENGTH

MIN_HEADING_COLUMNS: Final = 3
"""Headings are a row with this many names of columns and no number."""
MAX_COLUMNS: Final = 500
MIN_SIMILARITY: Final = 0.8
"""How alike a word and its misspelling are."""
COLUMNS_ALLOWED_ABOVE: Final = ("date", "table")
"""Columns that may stand above the others as settings for all rows."""
LINEUP_COLUMNS: Final = tuple(f"player {place}" for place in range(1, MAX_PLAYERS + 1))
"""Columns with the players at the table, in the order of play."""
AMBIGUOUS_SPIL: Final = "spil"
"""Danish for the contract and for the number of the deal: whichever has no other column."""

_is_number: Final = re.compile(r"[+−-]?[0-9]+(?:[.,][0-9]+)?").fullmatch
_match_chips_heading: Final = re.compile(
    r"(?:player|spiller|paid|betalt)\s*:\s*(.+)", re.IGNORECASE | re.DOTALL
).fullmatch
_match_lineup_heading: Final = re.compile(r"(?:player|spiller)\s*([1-6])", re.IGNORECASE).fullmatch

LANGUAGE_SAMPLE_ROWS: Final = 100
_TERMS: Final[tuple[SheetTerm, ...]] = (*SHEET_COLUMNS.values(), *SHEET_SETTINGS.values())
_ENGLISH_WORDS: Final = {fold_word(term.words) for term in _TERMS}
_DANISH_WORDS: Final = {fold_word(gettext(term.words, "da")) for term in _TERMS}


@dataclass(slots=True)
class SheetBlock:
    """The settings, headings and rows of a block."""

    setting_rows: dict[str, SheetRow] = field(default_factory=dict)
    heading_row: SheetRow | None = None
    rows: list[SheetRow] = field(default_factory=list)

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings of the columns."""
        cells = () if self.heading_row is None else self.heading_row.cells[:MAX_COLUMNS]
        return tuple(map(unguard_cell, cells))


@dataclass(frozen=True, slots=True)
class BlockColumns:
    """The places, from 0, of a block's known columns and of those with a player's chips."""

    headings: tuple[str, ...]
    columns: dict[str, int]
    players_by_column: dict[int, str]


def count_known_columns(cells: Sequence[str]) -> int:
    """How many different columns a row names; 0 if it holds a number."""
    inspected = cells[:MAX_COLUMNS]
    if any(_is_number(cell) for cell in inspected):
        return 0
    return len({column for cell in inspected if (column := find_column(cell))})


def find_column(cell: str) -> str | None:
    """The column that a heading names; None for another text."""
    if _match_chips_heading(cell):
        return None
    lineup = _match_lineup_heading(cell)
    return f"player {lineup[1]}" if lineup else COLUMN_BY_WORD.get(fold_word(cell) or cell)


def split_into_blocks(rows: Sequence[SheetRow], faults: SheetFaults) -> list[SheetBlock]:
    """Split a sheet into blocks; report what belongs to none."""
    blocks = [SheetBlock()]
    for row in rows:
        if row.is_blank:
            continue
        block = blocks[-1]
        setting = _find_setting(row, block)
        if count_known_columns(row.cells) >= MIN_HEADING_COLUMNS:
            if block.heading_row is None:
                block.heading_row = row
            elif row.cells != block.heading_row.cells:
                blocks.append(SheetBlock(dict(block.setting_rows), row))
        elif setting is not None:
            if block.heading_row is not None:
                block = SheetBlock()
                blocks.append(block)
            block.setting_rows[setting] = row
        elif block.heading_row is None and _is_title(row, block):
            block.setting_rows["title"] = row
        elif block.heading_row is None:
            _report_stray_row(row, faults)
        else:
            block.rows.append(row)
    for block in blocks:
        if block.heading_row is None:
            _report_missing_heading(block, all(row.is_blank for row in rows), faults)
    return [block for block in blocks if block.heading_row is not None]


def _report_missing_heading(block: SheetBlock, is_sheet_empty: bool, faults: SheetFaults) -> None:
    first = next(iter(block.setting_rows.values()), None)
    error = CellValueError(
        "",
        "a row with the names of the columns: number, forehand, declarer, contract, tricks …",
        "There is nothing in this sheet; write {expected}"
        if is_sheet_empty
        else "There are no columns here; write {expected}",
    )
    faults.report((0 if first is None else first.number, 0, ""), error)


def _find_setting(row: SheetRow, block: SheetBlock) -> str | None:
    setting, column = _find_setting_word(row), find_column(row.cells[0].partition(":")[0])
    is_above = block.heading_row is None and column in COLUMNS_ALLOWED_ABOVE
    return column if setting is None and is_above else setting


def _find_setting_word(row: SheetRow) -> str | None:
    return SETTING_BY_WORD.get(fold_word(row.cells[0].partition(":")[0]))


def _is_title(row: SheetRow, block: SheetBlock) -> bool:
    """Whether a row above the columns is the sheet's title: the first cell that stands alone."""
    texts = [cell for cell in row.cells if cell]
    may_be_title = "title" not in block.setting_rows and len(texts) == 1
    return may_be_title and _find_misspelled(texts[0], SETTING_BY_WORD) is None


def setting_values(row: SheetRow) -> tuple[str, ...]:
    """The values after the name of a setting, in the next cells or after a colon; or a title alone."""
    name, _, inline_value = row.cells[0].partition(":")
    if _find_setting_word(row) is None and find_column(name) not in COLUMNS_ALLOWED_ABOVE:
        return tuple(unguard_cell(cell) for cell in row.cells if cell)
    found = [*filter(None, [inline_value.strip()]), *row.cells[1:]]
    while found and not found[-1]:
        found.pop()
    return tuple(unguard_cell(value) for value in found)


def _find_misspelled(text: str, words: Mapping[str, str]) -> str | None:
    """The meaning of the word that a text nearly is; None if none is near."""
    nearest = get_close_matches(fold_word(text)[:MAX_QUOTED_LENGTH], words, n=1, cutoff=MIN_SIMILARITY)
    return words[nearest[0]] if nearest else None


def detect_sheet_language(rows: Sequence[SheetRow], default: str) -> str:
    """The language of most names of columns and settings in a sheet."""
    cells = (fold_word(cell) for row in rows[:LANGUAGE_SAMPLE_ROWS] for cell in row.cells[:MAX_COLUMNS])
    more_danish = sum((cell in _DANISH_WORDS) - (cell in _ENGLISH_WORDS) for cell in cells)
    return default if not more_danish else "da" if more_danish > 0 else "en"


def _report_stray_row(row: SheetRow, faults: SheetFaults) -> None:
    first = next(cell for cell in row.cells if cell)
    nearest = _find_misspelled(first, SETTING_BY_WORD)
    error = CellValueError(
        first,
        "",
        "Nothing is read from {read}, above the columns: did you mean {meant}?"
        if nearest
        else "Nothing is read from {read}, above the columns: if it is a setting, see the guide to slips.",
        meant=SHEET_SETTINGS[nearest].words if nearest else "",
    )
    faults.report((row.number, 0, ""), error, loses_data=nearest is not None)


def find_columns(headings: Sequence[str]) -> dict[str, int]:
    """The place, from 0, of each known column; of two with one name the first."""
    others = {find_column(text) for text in headings if fold_word(text) != AMBIGUOUS_SPIL}
    spil = "contract" if "contract" not in others or "number" in others else "number"
    columns: dict[str, int] = {}
    for place, text in enumerate(headings):
        column = spil if fold_word(text) == AMBIGUOUS_SPIL else find_column(text)
        if column is not None:
            columns.setdefault(column, place)
    return columns


def read_block_columns(block: SheetBlock, roster: PlayerRoster, faults: SheetFaults) -> BlockColumns:
    """Find a block's columns, also those of players in ``roster``; report others."""
    columns, chips = find_columns(block.headings), dict[int, str]()
    for place, text in enumerate(block.headings):
        if text in BLANK_CELLS or place in columns.values():
            continue
        repeated = find_column(text)
        player = _find_player(text, roster) if repeated is None else None
        if player is not None and player not in chips.values() and len(chips) < MAX_PAID_PLAYERS:
            chips[place] = player
        else:
            assert block.heading_row is not None
            fault_place = (block.heading_row.number, place + 1, text)
            _report_unread_column(fault_place, repeated or player, roster, faults)
    return BlockColumns(block.headings, columns, chips)


def _find_player(text: str, roster: PlayerRoster) -> str | None:
    chips_heading = _match_chips_heading(text)
    if chips_heading:
        text = chips_heading.group(1).strip()
    return roster.find(text) or (text if chips_heading else None)


def _report_unread_column(
    place: FaultPlace, repeated_column: str | None, roster: PlayerRoster, faults: SheetFaults
) -> None:
    """Report a column that is not read; ``repeated_column``: the column or player that it names again."""
    nearest = _find_misspelled(place[2], COLUMN_BY_WORD)
    meant = _column_words(nearest) if nearest else roster.find_by_sound(place[2])
    if repeated_column is not None:
        message = "Nothing is read from this column: there is a column {column} already."
    elif meant:
        message = "Nothing is read from this column: did you mean {meant}?"
    else:
        message = "Nothing is read from this column: it is no column of a slip, nor a player."
    is_known = bool(repeated_column or meant)
    column = _column_words(repeated_column or "")
    error = CellValueError(place[2], "", message, is_general=not is_known, column=column, meant=meant or "")
    faults.report(place, error, loses_data=is_known)


def _column_words(column: str) -> str:
    return SHEET_COLUMNS[column].words if column in SHEET_COLUMNS else column
