"""What is said of unseen cards (`service.application.hidden_cards`): for anonymous callers elsewhere."""

from collections.abc import Mapping
from typing import Any

from schemas.answers.states import Told
from service.application import hidden_cards
from service.http.api.anonymous_limits import heavy_answer
from service.http.api.openapi.languages import language
from service.http.heavy import Question, rulesets_besides
from service.records.points import Point

Json = dict[str, Any]


def evidence_told(point: Point, told: Told, query: Mapping[str, Any]) -> Json:
    """What the hidden cards can be. Raises `DealTooLarge`."""
    point.require_size()
    found = heavy_answer(lambda: _question("evidence", point, query))
    return hidden_cards.evidence_told(point, told, query) if found is None else found


def likely_told(point: Point, told: Told, query: Mapping[str, Any]) -> Json:
    """What best play comes to over lawful deals that agree with the record. Raises `DealTooLarge`."""
    point.require_size()
    found = heavy_answer(lambda: _question("odds", point, query))
    return hidden_cards.likely_told(point, told, query) if found is None else found


def _question(answer: str, point: Point, query: Mapping[str, Any]) -> Question:
    return Question(answer, point.log, point.at, rulesets_besides(point.book), language(), dict(query))
