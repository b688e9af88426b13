"""Deals by number: all that a search by trying finds, each once, and draws as likely as each other."""

import random
from collections import Counter

import pytest

from engine.core.cards import CODES, SEAT_NAMES, codes_in
from engine.core.work_budget import Work
from engine.inference.chance import numbers
from engine.inference.counting import Fillings
from engine.inference.deals import how_many, seen_readings
from engine.inference.drawing import Held, _by_weight, _Wanted, drawn_deals
from engine.inference.plays import Rules
from engine.inference.weighing import weighed
from tests.support.hidden.by_trying import examined, plays_of
from tests.support.hidden.drawing import lawful_worlds
from tests.support.hidden.naive import Event, World, whole
from tests.support.hidden.records import RULESETS, covered, cut, deal, unsure_cards, with_hands

EACH = 25

Key = tuple[tuple[tuple[str, ...], ...], tuple[tuple[int | str, str], ...]]
"""The hands with which play began, and the hidden plays by their entries."""


def record(rng: random.Random, ruleset: str) -> tuple[list[Event], World, list[str]]:
    """A record of which a few cards are not shown, what really was, and these cards."""
    events = with_hands(cut(rng, deal(rng, ruleset)))
    unsure = unsure_cards(rng, events, rng.randint(2, 4))
    return covered(rng, events, unsure, rng.choice((0.5, 1.0))), whole(events), unsure


def key_of_world(world: World, visible: list[Event]) -> Key:
    hands = tuple(
        tuple(sorted(world.dealt[seat] - world.away[seat] | world.drawn[seat])) for seat in SEAT_NAMES
    )
    laid = zip(plays_of(visible), world.plays, strict=True)
    hidden = ((seq, card) for seq, (_, _, card) in laid if visible[seq - 1]["card"][1] == "?")
    return hands, tuple(sorted(hidden))


def key_of(one: Held) -> Key:
    plays = sorted((seq, CODES[card]) for seq, card in one.plays.items())
    return tuple(tuple(sorted(codes_in(hand))) for hand in one.hands), tuple(plays)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_all_hands_are_gone_through_each_with_its_number_of_deals(ruleset: str) -> None:
    rng = random.Random(f"drawing {ruleset}")
    for _ in range(EACH):
        visible, world, unsure = record(rng, ruleset)
        worlds = lawful_worlds(visible, world, unsure)
        drawn = drawn_deals(examined(visible)[0].case, seed=1, count=10_000)
        assert drawn is not None
        assert drawn.whole
        assert drawn.total == drawn.weight == len(worlds)
        assert {key_of(one): one.weight for one in drawn.held} == Counter(
            key_of_world(one, visible) for one in worlds
        )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_is_drawn_agrees_and_no_deal_is_drawn_twice(ruleset: str) -> None:
    rng = random.Random(f"draws {ruleset}")
    some = 0
    while some < 5:
        visible, world, unsure = record(rng, ruleset)
        worlds = Counter(key_of_world(one, visible) for one in lawful_worlds(visible, world, unsure))
        found = examined(visible)[0]
        drawn = drawn_deals(found.case, seed=some, count=3)
        assert drawn is not None
        if drawn.whole:
            continue
        some += 1
        assert drawn.weight == 3
        assert drawn.total == sum(worlds.values())
        assert all(one.weight <= worlds[key_of(one)] for one in drawn.held)
        assert drawn == drawn_deals(found.case, seed=some - 1, count=3)


def test_every_filling_has_one_number_and_every_number_one_filling() -> None:
    rng = random.Random("fillings")
    looked = 0
    while looked < 60:
        visible, _, _ = record(rng, rng.choice(RULESETS))
        for reading in examined(visible)[0].case.readings:
            fillings = Fillings(reading, Work())
            if not 1 < fillings.total < 500:
                continue
            looked += 1
            lying = {tuple(fillings.at(number)) for number in range(fillings.total)}
            assert len(lying) == fillings.total
            for one in lying:
                assert tuple(mask.bit_count() for mask in one) == reading.sizes
                placed = [[place for place in range(10) if one[place] >> card & 1] for card in range(40)]
                assert all(
                    len(at) == 1 and reading.allowed[card] >> at[0] & 1 for card, at in enumerate(placed)
                )


def test_every_deal_is_drawn_as_often_as_any_other() -> None:
    rng = random.Random("evenly")
    while True:
        visible, _, _ = record(rng, "dlu")
        found = examined(visible)[0]
        if how_many(found, lawful=True).exact and 10 < how_many(found, lawful=True).least < 40:
            break
    counts: Counter[Key] = Counter()
    for seed in range(1000):
        drawn = drawn_deals(found.case, seed, count=2)
        assert drawn is not None
        counts.update({key_of(one): one.weight for one in drawn.held})
    all_of_them = drawn_deals(found.case, 0, count=1000)
    assert all_of_them is not None
    for one in all_of_them.held:
        expected = 2000 * one.weight / all_of_them.total
        assert abs(counts[key_of(one)] - expected) < 5 * expected**0.5


def hidden_plays(rng: random.Random) -> tuple[list[Event], list[World]]:
    """A record with hidden plays, with which some deals agree, and not too many."""
    while True:
        visible, world, unsure = record(rng, "dlu")
        if not any(one["type"] == "card_played" and one["card"][1] == "?" for one in visible):
            continue
        worlds = lawful_worlds(visible, world, unsure)
        if 4 < len(worlds) < 40:
            return visible, worlds


@pytest.mark.property
def test_deals_that_cannot_be_counted_are_drawn_by_weights_nearly_evenly() -> None:
    rng = random.Random("weights")
    for _ in range(3):
        visible, worlds = hidden_plays(rng)
        case = examined(visible)[0].case
        wanted = Counter(key_of_world(one, visible) for one in worlds)
        counts: Counter[Key] = Counter()
        about = 0
        for seed in range(30):
            found = weighed(case, Rules(), seed, 30, 100_000)
            assert found is not None
            about += found[1]
            drawn = _by_weight(case, _Wanted(seed, 30, 100_000))
            assert drawn is not None
            assert not drawn.even
            assert not drawn.whole
            assert drawn.weight == 30
            counts.update({key_of(one): one.weight for one in drawn.held})
        assert abs(about / 30 - len(worlds)) < 0.15 * len(worlds)
        assert set(counts) <= set(wanted)
        for key, weight in wanted.items():
            expected = 900 * weight / len(worlds)
            assert abs(counts[key] - expected) < 0.4 * expected


def test_too_few_steps_draw_nothing() -> None:
    visible, _ = hidden_plays(random.Random("few"))
    case = examined(visible)[0].case
    assert drawn_deals(case, seed=1, count=3, steps=2) is None
    assert weighed(case, Rules(), 1, 3, 2) is None


@pytest.mark.parametrize("total", [1, 7, 100, 101, 10**6, 10**40])
def test_numbers_are_different_and_those_of_their_seed(total: int) -> None:
    found = numbers(3, 100, total)
    assert len(set(found)) == len(found) == min(total, 100)
    assert all(0 <= one < total for one in found)
    assert found == numbers(3, 100, total)
    if total > 100:
        assert found != numbers(4, 100, total)
        assert sum(one >= total // 2 for one in numbers(3, 100, total)) in range(25, 76)


def test_a_large_record_is_drawn_from_though_it_is_never_gone_through() -> None:
    events = deal(random.Random(5), "dlu")
    shown = [one for one in events if one["type"] not in ("hand_dealt", "talon_laid")]
    played = [at for at, one in enumerate(shown) if one["type"] == "card_played"]
    blind = [
        {**one, "cards": ["??"] * len(one["cards"])}
        if one["type"] in ("cards_discarded", "cards_drawn")
        else one
        for one in shown[: played[6]]
    ]
    found = examined(blind)[0]
    drawn = drawn_deals(found.case, seed=1, count=20)
    assert drawn is not None
    assert not drawn.whole
    assert drawn.total > 10**15
    assert drawn.total == sum(Fillings(one, Work()).total for one in seen_readings(found, lawful=True))
    for one in drawn.held:
        assert [hand.bit_count() for hand in one.hands] == [9, 9, 9]


def test_where_entries_are_missing_nothing_is_drawn() -> None:
    events = with_hands(deal(random.Random(6), "dlu"))
    first = next(at for at, one in enumerate(events) if one["type"] == "card_played")
    events[first : first + 2] = [{"type": "gap_noted"}]
    assert drawn_deals(examined(events)[0].case, seed=1, count=20) is None
