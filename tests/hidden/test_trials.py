"""Nobody innocent is accused, and what visible cards prove is found at its trick (more by `tests.hidden`)."""

import random

import pytest

from .records import RULESETS
from .trials import innocents, irregular, planted


@pytest.mark.parametrize("ruleset", RULESETS)
def test_nobody_innocent_is_accused(ruleset: str) -> None:
    assert innocents(random.Random(f"innocents {ruleset}"), ruleset, 25).wrong == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_planted_revoke_that_later_cards_prove_is_found(ruleset: str) -> None:
    assert planted(random.Random(f"planted {ruleset}"), ruleset, 8).wrong == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_card_laid_out_of_turn_or_second_to_a_trick_accuses_nobody(ruleset: str) -> None:
    assert irregular(random.Random(f"irregular {ruleset}"), ruleset, 25).wrong == []
