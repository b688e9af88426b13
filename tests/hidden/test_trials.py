"""Nobody innocent is accused, and what visible cards prove is found at its trick (more by `tests.hidden`)."""

import random

import pytest

from tests.hidden.trials import innocents, irregular, planted
from tests.support.hidden.pen import SLIPS, kept, slipped
from tests.support.hidden.records import RULESETS


@pytest.mark.parametrize("ruleset", RULESETS)
def test_nobody_innocent_is_accused(ruleset: str) -> None:
    assert innocents(random.Random(f"innocents {ruleset}"), ruleset, 25).wrong == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_planted_revoke_that_later_cards_prove_is_found(ruleset: str) -> None:
    assert planted(random.Random(f"planted {ruleset}"), ruleset, 8).wrong == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_card_laid_out_of_turn_or_second_to_a_trick_accuses_nobody(ruleset: str) -> None:
    assert irregular(random.Random(f"irregular {ruleset}"), ruleset, 25).wrong == []


@pytest.mark.parametrize("hidden", [False, True], ids=["hands told", "none told"])
@pytest.mark.parametrize("kind", SLIPS)
def test_a_slip_of_the_pen_accuses_nobody_without_a_condition(kind: str, *, hidden: bool) -> None:
    for ruleset in RULESETS:
        rng = random.Random(f"slipped {ruleset}")
        assert slipped(rng, ruleset, kind, 1, hidden=hidden).accused == []


@pytest.mark.parametrize("hidden", [False, True], ids=["hands told", "none told"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_true_revoke_stays_in_the_report(ruleset: str, *, hidden: bool) -> None:
    assert kept(random.Random(f"kept {ruleset}"), ruleset, 3, hidden=hidden).lost == []
