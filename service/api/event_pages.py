"""Reading the log of a deal, a table or a replay: a page of JSON, or JSON Lines, as it is stored."""

from typing import Any

from flask import Response

from service.api.answers import (
    FRESH,
    answer,
    as_stored,
    conditional,
    lines,
    next_address,
    varying,
    wants_lines,
)
from service.context import context
from service.records import stored_events
from service.store import PAGE, StreamInfo


def events_answer(stream: StreamInfo, query: dict[str, Any], path: str | None) -> Response:
    """The events that ``query`` asks for; ``path`` is the address of JSON pages, None for JSON Lines."""
    after, limit = query["after"], query["limit"]
    if path is None or wants_lines():
        made = lines_of_stream(stream, after, limit)
    else:
        made = _page(stream, after, limit or PAGE, path)
    return conditional(made if path is None else varying(made, "Accept"))


def lines_of_stream(stream: StreamInfo, after: int, limit: int | None) -> Response:
    """The events as JSON Lines, read from the store as the client takes them."""
    last = stream.version if limit is None else min(stream.version, after + limit)
    events = stored_events(context().store, stream.stream, after, last)
    return lines((event.body for event in events), stream.version)


def _page(stream: StreamInfo, after: int, limit: int, path: str) -> Response:
    last = min(stream.version, after + limit)
    events = list(stored_events(context().store, stream.stream, after, last))
    body: dict[str, Any] = {"version": stream.version, "events": as_stored(events)}
    following = next_address(path, {"after": last, "limit": limit}) if last < stream.version else None
    return answer(body, version=stream.version, cache=FRESH, following=following)
