"""Reading the log of a deal, a table or a replay: a page of JSON, JSON Lines as stored, or the notation."""

from typing import Any, Final

import orjson
from flask import Response, request

from service.application.named_logs import named_log
from service.eventstore import PAGE, StreamInfo
from service.http.api.etags import seen_by, tag_of
from service.http.api.openapi.contract import told_together
from service.http.api.responses import (
    FRESH,
    NEVER_KEPT,
    answer,
    conditional,
    lines,
    next_address,
    next_link,
    notation,
    varying,
    wants_lines,
    wants_notation,
)
from service.http.context import queries
from service.http.problems import Problem

BRIEF: Final = "brief"
"""Of the bookkeeping only what belongs to the deal."""


def events_answer(stream: StreamInfo, query: dict[str, Any], path: str | None) -> Response:
    """The events that ``query`` asks for; ``path`` is the address of JSON pages, None for JSON Lines."""
    after, limit, viewer = query["after"], query["limit"], query["viewer"]
    if path is not None and wants_notation():
        require_whole(query)
        return varying(text_answer(stream, BRIEF, viewer), "Accept")
    if path is None or wants_lines():
        made = lines_of_stream(stream, after, limit, viewer)
        if limit is not None and after + limit < stream.version:
            following = {"after": after + limit, "limit": limit, "viewer": viewer}
            made.headers["Link"] = next_link(next_address(request.path, following))
    else:
        made = _page(stream, query, path)
    return _unless_known(stream, made if path is None else varying(made, "Accept"))


def text_answer(
    stream: StreamInfo, bookkeeping: str, viewer: str | None = None, *, by_name: bool = False
) -> Response:
    """The whole log in the notation; of a deal with ``by_name`` its members are called by name."""
    sight = queries().sight(stream, viewer)
    log, seen = sight.log, seen_by(sight.viewer)
    if not by_name:
        tag = tag_of(stream.version, bookkeeping, depends=seen)
    else:
        names = queries().names_in(sight)
        log, tag = named_log(log, names), tag_of(stream.version, bookkeeping, depends=(seen, names))
    return _unless_known(stream, notation(log, bookkeeping, tag, kept(sight.whole)))


def _unless_known(stream: StreamInfo, made: Response) -> Response:
    """The answer; 304 where the client has it, unless something was erased meanwhile."""
    if request.if_none_match and queries().was_erased(stream):
        return made
    return conditional(made)


def require_whole(query: dict[str, Any]) -> None:
    """Raises the problem of a part of a log that is asked for in the notation, which says it as a whole."""
    asked = [name for name in ("after", "limit") if query[name]]
    if asked:
        faults = [
            {"parameter": name, "detail": "The notation is of a whole log; leave it out."} for name in asked
        ]
        raise Problem("invalid-parameter", told_together(faults), errors=faults)


def lines_of_stream(stream: StreamInfo, after: int, limit: int | None, viewer: str | None = None) -> Response:
    """The events as JSON Lines."""
    last = stream.version if limit is None else min(stream.version, after + limit)
    bodies, seen = queries().bodies(stream, after, last, viewer)
    tag = tag_of(stream.version, "jsonl", depends=seen_by(seen))
    return lines(bodies, tag, kept(seen.everything))


def _page(stream: StreamInfo, query: dict[str, Any], path: str) -> Response:
    after, limit = query["after"], query["limit"] or PAGE
    last = min(stream.version, after + limit)
    bodies, seen = queries().bodies(stream, after, last, query["viewer"])
    body: dict[str, Any] = {"version": stream.version, "events": [orjson.Fragment(one) for one in bodies]}
    following = None
    if last < stream.version:
        following = next_address(path, {"after": last, "limit": limit, "viewer": query["viewer"]})
    tag = tag_of(stream.version, depends=seen_by(seen))
    return answer(body, tag=tag, cache=kept(seen.everything), following=following)


def kept(whole: bool) -> str:
    """How long a record's answer may be kept: what is cut for its reader never."""
    return FRESH if whole else NEVER_KEPT
