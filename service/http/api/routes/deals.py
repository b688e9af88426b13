"""The API's doors to recorded deals: recording, appending, reading the log."""

from functools import cache
from typing import Any

from flask import Response
from flask.typing import ResponseReturnValue

from schemas.answers.states import finding_objects
from schemas.notation import MEDIA_TYPE
from schemas.wire.events import EventSchema
from service.config.urls import PREFIX
from service.http.api.event_pages import events_answer, kept, text_answer
from service.http.api.openapi.contract import (
    Routes,
    also_answers,
    header,
    may_fail,
    other_forms,
    path_parameter,
    takes,
)
from service.http.api.openapi.languages import told_here
from service.http.api.preconditions import expected_version
from service.http.api.request_bodies import BATCH, posted_events
from service.http.api.responses import NEVER_KEPT, answer, as_stored
from service.http.api.routes.live import EVENT_STREAM, live_answer, require_stream, wants_stream
from service.http.api.routes.points import Seen, add_points
from service.http.api.routes.variations import NEXT, variations_of
from service.http.api.schemas.live import STREAM
from service.http.api.schemas.streams import (
    AppendedSchema,
    DealAppendedSchema,
    DealSchema,
    DealsPageSchema,
    DealsQuery,
    DealTextQuery,
    EventsPageSchema,
    LiveQuery,
    ModeQuery,
    PageQuery,
    SeenEventsQuery,
    VariationsPageSchema,
    VersionOrAnyHeader,
)
from service.http.api.summary_page import page_in_short
from service.http.context import commands, queries
from service.http.request_log import note_appended
from service.records.append import Recorded
from service.records.records import DEAL

routes = Routes("deals", __name__, url_prefix=f"{PREFIX}/deals", description="Recorded deals and their logs.")

DEAL_ID = path_parameter("deal", "The deal's id: that of the event that opened it.")
ETAG = header("ETag", "The version of the record.", '"17"')

EVENTS = {"type": "array", "items": EventSchema, "minItems": 1, "maxItems": BATCH}
DEAL_OPENED = {"$ref": "#/components/schemas/DealOpened"}
SLIP = [
    {
        "type": "deal_opened",
        "ruleset": "dlu",
        "players": {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"},
    },
    {
        "type": "result_recorded",
        "declarer": "middlehand",
        "contract": "solo",
        "trump": "H",
        "tricks": {"forehand": 3, "middlehand": 4, "backhand": 2},
    },
]


@routes.route("", methods=["GET"])
@routes.arguments(DealsQuery, location="query")
@routes.response(200, DealsPageSchema, headers=NEXT)
@may_fail(401, 403, 404, 422)
def list_deals(query: dict[str, Any]) -> Response:
    """List recorded deals

    The earliest first, a page at a time.
    """
    page = queries().records(DEAL, query["table"], query["after"], query["limit"])
    return page_in_short("deals", page, query, f"{PREFIX}/deals")


@routes.route("", methods=["POST"])
@routes.arguments(ModeQuery, location="query")
@takes(
    {"oneOf": [DEAL_OPENED, EVENTS]},
    "A `deal_opened`, alone or as the first of a list of events.",
    {"slip": SLIP, "opening": SLIP[0]},
    lines=True,
    text=True,
)
@routes.response(201, DealAppendedSchema, headers=ETAG | header("Location", "The deal.", "/api/v1/deals/…"))
@routes.alt_response(200, schema=DealAppendedSchema, description="It had been recorded before.", success=True)
@may_fail(400, 401, 403, 409, 412, 413, 415, 422)
def record_deal(query: dict[str, Any]) -> ResponseReturnValue:
    """Record a deal

    A deal alone, not at a table: from its opening on, as far as it is known. Its id is that of the opening.
    What stands behind the opening and has no id gets one that follows from the opening's, so that the same
    sent again is recognised. With `branch` it is a variation: it begins in another deal, recorded here or
    of the library, at the point that `branch` names.
    """
    queries().caller.require("open_deals")
    recorded = commands().open_deal(posted_events(notation=True), strict=query["mode"] == "strict")
    deal = recorded.appended.stream
    made = answered({"deal": deal}, recorded)
    made.headers["Location"] = f"{PREFIX}/deals/{deal}"
    return made


@routes.route("/<stream:deal>", methods=["GET"], parameters=DEAL_ID)
@routes.response(200, DealSchema, headers=ETAG)
@may_fail(401, 404)
def show_deal(deal: str) -> Response:
    """Show a deal in short

    Who plays, by which rules, how it stands or ended, and where the rest is.
    """
    info = queries().deal(deal)
    keeping = kept(queries().viewer(info).everything)
    return answer(queries().summary(info), version=info.version, cache=keeping)


@routes.route("/<stream:deal>/events", methods=["GET"], parameters=DEAL_ID)
@routes.arguments(SeenEventsQuery, location="query")
@routes.response(200, EventsPageSchema, headers=NEXT)
@other_forms
@also_answers(200, EVENT_STREAM, STREAM)
@may_fail(400, 401, 403, 404, 422)
def list_events(query: dict[str, Any], deal: str) -> Response:
    """Read a deal's log

    As a page of JSON, or as JSON Lines or in the notation where `Accept` prefers
    `application/jsonl` or `text/vnd.spadille.deal`; live, as server-sent events, where it prefers
    `text/event-stream`.
    """
    info = queries().deal(deal)
    if wants_stream():
        return live_answer(queries().following(info, query["viewer"]), str(query["after"]))
    return events_answer(info, query, f"{PREFIX}/deals/{deal}/events")


@routes.route("/<stream:deal>/events.jsonl", methods=["GET"], parameters=DEAL_ID)
@routes.arguments(SeenEventsQuery, location="query")
@routes.response(200, {"type": "string"}, content_type="application/jsonl", headers=ETAG | NEXT)
@may_fail(401, 403, 404, 422)
def download_events(query: dict[str, Any], deal: str) -> Response:
    """Read a deal's log as JSON Lines

    All of it, an event on each line, as far as you may know it.
    """
    return events_answer(queries().deal(deal), query, None)


@routes.route("/<stream:deal>/live", methods=["GET"], parameters=DEAL_ID)
@routes.arguments(LiveQuery, location="query")
@routes.response(200, STREAM, content_type=EVENT_STREAM)
@may_fail(400, 401, 403, 404, 406, 422, 503)
def follow(query: dict[str, Any], deal: str) -> Response:
    """Follow a deal

    Server-sent events: each event of the log once, from the first or from behind `Last-Event-ID` on, then
    whatever is appended. `id` is the seq, `event` the type, `data` the event. A `reset` holds the entries to
    put in place of those that were sent before: what a viewer may know of them has changed.
    """
    require_stream()
    after = str(query["after"]) if query["after"] else None
    return live_answer(queries().following(queries().deal(deal), query["viewer"]), after)


@routes.route("/<stream:deal>/events.deal", methods=["GET"], parameters=DEAL_ID)
@routes.arguments(DealTextQuery, location="query")
@routes.response(200, {"type": "string"}, content_type=MEDIA_TYPE, headers=ETAG)
@may_fail(401, 403, 404, 422)
def download_text(query: dict[str, Any], deal: str) -> Response:
    """Read a deal's log in the notation

    Text for people, and without loss if all bookkeeping is asked for.
    """
    by_name = query["names"] == "display"
    return text_answer(queries().deal(deal), query["bookkeeping"], query["viewer"], by_name=by_name)


@routes.route("/<stream:deal>/events", methods=["POST"], parameters=DEAL_ID)
@routes.arguments(VersionOrAnyHeader, location="headers")
@routes.arguments(ModeQuery, location="query")
@takes(
    {"oneOf": [EventSchema, EVENTS]},
    "An event, or several that are stored together or not at all.",
    {"card": {"type": "card_played", "seat": "forehand", "card": "SK"}},
    lines=True,
)
@routes.response(201, AppendedSchema, headers=ETAG)
@routes.alt_response(200, schema=AppendedSchema, description="It had been stored before.", success=True)
@may_fail(400, 401, 403, 404, 409, 412, 413, 415, 422, 428)
def append_events(headers: dict[str, Any], query: dict[str, Any], deal: str) -> ResponseReturnValue:
    """Append to a deal's log

    Ids are looked at before the version: a repeat with the same body is answered with what is stored; of a
    batch whose beginning is stored the rest is appended.
    """
    reached = queries()
    info = reached.deal(deal)
    commands().require_hand(info)
    posted = posted_events()
    expected = expected_version(headers["if_match"], posted, lambda: reached.version(info))
    return answered({}, commands().continue_deal(info, expected, posted, mode=query["mode"]))


def answered(first: dict[str, Any], recorded: Recorded) -> Response:
    """The answer to what was sent: what is stored, and what is found at it."""
    note_appended(recorded.appended)
    body = {
        **first,
        "version": recorded.version,
        "events": as_stored(recorded.appended.events),
        "findings": finding_objects(recorded.findings, told_here),
    }
    # It is told to whoever sent it, as he may know it.
    return answer(body, 201 if recorded.is_new else 200, tag=str(recorded.version), cache=NEVER_KEPT)


def log_of_deal(deal: str, viewer: str | None) -> Seen:
    """The log of a recorded deal, as the caller may know it. Raises `UnknownRecord`, `NotAllowed`."""
    reached = queries()
    info = reached.deal(deal)
    course = cache(lambda: reached.course(info, viewer))
    return Seen(
        lambda: course().log,
        info.version,
        reached.viewer(info, viewer),
        f"{PREFIX}/deals/{deal}",
        names=lambda: reached.names_in(course()),
        was_erased=lambda: reached.was_erased(info),
        behind=tuple(reached.beginning_of(info)),
        is_open_to_all=lambda: reached.is_open_to_all(info),
    )


@routes.route("/<stream:deal>/variations", methods=["GET"], parameters=DEAL_ID)
@routes.arguments(PageQuery, location="query")
@routes.response(200, VariationsPageSchema, headers=NEXT)
@may_fail(401, 403, 404, 422)
def list_variations(query: dict[str, Any], deal: str) -> Response:
    """List a deal's variations

    Those deals that begin in it and that you may read, the earliest first. A variation of one of them
    stands in its own list.
    """
    info = queries().deal(deal)
    return variations_of(info.stream, query, f"{PREFIX}/deals/{deal}/variations")


add_points(routes, "/<stream:deal>", DEAL_ID, log_of_deal)
