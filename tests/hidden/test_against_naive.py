"""What each hidden card can be, beside a search that tries every complete deal."""

import random

import pytest

from engine.core.cards import codes_in
from engine.inference.answer import hidden_cards
from engine.inference.deals import how_many, witness
from tests.support.hidden.by_trying import (
    as_world,
    compared,
    compared_once,
    examined,
    plays_of,
    policy_of,
    seen_in,
)
from tests.support.hidden.irregular import played_irregularly
from tests.support.hidden.naive import agrees, broken, rearranged, whole, without_seconds
from tests.support.hidden.records import (
    RULESETS,
    covered,
    cut,
    unsure_cards,
    with_hands,
    with_revoke,
    with_talon,
)

EACH = 40


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_hidden_cards_can_be_is_what_trying_every_deal_finds(ruleset: str) -> None:
    rng = random.Random(f"naive {ruleset}")
    for _ in range(EACH):
        compared_once(rng, ruleset)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_revokes_that_are_proved_are_those_that_trying_every_deal_proves(ruleset: str) -> None:
    rng = random.Random(f"naive revokes {ruleset}")
    for _ in range(EACH // 2):
        planted = with_revoke(rng, ruleset)
        if planted is None:
            continue
        events = with_hands(cut(rng, with_talon(rng, planted[0])))
        unsure = unsure_cards(rng, events, rng.randint(2, 4))
        compared(covered(rng, events, unsure, rng.choice((0.5, 1.0))), whole(events), unsure)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_is_laid_out_of_turn_or_second_to_a_trick_is_read_as_it_was_laid(ruleset: str) -> None:
    """On the level of matter: who leads out of turn has won nothing."""
    rng = random.Random(f"naive irregular {ruleset}")
    for number in range(EACH):
        made = played_irregularly(rng, ruleset, revoking=number % 2 == 0, numbered=True)
        events = with_hands(cut(rng, with_talon(rng, made.events)))
        unsure = [card for card in unsure_cards(rng, events, 4) if card not in made.seconds]
        visible, world = covered(rng, events, unsure, rng.choice((0.5, 1.0))), whole(events)
        found, entries, state = examined(visible)
        worlds = [one for one in rearranged(world, unsure) if agrees(one, visible)]
        assert set(found.offences) == {
            plays_of(visible)[play]
            for play in set.intersection(*(broken(one, policy_of(state)) for one in worlds))
        }, visible
        answer = {(one.seq, one.place): set(codes_in(one.physical)) for one in hidden_cards(found, entries)}
        assert answer == seen_in(worlds, visible), visible
        assert found.physical.agrees and found.physical.decided
        those = [without_seconds(one) for one in worlds]
        one = witness(found, False)
        assert one is not None and as_world(one) in those
        assert how_many(found, False).exact and how_many(found, False).least == len(those)
