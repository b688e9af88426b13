"""Evenings with slips, some of them wrong, as files."""

import random

from tests.support.cli.deals import Json, jsonl
from tests.tables.evenings import Evening, evening
from tests.tables.planting import PLANTERS, Planted

TABLE: Json = {
    "type": "table_opened",
    "ruleset": "dlu",
    "title": "Club evening",
    "players": ["Anna", "Bo", "Carl"],
}


SEATED = (("Anna", "Bo", "Carl"), ("Bo", "Carl", "Anna"), ("Carl", "Anna", "Bo"))


def started(number: int) -> Json:
    return {"type": "deal_started", "deal": f"d{number}", "number": number}


def deal(number: int, contract: str, **paid: int) -> list[Json]:
    """The slip of a game won by forehand, as it is due, and what was paid."""
    players = dict(zip(("forehand", "middlehand", "backhand"), SEATED[(number - 1) % 3], strict=True))
    return [
        {"type": "deal_opened", "ruleset": "dlu", "number": number, "players": players},
        {"type": "result_recorded", "declarer": "forehand", "contract": contract, "outcome": "won"},
        *([{"type": "deal_settled", "payments": paid}] if paid else []),
    ]


RIGHT = [
    deal(1, "tourne", Anna=4, Bo=-2, Carl=-2),
    deal(2, "simple", Bo=2, Carl=-1, Anna=-1),
    deal(3, "solo"),
]


WRONG = [RIGHT[0], deal(2, "simple", Bo=4, Carl=-1, Anna=-3), RIGHT[2]]


LOG = [TABLE, *map(started, (1, 2, 3))]


def recorded(kind: str) -> tuple[Evening, Planted, bytes]:
    rng = random.Random(f"cli {kind}")
    made = evening(rng, "dlu", count=6)
    planted = PLANTERS[kind](rng, made)
    players = list(made.players)
    log = [{**TABLE, "players": players}, *map(started, range(1, len(made.deals) + 1))]
    return made, planted, jsonl(log, *made.deals)
