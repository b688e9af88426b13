"""In which language the API tells what is found: English, or Danish where the request prefers it.

Only the sentences of findings are told in it; codes, words of the vocabulary and what else a program reads
are the same in both.
"""

from functools import lru_cache
from typing import Any, Final

from apispec import APISpec, BasePlugin
from flask import Flask, Response, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from service.http.this_request import kept_for_it
from service.presentation.i18n.translate import LANGUAGES, told

Json = dict[str, Any]

ACCEPT_LANGUAGE: Final = "AcceptLanguage"

TELLING: Final = frozenset({
    "deals_findings", "deals_replay", "deals_audit", "replays_findings", "replays_replay", "replays_audit",
    "deals_append_events", "deals_record_deal", "tables_record_start", "tables_show_ledger",
    "tables_show_audit", "slip_batches_start_slip_batch", "logs_validate", "logs_replay", "logs_compare",
    "deals_evidence", "replays_evidence", "logs_evidence", "deals_odds", "replays_odds", "logs_odds",
})  # fmt: skip
"""The operations whose answers hold findings in the language that is asked for, by their ids."""


def preferred_language() -> str:
    """The language that the request prefers."""
    return _preferred(request.headers.get("Accept-Language", ""))


@lru_cache(maxsize=500)
def _preferred(header: str) -> str:
    """The language that a header prefers: a device sends the same one with every request."""
    return parse_accept_header(header, LanguageAccept).best_match(LANGUAGES) or LANGUAGES[0]


def language() -> str:
    """The language that is asked for; the answer will say that it is in it, and depends on that."""
    kept = kept_for_it()
    if "told_in" not in kept:
        kept.told_in = preferred_language()
    asked: str = kept.told_in
    return asked


def told_here(text: str) -> str:
    """What the engine says, in the language that is asked for."""
    return told(text, language())


def say_language(app: Flask) -> None:
    """Says of each answer that holds a sentence in some language in which it is."""

    @app.after_request
    def say(answer: Response) -> Response:
        # What may hold findings says so also where nothing was found.
        if "told_in" in kept_for_it() or (answer.status_code in (200, 201) and _operation() in TELLING):
            answer.headers["Content-Language"] = language()
            answer.vary.add("Accept-Language")
        return answer


def _operation() -> str:
    """The id of the operation that is asked for."""
    return (request.endpoint or "").replace(".", "_")


class LanguagePlugin(BasePlugin):
    """Tells of each operation that answers with findings in which language they are told."""

    def init_spec(self, spec: APISpec) -> None:
        """Tells what these operations have in common."""
        spec.components.parameter(
            ACCEPT_LANGUAGE,
            "header",
            {
                "name": "Accept-Language",
                "description": "In which language findings are told: Danish where it is preferred, "
                "else English.",
                "schema": {"type": "string"},
                "example": "da",
            },
        )

    def operation_helper(self, path: str | None = None, operations: Json | None = None, **_: Any) -> None:
        """Adds it to an address's operations."""
        for operation in (operations or {}).values():
            if operation["operationId"] in TELLING:
                operation.setdefault("parameters", []).append(ACCEPT_LANGUAGE)
                for status, answer in operation["responses"].items():
                    if str(status) in ("200", "201"):
                        answer.setdefault("headers", {})["Content-Language"] = {
                            "description": "In which language the findings are told.",
                            "schema": {"type": "string"},
                            "example": "da",
                        }
