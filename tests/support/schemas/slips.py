"""Sheets of slips, and what is read of them."""

from engine.core.events import ResultRecorded
from engine.rulesets import PUBLISHED_RULESETS
from schemas.spreadsheet.sheet_reader import SlipSheet, read_slip_sheet
from schemas.spreadsheet.slip import Slip

HEAD = "number,dealer,forehand,middlehand,backhand,declarer,contract,trump,tricks,outcome,note"
RULES = {one.ruleset.id: one for one in PUBLISHED_RULESETS}


def read_sheet(*rows: str, above: str = "ruleset,dlu") -> SlipSheet:
    """A sheet with these rows below the usual head."""
    return read_slip_sheet("\n".join((above, HEAD, *rows)).encode())


def read_slip(row: str) -> Slip:
    found = read_sheet(row)
    assert not [one for one in found.faults if one.loses_data]
    return found.tables[0].slips[0]


def result(row: str) -> ResultRecorded:
    found = read_slip(f"1,,Anna,Bo,Carl,{row}").result
    assert found is not None
    return found
