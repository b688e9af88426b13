"""Deals drawn where they cannot be counted: more are tried by chance than are wanted, and weighed.

Hidden plays are filled one after another, each with any card that is possible beside those before it. Such a
deal is the likelier the fewer cards there were to choose from; its *weight* is the inverse of how likely it
was (Knuth 1975). Of all that were tried those wanted are drawn by their weights, so that in the end each
deal is nearly as likely as any other, the more nearly the more were tried. The mean weight tells about how
many deals there are.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.core.cards import Card, cards_in_mask
from engine.core.work_budget import BudgetExceeded
from engine.inference.enumeration import MAX_TOTAL_COUNT_STEPS, CountBudget, TooManyFillings
from engine.inference.hidden_play_search import StepBudget, list_complete_scenarios
from engine.inference.hidden_plays import AssumedRules, HiddenPlay, HiddenPlayModel, PlayAssignment
from engine.inference.inference_case import InferenceCase
from engine.inference.seeded_random import SeededRandom

TRIES_PER_DEAL: Final = 10
"""So many times as many deals are tried as are wanted, if the steps suffice."""
MIN_EFFECTIVE_SAMPLE_SIZE: Final = 20
"""Weighed draws that are worth fewer deals than this, drawn evenly, say nothing."""


class WeightedDeal(NamedTuple):
    """A deal that was tried: where its cards lie, what its hidden plays are, and its weight."""

    cards_by_place: list[int]
    assignment: PlayAssignment
    weight: int


def sample_weighted_deals(
    case: InferenceCase, rules: AssumedRules, seed: int, count: int, steps: int
) -> tuple[tuple[WeightedDeal, ...], int] | None:
    """So many deals drawn by their weights, some perhaps more than once, and about how many there are.

    None where not enough could be tried in so many ``steps``.
    """
    chance, tried, tries = SeededRandom(seed), list[WeightedDeal](), 0
    budget, allowance = StepBudget(steps), CountBudget(MAX_TOTAL_COUNT_STEPS, case.work)
    try:
        courses = [
            HiddenPlayModel(case.claims, reading, case.hidden_plays, rules, case.work)
            for reading in case.scenarios
        ]
        # A reading is tried the oftener the more ways there are for its cards to lie.
        shares = [allowance.number_fillings(course.scenario).total for course in courses]
        while tries < TRIES_PER_DEAL * count and any(shares):
            number = _pick_share(shares, chance.randbelow(sum(shares)))
            one = _try_deal(courses[number], chance, budget, allowance)
            tries += 1
            if one is not None:
                tried.append(one._replace(weight=one.weight * sum(shares) // shares[number]))
    except (BudgetExceeded, TooManyFillings):
        pass
    weights = [one.weight for one in tried]
    if not tried or sum(weights) ** 2 < MIN_EFFECTIVE_SAMPLE_SIZE * sum(
        weight * weight for weight in weights
    ):
        return None
    return tuple(tried[number] for number in _resample(weights, chance, count)), sum(weights) // tries


def _try_deal(
    course: HiddenPlayModel, chance: SeededRandom, budget: StepBudget, allowance: CountBudget
) -> WeightedDeal | None:
    """A deal tried by chance; None where the cards chosen leave none.

    Raises:
        BudgetExceeded, TooManyFillings: it takes more than is left.
    """
    filled: dict[HiddenPlay, Card] = {}
    weight = 1
    while len(filled) < len(course.hidden_plays):
        budget.take_step()
        room = course.remaining_options(filled)
        if room is None:
            return None
        slot = min(room.cards_by_play, key=lambda one: room.cards_by_play[one].bit_count())
        cards = cards_in_mask(room.cards_by_play[slot])
        if not cards:
            return None
        filled[slot] = cards[chance.randbelow(len(cards))]
        weight *= len(cards)
    lying = [allowance.number_fillings(reading) for reading in list_complete_scenarios(course, filled)]
    totals = [each.total for each in lying]
    if course.remaining_options(filled) is None or not sum(totals):
        return None
    number = chance.randbelow(sum(totals))
    place = _pick_share(totals, number)
    return WeightedDeal(lying[place].unrank(number - sum(totals[:place])), filled, weight * sum(totals))


def _pick_share(shares: Sequence[int], number: int) -> int:
    """In which of the shares, laid one after another, a number falls."""
    for place, share in enumerate(shares):
        if number < share:
            return place
        number -= share
    raise IndexError(number)


def _resample(weights: Sequence[int], chance: SeededRandom, wanted: int) -> Iterator[int]:
    """So many of them, each as often as its weight has it, by points at even distances."""
    whole = sum(weights)
    begin, place, passed = chance.randbelow(whole), 0, weights[0]
    for number in range(wanted):
        point = (begin + number * whole) // wanted
        while point >= passed:
            place += 1
            passed += weights[place]
        yield place
