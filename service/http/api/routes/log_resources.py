"""Routes for the log of a deal or a table: as events, as JSON Lines, in the notation."""

from collections.abc import Callable
from typing import Any

from flask import Response

from schemas.notation import NOTATION_MEDIA_TYPE
from service.eventstore import StreamInfo
from service.http.api.blueprint import ETAG_HEADER, LOG_FORMAT_SCHEMAS, ApiBlueprint
from service.http.api.cache_policies import LOG_POLICY
from service.http.api.operation_permissions import RECORD_VIEWERS
from service.http.api.record_responses import NEXT_LINK_HEADER, events_response, log_text_response
from service.http.api.schemas import records
from service.http.api.schemas.live import EVENT_STREAM_SCHEMA, EVENT_STREAM_TYPE


def add_log_routes(
    routes: ApiBlueprint,
    kind: str,
    find_record: Callable[[str], StreamInfo],
    text_query: type[records.LogTextQuery] = records.LogTextQuery,
) -> None:
    """Add a route for each form of the log of a ``kind`` of record, which ``find_record`` finds by its id."""
    log_rule = f"/<stream:{kind}>/events"

    @routes.get(log_rule, RECORD_VIEWERS, LOG_POLICY, query=records.ViewedEventsQuery, may_fail=(400,))
    @routes.response(
        200,
        records.EventsPageSchema,
        headers=NEXT_LINK_HEADER,
        other_types={EVENT_STREAM_TYPE: EVENT_STREAM_SCHEMA} | LOG_FORMAT_SCHEMAS,
    )
    def list_events(query: dict[str, Any], **record: str) -> Response:
        """Read the log

        As a page of JSON, or as JSON Lines or in the notation where `Accept` prefers `application/jsonl` or
        `text/vnd.spadille.deal`; live, as server-sent events, where it prefers `text/event-stream`.
        """
        return events_response(find_record(record[kind]), query)

    @routes.get(f"{log_rule}.jsonl", RECORD_VIEWERS, LOG_POLICY, query=records.ViewedEventsQuery)
    @routes.response(200, content_type="application/jsonl", headers=ETAG_HEADER | NEXT_LINK_HEADER)
    def download_events(query: dict[str, Any], **record: str) -> Response:
        """Read the log as JSON Lines

        One event per line, as far as you may know it. That of a table is without its deals;
        `/tables/{table}/export.jsonl` includes them.
        """
        return events_response(find_record(record[kind]), query, negotiate=False)

    @routes.get(f"{log_rule}.deal", RECORD_VIEWERS, LOG_POLICY, query=text_query)
    @routes.response(200, content_type=NOTATION_MEDIA_TYPE, headers=ETAG_HEADER)
    def download_text(query: dict[str, Any], **record: str) -> Response:
        """Read the log in the notation

        Text for people; it loses nothing if you ask for all bookkeeping.
        """
        return log_text_response(
            find_record(record[kind]),
            query["bookkeeping"],
            query["viewer"],
            with_names=query.get("names") == "display",
        )
