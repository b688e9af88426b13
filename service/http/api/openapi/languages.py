"""The language of findings in answers: English, or Danish where the request prefers it.

Codes and words that programs read are the same in both.
"""

from functools import lru_cache
from typing import Final

from flask import Flask, Response, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from schemas.i18n.catalogs import MESSAGE_LANGUAGES
from service.http.current_request import current_request, request_globals
from service.http.vary import vary_on

LOCALIZED_OPERATIONS: Final = frozenset({
    "deals_score", "replays_score", "logs_score", "deals_findings", "deals_replay",
    "deals_audit", "replays_findings", "replays_replay", "replays_audit",
    "deals_append_events", "deals_record_deal", "tables_record_start", "tables_show_ledger",
    "tables_show_audit", "slip_batches_start", "logs_validate", "logs_replay", "logs_compare",
    "deals_evidence", "replays_evidence", "logs_evidence", "deals_odds", "replays_odds", "logs_odds",
})  # fmt: skip
"""The ids of the operations whose answers hold findings."""


def preferred_language() -> str:
    """The language that the request prefers."""
    return _best_language(current_request().headers.get("Accept-Language", ""))


@lru_cache(maxsize=500)
def _best_language(header: str) -> str:
    """The language that a header prefers, cached: a device sends the same header each time."""
    return parse_accept_header(header, LanguageAccept).best_match(MESSAGE_LANGUAGES) or MESSAGE_LANGUAGES[0]


def response_language() -> str:
    """The language of the answer, which then names it and varies by it."""
    request_cache = request_globals()
    if "response_language" not in request_cache:
        request_cache.response_language = preferred_language()
    language: str = request_cache.response_language
    return language


def register_content_language(app: Flask) -> None:
    """Name the language of each answer that holds sentences."""

    @app.after_request
    def add_content_language(response: Response) -> Response:
        # An answer that may hold findings names it even where it has none.
        if "response_language" in request_globals() or (
            response.status_code in (200, 201) and _operation_id() in LOCALIZED_OPERATIONS
        ):
            response.headers["Content-Language"] = response_language()
            vary_on(response, "Accept-Language")
        return response


def _operation_id() -> str:
    return (request.endpoint or "").replace(".", "_")
