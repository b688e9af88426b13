"""What is asked and answered of recorded deals and tables."""

from typing import Any

from marshmallow import RAISE, Schema, fields, validate

from engine.core.cards import SEAT_NAMES
from engine.core.field_types import MAX_INTEGER, FieldKind, Mode, Ordinal, Switches
from engine.play.state import PHASES
from schemas.wire.event_schemas import ENTRY_SCHEMAS, DeclaredObjectSchema, EventSchema
from schemas.wire.field_specs import field_kind
from service.eventstore import PAGE_SIZE
from service.http.api.schemas.fields import (
    SEQ_KIND,
    IfMatchField,
    IntegerField,
    QueryParameter,
    ResponseSchema,
    VocabularyField,
    boolean_field,
    links_field,
    list_field,
    nested_field,
    string_field,
)
from service.http.api.schemas.points import (
    NAME_KIND,
    FindingSchema,
    ScoreSchema,
    SeatedPlayersSchema,
    member_names_field,
    nullable_branch_field,
)

UUID_KIND = FieldKind("uuid")
VIEWER_CHOICES = ("all", "public", *SEAT_NAMES)
MIN_PAGE_SIZE, DEFAULT_PAGE_SIZE = 1, 50

RECORDED_AT_DESCRIPTION = (
    "When its first event was recorded: by the clock of the device; where the record was brought here from "
    "another service, and the device said nothing, by the clock of that. Null where neither is known."
)
AT_DESCRIPTION = "The state after this entry of the effective history; unless told otherwise the last."
VERSION_DESCRIPTION = "The version of the record that was decided on, in quotes, as its `ETag` tells it."


class QuerySchema(Schema):
    """The query parameters of a route; one that it does not know is refused."""

    class Meta:
        unknown = RAISE
        register = False


def viewer_parameter() -> QueryParameter:
    """As who sees it."""
    return QueryParameter(
        FieldKind("choice", choices=VIEWER_CHOICES),
        "As who may know what: everything (`all`), what lay open on the table (`public`), or what a seat "
        "knew. Unless told otherwise the most that you may see; more than that is refused.",
    )


class PageQuery(QuerySchema):
    """Which page of a list."""

    after = QueryParameter(
        UUID_KIND, "The id of the last item of the page before: the page begins behind it."
    )
    limit = QueryParameter(
        FieldKind("integer", minimum=MIN_PAGE_SIZE, maximum=PAGE_SIZE),
        "How many items the page holds at most.",
        default=DEFAULT_PAGE_SIZE,
    )


class DealsQuery(PageQuery):
    """Which deals."""

    table = QueryParameter(UUID_KIND, "Only the deals of this table.")


class EventsQuery(QuerySchema):
    """Which events of a stream."""

    after = QueryParameter(FieldKind("integer", maximum=MAX_INTEGER), "Events behind this seq.", default=0)
    limit = QueryParameter(
        FieldKind("integer", minimum=MIN_PAGE_SIZE, maximum=PAGE_SIZE),
        f"How many events at most; unless told otherwise {PAGE_SIZE} as JSON, and all of them as JSON Lines.",
    )


class ViewedEventsQuery(EventsQuery):
    """Which events of a recorded stream, as seen by whom."""

    viewer = viewer_parameter()


class LiveQuery(QuerySchema):
    """What to follow of a deal, as seen by whom."""

    after = QueryParameter(
        FieldKind("integer", maximum=MAX_INTEGER),
        "Events behind this seq; `Last-Event-ID` goes before it.",
        default=0,
    )
    viewer = viewer_parameter()


class LiveTableQuery(QuerySchema):
    """What to follow of a table and its deals, as seen by whom."""

    after = QueryParameter(
        FieldKind("text", minimum=1, maximum=60),
        "Events behind this one, named as the stream names it; `Last-Event-ID` goes before it.",
    )
    viewer = QueryParameter(
        FieldKind("choice", choices=("all", "public")),
        "As who may know what: everything, or what lay open on the table. Unless told otherwise the most "
        "that you may see, which for a player is his own seat in each deal.",
    )


class LogTextQuery(QuerySchema):
    """How much of a log's bookkeeping its text has, and as seen by whom."""

    viewer = viewer_parameter()

    bookkeeping = QueryParameter(
        FieldKind("choice", choices=("brief", "all")),
        "`brief`: of the bookkeeping only how an entry is known and from which accounts; `all`: also ids,"
        " times and who typed it, so that the very same log can be read from it.",
        default="brief",
    )


class DealTextQuery(LogTextQuery):
    """How much of a deal's log its text has, as seen by whom, and how the members of the club are called."""

    names = QueryParameter(
        FieldKind("choice", choices=("ids", "display")),
        "`ids`: members of the club stand in the text by their ids, as in the record; `display`: by name, as"
        " you may know it, for people to read. A log that is read from it then names none of them.",
        default="ids",
    )


class PointQuery(QuerySchema):
    """Which point of a deal, as seen by whom."""

    at = QueryParameter(SEQ_KIND, AT_DESCRIPTION)
    known = QueryParameter(
        FieldKind("integer", minimum=1, maximum=MAX_INTEGER),
        "How many entries of the log are taken into account, unless told otherwise all: what the record said "
        "then.",
    )
    viewer = viewer_parameter()


class ModeQuery(QuerySchema):
    """How what is sent is taken."""

    mode = QueryParameter(
        field_kind(Mode),
        "`strict` refuses events that break a rule, judged by what the acting seat may know; `as_played` "
        "takes them as they are. Unless told otherwise as the table was opened.",
    )


class VersionHeader(Schema):
    """The header that says which version was decided on."""

    class Meta:
        register = False

    if_match = IfMatchField(VERSION_DESCRIPTION)


class VersionOrAnyHeader(Schema):
    """The same, where for some events it does not matter."""

    class Meta:
        register = False

    if_match = IfMatchField(
        VERSION_DESCRIPTION + " Notes, irregularities, rulings and settlements may be sent with `*`."
    )


class DealSchema(ResponseSchema):
    """A recorded deal in short."""

    id = VocabularyField(UUID_KIND)
    table = VocabularyField(UUID_KIND, "The table it was played at; null for a deal alone.", allow_none=True)
    number = IntegerField("Its number there; null for a deal alone that states none.", allow_none=True)
    title = string_field(
        "What the deal is called; null where it has no name, or you may not know it.", allow_none=True
    )
    source = string_field(
        "Where it comes from; null where that is not said, or you may not know it.", allow_none=True
    )
    branch = nullable_branch_field()
    players = nested_field(SeatedPlayersSchema)
    ruleset = VocabularyField(NAME_KIND, "Null where its opening is missing.", allow_none=True)
    revision = IntegerField("Null where the ruleset is not published here.", allow_none=True)
    version = IntegerField("The number of events in its log.", min_value=1)
    phase = fields.String(
        required=True, validate=validate.OneOf(PHASES), metadata={"description": "How far the deal is."}
    )
    closed = boolean_field("Whether the record is complete and its hands lie open.")
    trump = string_field("The trump suit; null where there is none, or none yet.", allow_none=True)
    ok = boolean_field("Whether nothing in it is impossible or against the rules.")
    score = nested_field(ScoreSchema)
    recorded_at = string_field(RECORDED_AT_DESCRIPTION, allow_none=True)
    opened_at = string_field("When its first event was stored here.")
    changed_at = string_field("When its last event was stored here.")
    names = member_names_field()
    links = links_field()


class TableSchema(ResponseSchema):
    """A table in short."""

    id = VocabularyField(UUID_KIND)
    title = string_field(
        "What the table is called; null where it has no name, or you may not know it.", allow_none=True
    )
    ruleset = VocabularyField(NAME_KIND)
    revision = VocabularyField(
        field_kind(Ordinal), "Null where its opening names none: then it is the newest.", allow_none=True
    )
    switches = VocabularyField(field_kind(Switches))
    mode = VocabularyField(
        field_kind(Mode), "Null where its opening names none: then as played.", allow_none=True
    )
    players = list_field(VocabularyField(NAME_KIND), "Who sits there, in the order of play.")
    version = IntegerField("The number of events in its log.", min_value=1)
    deals = IntegerField("How many deals were started.")
    next_number = IntegerField("The number that the next deal gets.", min_value=1)
    closed = boolean_field("Whether the evening is over.")
    recorded_at = string_field(RECORDED_AT_DESCRIPTION, allow_none=True)
    opened_at = string_field("When its first event was stored here.")
    changed_at = string_field("When its last event was stored here.")
    names = member_names_field()
    links = links_field()


def damaged_records_field() -> fields.List[Any]:
    """The records of a page that cannot be told."""
    return list_field(
        fields.UUID(),
        "The ids of those records of this page that are not told, as what is stored of them is damaged.",
    )


def next_page_field() -> fields.String:
    """The address of the page behind this one."""
    return fields.String(
        metadata={"format": "uri-reference", "description": "Address of the next page; also in `Link`."}
    )


class DealStartSchema(DeclaredObjectSchema):
    """The fields of `deal_opened`. Ruleset, revision and switches are the table's, the number is the next
    one, where they are left out."""

    specs = ENTRY_SCHEMAS["deal_opened"].specs


class DealsPageSchema(ResponseSchema):
    """A page of recorded deals, the earliest first."""

    deals = list_field(DealSchema)
    damaged = damaged_records_field()
    next = next_page_field()


class VariationsPageSchema(ResponseSchema):
    """A page of the variations that leave a deal, the earliest first."""

    variations = list_field(DealSchema)
    damaged = damaged_records_field()
    next = next_page_field()


class TablesPageSchema(ResponseSchema):
    """A page of tables, the earliest first."""

    tables = list_field(TableSchema)
    damaged = damaged_records_field()
    next = next_page_field()


class EventsPageSchema(ResponseSchema):
    """A page of a log."""

    version = IntegerField("The number of events in the whole log.")
    events = list_field(EventSchema)
    next = next_page_field()


class AppendResultSchema(ResponseSchema):
    """What was stored."""

    version = IntegerField("The version of the record that the last of the events made.", min_value=1)
    events = list_field(EventSchema, "The events as they are stored.")
    findings = list_field(FindingSchema, "What is found at them, and what they show of earlier entries.")


class DealAppendResultSchema(AppendResultSchema):
    """A deal that was recorded."""

    deal = VocabularyField(UUID_KIND)


class TableAppendResultSchema(ResponseSchema):
    """What was stored at a table."""

    table = VocabularyField(UUID_KIND)
    version = IntegerField("The table's version.", min_value=1)
    events = list_field(EventSchema, "The events as they are stored.")


class DealStartResultSchema(DealAppendResultSchema):
    """A deal that was started at a table."""

    table = nested_field(TableAppendResultSchema)
