"""Deals by number: each once, and draws as likely as each other; `test_hidden_cards` goes through all."""

import random
from collections import Counter

import pytest

from engine.core.work_budget import WorkBudget
from engine.inference.enumeration import NumberedFillings
from engine.inference.sampling import draw_numbers, sample_by_weight, sample_deals
from tests.support.effort import examples
from tests.support.hidden.by_trying import Key, Tried, a_trial, examined, key_of, keys_of
from tests.support.hidden.records import RULESETS, random_record, with_hands


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_is_drawn_agrees_and_no_deal_is_drawn_twice(ruleset: str) -> None:
    rng = random.Random(f"draws {ruleset}")
    some = 0
    while some < examples(5, 2):
        all_deals = a_trial(rng, ruleset)
        worlds, found = keys_of(all_deals), examined(all_deals.visible)[0]
        drawn = sample_deals(found.case, seed=some, count=3)
        assert drawn is not None
        if drawn.is_exhaustive:
            continue
        some += 1
        assert drawn.weight == 3
        assert drawn.total == sum(worlds.values())
        assert all(one.weight <= worlds[key_of(one)] for one in drawn.deals)
        assert drawn == sample_deals(found.case, seed=some - 1, count=3)


def test_every_filling_has_one_number_and_every_number_one_filling() -> None:
    rng = random.Random("fillings")
    looked = 0
    while looked < examples(60, 30):
        for reading in examined(a_trial(rng, rng.choice(RULESETS)).visible)[0].case.scenarios:
            fillings = NumberedFillings(reading, WorkBudget())
            if not 1 < fillings.total < 500:
                continue
            looked += 1
            lying = {tuple(fillings.unrank(number)) for number in range(fillings.total)}
            assert len(lying) == fillings.total
            for one in lying:
                assert tuple(mask.bit_count() for mask in one) == reading.place_sizes
                placed = [[place for place in range(10) if one[place] >> card & 1] for card in range(40)]
                for card, at in enumerate(placed):
                    assert len(at) == 1 and reading.allowed_places[card] >> at[0] & 1


def with_deals(rng: random.Random, least: int, *, unseen_plays: bool = False) -> Tried:
    """A record with which at least so many lawful deals agree, and not too many."""
    while True:
        one = a_trial(rng, "dlu")
        if least < len(one.lawful) < 40 and (not unseen_plays or examined(one.visible)[0].case.hidden_plays):
            return one


def test_every_deal_is_drawn_as_often_as_any_other() -> None:
    all_deals = with_deals(random.Random("evenly"), 10)
    case = examined(all_deals.visible)[0].case
    counts: Counter[Key] = Counter()
    draws = examples(1000, 300)
    for seed in range(draws):
        drawn = sample_deals(case, seed, count=2)
        assert drawn is not None
        counts.update({key_of(one): one.weight for one in drawn.deals})
    for key, weight in keys_of(all_deals).items():
        expected = 2 * draws * weight / len(all_deals.lawful)
        assert abs(counts[key] - expected) < 5 * expected**0.5


@pytest.mark.property
def test_deals_that_cannot_be_counted_are_drawn_by_weights_nearly_evenly() -> None:
    rng = random.Random("weights")
    for _ in range(3):
        all_deals = with_deals(rng, 4, unseen_plays=True)
        case, wanted, worlds = examined(all_deals.visible)[0].case, keys_of(all_deals), len(all_deals.lawful)
        counts: Counter[Key] = Counter()
        about = 0
        for seed in range(30):
            drawn = sample_by_weight(case, seed, 30, 100_000)
            assert drawn is not None
            about += drawn.total
            assert (drawn.is_uniform, drawn.is_exhaustive, drawn.weight) == (False, False, 30)
            counts.update({key_of(one): one.weight for one in drawn.deals})
        assert abs(about / 30 - worlds) < 0.15 * worlds
        assert set(counts) <= set(wanted)
        for key, weight in wanted.items():
            expected = 900 * weight / worlds
            assert abs(counts[key] - expected) < 0.4 * expected


def test_too_few_steps_draw_nothing() -> None:
    case = examined(with_deals(random.Random("few"), 4, unseen_plays=True).visible)[0].case
    assert sample_deals(case, seed=1, count=3, steps=2) is None
    assert sample_by_weight(case, 1, 3, 2) is None


@pytest.mark.parametrize("total", [1, 7, 100, 101, 10**6, 10**40])
def test_numbers_are_different_and_those_of_their_seed(total: int) -> None:
    found = draw_numbers(3, 100, total)
    assert len(set(found)) == len(found) == min(total, 100)
    assert all(0 <= one < total for one in found)
    assert found == draw_numbers(3, 100, total)
    if total > 100:
        assert found != draw_numbers(4, 100, total)
        assert sum(one >= total // 2 for one in draw_numbers(3, 100, total)) in range(25, 76)


def test_where_entries_are_missing_nothing_is_drawn() -> None:
    events = with_hands(random_record(random.Random(6), "dlu"))
    first = next(at for at, one in enumerate(events) if one["type"] == "card_played")
    events[first : first + 2] = [{"type": "gap_noted"}]
    assert sample_deals(examined(events)[0].case, seed=1, count=20) is None
