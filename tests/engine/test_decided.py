"""`brief_score` is `score` but for what is reachable, at every point of any deal."""

import random

import pytest

from bench.deals import random_deal
from engine import START, Entry, evolve
from engine.core.cards import SEATS
from engine.core.events import ResultRecorded
from engine.rulesets import PUBLISHED
from engine.scoring.score import brief_score, score

SLIP = ResultRecorded(tricks=tuple(zip(SEATS, (5, 2, 2), strict=True)))


@pytest.mark.parametrize("ruleset", sorted({rules.ruleset.id for rules in PUBLISHED}))
def test_it_is_the_same_answer_sooner(ruleset: str) -> None:
    answers = set()
    for seed in range(12):
        state = START
        for number, entry in enumerate(random_deal(random.Random(f"{ruleset} {seed}"), ruleset), 1):
            state = evolve(state, entry)
            due = score(state)
            answers.add(due.decided)
            assert brief_score(state)._replace(reachable=due.reachable) == due
            slip = evolve(state, Entry(number + 1, SLIP))
            assert brief_score(slip) == score(slip)
    assert answers == {True, False}
