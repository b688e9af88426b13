"""The API's doors to what the unseen cards of a log can be, without storing it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Response

from schemas.answers.states import Told
from service.http.api.anonymous_limits import LABORIOUS
from service.http.api.hidden_card_answers import evidence_told, likely_told
from service.http.api.openapi.contract import may_fail, takes
from service.http.api.openapi.languages import told_here
from service.http.api.responses import NEVER_KEPT, answer
from service.http.api.routes.logs import LOG, LOG_MEANS, one_of, reading, routes, unread
from service.http.api.schemas.unseen import (
    EvidenceOfLogQuery,
    EvidenceOfLogSchema,
    LikelyOfLogQuery,
    LikelyOfLogSchema,
)
from service.records.points import VIEWERS, Point, point_of

PLAYERS: Final = {"forehand": "Anna", "middlehand": "Bo", "backhand": "Carl"}
SEEN: Final = [
    {"type": "deal_opened", "ruleset": "dlu", "players": PLAYERS},
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

Tell = Callable[[Point, Told, Mapping[str, Any]], dict[str, Any]]


@routes.route("/evidence", methods=["POST"])
@routes.arguments(EvidenceOfLogQuery, location="query")
@takes(LOG, LOG_MEANS, {"seen": SEEN}, lines=True, text=True)
@routes.response(200, EvidenceOfLogSchema)
@may_fail(400, 404, 413, 415, 422)
def evidence(query: dict[str, Any]) -> Response:
    """Say what the hidden cards of a log can be without storing it

    Of one deal of it, as `/evidence` of a stored deal does. With its corrections it has no more than 500
    entries, not counting notes.
    """
    return _told(query, evidence_told)


@routes.route("/odds", methods=["POST"])
@routes.arguments(LikelyOfLogQuery, location="query")
@takes(LOG, LOG_MEANS, {"seen": SEEN}, lines=True, text=True)
@routes.response(200, LikelyOfLogSchema)
@may_fail(400, 404, 413, 415, 422)
def odds(query: dict[str, Any]) -> Response:
    """Say what best play comes to over the deals that a log allows without storing it

    Of one deal of it, as `/odds` of a stored deal does. With its corrections it has no more than 500
    entries, not counting notes.
    """
    return _told(query, likely_told)


def _told(query: dict[str, Any], tell: Tell) -> Response:
    """What is told of one deal of the body. Raises `DealTooLarge`."""
    with reading("-", least=LABORIOUS) as posted:
        _, course = one_of(posted, query["deal"], VIEWERS[query["viewer"]])
        point = point_of(course, query["at"], None, posted.book)
        return answer({**tell(point, told_here, query), **unread(posted)}, cache=NEVER_KEPT)
