"""`decided` says what `score` says, at every point of any deal."""

import random

import pytest

from bench.deals import random_deal
from engine import START, Entry, evolve
from engine.events import ResultRecorded
from engine.rulesets import PUBLISHED
from engine.score import decided, score


@pytest.mark.parametrize("ruleset", sorted({rules.ruleset.id for rules in PUBLISHED}))
@pytest.mark.parametrize("seed", range(12))
def test_it_is_the_same_answer_sooner(ruleset: str, seed: int) -> None:
    rng = random.Random(f"{ruleset} {seed}")
    state, answers = START, set()
    for entry in random_deal(rng, ruleset):
        state = evolve(state, entry)
        answers.add(decided(state))
        assert decided(state) == score(state).decided
        slip = evolve(state, Entry(entry.seq + 1, ResultRecorded(tricks=((0, 5), (1, 2), (2, 2)))))
        assert decided(slip) == score(slip).decided
    assert False in answers
