"""A club's sheet of slips read: tables with their deals, and every fault with its row and column.

A row that cannot be read is left out and keeps its place in the numbering; the others are read.
"""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.rulesets import PUBLISHED, Book
from schemas.spreadsheet import cells
from schemas.spreadsheet.blocks import (
    ABOVE,
    Block,
    Head,
    blocks_of,
    head_of,
    known_columns,
    language_of,
    values_above,
)
from schemas.spreadsheet.phrases import Expected, Tongue, said
from schemas.spreadsheet.rows import Frame, RowReader
from schemas.spreadsheet.seating import named_in, order_of_play
from schemas.spreadsheet.sheet import MOST_BYTES, NotASheet, Row, decoded, rows_of, unguarded
from schemas.spreadsheet.slip import Slip, SlipFault, SlipTable
from schemas.spreadsheet.terms import NOTHING_GIVEN, Agreed, Given, agreed
from schemas.spreadsheet.words import BLANK, contracts_of
from schemas.wire.faults import NOTHING, WireError, shown
from schemas.wire.jsonlines import ENTRIES

WHO_PLAYS: Final = ("forehand", "middlehand", "backhand", "dealer", "sits out", "at the table")
MOST_ENTRIES: Final = ENTRIES - 3
"""So many entries of a table's log are for its deals; the others open it, seat it and close it."""
SEVERAL: Final = ("sits out", "at the table")


class SheetRead(NamedTuple):
    """A sheet as it was read: its tables, how many of its rows are left out, and what was wrong."""

    tables: tuple[SlipTable, ...]
    left_out: int
    faults: tuple[SlipFault, ...]


def read_slips(
    data: bytes, given: Given = NOTHING_GIVEN, book: Book = PUBLISHED, lang: str = "en"
) -> SheetRead:
    """A sheet's bytes read: as many tables as it has dates and tables. Never fails.

    Its faults are told in the language ``lang``, with the words to write as the sheet has them.
    """
    faults: list[SlipFault] = []
    try:
        if len(data) > MOST_BYTES:
            raise NotASheet("too_heavy", most=MOST_BYTES >> 20)
        text = decoded(data)
    except NotASheet as error:
        message = said(error.sentence, Tongue(lang), **error.parts)
        expected = Expected("sheet", {}).told(Tongue(lang))
        faults.append(SlipFault(0, 0, "", shown(data[:20].decode("latin-1")), expected, message))
        return SheetRead((), 0, tuple(faults))
    tables: list[SlipTable] = []
    left_out = 0
    rows = rows_of(text, known_columns)
    tongue = Tongue(lang, language_of(rows, lang))
    for block in blocks_of(rows, faults, tongue):
        terms = agreed(block, given, book, faults, tongue)
        if terms is None:
            left_out += len(block.rows)
            continue
        read = _BlockReader(block, terms, faults, tongue)
        tables += read.tables()
        left_out += read.left_out
    return SheetRead(tuple(tables), left_out, tuple(sorted(faults, key=lambda one: (one.row, one.column))))


@dataclass(slots=True)
class _Group:
    """The slips of one table so far: who sits there, and how many entries its log will have."""

    at_table: tuple[str, ...]
    slips: list[Slip] = field(default_factory=list)
    entries: int = 0


class _BlockReader:
    """The rows of one block, read into tables."""

    def __init__(self, block: Block, terms: Agreed, faults: list[SlipFault], tongue: Tongue) -> None:
        self.block, self.faults, self.tongue = block, faults, tongue
        self.terms, self.rules, self.titled = terms
        nobody = cells.Roster(())
        plain = head_of(block, nobody, [], tongue)
        named = (name for row in block.rows for name in _named_in_cells(row, plain, nobody))
        self.known = cells.Roster((*self.terms.players, *named))
        self.head = head_of(block, self.known, faults, tongue)
        self.left_out = 0
        self.groups: dict[tuple[str, str], _Group] = {}

    def tables(self) -> list[SlipTable]:
        """The tables of the block, in the order in which they begin."""
        above = {name: self.block.above[name] for name in ABOVE if name in self.block.above}
        before = {name: "".join(values_above(row)[:1]) for name, row in above.items()}
        key = (before.get("date", ""), before.get("table", ""))
        stated = key
        frame = Frame(self.head, self.known, self.rules, contracts_of(self.rules), self.tongue, set())
        for row in self.block.rows:
            reader = RowReader(row, frame)
            if not row.unclosed and reader.is_no_deal():
                self.faults += reader.faults
                continue
            here = (reader.text("date"), reader.text("table"))
            key = (here[0] or key[0], here[1] or key[1])
            group = self.groups.setdefault(key, _Group(self.terms.players))
            self._enter(reader, group, here[0] or stated[0], here[1] or stated[1])
        if not self.groups and self.block.above:
            self.groups[stated] = _Group(())  # a table that has not dealt yet
        return [self._table(key, tuple(group.slips)) for key, group in self.groups.items()]

    def _enter(self, reader: RowReader, group: _Group, date: str, table: str) -> None:
        """A row becomes the next slip of its table."""
        due = group.slips[-1].number + 1 if group.slips else 1
        slip = reader.slip(due, group.at_table, date, table)
        group.entries += 1 + bool(slip.seated) + len(slip.penalties)
        if group.entries > MOST_ENTRIES:
            reader.refuse("date", shown(date) if date else NOTHING, "own_date", most=MOST_ENTRIES)
        else:
            group.slips.append(slip)
            group.at_table = slip.seated or group.at_table
        self.left_out += slip.players is None or group.entries > MOST_ENTRIES
        self.faults += reader.faults

    def _table(self, key: tuple[str, str], slips: tuple[Slip, ...]) -> SlipTable:
        several, ruleset = len(self.groups) > 1, self.rules.ruleset
        players, named = self.terms.players, named_in(slips)
        if players and several:
            players = (
                *(one for one in players if one in named),
                *(one for one in named if one not in players),
            )
        title = self.terms.title
        if several or not self.titled:
            said = self.head.texts[self.head.columns["table"]] if "table" in self.head.columns else "table"
            table = f"{said} {key[1]}" if key[1].isdigit() else key[1]
            title = ", ".join(part for part in (title, key[0], table) if part)[:200] or None
        if not self.terms.players or several:
            players = order_of_play(players or named, slips, ruleset)
        return SlipTable(self.terms._replace(title=title, players=players[: cells.MOST_NAMES]), slips)


def _named_in_cells(row: Row, head: Head, nobody: cells.Roster) -> list[str]:
    """The players whom a row names where nothing but players stands."""
    found: list[str] = []
    for column in WHO_PLAYS:
        place = head.columns.get(column, len(row.cells))
        text = unguarded(row.cells[place]) if place < len(row.cells) else ""
        if text in BLANK:
            continue
        try:
            found += cells.names(text, nobody) if column in SEVERAL else (cells.name(text),)
        except WireError:
            continue  # told where the row is read
    return found
