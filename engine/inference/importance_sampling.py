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
from engine.core.work_budget import BudgetExceeded, WorkBudget
from engine.inference.enumeration import MAX_TOTAL_COUNT_STEPS, CountBudget
from engine.inference.hidden_play_search import list_complete_scenarios
from engine.inference.hidden_plays import HiddenPlayModel
from engine.inference.inference_case import AssumedRules, HiddenPlay, InferenceCase, PlayAssignment
from engine.inference.seeded_random import SeededRandom, pick_share

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
    rng, tried, tries = SeededRandom(seed), list[WeightedDeal](), 0
    budget, count_budget = WorkBudget(steps), CountBudget(MAX_TOTAL_COUNT_STEPS, case.work)
    try:
        models = [HiddenPlayModel(case, scenario, rules) for scenario in case.scenarios]
        # A scenario is tried the oftener the more ways there are for its cards to lie.
        shares = [count_budget.number_fillings(model.scenario).total for model in models]
        while tries < TRIES_PER_DEAL * count and any(shares):
            index, _ = pick_share(shares, rng.randbelow(sum(shares)))
            one = _try_deal(models[index], rng, budget, count_budget)
            tries += 1
            if one is not None:
                tried.append(one._replace(weight=one.weight * sum(shares) // shares[index]))
    except BudgetExceeded:
        pass
    weights = [one.weight for one in tried]
    total = sum(weights)
    if not tried or total**2 < MIN_EFFECTIVE_SAMPLE_SIZE * sum(weight * weight for weight in weights):
        return None
    return tuple(tried[index] for index in _resample(weights, rng, count)), total // tries


def _try_deal(
    model: HiddenPlayModel, rng: SeededRandom, budget: WorkBudget, count_budget: CountBudget
) -> WeightedDeal | None:
    """A deal tried by chance; None where the cards chosen leave none. Raises `BudgetExceeded`."""
    assignment: dict[HiddenPlay, Card] = {}
    weight = 1
    while len(assignment) < len(model.hidden_plays):
        budget.spend(1)
        options = model.remaining_options(assignment)
        if options is None:
            return None
        play = min(options.cards_by_play, key=lambda one: options.cards_by_play[one].bit_count())
        cards = cards_in_mask(options.cards_by_play[play])
        if not cards:
            return None
        assignment[play] = cards[rng.randbelow(len(cards))]
        weight *= len(cards)
    scenarios = list_complete_scenarios(model, assignment)
    fillings = [count_budget.number_fillings(scenario) for scenario in scenarios]
    totals = [each.total for each in fillings]
    if model.remaining_options(assignment) is None or not sum(totals):
        return None
    index, rest = pick_share(totals, rng.randbelow(sum(totals)))
    return WeightedDeal(fillings[index].unrank(rest), assignment, weight * sum(totals))


def _resample(weights: Sequence[int], rng: SeededRandom, count: int) -> Iterator[int]:
    """So many of them, each as often as its weight has it, by points at even distances."""
    whole = sum(weights)
    begin, place, passed = rng.randbelow(whole), 0, weights[0]
    for number in range(count):
        point = (begin + number * whole) // count
        while point >= passed:
            place += 1
            passed += weights[place]
        yield place
