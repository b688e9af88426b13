"""A deal with two rulings."""

from tests.support.cli.deals import PLAYERS, Json

DEAL: list[Json] = [
    {"type": "deal_opened", "ruleset": "dlu-tournament", "players": PLAYERS},
    {"type": "bid_made", "seat": "forehand", "bid": "spade-game", "said": "bedre"},
    {"type": "bid_made", "seat": "middlehand", "bid": "solo", "said": "solo i hjerter"},
    {"type": "bid_made", "seat": "forehand", "bid": "pass"},
    {"type": "bid_made", "seat": "backhand", "bid": "pass"},
    {"type": "contract_named", "seat": "middlehand", "contract": "solo", "trump": "H"},
    {"type": "result_recorded", "outcome": "won"},
    {"type": "ruling_made", "text": "Bo has named his suit.", "penalty": {"middlehand": 1, "backhand": 2}},
    {"type": "ruling_made", "text": "Bo has revoked.", "outcome": "bete"},
]
