"""Requests, watched: each has an id, a line in the log and a place in the metrics.

Of an address only its template is kept, and the ids of a table, a deal and events: they are made up by
writers and tell nothing.
"""

from __future__ import annotations

import re
import time
from typing import Any, Final

import structlog
from flask import Flask, Request, Response, g, request

from service.eventstore import Appended
from service.eventstore.ids import new_id
from service.http.context import context
from service.http.metrics import Metrics
from service.http.this_request import kept_for_it, this_request

REQUEST_ID: Final = "X-Request-Id"
_IN_ENVIRON: Final = "HTTP_X_REQUEST_ID"
_is_well_formed: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE
).fullmatch
"""Only a UUID is taken from a client: anything else might be a secret that would go into the log."""

TOLD: Final = ("deal", "table")
"""Parts of an address that are logged."""
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
EVENTS: Final = 20
"""So many event ids are logged of a batch."""

log = structlog.get_logger()


def watch(app: Flask, metrics: Metrics) -> None:
    """Gives every request an id, which its answer and the log tell, and counts it."""

    @app.before_request
    def begin() -> None:
        kept = kept_for_it()
        kept.began = time.perf_counter()
        asked = request.environ.get(_IN_ENVIRON, "")
        kept.request_id = asked.lower() if _is_well_formed(asked) else new_id()
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=kept.request_id)

    @app.after_request
    def answered(answer: Response) -> Response:
        began = g.began
        seconds = time.perf_counter() - began
        told = _told(answer)
        metrics.answered(told["method"], told["route"], answer.status_code, seconds)
        answer.headers[REQUEST_ID] = told["request_id"]
        if answer.is_streamed:
            # Outside of the request by then; what is logged is made up before.
            answer.call_on_close(lambda: _log(told, time.perf_counter() - began))
        else:
            _log(told, seconds)
        return answer


def note_appended(*appended: Appended) -> None:
    """Have the log's line of this request tell which events it stored, and count them."""
    new = [event.event_id for one in appended for event in one.events[one.repeated :]]
    g.events = new[:EVENTS]
    context().metrics.appended(len(new))


def route_of(asked: Request) -> str:
    """The template of the address, the same for whatever stands in it."""
    rule = asked.url_rule
    return rule.rule if rule else "none"


def method_of(asked: Request) -> str:
    """The method, if it is one that HTTP knows: a client can send any word."""
    method = asked.method
    return method if method in METHODS else "other"


def _told(answer: Response) -> dict[str, Any]:
    asked, kept = this_request(), kept_for_it()
    named = {name: value for name, value in (asked.view_args or {}).items() if name in TOLD}
    events = kept.pop("events", None)
    return {
        "request_id": kept.request_id,
        "method": method_of(asked),
        "route": route_of(asked),
        "status": answer.status_code,
        **named,
        **({"events": events} if events else {}),
    }


def _log(told: dict[str, Any], seconds: float) -> None:
    # Inside of another program, which has not said where to, nothing is written for each request.
    if structlog.is_configured():
        log.info("request", **told, seconds=round(seconds, 6))
