"""The queries and answers about recorded deals and tables, and about files of them."""

from typing import Final

from engine.core.cards import SEAT_NAMES
from engine.core.field_types import Basis, FieldKind, Mode, Switches
from engine.play.state import PHASES
from schemas.answers import fields
from schemas.answers.deal_reports import nullable_branch_field
from schemas.answers.fields import QueryParameter, QuerySchema
from schemas.answers.response_schema import ResponseSchema
from schemas.answers.states import FindingSchema, ScoreSchema, SeatedPlayersSchema
from schemas.i18n.catalogs import MESSAGE_LANGUAGES
from schemas.wire.event_schemas import DeclaredObjectSchema, EventSchema, event_schema
from schemas.wire.field_specs import field_kind
from service.eventstore import PAGE_SIZE
from service.http.api.schemas.points import UnreadableLineSchema
from service.records.record_streams import DEAL_KIND, TABLE_KIND

VIEWER_CHOICES = ("all", "public", *SEAT_NAMES)
MIN_PAGE_SIZE, DEFAULT_PAGE_SIZE = 1, 50

RECORDED_AT_DESCRIPTION = (
    "When its first event was recorded, by the clock of the device, or else of the service from which the "
    "record was imported. Null if both are unknown."
)
AT_DESCRIPTION = "The state after this entry of the effective history; by default the last."


def viewer_parameter() -> QueryParameter:
    """The viewer whose knowledge the answer is limited to."""
    return fields.query_choice(
        VIEWER_CHOICES,
        "The viewer: `all`, `public` for what lay open on the table, or a seat. By default the most that "
        "you may see; more is refused.",
    )


class PageQuery(QuerySchema):
    """A page of a list."""

    after = fields.query_uuid("The id of the last item of the page before.")
    limit = fields.query_integer(
        "The most items on the page.",
        min_value=MIN_PAGE_SIZE,
        max_value=PAGE_SIZE,
        default=DEFAULT_PAGE_SIZE,
    )


class DealsQuery(PageQuery):
    """The records to list."""

    table = fields.query_uuid("Only the deals of this table.")


class EventsQuery(QuerySchema):
    """The events of a stream."""

    after = fields.query_integer("Events after this seq.", default=0)
    limit = fields.query_integer(
        f"The most events; by default {PAGE_SIZE} as JSON, and all as JSON Lines.",
        min_value=MIN_PAGE_SIZE,
        max_value=PAGE_SIZE,
    )


class ViewedEventsQuery(EventsQuery):
    """The events of a recorded stream, and the viewer."""

    viewer = viewer_parameter()


class LiveQuery(QuerySchema):
    """Where to follow a deal from, and the viewer."""

    after = fields.query_integer("Events after this seq; `Last-Event-ID` overrides it.", default=0)
    viewer = viewer_parameter()


class LiveTableQuery(QuerySchema):
    """Where to follow a table and its deals from, and the viewer."""

    after = fields.query_text(
        "Events after this one, by its id in the stream; `Last-Event-ID` overrides it.", 60
    )
    viewer = fields.query_choice(
        ("all", "public"),
        "The viewer: `all`, or `public` for what lay open on the table. By default the most that you may "
        "see; for a player, the player's own seat in each deal.",
    )


class LogTextQuery(QuerySchema):
    """The bookkeeping in a log's text, and the viewer."""

    viewer = viewer_parameter()

    bookkeeping = fields.query_choice(
        ("brief", "all"),
        "`brief`: only how an entry is known and from which accounts; `all`: also ids, times and authors, "
        "so that the text can be read back as the same log.",
        default="brief",
    )


class DealTextQuery(LogTextQuery):
    """The bookkeeping in a deal's text, the viewer, and the names of members."""

    names = fields.query_choice(
        ("ids", "display"),
        "`ids`: members by their ids, as in the record; `display`: by name, as you may know it. A log "
        "read from such a text has no member ids.",
        default="ids",
    )


class PointQuery(QuerySchema):
    """A point of a deal, and the viewer."""

    at = fields.query_seq(AT_DESCRIPTION)
    known = fields.query_integer(
        "The number of entries that count, by default all: what the record said then.",
        min_value=1,
    )
    viewer = viewer_parameter()


class ModeQuery(QuerySchema):
    """How the service accepts events."""

    mode = fields.QueryParameter(
        field_kind(Mode),
        "`strict` refuses events that break a rule, as far as the acting seat may know; `as_played` "
        "accepts them. The default is the table's mode.",
    )


class DealSchema(ResponseSchema):
    """A recorded deal in short."""

    id = fields.uuid()
    table = fields.uuid("Its table; null for a single deal.", allow_none=True)
    number = fields.integer("Its number there; null for a single deal without one.", allow_none=True)
    title = fields.string("The title; null without one, or if you may not know it.", allow_none=True)
    date = fields.stated_date()
    source = fields.string("The source; null without one, or if you may not know it.", allow_none=True)
    basis = fields.word(
        field_kind(Basis), "How it is known, as its opening says; null if not stated.", allow_none=True
    )
    branch = nullable_branch_field()
    players = fields.nested(SeatedPlayersSchema)
    ruleset = fields.name("Null if its opening is missing.", allow_none=True)
    revision = fields.integer("Null if the ruleset is not published here.", allow_none=True)
    version = fields.integer("The number of events in its log.", min_value=1)
    phase = fields.string("The phase of the deal.", choices=PHASES)
    closed = fields.boolean("Whether the record is complete and its hands lie open.")
    trump = fields.string("The trump suit; null if there is none yet.", allow_none=True)
    ok = fields.boolean("Whether it has no impossible entry and no error.")
    score = fields.nested(ScoreSchema)
    recorded_at = fields.string(RECORDED_AT_DESCRIPTION, allow_none=True)
    opened_at = fields.string("When its first event was stored here.")
    changed_at = fields.string("When its last event was stored here.")
    names = fields.member_names()
    links = fields.links()


class TableSchema(ResponseSchema):
    """A table in short."""

    id = fields.uuid()
    title = fields.string("The title; null without one, or if you may not know it.", allow_none=True)
    date = fields.stated_date()
    ruleset = fields.name()
    revision = fields.ordinal("Null if its opening names none: then the newest applies.", allow_none=True)
    switches = fields.word(field_kind(Switches))
    mode = fields.word(field_kind(Mode), "Null if its opening names none: then as played.", allow_none=True)
    players = fields.list_of(fields.name(), "The players at the table, in the order of play.")
    version = fields.integer("The number of events in its log.", min_value=1)
    deals = fields.integer("The number of deals started.")
    next_number = fields.integer("The number of the next deal.", min_value=1)
    closed = fields.boolean("Whether the evening is over.")
    voided = fields.set_aside()
    made_up = fields.boolean("Whether it is the evening to try Spadille with: it counts in no season.")
    recorded_at = fields.string(RECORDED_AT_DESCRIPTION, allow_none=True)
    opened_at = fields.string("When its first event was stored here.")
    changed_at = fields.string("When its last event was stored here.")
    names = fields.member_names()
    links = fields.links()


class DealStartSchema(DeclaredObjectSchema):
    """The fields of `deal_opened`. If left out, the ruleset, revision and switches are the table's, and the
    number is the next one.
    """

    specs = event_schema("deal_opened", has_metadata=True).specs


DEAL_START_SCHEMA: Final = DealStartSchema(partial=("type", "ruleset", "players"))


class DealsPageSchema(ResponseSchema):
    """A page of recorded deals, the earliest first."""

    deals = fields.list_of(DealSchema)
    damaged = fields.damaged_records()
    next = fields.next_page()


class VariationsPageSchema(ResponseSchema):
    """A page of the variations of a deal, the earliest first."""

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
    """The stored events."""

    version = fields.integer("The version of the record after the last event.", min_value=1)
    events = fields.list_of(EventSchema, "The events as they are stored.")
    findings = fields.list_of(
        FindingSchema, "Findings at these events, and what they reveal of earlier entries."
    )


class DealAppendResultSchema(AppendResultSchema):
    """A deal that was recorded."""

    deal = fields.uuid()


class TableAppendResultSchema(ResponseSchema):
    """The stored events of a table."""

    table = fields.uuid()
    version = fields.integer("The table's version.", min_value=1)
    events = fields.list_of(EventSchema, "The events as they are stored.")


class DealStartResultSchema(DealAppendResultSchema):
    """A deal that was started at a table."""

    table = fields.nested(TableAppendResultSchema)


class SlipSheetQuery(QuerySchema):
    """The form of a sheet."""

    lang = fields.query_choice(("da", "en"), "The language of its columns and words.", default="da")


class SpreadsheetQuery(QuerySchema):
    """The reader of the rows."""

    lang = fields.query_choice(
        MESSAGE_LANGUAGES,
        "For a spreadsheet in this language: headings and words, a file name and a byte-order mark; in "
        "Danish with semicolons and decimal commas. By default for programs: commas, codes, no mark.",
    )


class ImportedRecordSchema(ResponseSchema):
    """The import of one log."""

    kind = fields.word(FieldKind("choice", choices=(DEAL_KIND, TABLE_KIND)), "The new record.")
    id = fields.uuid()
    log = fields.integer("The number of the log in the file, from 1.", min_value=1)
    version = fields.integer("The record's version; 0 if it was not imported.")
    new = fields.integer("The number of new entries.")
    detail = fields.string("Why it was not imported; null if it was.", allow_none=True)
    links = fields.links()


class ImportedRulesetSchema(ResponseSchema):
    """The import of one ruleset."""

    id = fields.string("Its id.")
    revision = fields.integer("Its revision.", min_value=1)
    new = fields.boolean("Whether it is new.")
    detail = fields.string("Why it was not published; null if it was.", allow_none=True)


class ImportResultSchema(ResponseSchema):
    """The import of a file, and its unreadable parts."""

    rulesets = fields.list_of(ImportedRulesetSchema)
    records = fields.list_of(ImportedRecordSchema)
    problems = fields.list_of(UnreadableLineSchema)
    unlisted = fields.integer("The number of further problems.")
