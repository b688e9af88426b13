"""The complete deals that agree with a record: how many there are, and one of them as a witness.

A complete deal says where each card lay (`engine.inference.claims`), and which card each hidden play was.
The order of cards within a hand, a discard, a draw or the talon makes no other deal.
"""

from collections.abc import Iterator
from math import perm
from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, SEATS, Card, Seat, cards_in_mask
from engine.core.field_types import Seq
from engine.core.work_budget import BudgetExceeded, WorkBudget
from engine.inference.claims import FATE_DISCARDED, FATE_DRAWN, FATE_KEPT, TALON_REST_PLACE, place_number
from engine.inference.enumeration import NumberedFillings
from engine.inference.evidence import Evidence
from engine.inference.hidden_play_search import find_first_filling, list_complete_scenarios
from engine.inference.hidden_plays import HiddenPlayModel
from engine.inference.inference_case import (
    PHYSICAL_ONLY,
    AssumedRules,
    HiddenPlay,
    InferenceCase,
    PlayAssignment,
)
from engine.inference.physical_constraints import Scenario
from engine.inference.placement import fill_scenario, possible_cards_by_place
from engine.inference.suit_constraints import exclusion_by_lead

MAX_STEPS_PER_COUNT: Final = 300
"""Limit on the steps among hidden plays that a count of deals takes."""
MAX_FILLING_STEPS: Final = 10_000
"""Limit on the ways to lay out cards that are tried on each level."""


class DealCount(NamedTuple):
    """How many complete deals agree; ``maximum`` is None if no bound was found."""

    minimum: int
    maximum: int | None

    @property
    def is_exact(self) -> bool:
        """Whether the number is known."""
        return self.minimum == self.maximum


class DealPlay(NamedTuple):
    """A card played to a trick; ``seq`` None where the record has no entry of it."""

    seq: Seq | None
    seat: Seat
    trick: int
    card: Card


class CompleteDeal(NamedTuple):
    """A complete deal: by seat the masks of cards dealt, laid away and drawn, what is left, every play."""

    dealt_hands: tuple[int, ...]
    discards: tuple[int, ...]
    draws: tuple[int, ...]
    talon_rest: int
    plays: tuple[DealPlay, ...]


def count_deals(
    evidence: Evidence,
    lawful: bool,
    steps: int = MAX_STEPS_PER_COUNT,
    filling_steps: int = MAX_FILLING_STEPS,
) -> DealCount:
    """How many complete deals agree on one level of evidence; bounds if they cannot be counted in time."""
    case, level = evidence.case, evidence.level(lawful)
    if level.is_consistent is False:
        return DealCount(0, 0)
    minimum = 1 if level.is_consistent else 0
    if evidence.is_outline or not (level.is_exact or case.hidden_plays):
        return DealCount(minimum, None)
    if not case.hidden_plays:
        return _count_seen_plays(evidence, lawful, filling_steps)
    is_unordered, maximum = _count_orders(case)
    if is_unordered and maximum is not None and not lawful:
        return DealCount(maximum, maximum)
    total = count_by_search(case, evidence.rules if lawful else PHYSICAL_ONLY, steps, filling_steps)
    return DealCount(minimum, maximum) if total is None else DealCount(total, total)


def _count_seen_plays(evidence: Evidence, lawful: bool, filling_steps: int) -> DealCount:
    """The count where every play is seen."""
    step_budget, total = WorkBudget(filling_steps), 0
    try:
        for scenario in _list_seen_play_scenarios(evidence, lawful):
            total += NumberedFillings(scenario, evidence.case.work, step_budget).total
    except BudgetExceeded:
        return DealCount(max(total, 1), None)
    return DealCount(total, total)


def _list_seen_play_scenarios(evidence: Evidence, lawful: bool) -> tuple[Scenario, ...]:
    """The scenarios of a record in which every play is seen; no deal belongs to two of them."""
    if not lawful or not evidence.claims.is_play_order_known:
        return evidence.case.scenarios
    return tuple(evidence.case.list_lawful_scenarios(evidence.rules))


def _count_orders(case: InferenceCase) -> tuple[bool, int | None]:
    """Whether nothing shows when an unseen card was played, and how many deals there are if so.

    These are the ways the cards can lie, times the orders of those that can have been hidden plays; None if
    they take too long to count. If something does show it, this is an upper bound.
    """
    is_unordered, total = True, 0
    try:
        for scenario in case.scenarios:
            model = HiddenPlayModel(case, scenario, PHYSICAL_ONLY)
            is_unordered &= model.is_unordered
            count = NumberedFillings(scenario, case.work).total
            for seat in SEATS:
                hidden = sum(play.seat == seat for play in case.hidden_plays)
                count *= perm(model.hand_sizes[seat] + hidden, hidden) if model.hand_sizes[seat] >= 0 else 0
            total += count
    except BudgetExceeded:
        return False, None
    return is_unordered, total


def count_by_search(case: InferenceCase, rules: AssumedRules, steps: int, filling_steps: int) -> int | None:
    """The number of deals, counted hidden play after hidden play; None if that takes too long."""
    budget, filling_budget = WorkBudget(steps), WorkBudget(filling_steps)
    try:
        return sum(
            HiddenPlayCounter(HiddenPlayModel(case, scenario, rules), budget, filling_budget).count_from({})
            for scenario in case.scenarios
            if possible_cards_by_place(scenario, case.work) is not None
        )
    except BudgetExceeded:
        return None


class HiddenPlayCounter:
    """Counts the deals of one scenario, hidden play after hidden play.

    Beginnings that can go on in the same ways are counted once: the same cards have left the hands, the same
    is proved of the cards left in them, and the trick being played is the same.
    """

    def __init__(self, model: HiddenPlayModel, budget: WorkBudget, filling_budget: WorkBudget) -> None:
        self.model, self.budget, self.filling_budget = model, budget, filling_budget
        self.known_counts: dict[tuple[object, ...], int] = {}
        self.known_fillings: dict[tuple[int, ...], NumberedFillings] = {}

    def count_from(self, assignment: dict[HiddenPlay, Card]) -> int:
        """The number of deals with these cards for the first hidden plays. Raises `BudgetExceeded`."""
        if len(assignment) == len(self.model.hidden_plays):
            return sum(fillings.total for fillings in self.list_fillings(assignment))
        play = self.model.hidden_plays[len(assignment)]
        key = self._memo_key(assignment, play)
        known = self.known_counts.get(key)
        if known is None:
            self.budget.spend(1)
            options = self.model.remaining_options(assignment)
            cards = () if options is None else cards_in_mask(options.cards_by_play[play])
            known = sum(self.count_from({**assignment, play: card}) for card in cards)
            self.known_counts[key] = known
        return known

    def _memo_key(self, assignment: dict[HiddenPlay, Card], play: HiddenPlay) -> tuple[object, ...]:
        """All that matters of ``assignment`` from ``play`` on."""
        played = frozenset((one.seat, card) for one, card in assignment.items())
        trick = tuple(card for one, card in assignment.items() if one.trick == play.trick)
        excluded: dict[Seat, int] = {}
        choices = []
        for off_suit_play in self.model.off_suit_plays_with(assignment):
            ban = exclusion_by_lead(off_suit_play.lead, self.model.claims.trick_rules)
            is_earlier = off_suit_play.trick < play.trick
            if is_earlier:
                excluded[off_suit_play.seat] = excluded.get(off_suit_play.seat, 0) | ban.excluded
            if ban.conditional or not is_earlier:
                choices.append((off_suit_play.seat, off_suit_play.trick, off_suit_play.lead))
        return play, played, trick, frozenset(excluded.items()), frozenset(choices)

    def list_fillings(self, assignment: PlayAssignment) -> Iterator[NumberedFillings]:
        """The ways the cards can lie then, scenario by scenario. Raises `BudgetExceeded`."""
        for scenario in list_complete_scenarios(self.model, assignment):
            key = tuple(scenario.allowed_places)
            if key not in self.known_fillings:
                self.known_fillings[key] = NumberedFillings(scenario, self.model.work, self.filling_budget)
            yield self.known_fillings[key]


def find_witness(evidence: Evidence, lawful: bool) -> CompleteDeal | None:
    """One complete deal that agrees with the record on a level; None if none was found."""
    case = evidence.case
    try:
        if case.hidden_plays:
            rules = evidence.rules if lawful else PHYSICAL_ONLY
            filling = find_first_filling(case, rules, WorkBudget(evidence.steps))
            if filling is None:
                return None
            return _build_complete_deal(case, filling.scenarios[0], filling.assignment)
        deals = (_build_complete_deal(case, one, {}) for one in _list_seen_play_scenarios(evidence, lawful))
        return next((deal for deal in deals if deal is not None), None)
    except BudgetExceeded:
        return None


def _build_complete_deal(
    case: InferenceCase, scenario: Scenario, assignment: PlayAssignment
) -> CompleteDeal | None:
    """The deal of one way to fill the places of ``scenario``."""
    cards_by_place = fill_scenario(scenario, case.work)
    if cards_by_place is None:
        return None
    discarded, kept, drawn = (
        tuple(cards_by_place[place_number(seat, fate)] for seat in SEATS)
        for fate in (FATE_DISCARDED, FATE_KEPT, FATE_DRAWN)
    )
    plays = [DealPlay(play.seq, play.seat, play.trick, card) for play, card in assignment.items()]
    for trick in case.claims.tricks:
        for seq, seat, card in zip(trick.seqs, trick.seats, trick.cards, strict=True):
            if CARD_BITS[card]:
                plays.append(DealPlay(seq, seat, trick.number, card))
    return CompleteDeal(
        tuple(one | other for one, other in zip(discarded, kept, strict=True)),
        discarded,
        drawn,
        cards_by_place[TALON_REST_PLACE],
        tuple(sorted(plays, key=lambda play: (play.trick, play.seat))),
    )
