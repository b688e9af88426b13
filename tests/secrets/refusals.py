"""The same law for strict mode: a refusal of what a seat does tells no more than that seat knows."""

from __future__ import annotations

import random
from typing import Any

from tests.secrets.deals import PLAYERS, RULESETS, cut_off, recorded_deal
from tests.secrets.knowing import cards_of, exchanged, is_open, rewritten, seen
from tests.secrets.law import require_alike
from tests.secrets.worlds import API, OWNER, as_text, pair
from tests.support.api.recording import DEAL
from tests.support.engine.selfplay import PACK

Json = dict[str, Any]


def hold_refusal(seed: int) -> bool:
    """Whoever enters what a seat does, in strict mode, learns no more than that seat knows. Raises `Leak`.

    Says whether it was refused.
    """
    rng = random.Random(f"refusal {seed}")
    worlds, ruleset = pair(False), rng.choice(RULESETS)
    whole = recorded_deal(rng, ruleset, players=dict(PLAYERS))
    log = cut_off(whole, rng)
    act = _some_act(whole, log, rng)
    seats = [act["seat"]] if "seat" in act else []
    if is_open(log):
        return False
    unseen = sorted(set(PACK) - seen(log, seats) - set(cards_of(act)))
    twin = exchanged(log, unseen, rng) if rng.random() < 0.5 else rewritten(log, seats, unseen, rng)
    worlds.one.fill(log, log[:1])
    worlds.other.fill(twin, log[:1])
    path = f"{API}/deals/{DEAL}/events?mode=strict"
    sent = {"json": act, "headers": {"If-Match": f'"{len(log)}"'}}
    one, other = (worlds.told(world, OWNER, "POST", path, sent) for world in worlds[:2])
    where = f"refusal seed {seed}, {ruleset}, {len(log)} entries: {as_text(act)}"
    require_alike(one, other, where)
    return one.status == 422


def _some_act(whole: list[Json], log: list[Json], rng: random.Random) -> Json:
    """What comes next, or something that a seat might do wrongly."""
    acts = [event for event in whole[len(log) :] if event["type"] not in ("deal_opened", "correction_made")]
    seat = rng.choice(list(PLAYERS))
    tricks = {"forehand": 5, "middlehand": 2, "backhand": 2}
    acts = [
        *acts[:2],
        {"type": "card_played", "seat": seat, "card": rng.choice(PACK)},
        {"type": "cards_drawn", "seat": seat, "cards": rng.sample(PACK, 3)},
        {"type": "cards_discarded", "seat": seat, "cards": rng.sample(PACK, 3)},
        {"type": "cards_shown", "seat": seat, "cards": rng.sample(PACK, 2)},
        {"type": "tricks_claimed", "seat": seat, "tricks": tricks},
        {"type": "talon_turned", "card": rng.choice(PACK)},
        {"type": "hand_held", "seat": seat, "cards": rng.sample(PACK, 9)},
        {"type": "note_added", "text": "Well."},
    ]
    act = {name: value for name, value in rng.choice(acts).items() if name not in ("recorded_by", "accounts")}
    return {**act, "id": "018f5e2a-7b1c-7d3e-9f40-0a1b2c3d4eaa"}
