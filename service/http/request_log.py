"""An id, a log line and metrics for each request.

Of an address only the template is logged, and the ids of tables, deals and events, which hold no information.
"""

from __future__ import annotations

import re
import time
from typing import Any, Final

import structlog
from flask import Flask, Response

from service.eventstore import AppendResult
from service.eventstore.ids import new_id
from service.http.current_request import current_request, request_globals
from service.http.service_context import service_context

REQUEST_ID_HEADER: Final = "X-Request-Id"
_REQUEST_ID_ENVIRON_KEY: Final = "HTTP_X_REQUEST_ID"
_is_well_formed: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE
).fullmatch
"""Clients may send a UUID as id. Anything else might be a secret, which must not reach the log."""

LOGGED_PATH_PARAMETERS: Final = ("deal", "table")
"""The path parameters that are logged."""
KNOWN_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
MAX_LOGGED_EVENTS: Final = 20
"""The most event ids of a batch that are logged."""

log = structlog.get_logger()


def register_request_log(app: Flask) -> None:
    """Give every request an id, which its answer and its log line name, and count it."""

    @app.before_request
    def start_request() -> None:
        request_cache = request_globals()
        request_cache.start_seconds = time.perf_counter()
        sent_id = current_request().environ.get(_REQUEST_ID_ENVIRON_KEY, "")
        request_cache.request_id = sent_id.lower() if _is_well_formed(sent_id) else new_id()
        structlog.contextvars.bind_contextvars(request_id=request_cache.request_id)

    @app.after_request
    def finish_request(response: Response) -> Response:
        start_seconds = request_globals().start_seconds
        seconds = time.perf_counter() - start_seconds
        log_fields = _build_log_fields(response)
        service_context().metrics.count_request(
            log_fields["method"], log_fields["route"], response.status_code, seconds
        )
        response.headers[REQUEST_ID_HEADER] = log_fields["request_id"]
        if response.is_streamed:
            # The request has ended by then.
            response.call_on_close(lambda: _write_log_line(log_fields, time.perf_counter() - start_seconds))
        else:
            _write_log_line(log_fields, seconds)
        return response


def log_appended_events(*results: AppendResult) -> None:
    """Count the events that this request stored, and add them to its log line."""
    new_ids = [event.event_id for result in results for event in result.events[result.repeated_count :]]
    request_globals().events = new_ids[:MAX_LOGGED_EVENTS]
    service_context().metrics.count_appended_events(len(new_ids))


def _build_log_fields(response: Response) -> dict[str, Any]:
    http_request, request_cache = current_request(), request_globals()
    path_parameters = {
        name: value
        for name, value in (http_request.view_args or {}).items()
        if name in LOGGED_PATH_PARAMETERS
    }
    events = request_cache.pop("events", None)
    return {
        "request_id": request_cache.request_id,
        # A client can send any word as method; of the address only the template is logged.
        "method": http_request.method if http_request.method in KNOWN_METHODS else "other",
        "route": http_request.url_rule.rule if http_request.url_rule else "none",
        "status": response.status_code,
        **path_parameters,
        **({"events": events} if events else {}),
    }


def _write_log_line(log_fields: dict[str, Any], seconds: float) -> None:
    # A program that only embeds the application gets no log lines.
    if structlog.is_configured():
        log.info("request", **log_fields, seconds=round(seconds, 6))
