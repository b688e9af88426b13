"""Server-sent events of a deal or a table, as they are recorded."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Final

from flask import Response, request

from service.http.api.cache_policies import NO_STORE
from service.http.api.responses import prefetch_first_chunk, vary_on
from service.http.client_address import client_address
from service.http.problems import Problem, invalid_parameter_problem
from service.http.service_context import service_context
from service.records.live import EventCursor, InvalidCursor, Subscription, TooManyStreams

EVENT_STREAM_TYPE: Final = "text/event-stream"
STREAM_RETRY_SECONDS: Final = "10"
STREAM_HEADERS: Final = {
    "Cache-Control": NO_STORE,
    # Proxies must not buffer the events.
    "X-Accel-Buffering": "no",
}


def prefers_event_stream() -> bool:
    """Whether the client prefers server-sent events to all other forms."""
    accept = request.accept_mimetypes
    return EVENT_STREAM_TYPE in accept.values() and accept.best == EVENT_STREAM_TYPE


def require_event_stream_accepted() -> None:
    """Raise the problem of a client that does not accept server-sent events."""
    if request.accept_mimetypes and not request.accept_mimetypes[EVENT_STREAM_TYPE]:
        raise Problem(
            "not-acceptable",
            f"Here are server-sent events, {EVENT_STREAM_TYPE}, and Accept does not take them. "
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
            "of them). Close one, or ask again a little later.",
            headers={"Retry-After": STREAM_RETRY_SECONDS},
        ) from None
    with place:
        messages = prefetch_first_chunk(
            service_context().damage_tracker.track_chunks(live_streams.stream_messages(subscription, cursor))
        )
        if request.method == "HEAD":
            messages.close()
            return _with_stream_headers(Response(content_type=EVENT_STREAM_TYPE))
        response = Response(messages, content_type=EVENT_STREAM_TYPE)
        response.call_on_close(place.pop_all().close)
    return _with_stream_headers(response)


def _with_stream_headers(response: Response) -> Response:
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
