"""Routes for recorded deals: recording, appending, reading the log."""

from functools import cache
from typing import Any

from flask import Response
from flask.typing import ResponseReturnValue

from engine import Finding
from schemas.answers.states import finding_objects
from schemas.wire.event_schemas import EventSchema
from service.config.urls import API_PREFIX
from service.eventstore import AppendResult
from service.http.api.blueprint import (
    DECIDED_VERSION_OR_ANY,
    ETAG_HEADER,
    ApiBlueprint,
    response_header,
)
from service.http.api.cache_policies import LIST_POLICY, POINT_POLICY, RECORD_POLICY
from service.http.api.etags import IfMatch
from service.http.api.openapi.languages import response_language
from service.http.api.operation_permissions import (
    ANYONE_FILTERED,
    CLUB_RECORDERS,
    NOTE_WRITERS,
    RECORD_VIEWERS,
)
from service.http.api.record_responses import (
    NEXT_LINK_HEADER,
    event_stream_response,
    record_cache_control,
    require_event_stream_accepted,
    summary_page_response,
    variations_response,
)
from service.http.api.request_bodies import MAX_BATCH_EVENTS, read_submitted_events, resolve_expected_version
from service.http.api.responses import json_response, stored_bodies_as_json
from service.http.api.routes.log_resources import add_log_routes
from service.http.api.routes.point_resources import LogView, add_point_routes
from service.http.api.schemas import records
from service.http.api.schemas.live import EVENT_STREAM_SCHEMA, EVENT_STREAM_TYPE
from service.http.request_log import log_appended_events
from service.http.service_context import commands, queries
from service.records.append import DealAppendResult
from service.records.record_streams import DEAL_KIND

routes = ApiBlueprint("deals", "/deals", "Recorded deals and their logs.")

EVENTS_SCHEMA = {"type": "array", "items": EventSchema, "minItems": 1, "maxItems": MAX_BATCH_EVENTS}
DEAL_OPENED_SCHEMA = {"$ref": "#/components/schemas/DealOpened"}


@routes.get("", ANYONE_FILTERED, LIST_POLICY, query=records.DealsQuery, may_fail=(403, 404))
@routes.response(200, records.DealsPageSchema, headers=NEXT_LINK_HEADER)
def list_deals(query: dict[str, Any]) -> Response:
    """List recorded deals

    The earliest first, a page at a time.
    """
    page = queries().list_records(DEAL_KIND, query["table"], query["after"], query["limit"])
    return summary_page_response("deals", page, query)


@routes.post("", CLUB_RECORDERS, query=records.ModeQuery, may_fail=(409, 412))
@routes.accepts_body(
    {"oneOf": [DEAL_OPENED_SCHEMA, EVENTS_SCHEMA]},
    "A `deal_opened`, alone or as the first of a list of events.",
    jsonl=True,
    notation=True,
)
@routes.creates(
    records.DealAppendResultSchema,
    "It was already recorded.",
    headers=ETAG_HEADER | response_header("Location", "The deal.", "/api/v1/deals/…"),
)
def record_deal(query: dict[str, Any]) -> ResponseReturnValue:
    """Record a deal

    A deal alone, not at a table, from its opening on. Its id is that of the opening. Later entries without an
    id get one that follows from the opening's, so a repeated request is recognised. With `branch` it is a
    variation: it begins in another deal, recorded here or in the library, at the point that `branch` names.
    """
    result = commands().open_deal(
        read_submitted_events(allow_notation=True), strict=query["mode"] == "strict"
    )
    deal = result.append_result.stream
    return deal_append_response(result, {"deal": deal}, location=f"{API_PREFIX}/deals/{deal}")


@routes.get("/<stream:deal>", RECORD_VIEWERS, RECORD_POLICY)
@routes.response(200, records.DealSchema, headers=ETAG_HEADER)
def show_deal(deal: str) -> Response:
    """Show a deal in short

    The players, the rules, the state or result, and links to the rest.
    """
    info = queries().find_deal(deal)
    return json_response(
        queries().summary(info), version=info.version, cache_control=record_cache_control(info)
    )


add_log_routes(routes, "deal", lambda deal: queries().find_deal(deal), records.DealTextQuery)


@routes.get("/<stream:deal>/live", RECORD_VIEWERS, query=records.LiveQuery, may_fail=(400, 406, 503))
@routes.response(200, EVENT_STREAM_SCHEMA, content_type=EVENT_STREAM_TYPE)
def follow(query: dict[str, Any], deal: str) -> Response:
    """Follow a deal

    Server-sent events: each event of the log once, from the first or after `Last-Event-ID`, then each new
    event. `id` is the seq, `event` the type, `data` the event. A `reset` replaces entries that were sent
    before: what a viewer may know of them has changed.
    """
    require_event_stream_accepted()
    after = str(query["after"]) if query["after"] else None
    return event_stream_response(
        queries().build_subscription(queries().find_deal(deal), query["viewer"]), after
    )


@routes.post("/<stream:deal>/events", NOTE_WRITERS, if_match=DECIDED_VERSION_OR_ANY, query=records.ModeQuery)
@routes.accepts_body(
    {"oneOf": [EventSchema, EVENTS_SCHEMA]},
    "An event, or several; all are stored, or none.",
    jsonl=True,
)
@routes.creates(records.AppendResultSchema, "It was already stored.", headers=ETAG_HEADER)
def append_events(if_match: IfMatch, query: dict[str, Any], deal: str) -> ResponseReturnValue:
    """Append to a deal's log

    Ids are checked before the version. A repeated request gets the stored entries; if only the beginning of a
    batch is stored, the rest is appended.
    """
    info = queries().find_deal(deal)
    commands().require_any_write_access(info)
    submitted = read_submitted_events()
    expected = resolve_expected_version(if_match, submitted, info)
    return deal_append_response(commands().append_to_deal(info, expected, submitted, mode=query["mode"]), {})


def deal_append_object(result: AppendResult, findings: tuple[Finding, ...]) -> dict[str, Any]:
    """What was appended to a deal's log, and what is found in it."""
    return {
        "version": result.version,
        "events": stored_bodies_as_json(result.events),
        "findings": finding_objects(findings, response_language()),
    }


def deal_append_response(
    result: DealAppendResult, leading_members: dict[str, Any], location: str | None = None
) -> Response:
    """The answer to an append: what is stored, and what is found in it."""
    log_appended_events(result.append_result)
    body = leading_members | deal_append_object(result.append_result, result.findings)
    status = 201 if result.has_new_events else 200
    return json_response(body, status, etag=str(result.version), location=location)


def deal_log_view(deal: str, viewer: str | None) -> LogView:
    """The log of a recorded deal, as the caller may know it. Raises `UnknownRecord`, `PermissionDenied`."""
    record_queries = queries()
    info = record_queries.find_deal(deal)
    record_view = cache(lambda: record_queries.expanded_record_view(info, viewer))
    return LogView(
        lambda: record_view().log,
        info.version,
        record_queries.resolve_viewer(info, viewer),
        f"{API_PREFIX}/deals/{deal}",
        read_names=lambda: record_queries.deal_member_names(record_view()),
        has_erased_events=lambda: record_queries.has_erased_events(info),
        etag_dependencies=tuple(record_queries.list_recorded_ancestors(info)),
        is_fully_public=lambda: record_queries.is_fully_public(info),
    )


@routes.get(
    "/<stream:deal>/variations", RECORD_VIEWERS, LIST_POLICY, query=records.PageQuery, may_fail=(403,)
)
@routes.response(200, records.VariationsPageSchema, headers=NEXT_LINK_HEADER)
def list_variations(query: dict[str, Any], deal: str) -> Response:
    """List a deal's variations

    The deals that branch from it and that you may read, the earliest first. A variation of a variation is in
    that one's list.
    """
    return variations_response(queries().find_deal(deal).stream, query)


add_point_routes(routes, "/<stream:deal>", deal_log_view, RECORD_VIEWERS, POINT_POLICY)
