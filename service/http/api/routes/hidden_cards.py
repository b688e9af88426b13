"""Routes for what the unseen cards of a log can be, without storing it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Response

from schemas.answers.states import Translator
from service.http.api.anonymous_limits import HEAVY_REQUEST_COST
from service.http.api.hidden_card_answers import find_evidence_answer, find_odds_answer
from service.http.api.openapi.contract import accepts_body, may_fail
from service.http.api.openapi.languages import translate_for_request
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
from service.records.deal_points import VIEWERS_BY_NAME, DealPoint, build_deal_point

EXAMPLE_PLAYERS: Final = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}
ONLOOKER_LOG_EXAMPLE: Final = [
    {"type": "deal_opened", "ruleset": "dlu", "players": EXAMPLE_PLAYERS},
    {"type": "bid_made", "seat": "forehand", "bid": "solo"},
    {"type": "bid_made", "seat": "middlehand", "bid": "pass"},
    {"type": "bid_made", "seat": "backhand", "bid": "pass"},
    {"type": "contract_named", "seat": "forehand", "contract": "solo", "trump": "H"},
    {"type": "cards_discarded", "seat": "middlehand", "cards": []},
    {"type": "cards_discarded", "seat": "backhand", "cards": ["??", "??"]},
    {"type": "cards_drawn", "seat": "backhand", "cards": ["??", "??"]},
    {"type": "card_played", "seat": "forehand", "card": "H7"},
    {"type": "card_played", "seat": "middlehand", "card": "CA"},
    {"type": "card_played", "seat": "backhand", "card": "D3"},
]
"""A deal as an onlooker sees it, up to its first trick."""

__all__ = ["routes"]

AnswerBuilder = Callable[[DealPoint, Translator, Mapping[str, Any]], dict[str, Any]]


@routes.route("/evidence", methods=["POST"], permission=ANYONE)
@routes.arguments(LogEvidenceQuery, location="query")
@accepts_body(LOG_SCHEMA, LOG_BODY_DESCRIPTION, ONLOOKER_LOG_EXAMPLE, jsonl=True, notation=True)
@routes.response(200, LogEvidenceSchema)
@may_fail(400, 404, 413, 415, 422)
def evidence(query: dict[str, Any]) -> Response:
    """Say what the hidden cards of a log can be without storing it

    Of one deal of it, as `/evidence` of a stored deal does. With its corrections it has no more than 500
    entries, not counting notes.
    """
    return _log_answer_response(query, find_evidence_answer)


@routes.route("/odds", methods=["POST"], permission=ANYONE)
@routes.arguments(LogOddsQuery, location="query")
@accepts_body(LOG_SCHEMA, LOG_BODY_DESCRIPTION, ONLOOKER_LOG_EXAMPLE, jsonl=True, notation=True)
@routes.response(200, LogOddsSchema)
@may_fail(400, 404, 413, 415, 422)
def odds(query: dict[str, Any]) -> Response:
    """Say what best play comes to over the deals that a log allows without storing it

    Of one deal of it, as `/odds` of a stored deal does. With its corrections it has no more than 500
    entries, not counting notes.
    """
    return _log_answer_response(query, find_odds_answer)


def _log_answer_response(query: dict[str, Any], build_answer: AnswerBuilder) -> Response:
    """What is told of one deal of the body. Raises `DealTooLarge`."""
    with submitted_logs("-", min_request_cost=HEAVY_REQUEST_COST) as submitted:
        _, expanded_log = select_deal(submitted, query["deal"], VIEWERS_BY_NAME[query["viewer"]])
        point = build_deal_point(expanded_log, query["at"], None, submitted.book)
        return json_response(
            {**build_answer(point, translate_for_request, query), **unreadable_lines_object(submitted)},
        )
