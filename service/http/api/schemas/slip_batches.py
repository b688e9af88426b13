"""The requests and answers about slip batches."""

from typing import Any

from marshmallow import validate
from marshmallow.fields import String

from schemas.answers import fields
from schemas.answers.fields import RequestSchema
from schemas.answers.ledgers import SeatingSchema
from schemas.answers.response_schema import ResponseSchema
from schemas.answers.states import FindingSchema, ScoreSchema
from schemas.spreadsheet.typed_row import TYPED_ROW_COLUMNS
from schemas.wire.event_schemas import EventSchema
from schemas.wire.event_writer import KIND_WRITERS
from service.http.api.schemas.records import DealAppendResultSchema, TableAppendResultSchema
from service.records.slip_batches import MAX_BATCH_ROWS

MAX_CELL_LENGTH, MAX_NOTE_CELL_LENGTH, MAX_PASTE_LENGTH = 200, 2000, 200_000
CELL_LANGUAGES = ("en", "da")
CELL_DESCRIPTIONS: dict[str, str] = {
    "number": "The deal's number; by default the next one.",
    "dealer": "The dealer; by default whose turn it is.",
    "sits_out": "The players who sat out, with commas between; by default from the dealer.",
    "contract": "The contract: a word, an abbreviation or its first letters; trumps may follow.",
    "trump": "The suit.",
    "declarer": "The player who had the bid: a name, its first letters, or a seat.",
    "outcome": "`won`, `bête`, `kruk` …, or tricks: the declarer's, or three numbers, the declarer's first.",
    "extras": "All nine, the first five, estuches, with commas between.",
    "note": "Anything.",
    "paper": "The chips on paper: numbers in the order of `players`, `?` for a missing one.",
}


def language_field() -> String:
    """The language for reading cells and reporting faults."""
    return fields.string(
        "The first language for reading words, and the language of faults.",
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
    """A typed slip batch."""

    lang = language_field()
    paper_shows = fields.string(
        "Whether `paper` has running totals, or the chips of the row's deal.",
        choices=("totals", "chips"),
        load_default="totals",
    )
    rows = fields.list_of(
        SlipRowSchema,
        "In the order of play; an empty row keeps its place.",
        validate=validate.Length(max=MAX_BATCH_ROWS),
    )


class PasteSchema(RequestSchema):
    """Text from a spreadsheet."""

    lang = language_field()
    text = fields.string(
        "Lines, with tabs, semicolons or commas between the cells.",
        validate=validate.Length(max=MAX_PASTE_LENGTH),
    )


class CellFaultSchema(ResponseSchema):
    """Why a cell cannot be read."""

    column = fields.string("The cell of the row.", choices=TYPED_ROW_COLUMNS)
    read = fields.string("Its contents, shortened.")
    expected = fields.string("What should.")
    message = fields.string("Both, in a sentence.")


class SlipRowReadingSchema(ResponseSchema):
    """A row as read, and what it pays."""

    number = fields.integer("The deal's number.", get="typed.number", min_value=1)
    seating = fields.nested(SeatingSchema, get="typed.seating")
    blank = fields.boolean("Whether the row is empty: it keeps its place.", get="typed.is_blank")
    missing = fields.list_of(
        fields.string(), "The cells that are still missing.", get="typed.missing_columns"
    )
    faults = fields.list_of(CellFaultSchema, "The unreadable cells; the others still count.")
    events = fields.list_of(
        EventSchema,
        "The deal as stored, without an id; empty while the row is incomplete.",
        write=KIND_WRITERS["events"],
    )
    score = fields.nested(
        ScoreSchema,
        "What the deal pays, and why; null while the row is incomplete.",
        get=lambda row: row.audit.score if row.events else None,
        allow_none=True,
    )
    findings = fields.list_of(FindingSchema, "Problems in the deal and in the evening.")
    chips = fields.chips_by_player(get=lambda row: row.previewed_deal.line.chips if row.events else ())
    totals = fields.chips_by_player(get="previewed_deal.line.totals")
    differs = fields.dict_of(
        fields.string(), "The paper's chips by player, if they differ from the rules.", get="differences"
    )


class SlipBatchReadingSchema(ResponseSchema):
    """A slip batch as it was read."""

    version = fields.integer("The version of the table for this reading.", min_value=1)
    players = fields.list_of(fields.name(), "Everybody with chips, in the order of `paper`.")
    rows = fields.list_of(SlipRowReadingSchema, "One for each row; none if nobody is due for a deal.")
    names = fields.member_names()


class ParsedPasteSchema(ResponseSchema):
    """A spreadsheet text, split."""

    head = fields.list_of(
        fields.string(), "The headings of its columns; empty without headings.", get="headings"
    )
    columns = fields.list_of(
        fields.string(required=False, allow_none=True),
        "The likely meaning of each column: a cell of a row, or `player:` and the player of these chips; "
        "null: nothing.",
        get="column_meanings",
    )
    rows = fields.list_of(fields.list_of(fields.string()), "Its rows, all of the same length.")
    passed_over = fields.list_of(fields.string(), "Rows with sums.", get="total_rows")


class SlipBatchResultSchema(ResponseSchema):
    """What became of a slip batch."""

    table = fields.nested(TableAppendResultSchema)
    deals = fields.list_of(DealAppendResultSchema)
