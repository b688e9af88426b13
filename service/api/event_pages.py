"""Reading the log of a deal, a table or a replay: a page of JSON, JSON Lines as stored, or the notation."""

from typing import Any, Final

from flask import Response

from service.api.answers import (
    FRESH,
    answer,
    as_stored,
    conditional,
    lines,
    next_address,
    notation,
    varying,
    wants_lines,
    wants_notation,
)
from service.api.contract import told_together
from service.context import context
from service.problems import Problem
from service.records import log_in, stored_events
from service.store import PAGE, StreamInfo

TOLD: Final = "told"
"""Of the bookkeeping only what belongs to the deal."""


def events_answer(stream: StreamInfo, query: dict[str, Any], path: str | None) -> Response:
    """The events that ``query`` asks for; ``path`` is the address of JSON pages, None for JSON Lines."""
    after, limit = query["after"], query["limit"]
    if path is not None and wants_notation():
        require_whole(query)
        return conditional(varying(text_of_stream(stream, TOLD), "Accept"))
    if path is None or wants_lines():
        made = lines_of_stream(stream, after, limit)
    else:
        made = _page(stream, after, limit or PAGE, path)
    return conditional(made if path is None else varying(made, "Accept"))


def text_of_stream(stream: StreamInfo, bookkeeping: str) -> Response:
    """The whole log in the notation."""
    log = log_in(context().store, stream.stream, stream.version)
    return notation(log, stream.version, bookkeeping)


def require_whole(query: dict[str, Any]) -> None:
    """Raises the problem of a part of a log that is asked for in the notation, which says it as a whole."""
    asked = [name for name in ("after", "limit") if query[name]]
    if asked:
        faults = [
            {"parameter": name, "detail": "The notation is of a whole log; leave it out."} for name in asked
        ]
        raise Problem("invalid-parameter", told_together(faults), errors=faults)


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
