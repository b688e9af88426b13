"""Services that have an evening with errors in it."""

import json
import random

from flask import Flask

from service.app import create_app
from service.eventstore import MemoryStore
from tests.support.api.asking import API, Json, body_of
from tests.support.api.clients import owner_of
from tests.support.api.recording import TABLE
from tests.support.tables.evenings import Evening, evening
from tests.support.tables.planting import PLANTERS, Planted
from tests.support.tables.trials import reported


def deal_id(number: int) -> str:
    return f"018f5e2a-7b1c-7d3e-9f40-{number:012}"


def stored(made: Evening, *, closed: bool = True) -> Flask:
    app = create_app(MemoryStore())
    opened = {"type": "table_opened", "id": TABLE, "ruleset": made.ruleset, "players": list(made.players)}
    numbers = range(1, len(made.deals) + 1)
    started = [{"type": "deal_started", "deal": deal_id(number), "number": number} for number in numbers]
    lines: list[Json] = [opened, *started]
    for number, events in enumerate(made.deals, 1):
        first, *rest = [one for one in events if closed or one["type"] != "deal_closed"]
        lines += [{**first, "id": deal_id(number), "table": TABLE}, *rest]
    data = "".join(json.dumps(line) + "\n" for line in lines)
    told = owner_of(app).post(f"{API}/import", data=data, content_type="application/jsonl")
    assert body_of(told)["problems"] == []
    return app


def with_errors(*kinds: str, count: int = 8, ruleset: str = "dlu") -> tuple[Evening, list[Planted]]:
    rng = random.Random(f"api {kinds} {ruleset}")
    made = evening(rng, ruleset, count=count)
    return made, [PLANTERS[kind](rng, made) for kind in kinds]


def revoke_that_only_the_hand_shows() -> Evening:
    """A revoke in a deal that was broken off at once, so that no later card shows it."""
    made = evening(random.Random("hand 0"), "dlu", count=3, revoke_in=1)
    (fault,) = reported(made).faults
    made.deals[1] = made.deals[1][: int(fault.finding.seq)]
    return made
