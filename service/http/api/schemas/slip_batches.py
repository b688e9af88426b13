"""The requests and answers about slip batches."""

from typing import Any

from marshmallow import validate
from marshmallow.fields import String

from schemas.spreadsheet.typed_row import TYPED_ROW_COLUMNS
from schemas.wire.event_schemas import EventSchema
from service.http.api.schemas import fields, points
from service.http.api.schemas.fields import RequestSchema, ResponseSchema
from service.http.api.schemas.ledgers import SeatingSchema
from service.http.api.schemas.records import DealAppendResultSchema, TableAppendResultSchema
from service.records.slip_batches import MAX_BATCH_ROWS

MAX_CELL_LENGTH, MAX_NOTE_CELL_LENGTH, MAX_PASTE_LENGTH = 200, 2000, 200_000
CELL_LANGUAGES = ("en", "da")
CELL_DESCRIPTIONS: dict[str, str] = {
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


def language_field() -> String:
    """The language in which cells are read first, and faults are reported."""
    return fields.string(
        "In which language words are read first, and what is wrong is told.",
        choices=CELL_LANGUAGES,
        load_default="en",
    )


def _cell_field(column: str) -> String:
    max_length = MAX_NOTE_CELL_LENGTH if column == "note" else MAX_CELL_LENGTH
    return fields.string(CELL_DESCRIPTIONS[column], load_default="", validate=validate.Length(max=max_length))


SlipRowSchema: Any = type(
    "SlipRowSchema",
    (RequestSchema,),
    {"__doc__": "A row as it is typed.", **{column: _cell_field(column) for column in TYPED_ROW_COLUMNS}},
)


class SlipBatchSchema(RequestSchema):
    """A slip batch as it is typed."""

    lang = language_field()
    paper_shows = fields.string(
        "Whether `paper` has running totals, or the chips of the row's deal.",
        choices=("totals", "chips"),
        load_default="totals",
    )
    rows = fields.list_of(
        SlipRowSchema,
        "In the order in which they were played; a row without a word keeps its place.",
        validate=validate.Length(max=MAX_BATCH_ROWS),
    )


class PasteSchema(RequestSchema):
    """A piece of a spreadsheet."""

    lang = language_field()
    text = fields.string(
        "Lines, with tabs, semicolons or commas between the cells.",
        validate=validate.Length(max=MAX_PASTE_LENGTH),
    )


class CellFaultSchema(ResponseSchema):
    """Why a cell cannot be read."""

    column = fields.string("Which cell of the row.", choices=TYPED_ROW_COLUMNS)
    read = fields.string("What stands there, shortened.")
    expected = fields.string("What should.")
    message = fields.string("Both, in a sentence.")


class SlipRowReadingSchema(ResponseSchema):
    """What a row says, and what it would bring."""

    number = fields.integer("The deal's number.", min_value=1)
    seating = fields.nested(SeatingSchema)
    blank = fields.boolean("Whether it says nothing yet: it keeps its place.")
    missing = fields.list_of(fields.string(), "The cells that are still to be filled in.")
    faults = fields.list_of(CellFaultSchema, "The cells that cannot be read; they spoil no other.")
    events = fields.list_of(
        EventSchema, "The deal as it is to be stored, without an id; empty while the row is not whole."
    )
    score = fields.nested(
        points.ScoreSchema, "What the deal pays, and why; null while the row is not whole.", allow_none=True
    )
    findings = fields.list_of(points.FindingSchema, "What does not fit, in the deal and in the evening.")
    chips = fields.chips_by_player()
    totals = fields.chips_by_player()
    differs = fields.dict_of(
        fields.string(), "By player what the paper says, where that is not what the rules make it."
    )


class SlipBatchReadingSchema(ResponseSchema):
    """A slip batch as it was read."""

    version = fields.integer("The version of the table that it was read on.", min_value=1)
    players = fields.list_of(
        fields.name(), "Everybody who has chips, in the order in which `paper` has them."
    )
    rows = fields.list_of(
        SlipRowReadingSchema, "One for each that was sent; none where nobody is due for a deal."
    )
    names = fields.member_names()


class ParsedPasteSchema(ResponseSchema):
    """A piece of a spreadsheet taken apart."""

    head = fields.list_of(fields.string(), "What its columns are called; empty where they have no head.")
    columns = fields.list_of(
        fields.string(required=False, allow_none=True),
        "What each seems to mean: a cell of a row, or `player:` and whose chips stand there; null: nothing.",
    )
    rows = fields.list_of(fields.list_of(fields.string()), "Its rows, all of the same length.")
    passed_over = fields.list_of(fields.string(), "Rows that add up the others.")


class SlipBatchResultSchema(ResponseSchema):
    """What became of a slip batch."""

    table = fields.nested(TableAppendResultSchema)
    deals = fields.list_of(DealAppendResultSchema)
