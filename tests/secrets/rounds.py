"""Rounds: a random record, one who asks, two worlds for him, and what is asked of them."""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import Any

from tests.secrets.deals import PLAYERS, RULESETS, cut_off, recorded_deal
from tests.secrets.growing import hold_growth
from tests.secrets.knowing import exchanged, is_open, rewritten, seen
from tests.secrets.law import Case, hold, hold_proof
from tests.secrets.questions import Question, readings, writings
from tests.secrets.worlds import ALL, OTHER, OWNER, READERS, pair
from tests.support.api.recording import DEAL
from tests.support.engine.selfplay import PACK

Json = dict[str, Any]


def ask_round(seed: int, questions: int = 60) -> int:
    """One random record and reader, some questions. How many were asked; raises `Leak`."""
    rng = random.Random(f"round {seed}")
    case = some_case(rng, f"seed {seed}")
    if case is None:
        return 0
    world = case.worlds.one
    asked = [*readings(world.app, len(case.log), rng, questions), *writings(case.log, rng)]
    asked += readings(world.app, len(case.log), rng, 5)
    for question in asked:
        if rng.random() < 0.2:
            ask_others(case, question, rng)
        hold(case, question)
    hold_proof(case)
    hold_growth(case, rng)
    return len(asked) + 2


def some_case(rng: random.Random, name: str) -> Case | None:
    """A record cut off somewhere, one who asks, and the worlds filled for him; None where all lies open."""
    who = rng.choice(list(READERS))
    worlds = pair(rng.random() < 0.5)
    ruleset = rng.choice(RULESETS)
    logs = {deal: cut_off(recorded_deal(rng, ruleset, players=dict(PLAYERS)), rng) for deal in (DEAL, OTHER)}
    how = rng.choice(("exchanged", "rewritten"))
    twins = {deal: _twin(log, READERS[who].seats(deal, log), how, rng) for deal, log in logs.items()}
    worlds.one.fill(logs[DEAL], logs[OTHER], "Bo held SA.")
    worlds.other.fill(twins[DEAL], twins[OTHER], "They had coffee, and it rained.")
    log, seats = logs[DEAL], READERS[who].seats(DEAL, logs[DEAL])
    if is_open(log):
        return None
    unseen = frozenset(PACK) - seen(log, seats) - seen(logs[OTHER], READERS[who].seats(OTHER, logs[OTHER]))
    unseen -= set(PACK) if READERS[who].seats(OTHER, logs[OTHER]) is ALL or is_open(logs[OTHER]) else set()
    return Case(worlds, who, unseen, log, seats, f"{name}, {ruleset}, {who}, {len(log)} entries, {how}")


def _twin(log: list[Json], seats: Collection[str], how: str, rng: random.Random) -> list[Json]:
    """A record that looks the same to those who sit there; the record itself where all lies open."""
    if seats is ALL or is_open(log):
        return log
    unseen = sorted(set(PACK) - seen(log, seats))
    return exchanged(log, unseen, rng) if how == "exchanged" else rewritten(log, seats, unseen, rng)


def ask_others(case: Case, question: Question, rng: random.Random) -> None:
    """Others ask the same first, who may know more: nothing that is kept of it may come to him."""
    if question.method in ("GET", "HEAD"):
        for who in (OWNER, rng.choice(list(READERS))):
            for world in case.worlds[:2]:
                case.worlds.told(world, who, *question[1:])
