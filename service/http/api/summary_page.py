"""Lists of records in short. One that is damaged takes no other with it: it is named beside them."""

from collections.abc import Iterable
from typing import Any, Final

from flask import Response

from service.application.record_view import RecordPage
from service.eventstore import StoreDamaged, StreamInfo
from service.http.api.blueprint import response_header
from service.http.api.cache_policies import declared_cache_control
from service.http.api.responses import build_next_url, json_response
from service.http.service_context import queries, service_context
from service.projections.summaries import RecordSummary


def summary_page_response(list_name: str, page: RecordPage, query: dict[str, Any], path: str) -> Response:
    """A page of a list, under its ``list_name``. It may be another list for another reader."""
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
    """The records in short, and the ids of those that cannot be told, being damaged."""
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


NEXT_LINK_HEADER: Final = response_header("Link", "Where the next page is.", '<…>; rel="next"')


def variations_response(parent: str, query: dict[str, Any], path: str) -> Response:
    """A page of the variations that leave the deal of that id, or of that name in the library."""
    return summary_page_response(
        "variations", queries().list_variations(parent, query["after"], query["limit"]), query, path
    )
