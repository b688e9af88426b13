"""The parts of a sheet: what stands above the columns, the heads of the columns, the rows below them.

A sheet may hold several such blocks, one below the other: each begins with a new head, or with what
stands above one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from engine.rulesets.model import Words
from schemas.spreadsheet.cells import Roster
from schemas.spreadsheet.phrases import Expected, Tongue, said
from schemas.spreadsheet.sheet import Row, unguarded
from schemas.spreadsheet.slip import SlipFault
from schemas.spreadsheet.words import BLANK, COLUMN_OF, COLUMNS, SETTING_OF, SETTINGS, Term, folded
from schemas.wire.faults import NOTHING, QUOTED, shown

FEWEST_COLUMNS: Final = 3
"""A row with so many names of columns, and no number, is a head."""
MOST_COLUMNS: Final = 500
"""A head has at most so many."""
ALIKE: Final = 0.8
"""How alike two words are of which one is the other misspelled."""
ABOVE: Final = ("date", "table")
"""Columns that may also stand above all columns, where they are the same for every row."""
EITHER: Final = "spil"
"""Danish for the game that is played, and for the deal that is counted: whichever is not named otherwise."""

_number: Final = re.compile(r"[+−-]?[0-9]+(?:[.,][0-9]+)?").fullmatch
_chips_of: Final = re.compile(
    r"(?:player|spiller|paid|betalt)\s*:\s*(.+)", re.IGNORECASE | re.DOTALL
).fullmatch

LOOKED_AT: Final = 100
"""By so many first rows a sheet's language is recognised."""
_TERMS: Final[tuple[Term, ...]] = (*COLUMNS.values(), *SETTINGS.values())
ENGLISH: Final = {folded(term.words.en) for term in _TERMS} - {folded(term.words.da) for term in _TERMS}
DANISH: Final = {folded(term.words.da) for term in _TERMS} - {folded(term.words.en) for term in _TERMS}


@dataclass(slots=True)
class Block:
    """The rows below one head, and what stands above it; ``above``: by name of the setting, its row."""

    above: dict[str, Row] = field(default_factory=dict)
    head: Row | None = None
    rows: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Head:
    """The columns of a block by place, from 0: those that are known, and those with a player's chips."""

    texts: tuple[str, ...]
    columns: dict[str, int]
    chips: dict[int, str]


def known_columns(cells: Sequence[str]) -> int:
    """How many different columns a row names; none where it holds a number."""
    looked_at = cells[:MOST_COLUMNS]
    if any(_number(cell) for cell in looked_at):
        return 0
    return len({column for cell in looked_at if (column := column_of(cell))})


def column_of(cell: str) -> str | None:
    """The column that a head names, if it is one."""
    return None if _chips_of(cell) else COLUMN_OF.get(folded(cell) or cell)


def blocks_of(rows: Sequence[Row], faults: list[SlipFault], tongue: Tongue) -> list[Block]:
    """The blocks of a sheet; what belongs to none is told."""
    blocks = [Block()]
    for row in rows:
        if row.blank:
            continue
        block = blocks[-1]
        setting = _setting_of(row, block)
        if known_columns(row.cells) >= FEWEST_COLUMNS:
            if block.head is None:
                block.head = row
            elif row.cells != block.head.cells:
                blocks.append(Block(dict(block.above), row))
        elif setting is not None:
            if block.head is not None:
                block = Block()
                blocks.append(block)
            block.above[setting] = row
        elif block.head is None and _is_title(row, block):
            block.above["title"] = row
        elif block.head is None:
            faults.append(_stray(row, tongue))
        else:
            block.rows.append(row)
    headless = [block for block in blocks if block.head is None]
    empty = all(row.blank for row in rows)
    faults += [_without_columns(block, "empty" if empty else "no_columns", tongue) for block in headless]
    return [block for block in blocks if block.head is not None]


def _setting_of(row: Row, block: Block) -> str | None:
    setting, column = _setting_in(row), column_of(row.cells[0].partition(":")[0])
    return column if setting is None and block.head is None and column in ABOVE else setting


def _setting_in(row: Row) -> str | None:
    return SETTING_OF.get(folded(row.cells[0].partition(":")[0]))


def _is_title(row: Row, block: Block) -> bool:
    """Whether a row above the columns is the sheet's title: a cell by itself, the first of its kind."""
    said = [cell for cell in row.cells if cell]
    return "title" not in block.above and len(said) == 1 and _meant(said[0], SETTING_OF) is None


def values_above(row: Row) -> tuple[str, ...]:
    """What stands behind the name of a setting: in the cells beside it, or behind a colon.

    A title may stand there by itself.
    """
    if _setting_in(row) is None and column_of(row.cells[0].partition(":")[0]) not in ABOVE:
        return tuple(unguarded(cell) for cell in row.cells if cell)
    inside = row.cells[0].partition(":")[2].strip()
    found = ([inside] if inside else []) + list(row.cells[1:])
    while found and not found[-1]:
        found.pop()
    return tuple(unguarded(value) for value in found)


def _meant(text: str, words: Mapping[str, str]) -> str | None:
    """What a misspelled word was meant to be; None for one that is simply another."""
    near = get_close_matches(folded(text)[:QUOTED], words, n=1, cutoff=ALIKE)
    return words[near[0]] if near else None


def language_of(rows: Sequence[Row], otherwise: str) -> str:
    """The language in which a sheet names its columns and settings, by most of those that differ."""
    danish = english = 0
    for row in rows[:LOOKED_AT]:
        for cell in {folded(cell) for cell in row.cells[:MOST_COLUMNS]}:
            danish += cell in DANISH
            english += cell in ENGLISH
    return otherwise if danish == english else "da" if danish > english else "en"


def _stray(row: Row, tongue: Tongue) -> SlipFault:
    first = next(cell for cell in row.cells if cell)
    near = _meant(first, SETTING_OF)
    if near:
        message = said("stray_meant", tongue, read=shown(first), meant=SETTINGS[near].words)
    else:
        message = said("stray", tongue, read=shown(first))
    expected = Expected("heads", {}).told(tongue)
    return SlipFault(row.number, 0, "", shown(first), expected, message, near is not None)


def _without_columns(block: Block, sentence: str, tongue: Tongue) -> SlipFault:
    row = next(iter(block.above.values()), None)
    expected = Expected("columns", {}).told(tongue)
    message = said(sentence, tongue, expected=expected)
    return SlipFault(0 if row is None else row.number, 0, "", NOTHING, expected, message)


def head_of(block: Block, known: Roster, faults: list[SlipFault], tongue: Tongue) -> Head:
    """The columns of a block; ``known`` are the players who may have one. A column of nothing is told."""
    assert block.head is not None
    texts = tuple(unguarded(cell) for cell in block.head.cells[:MOST_COLUMNS])
    columns: dict[str, int] = {}
    chips: dict[int, str] = {}
    for place, text in enumerate(texts):
        column = column_of(text)
        named = _player_of(text, known) if column is None else None
        if text in BLANK or folded(text) == EITHER:
            continue
        if column is not None and column not in columns:
            columns[column] = place
        elif named is not None and named not in chips.values():
            chips[place] = named
        else:
            faults.append(_unread(block.head, place, text, column or named, known, tongue))
    for place, text in enumerate(texts):
        if folded(text) == EITHER:
            column = next((one for one in ("contract", "number") if one not in columns), None)
            if column is None:
                faults.append(_unread(block.head, place, text, "contract", known, tongue))
            else:
                columns[column] = place
    return Head(texts, columns, chips)


def _player_of(text: str, known: Roster) -> str | None:
    said = _chips_of(text)
    if said:
        text = said.group(1).strip()
    return known.find(text) or (text if said else None)


def _unread(head: Row, place: int, text: str, twice: str | None, known: Roster, tongue: Tongue) -> SlipFault:
    """Tells of a column of which nothing is read; ``twice``: the column or player that it is once more."""
    near = None if twice is not None else _meant(text, COLUMN_OF)
    player = None if twice is not None or near else known.meant(text)
    if twice is not None:
        message = said("column_twice", tongue, column=_called(twice))
    elif near or player:
        message = said("column_meant", tongue, meant=_called(near) if near else player)
    else:
        message = said("no_such_column", tongue)
    columns = Words(", ".join(COLUMNS), ", ".join(term.words.da for term in COLUMNS.values()))
    expected = Expected("column", {"columns": columns}).told(tongue)
    grave = bool(twice or near or player)
    return SlipFault(head.number, place + 1, text, shown(text), expected, message, grave)


def _called(column: str) -> Words | str:
    return COLUMNS[column].words if column in COLUMNS else column


def overlong(row: Row, head: Head, tongue: Tongue) -> Iterator[SlipFault]:
    """Cells of a row that stand under no head."""
    for place in range(len(head.texts), len(row.cells)):
        if row.cells[place]:
            read, expected = shown(row.cells[place]), Expected("no_cell", {}).told(tongue)
            message = said("under_no_column", tongue, read=read)
            yield SlipFault(row.number, place + 1, "", read, expected, message)
            return
