"""Complete deals that agree with a record, by number: all of them, or some that are drawn.

Every lawful complete deal has a number, so a number drawn is a deal drawn, each as likely as any other.
Numbers come from a given seed: the engine has no chance of its own. Where few hands can have been held, these
are gone through instead, each with the number of complete deals that have it.

Where the deals cannot be counted, more are tried by chance than are wanted. Hidden plays are filled one after
another with any card that is still possible; the *weight* of such a deal is the inverse of how likely it was
(Knuth 1975). Those wanted are drawn by their weights, and the mean weight tells about how many deals there
are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, SEATS, Card, cards_in_mask
from engine.core.field_types import Seq
from engine.core.work_budget import BudgetExceeded, WorkBudget
from engine.inference.consistent_deals import HiddenPlayCounter
from engine.inference.enumeration import MAX_TOTAL_COUNT_STEPS, CountBudget, NumberedFillings
from engine.inference.evidence import find_revokes
from engine.inference.hidden_play_search import MAX_SEARCH_STEPS, list_complete_scenarios
from engine.inference.hidden_plays import HiddenPlayModel
from engine.inference.inference_case import AssumedRules, HiddenPlay, InferenceCase, PlayAssignment
from engine.inference.physical_constraints import Scenario
from engine.inference.placement import possible_cards_by_place
from engine.inference.places import (
    FATE_KEPT,
    HAND_PLACES,
    PLACE_COUNT,
    TALON_REST_PLACE,
    hand_cards,
    place_number,
)
from engine.inference.suit_constraints import list_off_suit_plays

WORD_BITS: Final = 64
_WORD_MASK: Final = (1 << WORD_BITS) - 1


def draw_numbers(seed: int, count: int, total: int) -> tuple[int, ...]:
    """So many different numbers below ``total``, as the seed has them; all where there are no more."""
    if total <= count:
        return tuple(range(total))
    rng, chosen = SeededRandom(seed), dict[int, None]()
    while len(chosen) < count:
        chosen[rng.randbelow(total)] = None
    return tuple(chosen)


def pick_share(shares: Sequence[int], number: int) -> tuple[int, int]:
    """In which of the shares, laid one after another, a number falls, and how far into it."""
    for index, share in enumerate(shares):
        if number < share:
            return index, number
        number -= share
    raise IndexError(number)


class SeededRandom:
    """A stream of numbers, each as likely as any other."""

    def __init__(self, seed: int) -> None:
        self._words = _split_mix_64(seed)

    def randbelow(self, total: int) -> int:
        """The next number below ``total``."""
        drawn = 0
        # A word more than it takes, so that no number is likelier by as much as could be seen.
        for _ in range(total.bit_length() // WORD_BITS + 2):
            drawn = drawn << WORD_BITS | next(self._words)
        return drawn % total


def _split_mix_64(seed: int) -> Iterator[int]:
    """Words of 64 bits without end, by the generator SplitMix64 (Steele, Lea and Flood 2014)."""
    state = seed & _WORD_MASK
    while True:
        state = state + 0x9E3779B97F4A7C15 & _WORD_MASK
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _WORD_MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD_MASK
        yield mixed ^ mixed >> 31


Hands = tuple[int, int, int]
"""By seat the cards with which it began the play, as masks."""


class SampledDeal(NamedTuple):
    """Hands that can have been held, and the cards of the hidden plays by their entries.

    ``weight``: for how many of the complete deals that were looked at this stands.
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
        """How many complete deals were looked at."""
        return sum(one.weight for one in self.deals)


def sample_deals(
    case: InferenceCase, seed: int, count: int, steps: int = MAX_SEARCH_STEPS
) -> DealSample | None:
    """All hands that the lawful deals allow, where there are at most ``count`` of them; else deals drawn.

    Of ``count`` deals none is drawn twice. Revokes that the cards prove are excepted, as on the lawful level
    of evidence. Where plays are hidden and the deals cannot be counted in so many ``steps`` they are drawn by
    their weights. None where that cannot be either, or where nobody
    knows which entries are missing.
    """
    if not case.claims.is_play_order_known or any(slot.seq is None for slot in case.hidden_plays):
        return None
    draw = _sample_hidden_plays if case.hidden_plays else _sample_seen_plays
    request = _SampleRequest(seed, count, steps)
    try:
        sample = draw(case, AssumedRules(), request)
        if not sample.total and (revokes := find_revokes(case, list_off_suit_plays(case.claims), steps)):
            sample = draw(case, AssumedRules(excused_plays=frozenset(revokes)), request)
    except BudgetExceeded:
        return _sample_by_weight(case, request) if case.hidden_plays else None
    return sample


class _SampleRequest(NamedTuple):
    """How many deals are wanted, by which seed, and in how many steps."""

    seed: int
    deal_count: int
    steps: int

    def draw_numbers(self, total: int) -> tuple[int, ...]:
        """The numbers of the deals, of ``total``."""
        return draw_numbers(self.seed, self.deal_count, total)


# --- Where every play is seen ---------------------------------------------------------------------


def _sample_seen_plays(case: InferenceCase, rules: AssumedRules, request: _SampleRequest) -> DealSample:
    plays = (play for play in list_off_suit_plays(case.claims) if rules.is_binding(play.seq))
    scenarios = tuple(case.list_lawful_scenarios(plays))
    count_budget = CountBudget(MAX_TOTAL_COUNT_STEPS, case.work)
    fillings = [count_budget.number_fillings(scenario) for scenario in scenarios]
    total = sum(each.total for each in fillings)
    weights = _count_all_hands(scenarios, request.deal_count, case.work)
    if weights is not None:
        deals = tuple(SampledDeal(hands, {}, weight) for hands, weight in weights.items())
        return DealSample(deals, True, total)
    drawn = (_unrank_filling(fillings, number) for number in request.draw_numbers(total))
    return DealSample(
        _merge_alike_deals((_hands_at_lead(one), {}) for one in drawn), total <= request.deal_count, total
    )


def _count_all_hands(
    scenarios: tuple[Scenario, ...], max_hands: int, work: WorkBudget
) -> dict[Hands, int] | None:
    """All hands that can have been held, with the number of deals of each; None where they are too many."""
    # What only the sizes of discards and talon exclude is among these as well, and falls out by its weight.
    outlines = [(scenario, NumberedFillings(_outline_scenario(scenario), work)) for scenario in scenarios]
    if sum(outline.total for _, outline in outlines) > max_hands:
        return None
    weights: dict[Hands, int] = {}
    for scenario, outline in outlines:
        for number in range(outline.total):
            hands = _hands_at_lead(outline.unrank(number))
            if weight := NumberedFillings(_restrict_to_hands(scenario, hands), work).total:
                weights[hands] = weights.get(hands, 0) + weight
    return weights


def _outline_scenario(scenario: Scenario) -> Scenario:
    """The scenario with no more than who held which cards: all else is one place."""
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
    """The scenario where these very hands were held."""
    allowed = list(scenario.allowed_places)
    for card in range(len(allowed)):
        for seat in SEATS:
            allowed[card] &= HAND_PLACES[seat] if hands[seat] & CARD_BITS[card] else ~HAND_PLACES[seat]
    return scenario._replace(allowed_places=allowed)


# --- With hidden plays ----------------------------------------------------------------------------


def _sample_hidden_plays(case: InferenceCase, rules: AssumedRules, request: _SampleRequest) -> DealSample:
    count_budget, budget = CountBudget(MAX_TOTAL_COUNT_STEPS, case.work), WorkBudget(request.steps)
    models = [
        HiddenPlayModel(case, scenario, rules)
        for scenario in case.scenarios
        if possible_cards_by_place(scenario, case.work) is not None
    ]
    counters = [HiddenPlayCounter(model, budget, count_budget) for model in models]
    totals = [counter.count_from({}) for counter in counters]
    total = sum(totals)
    picks = (pick_share(totals, number) for number in request.draw_numbers(total))
    deals = _merge_alike_deals(_unrank_deal(counters[index], number) for index, number in picks)
    return DealSample(deals, total <= request.deal_count, total)


def _unrank_deal(counter: HiddenPlayCounter, number: int) -> tuple[Hands, Mapping[Seq, Card]]:
    """The deal of that number in one scenario: hidden play after hidden play, and then how the rest lies."""
    assignment: dict[HiddenPlay, Card] = {}
    for play in counter.model.hidden_plays:
        options = counter.model.remaining_options(assignment)
        for card in () if options is None else cards_in_mask(options.cards_by_play[play]):
            ways = counter.count_from({**assignment, play: card})
            if number < ways:
                assignment[play] = card
                break
            number -= ways
    filling = _unrank_filling(list(counter.list_fillings(assignment)), number)
    return _hands_at_lead(filling), _plays_by_entry(assignment)


def _sample_by_weight(case: InferenceCase, request: _SampleRequest) -> DealSample | None:
    """Deals drawn by their weights; None where too few could be tried."""
    weighted = sample_weighted_deals(case, AssumedRules(), request.seed, request.deal_count, request.steps)
    if weighted is None:
        return None
    deals, estimated_total = weighted
    merged = _merge_alike_deals(
        (_hands_at_lead(one.cards_by_place), _plays_by_entry(one.assignment)) for one in deals
    )
    return DealSample(merged, False, estimated_total, False)


def _plays_by_entry(assignment: PlayAssignment) -> Mapping[Seq, Card]:
    return {play.seq: card for play, card in assignment.items() if play.seq is not None}


# --- Both -----------------------------------------------------------------------------------------


def _unrank_filling(fillings: list[NumberedFillings], number: int) -> list[int]:
    """The filling of that number, counted through all of them."""
    index, rest = pick_share([each.total for each in fillings], number)
    return fillings[index].unrank(rest)


def _hands_at_lead(cards_by_place: list[int]) -> Hands:
    first, second, third = (hand_cards(cards_by_place, seat) for seat in SEATS)
    return first, second, third


def _merge_alike_deals(deals: Iterable[tuple[Hands, Mapping[Seq, Card]]]) -> tuple[SampledDeal, ...]:
    """Deals with the same hands and plays as one, with their number."""
    weights: dict[tuple[Hands, tuple[tuple[Seq, Card], ...]], int] = {}
    for hands, plays in deals:
        key = (hands, tuple(plays.items()))
        weights[key] = weights.get(key, 0) + 1
    return tuple(SampledDeal(hands, dict(plays), weight) for (hands, plays), weight in weights.items())


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
