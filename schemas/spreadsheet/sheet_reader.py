"""Read a club's sheet of slips: tables with their deals, and all faults with row and column.

An unreadable row is left out and keeps its place in the numbering; the others are read.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import permutations
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.core.cards import SEAT_NAMES
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.rulesets.model import Ruleset
from engine.tables import split_into_games
from engine.tables.seating import MAX_PLAYERS, MIN_PLAYERS, find_dealer
from schemas.notation.written_dates import parse_written_date
from schemas.spreadsheet import cell_parsers
from schemas.spreadsheet.csv_sheet_file import (
    SheetRow,
    decode_sheet,
    parse_sheet_rows,
)
from schemas.spreadsheet.player_lookup import NOBODY, PlayerRoster
from schemas.spreadsheet.row_reader import build_row_context
from schemas.spreadsheet.sheet_blocks import (
    COLUMNS_ALLOWED_ABOVE,
    LINEUP_COLUMNS,
    SheetBlock,
    count_known_columns,
    detect_sheet_language,
    find_columns,
    read_block_columns,
    setting_values,
    split_into_blocks,
)
from schemas.spreadsheet.sheet_messages import CellValueError, SheetFaults, SheetLanguages
from schemas.spreadsheet.sheet_row_reader import BlockContext, SheetRowReader, TableProgress
from schemas.spreadsheet.sheet_settings import BlockTerms, SettingOverrides, read_block_terms
from schemas.spreadsheet.slip import Slip, SlipFault, SlipTable
from schemas.wire.jsonlines import MAX_ENTRIES_PER_LOG

EXPECTED_DAY: Final = "a day, such as 27.11.2026"
ODD_DATE_MESSAGE: Final = "{read} is kept as text; for the evening to count on its own day, write {expected}."
ORDER_SAMPLE_SLIPS: Final = 60
"""The order of play is inferred from this number of slips."""


def list_slip_players(slips: Sequence[Slip]) -> tuple[str, ...]:
    """The players of the slips up to a new seating, in the order in which they are named."""
    found: list[str] = []
    for slip in slips:
        if slip.new_seating:
            return tuple(dict.fromkeys(found)) or slip.new_seating
        found += slip.all_players
        found += [slip.dealer] if slip.dealer is not None else []
    return tuple(dict.fromkeys(found))


def infer_seating_order(names: Sequence[str], slips: Sequence[Slip], ruleset: Ruleset) -> tuple[str, ...]:
    """Sort ``names`` in the order of play that fits most slips; without one they stay as they are."""
    seated_slips = [slip for slip in slips[:ORDER_SAMPLE_SLIPS] if slip.players is not None]
    if not seated_slips or not MIN_PLAYERS <= len(names) <= MAX_PLAYERS:
        return tuple(names)
    first, *others = names

    def count_fits(order: Sequence[str]) -> int:
        return sum(_fits_order(slip, order, ruleset) for slip in seated_slips)

    return max(((first, *rest) for rest in permutations(others)), key=count_fits)


def _fits_order(slip: Slip, order: Sequence[str], ruleset: Ruleset) -> bool:
    """Whether the slip's dealer, or some dealer, leads to its seats in this order."""
    dealers = [find_dealer(game, slip.active_players, ruleset) for game in split_into_games(order)]
    return any(dealers) if slip.dealer is None else slip.dealer in dealers


PLAYER_LIST_COLUMNS: Final = ("sits out", "at the table")
PLAYER_COLUMNS: Final = (*SEAT_NAMES, "dealer", *PLAYER_LIST_COLUMNS, *LINEUP_COLUMNS)
MAX_ENTRIES_FOR_DEALS: Final = MAX_ENTRIES_PER_LOG - 3
"""The other entries of a table's log open it, seat it and close it."""


class SlipSheet(NamedTuple):
    """The tables of a sheet, the number of rows left out, and its faults."""

    tables: tuple[SlipTable, ...]
    omitted_rows: int
    faults: tuple[SlipFault, ...]


def read_slip_sheet(
    data: bytes,
    overrides: SettingOverrides = MappingProxyType({}),
    book: RulesetBook = PUBLISHED_RULESETS,
    lang: str = "en",
) -> SlipSheet:
    """Read a sheet's bytes: as many tables as it has dates and tables. Never fails.

    Messages of faults are in the language ``lang``, with the words to write in that of the sheet.
    """
    faults = SheetFaults(SheetLanguages(lang))
    try:
        text = decode_sheet(data)
    except CellValueError as error:
        faults.report((0, 0, ""), error)
        return SlipSheet((), 0, faults.list_by_cause())
    tables: list[SlipTable] = []
    omitted_rows = 0
    rows = parse_sheet_rows(text, count_known_columns)
    faults = SheetFaults(SheetLanguages(lang, detect_sheet_language(rows, lang)))
    for block in split_into_blocks(rows, faults):
        terms = read_block_terms(block, overrides, book, faults)
        if terms is None:
            omitted_rows += len(block.rows)
            continue
        read_block = _BlockReader(block, terms, faults)
        tables += read_block.read_tables()
        omitted_rows += read_block.omitted_rows
    return SlipSheet(tuple(tables), omitted_rows, faults.list_by_cause())


class _BlockReader:
    """Reads the rows of one block into tables."""

    def __init__(self, block: SheetBlock, terms: BlockTerms, faults: SheetFaults) -> None:
        self.block, self.faults = block, faults
        self.terms, self.rules, self.has_title = terms
        self.opening = self.terms.opening
        columns = find_columns(block.headings)
        row_players = (name for row in block.rows for name in _list_players_in_row(row, columns))
        self.roster = PlayerRoster((*self.opening.players, *row_players))
        self.columns = read_block_columns(block, self.roster, faults)
        self.omitted_rows = 0
        self.tables: dict[tuple[str, str], TableProgress] = {}

    def read_tables(self) -> list[SlipTable]:
        """The tables of the block, in the order in which they begin."""
        date, table_name = map(self._setting_value, COLUMNS_ALLOWED_ABOVE)
        key = stated = (parse_written_date(date) or date, table_name)
        row_context = build_row_context(self.rules, self.faults.languages)
        block = BlockContext(self.columns, self.roster, row_context, self._list_dealers())
        for row in self.block.rows:
            reader = SheetRowReader(row, block)
            if row.has_unclosed_quote or not reader.is_no_deal():
                date = reader.cells.get("date", "")
                here = (parse_written_date(date) or date, reader.cells.get("table", ""))
                key = (here[0] or key[0], here[1] or key[1])
                if key[0] and not parse_written_date(key[0]):
                    reader.add_fault(
                        "date", EXPECTED_DAY, ODD_DATE_MESSAGE, text=key[0], loses_data=False, is_general=True
                    )
                table = self.tables.setdefault(key, TableProgress(self.opening.players))
                self._add_slip(reader, table, here[0] or stated[0], here[1] or stated[1])
            reader.report_faults(self.faults)
        if not self.tables and self.block.setting_rows:
            self.tables[stated] = TableProgress(())  # a table that has not dealt yet
        return [
            self._build_table(key, tuple(table.slips))
            for key, table in self.tables.items()
            if not table.slips or any(slip.players is not None for slip in table.slips)
        ]

    def _setting_value(self, setting: str) -> str:
        row = self.block.setting_rows.get(setting)
        return "" if row is None else "".join(setting_values(row)[:1])[:200]

    def _list_dealers(self) -> tuple[str, ...]:
        """The dealers as they sit: who is forehand in the first deal, and so on."""
        dealers = [
            player
            for row in self.block.rows
            for player in _list_players_in_row(row, self.columns.columns, ("dealer",))
        ]
        first, *others = dict.fromkeys(dealers) or ("",)
        if self.rules.ruleset.next_dealer != "in-order-of-play":
            others.reverse()
        return (*others, first) if MIN_PLAYERS <= len(others) + 1 <= MAX_PLAYERS else ()

    def _add_slip(self, reader: SheetRowReader, table: TableProgress, date: str, table_name: str) -> None:
        slip = reader.read_slip(table, date, table_name)
        table.entry_count += 1 + bool(slip.new_seating) + len(slip.penalties)
        is_too_many = table.entry_count > MAX_ENTRIES_FOR_DEALS
        if is_too_many:
            expected = "a date of its own for each evening; a table has at most {most} deals"
            reader.add_fault("date", expected, is_general=True, most=MAX_ENTRIES_FOR_DEALS)
        else:
            table.slips.append(slip)
            table.numbers.add(slip.number)
            table.players = reader.table_players
        self.omitted_rows += slip.players is None or is_too_many

    def _build_table(self, key: tuple[str, str], slips: tuple[Slip, ...]) -> SlipTable:
        has_several_groups, ruleset = len(self.tables) > 1, self.rules.ruleset
        players, slip_players = self.opening.players, list_slip_players(slips)
        if players and has_several_groups:
            players = (
                *(one for one in players if one in slip_players),
                *(one for one in slip_players if one not in players),
            )
        title = self.opening.title
        if has_several_groups or not self.has_title:
            column = self.columns.columns.get("table")
            prefix = "table" if column is None else self.columns.headings[column]
            table = f"{prefix} {key[1]}" if key[1].isdigit() else key[1]
            title = ", ".join(part for part in (title, key[0], table) if part)[:200] or None
        if not self.opening.players or has_several_groups:
            players = infer_seating_order(players or slip_players, slips, ruleset)
        opening = replace(
            self.opening,
            title=title,
            players=tuple(players[: cell_parsers.MAX_NAMES]),
            date=parse_written_date(key[0]),
        )
        return SlipTable(self.terms._replace(opening=opening), slips)


def _list_players_in_row(
    row: SheetRow, columns: dict[str, int], wanted: Sequence[str] = PLAYER_COLUMNS
) -> list[str]:
    """The players in those columns of a row that hold nothing but players."""
    found: list[str] = []
    for column in wanted:
        text = row.text_at(columns.get(column))
        with suppress(CellValueError):  # reported where the row is read
            if column in PLAYER_LIST_COLUMNS:
                found += cell_parsers.parse_player_list(text, NOBODY) if text else ()
            else:
                found += [cell_parsers.parse_name(text)] if text else ()
    return found
