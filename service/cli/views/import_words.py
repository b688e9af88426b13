"""What ``import-slips`` tells of a sheet, in both languages: where a fault stands, and what was read."""

from typing import Final

from engine.rulesets.model import Words
from schemas.spreadsheet.sheet import letters
from schemas.spreadsheet.slip import SlipFault

SENTENCES: Final = {
    "row": Words(", row {row}", ", række {row}"),
    "column": Words(", column {column}", ", kolonne {column}"),
    "more": Words("{file}: there are {count} more such problems.", "{file}: der er {count} fejl mere."),
    "read": Words("{deals} at {tables}{left_out}.", "{deals} ved {tables}{left_out}."),
    "left_out": Words("; {rows} left out", "; {rows} udeladt"),
    "nothing": Words(
        "Nothing is written: no deal and no table was read.",
        "Der er ikke skrevet noget: der blev hverken læst et spil eller et bord.",
    ),
    "no_file": Words("There is no file {file}.", "Der er ingen fil {file}."),
    "standard_input": Words("standard input", "standard input"),
}
"""Sentences, and parts of them."""

THINGS: Final = {
    "deal": (Words("{count} deal", "{count} spil"), Words("{count} deals", "{count} spil")),
    "table": (Words("{count} table", "{count} bord"), Words("{count} tables", "{count} borde")),
    "row": (Words("{count} row", "{count} række"), Words("{count} rows", "{count} rækker")),
}
"""One of something, and several."""


def sentence(file: str, fault: SlipFault, lang: str) -> str:
    """A fault of a sheet with its place as the spreadsheet shows it."""
    place = SENTENCES["row"][lang].format(row=fault.row) if fault.row else ""
    if fault.column:
        place += SENTENCES["column"][lang].format(column=letters(fault.column))
    heading = f" ({fault.heading})" if fault.heading else ""
    return f"{file}{place}{heading}: {fault.message}"


def counted(deals: int, tables: int, left_out: int, lang: str) -> str:
    """How many deals a sheet had at how many tables, and how many of its rows could not be read."""
    rows = SENTENCES["left_out"][lang].format(rows=_several(left_out, "row", lang)) if left_out else ""
    return SENTENCES["read"][lang].format(
        deals=_several(deals, "deal", lang), tables=_several(tables, "table", lang), left_out=rows
    )


def _several(count: int, thing: str, lang: str) -> str:
    one, many = THINGS[thing]
    return (one if count == 1 else many)[lang].format(count=count)
