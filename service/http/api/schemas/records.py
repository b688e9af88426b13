"""The queries and answers about recorded deals and tables, and about files of them."""

from typing import Final

from engine.core.cards import SEAT_NAMES
from engine.core.field_types import Basis, FieldKind, Mode, Switches
from engine.play.state import PHASES
from schemas.i18n.catalogs import MESSAGE_LANGUAGES
from schemas.wire.event_schemas import ENTRY_SCHEMAS, DeclaredObjectSchema, EventSchema
from schemas.wire.field_specs import field_kind
from service.eventstore import PAGE_SIZE
from service.http.api.schemas import fields, points
from service.http.api.schemas.fields import QueryParameter, QuerySchema, ResponseSchema
from service.http.api.schemas.points import UnreadableLineSchema

VIEWER_CHOICES = ("all", "public", *SEAT_NAMES)
MIN_PAGE_SIZE, DEFAULT_PAGE_SIZE = 1, 50

RECORDED_AT_DESCRIPTION = (
    "When its first event was recorded: by the clock of the device; where the record was brought here from "
    "another service, and the device said nothing, by the clock of that. Null where neither is known."
)
AT_DESCRIPTION = "The state after this entry of the effective history; unless told otherwise the last."


def viewer_parameter() -> QueryParameter:
    """The viewer whose knowledge the answer is limited to."""
    return fields.query_choice(
        VIEWER_CHOICES,
        "As who may know what: everything (`all`), what lay open on the table (`public`), or what a seat "
        "knew. Unless told otherwise the most that you may see; more than that is refused.",
    )


class PageQuery(QuerySchema):
    """Which page of a list."""

    after = fields.query_uuid("The id of the last item of the page before: the page begins behind it.")
    limit = fields.query_integer(
        "How many items the page holds at most.",
        min_value=MIN_PAGE_SIZE,
        max_value=PAGE_SIZE,
        default=DEFAULT_PAGE_SIZE,
    )


class DealsQuery(PageQuery):
    """Which deals."""

    table = fields.query_uuid("Only the deals of this table.")


class EventsQuery(QuerySchema):
    """Which events of a stream."""

    after = fields.query_integer("Events behind this seq.", default=0)
    limit = fields.query_integer(
        f"How many events at most; unless told otherwise {PAGE_SIZE} as JSON, and all of them as JSON Lines.",
        min_value=MIN_PAGE_SIZE,
        max_value=PAGE_SIZE,
    )


class ViewedEventsQuery(EventsQuery):
    """Which events of a recorded stream, as seen by whom."""

    viewer = viewer_parameter()


class LiveQuery(QuerySchema):
    """What to follow of a deal, as seen by whom."""

    after = fields.query_integer("Events behind this seq; `Last-Event-ID` goes before it.", default=0)
    viewer = viewer_parameter()


class LiveTableQuery(QuerySchema):
    """What to follow of a table and its deals, as seen by whom."""

    after = fields.query_text(
        "Events behind this one, named as the stream names it; `Last-Event-ID` goes before it.", 60
    )
    viewer = fields.query_choice(
        ("all", "public"),
        "As who may know what: everything, or what lay open on the table. Unless told otherwise the most "
        "that you may see, which for a player is his own seat in each deal.",
    )


class LogTextQuery(QuerySchema):
    """How much of a log's bookkeeping its text has, and as seen by whom."""

    viewer = viewer_parameter()

    bookkeeping = fields.query_choice(
        ("brief", "all"),
        "`brief`: of the bookkeeping only how an entry is known and from which accounts; `all`: also ids,"
        " times and who typed it, so that the very same log can be read from it.",
        default="brief",
    )


class DealTextQuery(LogTextQuery):
    """How much of a deal's log its text has, as seen by whom, and how the members of the club are called."""

    names = fields.query_choice(
        ("ids", "display"),
        "`ids`: members of the club stand in the text by their ids, as in the record; `display`: by name, as"
        " you may know it, for people to read. A log that is read from it then names none of them.",
        default="ids",
    )


class PointQuery(QuerySchema):
    """Which point of a deal, as seen by whom."""

    at = fields.query_seq(AT_DESCRIPTION)
    known = fields.query_integer(
        "How many entries of the log are taken into account, unless told otherwise all: what the record said "
        "then.",
        min_value=1,
    )
    viewer = viewer_parameter()


class ModeQuery(QuerySchema):
    """How what is sent is taken."""

    mode = fields.QueryParameter(
        field_kind(Mode),
        "`strict` refuses events that break a rule, judged by what the acting seat may know; `as_played` "
        "takes them as they are. Unless told otherwise as the table was opened.",
    )


class DealSchema(ResponseSchema):
    """A recorded deal in short."""

    id = fields.uuid()
    table = fields.uuid("The table it was played at; null for a deal alone.", allow_none=True)
    number = fields.integer("Its number there; null for a deal alone that states none.", allow_none=True)
    title = fields.string(
        "What the deal is called; null where it has no name, or you may not know it.", allow_none=True
    )
    date = fields.stated_date()
    source = fields.string(
        "Where it comes from; null where that is not said, or you may not know it.", allow_none=True
    )
    basis = fields.word(
        field_kind(Basis),
        "How it is known, as its opening says; null where that is not stated.",
        allow_none=True,
    )
    branch = points.nullable_branch_field()
    players = fields.nested(points.SeatedPlayersSchema)
    ruleset = fields.name("Null where its opening is missing.", allow_none=True)
    revision = fields.integer("Null where the ruleset is not published here.", allow_none=True)
    version = fields.integer("The number of events in its log.", min_value=1)
    phase = fields.string("How far the deal is.", choices=PHASES)
    closed = fields.boolean("Whether the record is complete and its hands lie open.")
    trump = fields.string("The trump suit; null where there is none, or none yet.", allow_none=True)
    ok = fields.boolean("Whether nothing in it is impossible or against the rules.")
    score = fields.nested(points.ScoreSchema)
    recorded_at = fields.string(RECORDED_AT_DESCRIPTION, allow_none=True)
    opened_at = fields.string("When its first event was stored here.")
    changed_at = fields.string("When its last event was stored here.")
    names = fields.member_names()
    links = fields.links()


class TableSchema(ResponseSchema):
    """A table in short."""

    id = fields.uuid()
    title = fields.string(
        "What the table is called; null where it has no name, or you may not know it.", allow_none=True
    )
    date = fields.stated_date()
    ruleset = fields.name()
    revision = fields.ordinal("Null where its opening names none: then it is the newest.", allow_none=True)
    switches = fields.word(field_kind(Switches))
    mode = fields.word(
        field_kind(Mode), "Null where its opening names none: then as played.", allow_none=True
    )
    players = fields.list_of(fields.name(), "Who sits there, in the order of play.")
    version = fields.integer("The number of events in its log.", min_value=1)
    deals = fields.integer("How many deals were started.")
    next_number = fields.integer("The number that the next deal gets.", min_value=1)
    closed = fields.boolean("Whether the evening is over.")
    voided = fields.set_aside()
    recorded_at = fields.string(RECORDED_AT_DESCRIPTION, allow_none=True)
    opened_at = fields.string("When its first event was stored here.")
    changed_at = fields.string("When its last event was stored here.")
    names = fields.member_names()
    links = fields.links()


class DealStartSchema(DeclaredObjectSchema):
    """The fields of `deal_opened`. Ruleset, revision and switches are the table's, the number is the next
    one, where they are left out."""

    specs = ENTRY_SCHEMAS["deal_opened"].specs


DEAL_START_SCHEMA: Final = DealStartSchema(partial=("type", "ruleset", "players"))


class DealsPageSchema(ResponseSchema):
    """A page of recorded deals, the earliest first."""

    deals = fields.list_of(DealSchema)
    damaged = fields.damaged_records()
    next = fields.next_page()


class VariationsPageSchema(ResponseSchema):
    """A page of the variations that leave a deal, the earliest first."""

    variations = fields.list_of(DealSchema)
    damaged = fields.damaged_records()
    next = fields.next_page()


class TablesPageSchema(ResponseSchema):
    """A page of tables, the earliest first."""

    tables = fields.list_of(TableSchema)
    damaged = fields.damaged_records()
    next = fields.next_page()


class EventsPageSchema(ResponseSchema):
    """A page of a log."""

    version = fields.integer("The number of events in the whole log.")
    events = fields.list_of(EventSchema)
    next = fields.next_page()


class AppendResultSchema(ResponseSchema):
    """What was stored."""

    version = fields.integer("The version of the record that the last of the events made.", min_value=1)
    events = fields.list_of(EventSchema, "The events as they are stored.")
    findings = fields.list_of(
        points.FindingSchema, "What is found at them, and what they show of earlier entries."
    )


class DealAppendResultSchema(AppendResultSchema):
    """A deal that was recorded."""

    deal = fields.uuid()


class TableAppendResultSchema(ResponseSchema):
    """What was stored at a table."""

    table = fields.uuid()
    version = fields.integer("The table's version.", min_value=1)
    events = fields.list_of(EventSchema, "The events as they are stored.")


class DealStartResultSchema(DealAppendResultSchema):
    """A deal that was started at a table."""

    table = fields.nested(TableAppendResultSchema)


class SlipSheetQuery(QuerySchema):
    """How a sheet is written."""

    lang = fields.query_choice(("da", "en"), "The language of its columns and words.", default="da")


class SpreadsheetQuery(QuerySchema):
    """For whom rows are written."""

    lang = fields.query_choice(
        MESSAGE_LANGUAGES,
        "For a person's spreadsheet in this language: heads and words, a file name, a mark that says UTF-8; "
        "Danish with semicolons between the cells and decimal commas. Unless told as programs read it: "
        "commas, codes, no mark.",
    )


class ImportedRecordSchema(ResponseSchema):
    """What became of one log."""

    kind = fields.word(FieldKind("choice", choices=("deal", "table")), "What was recorded.")
    id = fields.uuid()
    log = fields.integer("Which log of the file it was, from 1.", min_value=1)
    version = fields.integer("The record's version now; 0 where it was not imported.")
    new = fields.integer("So many of its entries had not been stored before.")
    detail = fields.string("Why it was not imported; null where it was.", allow_none=True)
    links = fields.links()


class ImportedRulesetSchema(ResponseSchema):
    """What became of one ruleset."""

    id = fields.string("Its id.")
    revision = fields.integer("Its revision.", min_value=1)
    new = fields.boolean("Whether it had not been published before.")
    detail = fields.string("Why it was not published; null where it was.", allow_none=True)


class ImportResultSchema(ResponseSchema):
    """What became of a file's logs, and what of it could not be read."""

    rulesets = fields.list_of(ImportedRulesetSchema)
    records = fields.list_of(ImportedRecordSchema)
    problems = fields.list_of(UnreadableLineSchema)
    unlisted = fields.integer("Problems beyond those told in full.")
