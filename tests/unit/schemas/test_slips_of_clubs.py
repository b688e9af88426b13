"""Sheets as clubs have them: what can be read is read, and each cause is said once, with what to write."""

from pathlib import Path

import pytest

from engine.tables import Seating
from schemas.spreadsheet.row_reader import build_row_context
from schemas.spreadsheet.sheet_messages import SheetLanguages
from schemas.spreadsheet.sheet_reader import read_slip_sheet
from schemas.spreadsheet.slip import SlipFault
from schemas.spreadsheet.typed_row import TypedRowReader
from tests.support.schemas.slips import RULES

TEXT = Path(__file__).with_name("sheets_of_clubs.txt").read_text("utf-8")
SHEETS = dict(part.split("\n", 1) for part in TEXT.removeprefix("## ").split("\n## "))
"""By what they show: the sheet, how many deals are read of it, and what is said."""


def said(fault: SlipFault) -> str:
    deal = "" if fault.deal is None else f"deal {fault.deal}, "
    return f"{deal}row {fault.row}, column {fault.column}: {fault.message}"


@pytest.mark.parametrize("what", SHEETS)
def test_what_can_be_read_is_read_and_each_cause_is_said_once(what: str) -> None:
    sheet, result = SHEETS[what].split("=> ")
    found = read_slip_sheet(sheet.encode())
    deals = sum(slip.players is not None for table in found.tables for slip in table.slips)
    assert result.split("\n")[1:] == [*map(said, found.faults), *[""] * (result.endswith("\n"))]
    assert result.split()[0] == str(deals)


@pytest.mark.parametrize(
    "cells",
    [
        {"contract": "s"}, {"contract": "nolo"}, {"contract": "pure nolo", "trump": "hearts"},
        {"contract": "pass", "outcome": "won"}, {"declarer": "Carl"}, {"declarer": "Emil"},
        {"outcome": "gone"}, {"number": "3"}, {"trump": "green"},
    ],
)  # fmt: skip
def test_a_sheet_says_of_a_row_what_the_page_says(cells: dict[str, str]) -> None:
    row = {"number": "4", "dealer": "Anna", "declarer": "Bo", "contract": "solo", "outcome": "5", **cells}
    above, cells_of_row = "ruleset,dlu\nplayers,Anna,Bo,Carl,Dorthe", ",".join(row.values())
    sheet = f"{above}\n{','.join(row)}\n3,Dorthe,,pass,\n{cells_of_row}\n"
    read = read_slip_sheet(sheet.encode())
    names = {player: [player] for player in ("Anna", "Bo", "Carl", "Dorthe")}
    typed = TypedRowReader(row, build_row_context(RULES["dlu"], SheetLanguages(), names)).read_typed_slip(
        4, lambda number: Seating("Anna", "Bo", "Dorthe", "Anna", ("Carl",)), tuple(names), frozenset({3})
    )
    assert [(one.heading, one.message) for one in read.faults] == [
        (one.column, one.message) for one in sorted(typed.faults, key=lambda one: list(row).index(one.column))
    ]
    assert typed.faults
