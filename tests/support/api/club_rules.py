"""A club's own ruleset, and a deal under it."""

from typing import Any

from tests.support.api.recording import PLAYERS, Json

OURS = "/api/v1/rulesets/our-club"
CLUB: Json = {
    "based_on": "dlu",
    "words": {"en": "The Tuesday club", "da": "Tirsdagsklubben"},
    "source": "Minutes of the club, 3 March 2026",
    "tariff": [{"contract": "solo", "won": 4, "bete": 4, "codille": [6]}],
}
WON = {"type": "result_recorded", "declarer": "forehand", "contract": "solo", "outcome": "won"}


def dearer(won: int) -> Json:
    return {**CLUB, "tariff": [{"contract": "solo", "won": won}]}


def opening(**more: Any) -> Json:
    return {"type": "deal_opened", "ruleset": "our-club", "players": PLAYERS, **more}
