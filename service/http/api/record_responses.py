"""Answers about records: pages of lists, and logs as JSON, JSON Lines or in the notation."""

from collections.abc import Iterable
from typing import Any, Final

import orjson
from flask import Response, request

from service.application.member_names import replace_ids_with_names
from service.application.record_view import RecordPage
from service.eventstore import PAGE_SIZE, StoreDamaged, StreamInfo
from service.http.api.blueprint import response_header
from service.http.api.cache_policies import declared_cache_control
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
    vary_on,
)
from service.http.problems import invalid_parameter_problem
from service.http.service_context import queries, service_context
from service.projections.summaries import RecordSummary

NEXT_LINK_HEADER: Final = response_header("Link", "Where the next page is.", '<…>; rel="next"')
BRIEF: Final = "brief"
"""Include only the bookkeeping that belongs to the deal."""


def events_response(stream: StreamInfo, query: dict[str, Any], path: str | None) -> Response:
    """The events that ``query`` asks for; ``path`` is the address of JSON pages, None for JSON Lines."""
    after, limit, viewer = query["after"], query["limit"], query["viewer"]
    if path is not None and prefers_notation():
        require_unpaged_query(query)
        return vary_on(log_text_response(stream, BRIEF, viewer), "Accept")
    if path is None or prefers_jsonl():
        response = stream_jsonl_response(stream, after, limit, viewer)
        if limit is not None and after + limit < stream.version:
            next_query = {"after": after + limit, "limit": limit, "viewer": viewer}
            response.headers["Link"] = format_next_link(build_next_url(request.path, next_query))
    else:
        response = _events_page(stream, query, path)
    return _conditional_unless_erased(stream, response if path is None else vary_on(response, "Accept"))


def log_text_response(
    stream: StreamInfo, bookkeeping: str, viewer: str | None = None, *, with_names: bool = False
) -> Response:
    """The whole log in the notation; ``with_names`` shows the members in a deal by name."""
    record_view = queries().record_view(stream, viewer)
    log, viewer_parts = record_view.log, viewer_etag_parts(record_view.viewer)
    if not with_names:
        etag = build_etag(stream.version, bookkeeping, depends_on=viewer_parts)
    else:
        names = queries().deal_member_names(record_view)
        log, etag = (
            replace_ids_with_names(log, names),
            build_etag(stream.version, bookkeeping, depends_on=(viewer_parts, names)),
        )
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
        raise invalid_parameter_problem("The notation is of a whole log; leave it out.", *given)


def stream_jsonl_response(
    stream: StreamInfo, after: int, limit: int | None, viewer: str | None = None
) -> Response:
    """The events as JSON Lines."""
    last = stream.version if limit is None else min(stream.version, after + limit)
    bodies, viewer_seen = queries().read_event_bodies(stream, after, last, viewer)
    etag = build_etag(stream.version, "jsonl", depends_on=viewer_etag_parts(viewer_seen))
    return jsonl_response(bodies, etag, declared_cache_control(viewer_seen.sees_everything))


def _events_page(stream: StreamInfo, query: dict[str, Any], path: str) -> Response:
    after, limit = query["after"], query["limit"] or PAGE_SIZE
    last = min(stream.version, after + limit)
    bodies, viewer = queries().read_event_bodies(stream, after, last, query["viewer"])
    body: dict[str, Any] = {
        "version": stream.version,
        "events": [orjson.Fragment(event_body) for event_body in bodies],
    }
    next_url = None
    if last < stream.version:
        next_url = build_next_url(path, {"after": last, "limit": limit, "viewer": query["viewer"]})
    etag = build_etag(stream.version, depends_on=viewer_etag_parts(viewer))
    return json_response(
        body, etag=etag, cache_control=declared_cache_control(viewer.sees_everything), next_url=next_url
    )


def record_cache_control(stream: StreamInfo) -> str:
    """The header `Cache-Control` of an answer about a record."""
    return declared_cache_control(queries().resolve_viewer(stream).sees_everything)


def summary_page_response(list_name: str, page: RecordPage, query: dict[str, Any], path: str) -> Response:
    """A page of a list, named ``list_name``. Another reader may get another list."""
    next_url = None
    if page.has_more:
        next_url = build_next_url(path, {**query, "after": page.streams[-1].stream})
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


def variations_response(parent: str, query: dict[str, Any], path: str) -> Response:
    """A page of the variations of the deal with that id, or that name in the library."""
    return summary_page_response(
        "variations", queries().list_variations(parent, query["after"], query["limit"]), query, path
    )
