"""Answers about records: pages of lists, logs as JSON, JSON Lines or in the notation, and live streams."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any, Final

import orjson
from flask import Response, request

from service.application.member_names import replace_ids_with_names
from service.application.record_view import RecordPage
from service.eventstore import PAGE_SIZE, StoreDamaged, StreamInfo
from service.http.api.blueprint import response_header
from service.http.api.cache_policies import NO_STORE, declared_cache_control
from service.http.api.etags import build_etag, viewer_etag_parts
from service.http.api.responses import (
    build_next_url,
    format_next_link,
    json_response,
    jsonl_response,
    make_conditional,
    notation_response,
    prefers_jsonl,
    prefers_notation,
    prefetch_first_chunk,
)
from service.http.api.schemas.live import EVENT_STREAM_TYPE
from service.http.problems import Problem, invalid_parameter_problem
from service.http.rate_limit import client_address
from service.http.service_context import queries, service_context
from service.http.vary import vary_on
from service.projections.summaries import RecordSummary
from service.records.live import EventCursor, InvalidCursor, Subscription, TooManyStreams

NEXT_LINK_HEADER: Final = response_header("Link", "The address of the next page.", '<…>; rel="next"')
STREAM_RETRY_SECONDS: Final = "10"
STREAM_HEADERS: Final = {
    "Cache-Control": NO_STORE,
    # Proxies must not buffer the events.
    "X-Accel-Buffering": "no",
}


def events_response(stream: StreamInfo, query: dict[str, Any], *, negotiate: bool = True) -> Response:
    """The events that ``query`` asks for: as JSON Lines, or with ``negotiate`` in the form of `Accept`."""
    after, limit, viewer = query["after"], query["limit"], query["viewer"]
    if negotiate and prefers_event_stream():
        return event_stream_response(queries().build_subscription(stream, viewer), str(after))
    if negotiate and prefers_notation():
        require_unpaged_query(query)
        return vary_on(log_text_response(stream, "brief", viewer), "Accept")
    is_jsonl = not negotiate or prefers_jsonl()
    page_size = limit if is_jsonl else limit or PAGE_SIZE
    last = stream.version if page_size is None else min(stream.version, after + page_size)
    bodies, resolved_viewer = queries().read_event_bodies(stream, after, last, viewer)
    next_url = None
    if last < stream.version:
        next_query = {"after": last, "limit": page_size, "viewer": viewer}
        next_url = build_next_url(request.path, next_query)
    cache_control = declared_cache_control(resolved_viewer.sees_everything)
    etag_parts = viewer_etag_parts(resolved_viewer)
    if is_jsonl:
        etag = build_etag(stream.version, "jsonl", depends_on=etag_parts)
        response = jsonl_response(bodies, etag, cache_control)
        if next_url is not None:
            response.headers["Link"] = format_next_link(next_url)
    else:
        body = {"version": stream.version, "events": list(map(orjson.Fragment, bodies))}
        etag = build_etag(stream.version, depends_on=etag_parts)
        response = json_response(body, etag=etag, cache_control=cache_control, next_url=next_url)
    return _conditional_unless_erased(stream, vary_on(response, "Accept") if negotiate else response)


def log_text_response(
    stream: StreamInfo, bookkeeping: str, viewer: str | None = None, *, with_names: bool = False
) -> Response:
    """The whole log in the notation; ``with_names`` shows the members in a deal by name."""
    record_view = queries().record_view(stream, viewer)
    log, dependencies = record_view.log, viewer_etag_parts(record_view.viewer)
    if with_names:
        names = queries().deal_member_names(record_view)
        log, dependencies = replace_ids_with_names(log, names), (dependencies, names)
    etag = build_etag(stream.version, bookkeeping, depends_on=dependencies)
    return _conditional_unless_erased(
        stream, notation_response(log, bookkeeping, etag, declared_cache_control(record_view.is_unredacted))
    )


def _conditional_unless_erased(stream: StreamInfo, response: Response) -> Response:
    """The answer; 304 where the client has it, unless something was erased meanwhile."""
    if request.if_none_match and queries().has_erased_events(stream):
        return response
    return make_conditional(response)


def require_unpaged_query(query: dict[str, Any]) -> None:
    """Raise the problem of a page of a log in the notation, which has only whole logs."""
    given = [name for name in ("after", "limit") if query[name]]
    if given:
        raise invalid_parameter_problem("Only a whole log has a notation; leave it out.", *given)


def record_cache_control(stream: StreamInfo) -> str:
    """The header `Cache-Control` of an answer about a record."""
    return declared_cache_control(queries().resolve_viewer(stream).sees_everything)


def summary_page_response(list_name: str, page: RecordPage, query: dict[str, Any]) -> Response:
    """A page of a list, named ``list_name``. Another reader may get another list."""
    next_url = None
    if page.has_more:
        next_url = build_next_url(request.path, {**query, "after": page.streams[-1].stream})
    summaries, damaged = summarize_records(page.streams)
    body = {list_name: summaries, "damaged": damaged}
    return json_response(
        body,
        next_url=next_url,
        cache_control=declared_cache_control(queries().caller.has_permission("see_all")),
    )


def summarize_records(streams: Iterable[StreamInfo]) -> tuple[list[RecordSummary], list[str]]:
    """The summaries of the records, and the ids of the damaged ones, which have none."""
    record_queries = queries()
    summaries: list[RecordSummary] = []
    damaged: list[str] = []
    for record in streams:
        try:
            summaries.append(record_queries.summary(record))
        except StoreDamaged as error:
            service_context().damage_tracker.record(error)
            damaged.append(record.stream)
    return summaries, damaged


def variations_response(parent: str, query: dict[str, Any]) -> Response:
    """A page of the variations of the deal with that id, or that name in the library."""
    page = queries().list_variations(parent, query["after"], query["limit"])
    return summary_page_response("variations", page, query)


def prefers_event_stream() -> bool:
    """Whether the client prefers server-sent events to all other forms."""
    accept = request.accept_mimetypes
    return EVENT_STREAM_TYPE in accept.values() and accept.best == EVENT_STREAM_TYPE


def require_event_stream_accepted() -> None:
    """Raise the problem of a client that does not accept server-sent events."""
    if request.accept_mimetypes and not request.accept_mimetypes[EVENT_STREAM_TYPE]:
        raise Problem(
            "not-acceptable",
            f"This address sends server-sent events, {EVENT_STREAM_TYPE}, but Accept does not allow them. "
            "The log itself is at …/events.",
        )


def event_stream_response(subscription: Subscription, after: str | None) -> Response:
    """Follow a subscription from after ``Last-Event-ID``, or else ``after``, as server-sent events.

    Raises the problem of too many streams, and of a log that is not readable.
    """
    cursor = _parse_cursor(subscription, after)
    live_streams = service_context().live_streams
    place = ExitStack()
    try:
        place.enter_context(live_streams.connection_limit.place(client_address(request.environ)))
    except TooManyStreams:
        raise Problem(
            "too-many-streams",
            f"All live streams are in use ({live_streams.connection_limit.max_connections}, or your share "
            "of them). Close one, or try again a little later.",
            headers={"Retry-After": STREAM_RETRY_SECONDS},
        ) from None
    with place:
        messages = prefetch_first_chunk(
            service_context().damage_tracker.track_chunks(live_streams.stream_messages(subscription, cursor))
        )
        if request.method == "HEAD":
            messages.close()
            response = Response(content_type=EVENT_STREAM_TYPE)
        else:
            response = Response(messages, content_type=EVENT_STREAM_TYPE)
            response.call_on_close(place.pop_all().close)
    response.headers.update(STREAM_HEADERS)
    return vary_on(response, "Accept")


def _parse_cursor(subscription: Subscription, after: str | None) -> EventCursor | None:
    last_event_id = request.headers.get("Last-Event-ID", "").strip()
    try:
        if last_event_id:
            return subscription.parse_cursor(last_event_id)
        return subscription.parse_cursor(after) if after else None
    except InvalidCursor as error:
        if last_event_id:
            raise Problem("malformed-header", f"Last-Event-ID cannot be read. {error}") from None
        raise invalid_parameter_problem(str(error), "after") from None
