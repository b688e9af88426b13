"""What is said of unseen cards (`service.application.hidden_cards`): for anonymous callers elsewhere."""

from collections.abc import Mapping
from typing import Any

from schemas.answers.states import Translator
from service.application import hidden_cards
from service.http.api.anonymous_limits import ask_heavy_worker
from service.http.api.openapi.languages import response_language
from service.http.heavy_worker import HeavyQuestion, list_unpublished_rulesets
from service.records.deal_points import DealPoint

Json = dict[str, Any]


def find_evidence_answer(point: DealPoint, translate: Translator, query: Mapping[str, Any]) -> Json:
    """What the hidden cards can be. Raises `DealTooLarge`."""
    point.require_size()
    answer = ask_heavy_worker(lambda: _build_question("evidence", point, query))
    return hidden_cards.build_evidence_answer(point, translate, query) if answer is None else answer


def find_odds_answer(point: DealPoint, translate: Translator, query: Mapping[str, Any]) -> Json:
    """What best play comes to over lawful deals that agree with the record. Raises `DealTooLarge`."""
    point.require_size()
    answer = ask_heavy_worker(lambda: _build_question("odds", point, query))
    return hidden_cards.build_odds_answer(point, translate, query) if answer is None else answer


def _build_question(answer_name: str, point: DealPoint, query: Mapping[str, Any]) -> HeavyQuestion:
    return HeavyQuestion(
        answer_name,
        point.log,
        point.at,
        list_unpublished_rulesets(point.book),
        response_language(),
        dict(query),
    )
