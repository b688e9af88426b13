"""What ``import-slips`` tells of a sheet, in both languages: where a fault stands, and what was read."""

from typing import Final

from schemas.i18n.catalogs import gettext
from schemas.spreadsheet.csv_sheet_file import column_letters
from schemas.spreadsheet.slip import SlipFault

IMPORT_PHRASES: Final = {
    "row": ", row {row}",
    "column": ", column {column}",
    "more": "{file}: there are {count} more such problems.",
    "read": "{deals} at {tables}{left_out}.",
    "left_out": "; {rows} left out",
    "nothing": "Nothing is written: no deal and no table was read.",
    "no_file": "There is no file {file}.",
    "standard_input": "standard input",
}
"""Sentences, and parts of them."""

COUNTED_PHRASES: Final = {
    "deal": ("{count} deal", "{count} deals"),
    "table": (
        "{count} table",
        "{count} tables",
    ),
    "row": ("{count} row", "{count} rows"),
}
"""One of something, and several."""


def format_slip_fault(file: str, fault: SlipFault, lang: str) -> str:
    """A fault of a sheet with its place as the spreadsheet shows it."""
    place = gettext(IMPORT_PHRASES["row"], lang).format(row=fault.row) if fault.row else ""
    if fault.column:
        place += gettext(IMPORT_PHRASES["column"], lang).format(column=column_letters(fault.column))
    heading = f" ({fault.heading})" if fault.heading else ""
    return f"{file}{place}{heading}: {fault.message}"


def format_import_counts(deals: int, tables: int, omitted: int, lang: str) -> str:
    """How many deals a sheet had at how many tables, and how many of its rows could not be read."""
    rows = (
        gettext(IMPORT_PHRASES["left_out"], lang).format(rows=_format_count(omitted, "row", lang))
        if omitted
        else ""
    )
    return gettext(IMPORT_PHRASES["read"], lang).format(
        deals=_format_count(deals, "deal", lang), tables=_format_count(tables, "table", lang), left_out=rows
    )


def _format_count(count: int, noun: str, lang: str) -> str:
    one, many = COUNTED_PHRASES[noun]
    return gettext(one if count == 1 else many, lang).format(count=count)
