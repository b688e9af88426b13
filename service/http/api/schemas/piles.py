"""What is asked and answered of a pile of slips."""

from typing import Any

from marshmallow import fields, validate

from schemas.spreadsheet.typed import COLUMNS
from schemas.wire.events import EventSchema
from service.http.api.schemas.fields import Answer, Vocabulary, Whole, flag, list_of, nested_in, said
from service.http.api.schemas.identity import Sent
from service.http.api.schemas.ledger import SeatingSchema
from service.http.api.schemas.points import (
    NAME,
    FindingSchema,
    ScoreSchema,
    chips_by_name,
    names_of_members,
)
from service.http.api.schemas.streams import DealAppendedSchema, TableAppendedSchema
from service.records.slip_batches import MOST_ROWS

LONGEST_CELL, LONGEST_NOTE, LONGEST_PASTED = 200, 2000, 200_000
LANGUAGES = ("en", "da")
CELLS: dict[str, str] = {
    "number": "The deal's number; left out, the next one.",
    "dealer": "Who dealt; left out, whose deal it is.",
    "sits_out": "Who sat out, with commas between; left out, as it is by whose deal it is.",
    "contract": "The contract, by a word, an abbreviation or its first letters; trumps may stand behind it.",
    "trump": "The suit.",
    "declarer": "Who had the bid, by his name, its first letters, or a seat.",
    "outcome": "`won`, `bête`, `kruk` …, or tricks: the declarer's, or three numbers, the declarer's first.",
    "extras": "All nine, the first five, estuches, with commas between.",
    "note": "Anything.",
    "paper": "What the paper says of the chips: numbers in the order of `players`, `?` for one not there.",
}


def language_field() -> fields.String:
    """In which language cells are read first, and faults are told."""
    return fields.String(
        load_default="en",
        validate=validate.OneOf(LANGUAGES),
        metadata={"description": "In which language words are read first, and what is wrong is told."},
    )


def _cell(column: str) -> fields.String:
    most = LONGEST_NOTE if column == "note" else LONGEST_CELL
    return fields.String(
        load_default="", validate=validate.Length(max=most), metadata={"description": CELLS[column]}
    )


PileRowSchema: Any = type(
    "PileRowSchema",
    (Sent,),
    {"__doc__": "A row as it is typed.", **{column: _cell(column) for column in COLUMNS}},
)


class PileSchema(Sent):
    """A pile as it is typed."""

    lang = language_field()
    paper_shows = fields.String(
        load_default="totals",
        validate=validate.OneOf(("totals", "chips")),
        metadata={"description": "Whether `paper` has running totals, or the chips of the row's deal."},
    )
    rows = fields.List(
        fields.Nested(PileRowSchema),
        required=True,
        validate=validate.Length(max=MOST_ROWS),
        metadata={
            "description": "In the order in which they were played; a row without a word keeps its place."
        },
    )


class PastedSchema(Sent):
    """A piece of a spreadsheet."""

    lang = language_field()
    text = fields.String(
        required=True,
        validate=validate.Length(max=LONGEST_PASTED),
        metadata={"description": "Lines, with tabs, semicolons or commas between the cells."},
    )


class CellFaultSchema(Answer):
    """Why a cell cannot be read."""

    column = fields.String(
        required=True, validate=validate.OneOf(COLUMNS), metadata={"description": "Which cell of the row."}
    )
    read = said("What stands there, shortened.")
    expected = said("What should.")
    message = said("Both, in a sentence.")


class PileRowReadSchema(Answer):
    """What a row says, and what it would bring."""

    number = Whole("The deal's number.", least=1)
    seating = nested_in(SeatingSchema)
    blank = flag("Whether it says nothing yet: it keeps its place.")
    missing = list_of(fields.String(), "The cells that are still to be filled in.")
    faults = list_of(CellFaultSchema, "The cells that cannot be read; they spoil no other.")
    events = list_of(
        EventSchema, "The deal as it is to be stored, without an id; empty while the row is not whole."
    )
    score = nested_in(ScoreSchema, "What the deal pays, and why; null while the row is not whole.", null=True)
    findings = list_of(FindingSchema, "What does not fit, in the deal and in the evening.")
    chips = chips_by_name()
    totals = chips_by_name()
    differs = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "By player what the paper says, where that is not what the rules make it."},
    )


class PileReadSchema(Answer):
    """A pile as it was read."""

    version = Whole("The version of the table that it was read on.", least=1)
    players = list_of(Vocabulary(NAME), "Everybody who has chips, in the order in which `paper` has them.")
    rows = list_of(PileRowReadSchema, "One for each that was sent; none where nobody is due for a deal.")
    names = names_of_members()


class PastedReadSchema(Answer):
    """A piece of a spreadsheet taken apart."""

    head = list_of(fields.String(), "What its columns are called; empty where they have no head.")
    columns = list_of(
        fields.String(allow_none=True),
        "What each seems to mean: a cell of a row, or `player:` and whose chips stand there; null: nothing.",
    )
    rows = list_of(list_of(fields.String()), "Its rows, all of the same length.")
    passed_over = list_of(fields.String(), "Rows that add up the others.")


class StartedPileSchema(Answer):
    """What became of a pile."""

    table = nested_in(TableAppendedSchema)
    deals = list_of(DealAppendedSchema)
