"""A spreadsheet's file as rows of cells: its encoding, its separator, its quotation marks.

A row keeps the number that the spreadsheet shows for it.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from io import StringIO
from itertools import chain
from typing import Final, NamedTuple

from schemas.spreadsheet.sheet_messages import CellValueError
from schemas.spreadsheet.sheet_words import BLANK_CELLS

MAX_SHEET_BYTES: Final = 16 << 20
"""A thousand times the size of an evening."""
CELL_SEPARATORS: Final = (";", "\t", ",")
MAX_CELL_LINES: Final = 500
"""With more lines, a cell's closing quotation mark is missing."""
MIN_SWALLOWED_SEPARATORS: Final = 3
SEPARATOR_SAMPLE_LINES: Final = 200

_END_MARKER: Final = "\0end of lines\0"
_named_separator: Final = re.compile(r"sep=(.)").fullmatch
_looks_misdecoded: Final = re.compile("Ã[\u0080-\u00ff\u0152-\u2122]").search
"""The two bytes of an accented letter in UTF-8, as Windows-1252 shows them."""
_is_formula: Final = re.compile(r"'*(?:[=@\t\r＝＠＋－]|[+-](?![0-9]+\Z))").match
"""Text that a spreadsheet would run as a formula, after any number of apostrophes."""


class SheetRow(NamedTuple):
    """A row with the ``number`` that the spreadsheet shows.

    ``has_unclosed_quote``: a quotation mark in it is never closed, so that its cells are a guess.
    """

    number: int
    cells: tuple[str, ...]
    has_unclosed_quote: bool = False

    def text_at(self, place: int | None) -> str:
        """The text in a cell; "" if there is none."""
        text = "" if place is None else "".join(self.cells[place : place + 1])
        return "" if text in BLANK_CELLS else unguard_cell(text)

    @property
    def is_blank(self) -> bool:
        """Whether all cells are empty."""
        return not any(self.cells)


def decode_sheet(data: bytes) -> str:
    """Decode a sheet from UTF-8 with or without a mark, UTF-16 with one, else Windows-1252 (Excel).

    Raises:
        CellValueError: the bytes are too many, are no text, or are in two encodings.
    """
    if len(data) > MAX_SHEET_BYTES:
        most = MAX_SHEET_BYTES >> 20
        raise CellValueError("", "", "A sheet has at most {most} MiB; give each evening its own.", most=most)
    if data.startswith(b"PK\x03\x04"):
        raise CellValueError(
            "", "", "This is a workbook; save it from the spreadsheet as CSV, and import that."
        )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        text = _decode_eight_bit(data)
    if "\0" in text:
        raise CellValueError(
            "", "", "This is no text; save the sheet from the spreadsheet as CSV, and import that."
        )
    return text


def _decode_eight_bit(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
    with suppress(UnicodeDecodeError):
        text = data.decode("cp1252")
        if not _looks_misdecoded(text):
            return text
    message = "Line {line} cannot be decoded; save the sheet again as “CSV UTF-8”, and import that."
    raise CellValueError("", "", message, line=line)


def parse_sheet_rows(text: str, count_known_columns: Callable[[Sequence[str]], int]) -> list[SheetRow]:
    """Split a sheet into rows. ``count_known_columns`` counts the names of columns among a row's cells.

    The separator is the one that a first line ``sep=;`` names, else the one that gives some row most names.
    """
    lines = re.split(r"\r\n|\r|\n", text)
    match = _named_separator(lines[0].strip("\ufeff"))
    if match:
        return list(_iterate_rows(lines, match.group(1), skip_lines=1))
    first = lines[:SEPARATOR_SAMPLE_LINES]
    best = max(
        CELL_SEPARATORS,
        key=lambda one: max((count_known_columns(row.cells) for row in _iterate_rows(first, one)), default=0),
    )
    return list(_iterate_rows(lines, best))


def _iterate_rows(lines: Sequence[str], separator: str, skip_lines: int = 0) -> Iterator[SheetRow]:
    number, at = skip_lines, skip_lines
    while at < len(lines):
        number += 1
        cells, used = _parse_cells(lines, at, separator)
        unclosed = used > MAX_CELL_LINES or at + used > len(lines)
        if used > 1 and lines[at].count(separator) >= MIN_SWALLOWED_SEPARATORS:
            # A line in a cell that has nearly all of the row's separators is itself a row.
            inner_lines = lines[at + 1 : at + used]
            unclosed |= any(
                line.count(separator) >= len(cells) - MIN_SWALLOWED_SEPARATORS for line in inner_lines
            )
        if unclosed:
            cells, used = lines[at].split(separator), 1
        yield SheetRow(number, tuple(cell.strip() for cell in cells), unclosed)
        at += used


def _parse_cells(lines: Sequence[str], line_index: int, separator: str) -> tuple[list[str], int]:
    """The cells of the row that begins at a line, and its number of lines; too many for an unclosed quote."""
    line = lines[line_index]
    if '"' not in line:
        return line.split(separator), 1
    # One by one: a row that ends soon does not look at the lines after it.
    end = min(line_index + MAX_CELL_LINES, len(lines))
    cell_lines = (f"{lines[index]}\n" for index in range(line_index, end))
    reader = csv.reader(chain(cell_lines, (_END_MARKER,)), delimiter=separator)
    with suppress(csv.Error):
        cells = next(reader)
        if not cells or not cells[-1].endswith(_END_MARKER):
            return cells, reader.line_num
    return [], len(lines) + MAX_CELL_LINES


def format_guarded_csv(rows: Iterable[Sequence[str]], separator: str) -> str:
    """Format rows as CSV without cells that a spreadsheet would run as formulas."""
    output = StringIO()
    writer = csv.writer(output, delimiter=separator, lineterminator="\n")
    for row in rows:
        writer.writerow([guard_cell(cell) for cell in row])
    return output.getvalue()


def guard_cell(cell: str) -> str:
    """Keep a spreadsheet from running a cell as a formula; ``unguard_cell`` reverses it."""
    cell = re.sub(r"\r\n?", "\n", cell).strip()
    return f"'{cell}" if _is_formula(cell) else cell


def unguard_cell(cell: str) -> str:
    """The cell that ``guard_cell`` was given."""
    return cell[1:] if cell.startswith("'") and _is_formula(cell[1:]) else cell
