"""What the recorder offers by a ruleset's data: what may be called at all, and what can be played.

What is legal at a point is asked of the API, card by card; this is everything else that could have been said.
"""

from typing import Any

from engine.play.auction import PASS, SELF
from engine.rulesets import CompiledRuleset
from schemas.answers.card_orders import card_order_object, games_object
from schemas.i18n.catalogs import gettext
from service.http.web.slip_choices import build_slip_choices


def build_recorder_choices(rules: CompiledRuleset, language: str) -> dict[str, Any]:
    """What `build_slip_choices` says, and ``calls``: every call with its name, pass first, then as they
    outbid."""
    bids = sorted(rules.bids.values(), key=lambda bid: bid.rank)
    bid_choices = [{"id": bid.id, "name": gettext(bid.words, language)} for bid in bids]
    return {
        **build_slip_choices(rules, language),
        "calls": [{"id": PASS, "name": None}, {"id": SELF, "name": None}, *bid_choices],
        "surrender": rules.ruleset.surrender is not None,
        "card_order": card_order_object(rules),
        "games": games_object(rules, language),
    }
