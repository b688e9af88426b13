"""Complete deals that agree with a record, by number: all of them, or some that are drawn.

Every lawful complete deal has a number, so to draw a number is to draw a deal, each as likely as any other.
Numbers come from a given seed: the engine has no randomness of its own. If few hands can have been held,
these are listed instead, each with the number of complete deals that have it.

If the deals cannot be counted, more deals are tried at random than are wanted. Hidden plays are filled one
after another with any card that is still possible; the *weight* of such a deal is the inverse of its
probability (Knuth 1975). The deals wanted are drawn by weight, and the mean weight estimates how many deals
there are.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, SEATS, BySeat, Card, cards_in_mask
from engine.core.field_types import Seq
from engine.core.work_budget import BudgetExceeded, WorkBudget
from engine.inference.claims import (
    FATE_KEPT,
    HAND_PLACES,
    PLACE_COUNT,
    TALON_REST_PLACE,
    hand_cards,
    place_number,
)
from engine.inference.consistent_deals import HiddenPlayCounter
from engine.inference.enumeration import MAX_TOTAL_COUNT_STEPS, NumberedFillings
from engine.inference.evidence import find_revokes
from engine.inference.hidden_play_search import MAX_SEARCH_STEPS, list_complete_scenarios
from engine.inference.hidden_plays import HiddenPlayModel
from engine.inference.inference_case import AssumedRules, HiddenPlay, InferenceCase, PlayAssignment
from engine.inference.physical_constraints import Scenario
from engine.inference.placement import possible_cards_by_place

WORD_BITS: Final = 64
_WORD_MASK: Final = (1 << WORD_BITS) - 1


def draw_numbers(seed: int, count: int, total: int) -> tuple[int, ...]:
    """Draw ``count`` different numbers below ``total``; all of them if there are no more."""
    if total <= count:
        return tuple(range(total))
    rng, chosen = SeededRandom(seed), dict[int, None]()
    while len(chosen) < count:
        chosen[rng.randbelow(total)] = None
    return tuple(chosen)


def pick_share(shares: Sequence[int], number: int) -> tuple[int, int]:
    """The share in which a number falls, if shares lie one after another, and how far into it."""
    for index, share in enumerate(shares):
        if number < share:
            return index, number
        number -= share
    raise IndexError(number)


class SeededRandom:
    """Uniform random numbers by the generator SplitMix64 (Steele, Lea and Flood 2014)."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _WORD_MASK

    def randbelow(self, total: int) -> int:
        """The next number below ``total``."""
        drawn = 0
        # One word more than needed, which makes the bias of the remainder negligible.
        for _ in range(total.bit_length() // WORD_BITS + 2):
            drawn = drawn << WORD_BITS | self._next_word()
        return drawn % total

    def _next_word(self) -> int:
        self._state = self._state + 0x9E3779B97F4A7C15 & _WORD_MASK
        mixed = (self._state ^ self._state >> 30) * 0xBF58476D1CE4E5B9 & _WORD_MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD_MASK
        return mixed ^ mixed >> 31


Hands = BySeat[int]
"""By seat a mask of the cards with which it began the play."""
HandsAndPlays = tuple[Hands, Mapping[Seq, Card]]
"""Hands, and the cards of the hidden plays by their entries."""


class SampledDeal(NamedTuple):
    """Hands that can have been held, and the cards of the hidden plays by their entries.

    ``weight``: how many of the complete deals drawn or listed have these.
    """

    hands: Hands
    plays: Mapping[Seq, Card]
    weight: int


class DealSample(NamedTuple):
    """Deals that agree with a record: all of them if ``is_exhaustive``, else a sample drawn from ``total``.

    ``is_uniform``: each deal is equally likely, and ``total`` is exact; otherwise both are approximate.
    """

    deals: tuple[SampledDeal, ...]
    is_exhaustive: bool
    total: int
    is_uniform: bool = True

    @property
    def weight(self) -> int:
        """How many complete deals were drawn or listed."""
        return sum(one.weight for one in self.deals)


def sample_deals(
    case: InferenceCase, seed: int, count: int, steps: int = MAX_SEARCH_STEPS
) -> DealSample | None:
    """List the hands of all lawful deals if there are at most ``count``; else draw that many deals.

    No deal is drawn twice. Revokes that the cards prove are excepted, as on the lawful level of evidence. If
    plays are hidden and the deals cannot be counted in ``steps``, they are drawn by weight. None if that
    fails too, or if nobody knows which entries are missing.
    """
    if not case.claims.is_play_order_known or any(slot.seq is None for slot in case.hidden_plays):
        return None

    def draw(rules: AssumedRules) -> DealSample:
        if case.hidden_plays:
            return _sample_hidden_plays(case, rules, seed, count, steps)
        return _sample_seen_plays(case, rules, seed, count)

    try:
        sample = draw(AssumedRules())
        if not sample.total and (revokes := find_revokes(case, case.off_suit_plays, steps)):
            sample = draw(AssumedRules(excused_plays=frozenset(revokes)))
    except BudgetExceeded:
        return sample_by_weight(case, seed, count, steps) if case.hidden_plays else None
    return sample


# --- Where every play is seen ---------------------------------------------------------------------


def _sample_seen_plays(case: InferenceCase, rules: AssumedRules, seed: int, count: int) -> DealSample:
    scenarios = tuple(case.list_lawful_scenarios(rules))
    step_budget = WorkBudget(MAX_TOTAL_COUNT_STEPS)
    fillings = [NumberedFillings(scenario, case.work, step_budget) for scenario in scenarios]
    total = sum(each.total for each in fillings)
    weights = _count_all_hands(scenarios, count, case.work)
    if weights is not None:
        deals = tuple(SampledDeal(hands, {}, weight) for hands, weight in weights.items())
        return DealSample(deals, True, total)
    drawn = (_unrank_hands(fillings, number) for number in draw_numbers(seed, count, total))
    return DealSample(_merge_alike_deals((hands, {}) for hands in drawn), total <= count, total)


def _count_all_hands(
    scenarios: tuple[Scenario, ...], max_hands: int, work: WorkBudget
) -> dict[Hands, int] | None:
    """All hands that can have been held, with the number of deals of each; None if there are too many."""
    # These include hands that only the sizes of discards and talon exclude: their weight is 0.
    outlines = [(scenario, NumberedFillings(_outline_scenario(scenario), work)) for scenario in scenarios]
    if sum(outline.total for _, outline in outlines) > max_hands:
        return None
    weights: dict[Hands, int] = {}
    for scenario, outline in outlines:
        for number in range(outline.total):
            hands = _unrank_hands([outline], number)
            if weight := NumberedFillings(_restrict_to_hands(scenario, hands), work).total:
                weights[hands] = weights.get(hands, 0) + weight
    return weights


def _outline_scenario(scenario: Scenario) -> Scenario:
    """The scenario reduced to who held which cards: everything else is one place."""
    all_hands = HAND_PLACES[0] | HAND_PLACES[1] | HAND_PLACES[2]
    allowed = [
        sum(1 << place_number(seat, FATE_KEPT) for seat in SEATS if places & HAND_PLACES[seat])
        | (1 << TALON_REST_PLACE if places & ~all_hands else 0)
        for places in scenario.allowed_places
    ]
    sizes = [0] * PLACE_COUNT
    for seat in SEATS:
        sizes[place_number(seat, FATE_KEPT)] = sum(
            scenario.place_sizes[place] for place in cards_in_mask(HAND_PLACES[seat])
        )
    sizes[TALON_REST_PLACE] = sum(scenario.place_sizes) - sum(sizes)
    return Scenario(allowed, tuple(sizes))


def _restrict_to_hands(scenario: Scenario, hands: Hands) -> Scenario:
    """The scenario with exactly these hands."""
    allowed = list(scenario.allowed_places)
    for card in range(len(allowed)):
        for seat in SEATS:
            allowed[card] &= HAND_PLACES[seat] if hands[seat] & CARD_BITS[card] else ~HAND_PLACES[seat]
    return scenario._replace(allowed_places=allowed)


# --- With hidden plays ----------------------------------------------------------------------------


def _sample_hidden_plays(
    case: InferenceCase, rules: AssumedRules, seed: int, count: int, steps: int
) -> DealSample:
    budget, filling_budget = WorkBudget(steps), WorkBudget(MAX_TOTAL_COUNT_STEPS)
    counters = [
        HiddenPlayCounter(HiddenPlayModel(case, scenario, rules), budget, filling_budget)
        for scenario in case.scenarios
        if possible_cards_by_place(scenario, case.work) is not None
    ]
    totals = [counter.count_from({}) for counter in counters]
    total = sum(totals)
    picks = (pick_share(totals, number) for number in draw_numbers(seed, count, total))
    deals = _merge_alike_deals(_unrank_deal(counters[index], number) for index, number in picks)
    return DealSample(deals, total <= count, total)


def _unrank_deal(counter: HiddenPlayCounter, number: int) -> HandsAndPlays:
    """The deal with this number in one scenario: the hidden plays in their order, then the other cards."""
    assignment: dict[HiddenPlay, Card] = {}
    for play in counter.model.hidden_plays:
        options = counter.model.remaining_options(assignment)
        for card in () if options is None else cards_in_mask(options.cards_by_play[play]):
            ways = counter.count_from({**assignment, play: card})
            if number < ways:
                assignment[play] = card
                break
            number -= ways
    return _unrank_hands(list(counter.list_fillings(assignment)), number), _plays_by_entry(assignment)


def _plays_by_entry(assignment: PlayAssignment) -> Mapping[Seq, Card]:
    return {play.seq: card for play, card in assignment.items() if play.seq is not None}


def _unrank_hands(fillings: list[NumberedFillings], number: int) -> Hands:
    """The hands of the filling with this number, counted through all ``fillings``."""
    index, rest = pick_share([each.total for each in fillings], number)
    cards_by_place = fillings[index].unrank(rest)
    first, second, third = (hand_cards(cards_by_place, seat) for seat in SEATS)
    return first, second, third


def _merge_alike_deals(deals: Iterable[HandsAndPlays]) -> tuple[SampledDeal, ...]:
    """Deals with the same hands and plays as one, with their number."""
    weights: Counter[tuple[Hands, tuple[tuple[Seq, Card], ...]]] = Counter()
    for hands, plays in deals:
        weights[hands, tuple(plays.items())] += 1
    return tuple(SampledDeal(hands, dict(plays), weight) for (hands, plays), weight in weights.items())


# --- By weight ------------------------------------------------------------------------------------


TRIES_PER_DEAL: Final = 10
"""Deals tried for each deal wanted, if the steps suffice."""
MIN_EFFECTIVE_SAMPLE_SIZE: Final = 20
"""Weighted draws are of no use if they are worth fewer uniform draws than this."""


def sample_by_weight(case: InferenceCase, seed: int, count: int, steps: int) -> DealSample | None:
    """Draw ``count`` deals by weight, some perhaps more than once; None if too few could be tried."""
    rng, tries = SeededRandom(seed), 0
    tried: list[HandsAndPlays] = []
    weights: list[int] = []
    budget, filling_budget = WorkBudget(steps), WorkBudget(MAX_TOTAL_COUNT_STEPS)
    try:
        models = [HiddenPlayModel(case, scenario, AssumedRules()) for scenario in case.scenarios]
        # A scenario is tried more often the more ways there are for its cards to lie.
        shares = [NumberedFillings(model.scenario, case.work, filling_budget).total for model in models]
        while tries < TRIES_PER_DEAL * count and any(shares):
            index, _ = pick_share(shares, rng.randbelow(sum(shares)))
            deal, weight = _try_deal(models[index], rng, budget, filling_budget)
            tries += 1
            if deal is not None:
                tried.append(deal)
                weights.append(weight * sum(shares) // shares[index])
    except BudgetExceeded:
        pass
    total = sum(weights)
    if not tried or total**2 < MIN_EFFECTIVE_SAMPLE_SIZE * sum(weight * weight for weight in weights):
        return None
    deals = _merge_alike_deals(tried[index] for index in _resample(weights, rng, count))
    return DealSample(deals, False, total // tries, False)


def _try_deal(
    model: HiddenPlayModel, rng: SeededRandom, budget: WorkBudget, filling_budget: WorkBudget
) -> tuple[HandsAndPlays | None, int]:
    """A random deal with its weight; None if no deal has the cards chosen. Raises `BudgetExceeded`."""
    assignment: dict[HiddenPlay, Card] = {}
    weight = 1
    while len(assignment) < len(model.hidden_plays):
        budget.spend(1)
        options = model.remaining_options(assignment)
        if options is None:
            return None, 0
        play = min(options.cards_by_play, key=lambda one: options.cards_by_play[one].bit_count())
        cards = cards_in_mask(options.cards_by_play[play])
        if not cards:
            return None, 0
        assignment[play] = cards[rng.randbelow(len(cards))]
        weight *= len(cards)
    scenarios = list_complete_scenarios(model, assignment)
    fillings = [NumberedFillings(scenario, model.work, filling_budget) for scenario in scenarios]
    total = sum(each.total for each in fillings)
    if model.remaining_options(assignment) is None or not total:
        return None, 0
    hands = _unrank_hands(fillings, rng.randbelow(total))
    return (hands, _plays_by_entry(assignment)), weight * total


def _resample(weights: Sequence[int], rng: SeededRandom, count: int) -> Iterator[int]:
    """Systematic resampling: ``count`` indices, each about as often as its weight says."""
    whole = sum(weights)
    begin, place, passed = rng.randbelow(whole), 0, weights[0]
    for number in range(count):
        point = (begin + number * whole) // count
        while point >= passed:
            place += 1
            passed += weights[place]
        yield place
