"""Read a club's sheet of slips: tables with their deals, and all faults with row and column.

An unreadable row is left out and keeps its place in the numbering; the others are read.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import permutations
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.rulesets.model import Ruleset
from engine.tables import seat_players, split_into_games
from schemas.notation.written_dates import parse_written_date
from schemas.spreadsheet import cell_parsers
from schemas.spreadsheet.csv_sheet_file import (
    InvalidSheetFile,
    SheetRow,
    decode_sheet,
    parse_sheet_rows,
    unguard_cell,
)
from schemas.spreadsheet.player_lookup import NOBODY, PlayerRoster
from schemas.spreadsheet.sheet_blocks import (
    COLUMNS_ALLOWED_ABOVE,
    SheetBlock,
    count_known_columns,
    detect_sheet_language,
    read_block_columns,
    setting_values,
    split_into_blocks,
)
from schemas.spreadsheet.sheet_messages import SheetFaults, SheetLanguages
from schemas.spreadsheet.sheet_row_reader import BlockContext, SheetRowReader
from schemas.spreadsheet.sheet_settings import BlockTerms, SettingOverrides, read_block_terms
from schemas.spreadsheet.sheet_words import BLANK_CELLS, build_contract_by_word
from schemas.spreadsheet.slip import Slip, SlipFault, SlipTable
from schemas.wire.jsonlines import MAX_ENTRIES_PER_LOG
from schemas.wire.wire_faults import WireError

MAX_ORDERED_PLAYERS: Final = 6
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
    if not seated_slips or not 3 <= len(names) <= MAX_ORDERED_PLAYERS:
        return tuple(names)
    first, *others = names

    def count_fits(order: Sequence[str]) -> int:
        return sum(_is_order_consistent(order, slip, ruleset) for slip in seated_slips)

    return max(((first, *rest) for rest in permutations(others)), key=count_fits)


def _is_order_consistent(order: Sequence[str], slip: Slip, ruleset: Ruleset) -> bool:
    """Whether the slip's dealer, or some dealer, leads to its seats in this order."""
    seatings = (
        seat_players(game, dealer, ruleset)
        for game in split_into_games(order)
        for dealer in (game if slip.dealer is None else (slip.dealer,))
    )
    return any(seats is not None and seats.active == slip.active_players for seats in seatings)


PLAYER_COLUMNS: Final = ("forehand", "middlehand", "backhand", "dealer")
PLAYER_LIST_COLUMNS: Final = ("sits out", "at the table")
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
    except InvalidSheetFile as error:
        beginning = data[:20].decode("latin-1")
        faults.report((0, 0, ""), beginning, "a sheet as CSV", error.template, **error.parts)
        return SlipSheet((), 0, tuple(faults))
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
    faults.sort(key=lambda fault: (fault.row, fault.column))
    return SlipSheet(tuple(tables), omitted_rows, tuple(faults))


@dataclass(slots=True)
class _SlipGroup:
    """The slips of one table so far, who sits there, and how many entries its log will have."""

    table_players: tuple[str, ...]
    slips: list[Slip] = field(default_factory=list)
    entry_count: int = 0


class _BlockReader:
    """Reads the rows of one block into tables."""

    def __init__(self, block: SheetBlock, terms: BlockTerms, faults: SheetFaults) -> None:
        self.block, self.faults = block, faults
        self.terms, self.rules, self.has_title = terms
        self.opening = self.terms.opening
        plain = read_block_columns(block, NOBODY, SheetFaults(faults.languages))
        row_players = (name for row in block.rows for name in _list_players_in_row(row, plain.columns))
        self.roster = PlayerRoster((*self.opening.players, *row_players))
        self.columns = read_block_columns(block, self.roster, faults)
        self.omitted_rows = 0
        self.has_odd_date = False
        self.groups: dict[tuple[str, str], _SlipGroup] = {}

    def read_tables(self) -> list[SlipTable]:
        """The tables of the block, in the order in which they begin."""
        date, table = map(self._setting_value, COLUMNS_ALLOWED_ABOVE)
        key = stated = (parse_written_date(date) or date, table)
        contracts, languages = build_contract_by_word(self.rules), self.faults.languages
        frame = BlockContext(self.columns, self.roster, self.rules, contracts, languages, set())
        for row in self.block.rows:
            reader = SheetRowReader(row, frame)
            if not row.has_unclosed_quote and reader.is_no_deal():
                self.faults += reader.faults
                continue
            date = reader.cell_text("date")
            here = (parse_written_date(date) or date, reader.cell_text("table"))
            key = (here[0] or key[0], here[1] or key[1])
            self._remark_on_date(reader, key[0])
            group = self.groups.setdefault(key, _SlipGroup(self.opening.players))
            self._add_slip(reader, group, here[0] or stated[0], here[1] or stated[1])
        if not self.groups and self.block.setting_rows:
            self.groups[stated] = _SlipGroup(())  # a table that has not dealt yet
        return [self._build_table(key, tuple(group.slips)) for key, group in self.groups.items()]

    def _remark_on_date(self, reader: SheetRowReader, date: str) -> None:
        """Say once of a sheet that its evenings have no day that can be read."""
        if date and not parse_written_date(date) and not self.has_odd_date:
            self.has_odd_date = True
            reader.report("date", date, EXPECTED_DAY, ODD_DATE_MESSAGE, loses_data=False)

    def _setting_value(self, setting: str) -> str:
        row = self.block.setting_rows.get(setting)
        return "" if row is None else "".join(setting_values(row)[:1])

    def _add_slip(self, reader: SheetRowReader, group: _SlipGroup, date: str, table: str) -> None:
        number = group.slips[-1].number + 1 if group.slips else 1
        slip = reader.read_slip(number, group.table_players, date, table)
        group.entry_count += 1 + bool(slip.new_seating) + len(slip.penalties)
        if group.entry_count > MAX_ENTRIES_FOR_DEALS:
            expected = "a date of its own for each evening; a table has at most {most} deals"
            reader.report("date", date, expected, most=MAX_ENTRIES_FOR_DEALS)
        else:
            group.slips.append(slip)
            group.table_players = slip.new_seating or group.table_players
        self.omitted_rows += slip.players is None or group.entry_count > MAX_ENTRIES_FOR_DEALS
        self.faults += reader.faults

    def _build_table(self, key: tuple[str, str], slips: tuple[Slip, ...]) -> SlipTable:
        has_several_groups, ruleset = len(self.groups) > 1, self.rules.ruleset
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


def _list_players_in_row(row: SheetRow, columns: dict[str, int]) -> list[str]:
    """The players in the columns of a row that hold nothing but players."""
    found: list[str] = []
    for column in (*PLAYER_COLUMNS, *PLAYER_LIST_COLUMNS):
        place = columns.get(column, len(row.cells))
        text = unguard_cell(row.cells[place]) if place < len(row.cells) else ""
        if text in BLANK_CELLS:
            continue
        with suppress(WireError):  # reported where the row is read
            if column in PLAYER_COLUMNS:
                found.append(cell_parsers.parse_name(text))
            else:
                found += cell_parsers.parse_player_list(text, NOBODY)
    return found
