"""The complete deals that agree with a record: how many there are, and one of them as a witness.

A complete deal says of each card which way it took (`engine.inference.places`), and which card each hidden
play was. In which order cards lay within a hand, a discard, a draw or the talon makes no other deal.
"""

from collections.abc import Iterator
from math import perm
from typing import NamedTuple

from engine.core.cards import CARD_BITS, SEATS, Card, Seat, cards_in_mask
from engine.core.field_types import Seq
from engine.core.work_budget import BudgetExceeded
from engine.inference.enumeration import (
    MAX_TOTAL_COUNT_STEPS,
    CountBudget,
    NumberedFillings,
    TooManyFillings,
    count_fillings,
)
from engine.inference.evidence import Evidence
from engine.inference.evidence_levels import list_lawful_scenarios
from engine.inference.hidden_play_search import StepBudget, find_first_filling, list_complete_scenarios
from engine.inference.hidden_plays import (
    PACK_MASK,
    PHYSICAL_ONLY,
    AssumedRules,
    HiddenPlay,
    HiddenPlayModel,
    PlayAssignment,
)
from engine.inference.inference_case import InferenceCase
from engine.inference.physical_constraints import Scenario
from engine.inference.placement import find_filling as filled_places
from engine.inference.places import FATE_DISCARDED, FATE_DRAWN, FATE_KEPT, TALON_REST_PLACE, place_number
from engine.inference.suit_constraints import exclusion_by_lead, list_off_suit_plays


class DealCount(NamedTuple):
    """How many complete deals agree: at least and at most; ``maximum`` None where no bound was found."""

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


def count_deals(evidence: Evidence, lawful: bool) -> DealCount:
    """How many complete deals agree with the record on one level of evidence."""
    level = evidence.lawful if lawful else evidence.physical
    if level.is_consistent is False:
        return DealCount(0, 0)
    try:
        return _count_on_level(evidence, lawful)
    except BudgetExceeded:
        return DealCount(1 if level.is_consistent else 0, None)


def _count_on_level(evidence: Evidence, lawful: bool) -> DealCount:
    case = evidence.case
    if not case.hidden_plays:
        return _count_seen_plays(evidence, lawful)
    if not lawful:
        unordered_count = _count_unordered(case)
        if unordered_count is not None:
            return DealCount(unordered_count, unordered_count)
    minimum, is_complete = _count_by_search(
        case, evidence.rules if lawful else PHYSICAL_ONLY, StepBudget(evidence.steps)
    )
    return DealCount(minimum, minimum if is_complete else _max_orders(case))


def _count_seen_plays(evidence: Evidence, lawful: bool) -> DealCount:
    """The count where every play is seen."""
    counts = [
        count_fillings(scenario, evidence.case.work)
        for scenario in list_seen_play_scenarios(evidence, lawful)
    ]
    known = sum(count for count in counts if count is not None)
    exact = None not in counts and evidence.claims.is_play_order_known
    return DealCount(max(known, 1), known if exact else None)


def list_seen_play_scenarios(evidence: Evidence, lawful: bool) -> tuple[Scenario, ...]:
    """Where the cards can lie where every play is seen; no deal belongs to two of these scenarios."""
    if not lawful or not evidence.claims.is_play_order_known:
        return evidence.case.scenarios
    off_suit_plays = tuple(
        play for play in list_off_suit_plays(evidence.claims) if play.seq not in evidence.revokes
    )
    return tuple(list_lawful_scenarios(evidence.case, off_suit_plays))


def _count_unordered(case: InferenceCase) -> int | None:
    """The number of physically possible deals, where nothing says when an unseen card was played."""
    models = [
        HiddenPlayModel(case.claims, scenario, case.hidden_plays, PHYSICAL_ONLY, case.work)
        for scenario in case.scenarios
    ]
    if any(window != PACK_MASK for model in models for window in model.candidates.values()):
        return None
    return _max_orders(case)


def _max_orders(case: InferenceCase) -> int | None:
    """Every way the cards can lie, each with every order of those that can have been hidden plays."""
    total = 0
    for scenario in case.scenarios:
        model = HiddenPlayModel(case.claims, scenario, case.hidden_plays, PHYSICAL_ONLY, case.work)
        count = count_fillings(scenario, case.work)
        if count is None:
            return None
        for seat in SEATS:
            hidden = sum(slot.seat == seat for slot in case.hidden_plays)
            count *= perm(model.hand_sizes[seat] + hidden, hidden) if model.hand_sizes[seat] >= 0 else 0
        total += count
    return total


def _count_by_search(case: InferenceCase, rules: AssumedRules, budget: StepBudget) -> tuple[int, bool]:
    """The deals in the scenarios that could be gone through, and whether these are all."""
    total, count_budget = 0, CountBudget(MAX_TOTAL_COUNT_STEPS, case.work)
    for scenario in case.scenarios:
        try:
            model = HiddenPlayModel(case.claims, scenario, case.hidden_plays, rules, case.work)
            total += HiddenPlayCounter(model, budget, count_budget).count_from({}, 0)
        except (BudgetExceeded, TooManyFillings):
            return total, False
    return total, True


class HiddenPlayCounter:
    """The count of the deals of one scenario, hidden play after hidden play.

    Two beginnings from which the same goes on are counted once: the same cards have left the hands, the same
    is proved of what is left in them, and the trick being played is the same.
    """

    def __init__(self, model: HiddenPlayModel, budget: StepBudget, count_budget: CountBudget) -> None:
        self.model, self.budget, self.count_budget = model, budget, count_budget
        self.known_counts: dict[tuple[object, ...], int] = {}
        self.known_fillings: dict[tuple[int, ...], NumberedFillings] = {}

    def count_from(self, assignment: dict[HiddenPlay, Card], position: int) -> int:
        """The number of deals in which the first ``position`` slots are filled as in ``assignment``.

        Raises:
            BudgetExceeded, TooManyFillings: it would take too long.
        """
        if position == len(self.model.hidden_plays):
            return self._count_rest(assignment)
        slot = self.model.hidden_plays[position]
        key = self._memo_key(assignment, slot)
        known = self.known_counts.get(key)
        if known is None:
            self.budget.take_step()
            options = self.model.remaining_options(assignment)
            cards = () if options is None else cards_in_mask(options.cards_by_play[slot])
            known = sum(self.count_from({**assignment, slot: card}, position + 1) for card in cards)
            self.known_counts[key] = known
        return known

    def _memo_key(self, filled: dict[HiddenPlay, Card], slot: HiddenPlay) -> tuple[object, ...]:
        """All that matters of ``filled`` from ``slot`` on."""
        played = frozenset((one.seat, card) for one, card in filled.items())
        trick = tuple(card for one, card in filled.items() if one.trick == slot.trick)
        excluded: dict[Seat, int] = {}
        choices = []
        for play in self.model.off_suit_plays_with(filled):
            ban = exclusion_by_lead(play.lead, self.model.claims.trick_rules)
            if play.trick < slot.trick:
                excluded[play.seat] = excluded.get(play.seat, 0) | ban.excluded
            else:
                choices.append((play.seat, play.trick, play.lead))
            if ban.conditional:
                choices.append((play.seat, play.trick, play.lead))
        return slot, played, trick, frozenset(excluded.items()), frozenset(choices)

    def _count_rest(self, filled: dict[HiddenPlay, Card]) -> int:
        """The number of ways in which the cards can lie where every slot is filled."""
        return sum(fillings.total for fillings in self.list_fillings(filled))

    def list_fillings(self, assignment: dict[HiddenPlay, Card]) -> Iterator[NumberedFillings]:
        """The ways themselves, scenario by scenario.

        Raises:
            TooManyFillings: they cannot be counted.
        """
        for scenario in list_complete_scenarios(self.model, assignment):
            key = tuple(scenario.allowed_places)
            if key not in self.known_fillings:
                self.known_fillings[key] = self.count_budget.number_fillings(scenario)
            yield self.known_fillings[key]


def find_witness(evidence: Evidence, lawful: bool) -> CompleteDeal | None:
    """One complete deal that agrees with the record on a level; None where none was found."""
    try:
        return _find_witness(evidence, lawful)
    except BudgetExceeded:
        return None


def _find_witness(evidence: Evidence, lawful: bool) -> CompleteDeal | None:
    case = evidence.case
    if case.hidden_plays:
        filling = find_first_filling(
            case, evidence.rules if lawful else PHYSICAL_ONLY, StepBudget(evidence.steps)
        )
        return (
            None if filling is None else _build_complete_deal(case, filling.scenarios[0], filling.assignment)
        )
    for scenario in list_seen_play_scenarios(evidence, lawful):
        if filled_places(scenario, case.work) is not None:
            return _build_complete_deal(case, scenario, {})
    return None


def _build_complete_deal(
    case: InferenceCase, scenario: Scenario, filled: PlayAssignment
) -> CompleteDeal | None:
    """The deal of one way to fill the places of ``scenario``."""
    cards_by_place = filled_places(scenario, case.work)
    if cards_by_place is None:
        return None
    discards = tuple(cards_by_place[place_number(seat, FATE_DISCARDED)] for seat in SEATS)
    dealt = tuple(discards[seat] | cards_by_place[place_number(seat, FATE_KEPT)] for seat in SEATS)
    draws = tuple(cards_by_place[place_number(seat, FATE_DRAWN)] for seat in SEATS)
    plays = [DealPlay(slot.seq, slot.seat, slot.trick, card) for slot, card in filled.items()]
    for trick in case.claims.tricks:
        trick_plays = zip(trick.seqs, trick.seats, trick.cards, strict=True)
        plays += [
            DealPlay(seq, seat, trick.number, card) for seq, seat, card in trick_plays if CARD_BITS[card]
        ]
    return CompleteDeal(
        dealt,
        discards,
        draws,
        cards_by_place[TALON_REST_PLACE],
        tuple(sorted(plays, key=lambda one: (one.trick, one.seat))),
    )
