"""What the engine says of hidden cards, beside a search that tries every complete deal."""

import random

import pytest

from engine.core.cards import codes_in
from engine.inference.answer import hidden_cards
from engine.inference.deals import how_many, witness
from tests.support.effort import examples
from tests.support.hidden.by_trying import agreeing, as_world, compared, examined, seen_in, tried
from tests.support.hidden.irregular import played_irregularly
from tests.support.hidden.naive import whole, without_seconds
from tests.support.hidden.records import (
    RULESETS,
    covered,
    cut,
    unsure_cards,
    with_hands,
    with_revoke,
    with_talon,
)

EACH = examples(40, 15)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_cards_hands_counts_and_draws_are_those_that_trying_every_deal_finds(ruleset: str) -> None:
    rng = random.Random(f"naive {ruleset}")
    for _ in range(EACH):
        compared(tried(rng, ruleset))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_revokes_that_are_proved_are_those_that_trying_every_deal_proves(ruleset: str) -> None:
    rng = random.Random(f"naive revokes {ruleset}")
    for _ in range(EACH // 2):
        if planted := with_revoke(rng, ruleset):
            compared(tried(rng, ruleset, cut(rng, with_talon(rng, planted[0]))))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_is_laid_out_of_turn_or_second_to_a_trick_is_read_as_it_was_laid(ruleset: str) -> None:
    """On the level of matter: who leads out of turn has won nothing."""
    rng = random.Random(f"naive irregular {ruleset}")
    for number in range(EACH):
        made = played_irregularly(rng, ruleset, revoking=number % 2 == 0, numbered=True)
        events = with_hands(cut(rng, with_talon(rng, made.events)))
        unsure = [card for card in unsure_cards(rng, events, 4) if card not in made.seconds]
        visible = covered(rng, events, unsure, rng.choice((0.5, 1.0)))
        all_deals = agreeing(visible, whole(events), unsure)
        found, entries, _ = examined(visible)
        assert set(found.offences) == all_deals.offences, visible
        answer = {(one.seq, one.place): set(codes_in(one.physical)) for one in hidden_cards(found, entries)}
        assert answer == seen_in(all_deals.worlds, visible), visible
        assert found.physical.agrees and found.physical.decided
        those = [without_seconds(one) for one in all_deals.worlds]
        one = witness(found, False)
        assert one is not None and as_world(one) in those
        assert how_many(found, False).exact and how_many(found, False).least == len(those)
