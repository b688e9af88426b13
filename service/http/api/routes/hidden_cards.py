"""Routes for what the unseen cards of a log can be, without storing it."""

from typing import Any

from flask import Response

from service.http.api.anonymous_limits import HEAVY_REQUEST_COST, find_hidden_card_answer
from service.http.api.openapi.languages import response_language
from service.http.api.operation_permissions import ANYONE
from service.http.api.responses import json_response
from service.http.api.routes.logs import (
    LOG_BODY_DESCRIPTION,
    LOG_SCHEMA,
    routes,
    select_deal,
    submitted_logs,
    unreadable_lines_object,
)
from service.http.api.schemas.hidden_cards import (
    LogEvidenceQuery,
    LogEvidenceSchema,
    LogOddsQuery,
    LogOddsSchema,
)
from service.records.deal_points import VIEWERS_BY_NAME, build_deal_point

__all__ = ["routes"]


@routes.post("/evidence", ANYONE, query=LogEvidenceQuery)
@routes.accepts_body(LOG_SCHEMA, LOG_BODY_DESCRIPTION, jsonl=True, notation=True)
@routes.response(200, LogEvidenceSchema)
@routes.may_fail(404)
def evidence(query: dict[str, Any]) -> Response:
    """Say what the hidden cards of a log can be without storing it

    Of one deal of it, as `/evidence` of a stored deal does. With its corrections it has no more than 500
    entries, not counting notes.
    """
    return _log_answer_response(query, "evidence")


@routes.post("/odds", ANYONE, query=LogOddsQuery)
@routes.accepts_body(LOG_SCHEMA, LOG_BODY_DESCRIPTION, jsonl=True, notation=True)
@routes.response(200, LogOddsSchema)
@routes.may_fail(404)
def odds(query: dict[str, Any]) -> Response:
    """Say what best play comes to over the deals that a log allows without storing it

    Of one deal of it, as `/odds` of a stored deal does. With its corrections it has no more than 500
    entries, not counting notes.
    """
    return _log_answer_response(query, "odds")


def _log_answer_response(query: dict[str, Any], answer_name: str) -> Response:
    """What is told of one deal of the body. Raises `DealTooLarge`."""
    with submitted_logs("-", min_request_cost=HEAVY_REQUEST_COST) as submitted:
        _, expanded_log = select_deal(submitted, query["deal"], VIEWERS_BY_NAME[query["viewer"]])
        point = build_deal_point(expanded_log, query["at"], None, submitted.book)
        answer = find_hidden_card_answer(answer_name, point, response_language(), query)
        return json_response({**answer, **unreadable_lines_object(submitted)})
