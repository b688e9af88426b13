"""What ``import-slips`` tells of a sheet, in both languages: where a fault stands, and what was read."""

from typing import Final

from engine.rulesets.model import BilingualText
from schemas.spreadsheet.csv_sheet_file import column_letters
from schemas.spreadsheet.slip import SlipFault

IMPORT_PHRASES: Final = {
    "row": BilingualText(", row {row}", ", række {row}"),
    "column": BilingualText(", column {column}", ", kolonne {column}"),
    "more": BilingualText(
        "{file}: there are {count} more such problems.", "{file}: der er {count} fejl mere."
    ),
    "read": BilingualText("{deals} at {tables}{left_out}.", "{deals} ved {tables}{left_out}."),
    "left_out": BilingualText("; {rows} left out", "; {rows} udeladt"),
    "nothing": BilingualText(
        "Nothing is written: no deal and no table was read.",
        "Der er ikke skrevet noget: der blev hverken læst et spil eller et bord.",
    ),
    "no_file": BilingualText("There is no file {file}.", "Der er ingen fil {file}."),
    "standard_input": BilingualText("standard input", "standard input"),
}
"""Sentences, and parts of them."""

COUNTED_PHRASES: Final = {
    "deal": (BilingualText("{count} deal", "{count} spil"), BilingualText("{count} deals", "{count} spil")),
    "table": (
        BilingualText("{count} table", "{count} bord"),
        BilingualText("{count} tables", "{count} borde"),
    ),
    "row": (BilingualText("{count} row", "{count} række"), BilingualText("{count} rows", "{count} rækker")),
}
"""One of something, and several."""


def format_slip_fault(file: str, fault: SlipFault, lang: str) -> str:
    """A fault of a sheet with its place as the spreadsheet shows it."""
    place = IMPORT_PHRASES["row"][lang].format(row=fault.row) if fault.row else ""
    if fault.column:
        place += IMPORT_PHRASES["column"][lang].format(column=column_letters(fault.column))
    heading = f" ({fault.heading})" if fault.heading else ""
    return f"{file}{place}{heading}: {fault.message}"


def format_import_counts(deals: int, tables: int, omitted: int, lang: str) -> str:
    """How many deals a sheet had at how many tables, and how many of its rows could not be read."""
    rows = (
        IMPORT_PHRASES["left_out"][lang].format(rows=_format_count(omitted, "row", lang)) if omitted else ""
    )
    return IMPORT_PHRASES["read"][lang].format(
        deals=_format_count(deals, "deal", lang), tables=_format_count(tables, "table", lang), left_out=rows
    )


def _format_count(count: int, noun: str, lang: str) -> str:
    one, many = COUNTED_PHRASES[noun]
    return (one if count == 1 else many)[lang].format(count=count)
