"""What is asked and answered of recorded deals and tables."""

from typing import Any

from marshmallow import RAISE, Schema, fields, validate

from engine.core.cards import SEAT_NAMES
from engine.core.vocabulary import MOST, Kind, Mode, Ordinal, Switches
from engine.play.state import PHASES
from schemas.wire.declaration import kind_of
from schemas.wire.events import EventSchema
from service.eventstore import PAGE
from service.http.api.schemas.fields import (
    SEQ,
    Answer,
    IfMatchField,
    Parameter,
    Vocabulary,
    Whole,
    flag,
    link_map,
    list_of,
    nested_in,
    said,
)
from service.http.api.schemas.points import (
    NAME,
    FindingSchema,
    ScoreSchema,
    SeatedSchema,
    branch_or_null,
    names_of_members,
)

ID = Kind("uuid")
VIEWERS = ("all", "public", *SEAT_NAMES)
LEAST_PAGE, USUAL_PAGE = 1, 50

RECORDED_MEANS = (
    "When its first event was recorded: by the clock of the device; where the record was brought here from "
    "another service, and the device said nothing, by the clock of that. Null where neither is known."
)
AT_MEANS = "The state after this entry of the effective history; unless told otherwise the last."
VERSION_MEANS = "The version of the record that was decided on, in quotes, as its `ETag` tells it."


class Asked(Schema):
    """The query parameters of a route; one that it does not know is refused."""

    class Meta:
        unknown = RAISE
        register = False


def viewer_parameter() -> Parameter:
    """As who sees it."""
    return Parameter(
        Kind("choice", choices=VIEWERS),
        "As who may know what: everything (`all`), what lay open on the table (`public`), or what a seat "
        "knew. Unless told otherwise the most that you may see; more than that is refused.",
    )


class PageQuery(Asked):
    """Which page of a list."""

    after = Parameter(ID, "The id of the last item of the page before: the page begins behind it.")
    limit = Parameter(
        Kind("integer", least=LEAST_PAGE, most=PAGE),
        "How many items the page holds at most.",
        default=USUAL_PAGE,
    )


class DealsQuery(PageQuery):
    """Which deals."""

    table = Parameter(ID, "Only the deals of this table.")


class EventsQuery(Asked):
    """Which events of a stream."""

    after = Parameter(Kind("integer", most=MOST), "Events behind this seq.", default=0)
    limit = Parameter(
        Kind("integer", least=LEAST_PAGE, most=PAGE),
        f"How many events at most; unless told otherwise {PAGE} as JSON, and all of them as JSON Lines.",
    )


class SeenEventsQuery(EventsQuery):
    """Which events of a recorded stream, as seen by whom."""

    viewer = viewer_parameter()


class LiveQuery(Asked):
    """What to follow of a deal, as seen by whom."""

    after = Parameter(
        Kind("integer", most=MOST), "Events behind this seq; `Last-Event-ID` goes before it.", default=0
    )
    viewer = viewer_parameter()


class LiveTableQuery(Asked):
    """What to follow of a table and its deals, as seen by whom."""

    after = Parameter(
        Kind("text", least=1, most=60),
        "Events behind this one, named as the stream names it; `Last-Event-ID` goes before it.",
    )
    viewer = Parameter(
        Kind("choice", choices=("all", "public")),
        "As who may know what: everything, or what lay open on the table. Unless told otherwise the most "
        "that you may see, which for a player is his own seat in each deal.",
    )


class TextQuery(Asked):
    """How much of a log's bookkeeping its text has, and as seen by whom."""

    viewer = viewer_parameter()

    bookkeeping = Parameter(
        Kind("choice", choices=("brief", "all")),
        "`brief`: of the bookkeeping only how an entry is known and from which accounts; `all`: also ids,"
        " times and who typed it, so that the very same log can be read from it.",
        default="brief",
    )


class DealTextQuery(TextQuery):
    """How much of a deal's log its text has, as seen by whom, and how the members of the club are called."""

    names = Parameter(
        Kind("choice", choices=("ids", "display")),
        "`ids`: members of the club stand in the text by their ids, as in the record; `display`: by name, as"
        " you may know it, for people to read. A log that is read from it then names none of them.",
        default="ids",
    )


class PointQuery(Asked):
    """Which point of a deal, as seen by whom."""

    at = Parameter(SEQ, AT_MEANS)
    known = Parameter(
        Kind("integer", least=1, most=MOST),
        "How many entries of the log are taken into account, unless told otherwise all: what the record said "
        "then.",
    )
    viewer = viewer_parameter()


class ModeQuery(Asked):
    """How what is sent is taken."""

    mode = Parameter(
        kind_of(Mode),
        "`strict` refuses events that break a rule, judged by what the acting seat may know; `as_played` "
        "takes them as they are. Unless told otherwise as the table was opened.",
    )


class VersionHeader(Schema):
    """The header that says which version was decided on."""

    class Meta:
        register = False

    if_match = IfMatchField(VERSION_MEANS)


class VersionOrAnyHeader(Schema):
    """The same, where for some events it does not matter."""

    class Meta:
        register = False

    if_match = IfMatchField(
        VERSION_MEANS + " Notes, irregularities, rulings and settlements may be sent with `*`."
    )


class DealSchema(Answer):
    """A recorded deal in short."""

    id = Vocabulary(ID)
    table = Vocabulary(ID, "The table it was played at; null for a deal alone.", null=True)
    number = Whole("Its number there; null for a deal alone that states none.", null=True)
    title = said("What the deal is called; null where it has no name, or you may not know it.", null=True)
    source = said("Where it comes from; null where that is not said, or you may not know it.", null=True)
    branch = branch_or_null()
    players = nested_in(SeatedSchema)
    ruleset = Vocabulary(NAME, "Null where its opening is missing.", null=True)
    revision = Whole("Null where the ruleset is not published here.", null=True)
    version = Whole("The number of events in its log.", least=1)
    phase = fields.String(
        required=True, validate=validate.OneOf(PHASES), metadata={"description": "How far the deal is."}
    )
    closed = flag("Whether the record is complete and its hands lie open.")
    trump = said("The trump suit; null where there is none, or none yet.", null=True)
    ok = flag("Whether nothing in it is impossible or against the rules.")
    score = nested_in(ScoreSchema)
    recorded_at = said(RECORDED_MEANS, null=True)
    opened_at = said("When its first event was stored here.")
    changed_at = said("When its last event was stored here.")
    names = names_of_members()
    links = link_map()


class TableSchema(Answer):
    """A table in short."""

    id = Vocabulary(ID)
    title = said("What the table is called; null where it has no name, or you may not know it.", null=True)
    ruleset = Vocabulary(NAME)
    revision = Vocabulary(
        kind_of(Ordinal), "Null where its opening names none: then it is the newest.", null=True
    )
    switches = Vocabulary(kind_of(Switches))
    mode = Vocabulary(kind_of(Mode), "Null where its opening names none: then as played.", null=True)
    players = list_of(Vocabulary(NAME), "Who sits there, in the order of play.")
    version = Whole("The number of events in its log.", least=1)
    deals = Whole("How many deals were started.")
    next_number = Whole("The number that the next deal gets.", least=1)
    closed = flag("Whether the evening is over.")
    recorded_at = said(RECORDED_MEANS, null=True)
    opened_at = said("When its first event was stored here.")
    changed_at = said("When its last event was stored here.")
    names = names_of_members()
    links = link_map()


def damaged_records() -> fields.List[Any]:
    """The records of a page that cannot be told."""
    return list_of(
        fields.UUID(),
        "The ids of those records of this page that are not told, as what is stored of them is damaged.",
    )


def next_page() -> fields.String:
    """The address of the page behind this one."""
    return fields.String(
        metadata={"format": "uri-reference", "description": "Address of the next page; also in `Link`."}
    )


OpeningSchema: Any = type(EventSchema().type_schemas["deal_opened"])


class StartingSchema(OpeningSchema):
    """The fields of `deal_opened` at a table."""

    class Meta(OpeningSchema.Meta):
        description = (
            "The fields of `deal_opened`. Ruleset, revision and switches are the table's, the number is the "
            "next one, where they are left out."
        )


class DealsPageSchema(Answer):
    """A page of recorded deals, the earliest first."""

    deals = list_of(DealSchema)
    damaged = damaged_records()
    next = next_page()


class VariationsPageSchema(Answer):
    """A page of the variations that leave a deal, the earliest first."""

    variations = list_of(DealSchema)
    damaged = damaged_records()
    next = next_page()


class TablesPageSchema(Answer):
    """A page of tables, the earliest first."""

    tables = list_of(TableSchema)
    damaged = damaged_records()
    next = next_page()


class EventsPageSchema(Answer):
    """A page of a log."""

    version = Whole("The number of events in the whole log.")
    events = list_of(EventSchema)
    next = next_page()


class AppendedSchema(Answer):
    """What was stored."""

    version = Whole("The version of the record that the last of the events made.", least=1)
    events = list_of(EventSchema, "The events as they are stored.")
    findings = list_of(FindingSchema, "What is found at them, and what they show of earlier entries.")


class DealAppendedSchema(AppendedSchema):
    """A deal that was recorded."""

    deal = Vocabulary(ID)


class TableAppendedSchema(Answer):
    """What was stored at a table."""

    table = Vocabulary(ID)
    version = Whole("The table's version.", least=1)
    events = list_of(EventSchema, "The events as they are stored.")


class StartedDealSchema(DealAppendedSchema):
    """A deal that was started at a table."""

    table = nested_in(TableAppendedSchema)
