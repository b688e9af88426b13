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


def _count_on_level(found: Evidence, lawful: bool) -> DealCount:
    case = found.case
    if not case.hidden_plays:
        return _count_seen_plays(found, lawful)
    if not lawful:
        free = _count_unordered(case)
        if free is not None:
            return DealCount(free, free)
    least, whole = _count_by_search(case, found.rules if lawful else PHYSICAL_ONLY, StepBudget(found.steps))
    return DealCount(least, least if whole else _max_orders(case))


def _count_seen_plays(found: Evidence, lawful: bool) -> DealCount:
    """The count where every play is seen."""
    counts = [count_fillings(reading, found.case.work) for reading in list_seen_play_scenarios(found, lawful)]
    known = sum(count for count in counts if count is not None)
    exact = None not in counts and found.claims.is_play_order_known
    return DealCount(max(known, 1), known if exact else None)


def list_seen_play_scenarios(evidence: Evidence, lawful: bool) -> tuple[Scenario, ...]:
    """Where the cards can lie where every play is seen; no deal belongs to two of these readings."""
    if not lawful or not evidence.claims.is_play_order_known:
        return evidence.case.scenarios
    kept = tuple(duty for duty in list_off_suit_plays(evidence.claims) if duty.seq not in evidence.revokes)
    return tuple(list_lawful_scenarios(evidence.case, kept))


def _count_unordered(case: InferenceCase) -> int | None:
    """The number of deals as matter, where nothing is told of when an unseen card was played."""
    courses = [
        HiddenPlayModel(case.claims, reading, case.hidden_plays, PHYSICAL_ONLY, case.work)
        for reading in case.scenarios
    ]
    if any(window != PACK_MASK for course in courses for window in course.candidates.values()):
        return None
    return _max_orders(case)


def _max_orders(case: InferenceCase) -> int | None:
    """Every way the cards can lie, each with every order of those that can have been hidden plays."""
    total = 0
    for reading in case.scenarios:
        course = HiddenPlayModel(case.claims, reading, case.hidden_plays, PHYSICAL_ONLY, case.work)
        count = count_fillings(reading, case.work)
        if count is None:
            return None
        for seat in SEATS:
            hidden = sum(slot.seat == seat for slot in case.hidden_plays)
            count *= perm(course.hand_sizes[seat] + hidden, hidden) if course.hand_sizes[seat] >= 0 else 0
        total += count
    return total


def _count_by_search(case: InferenceCase, rules: AssumedRules, budget: StepBudget) -> tuple[int, bool]:
    """The deals in the readings that could be gone through, and whether these are all."""
    total, allowance = 0, CountBudget(MAX_TOTAL_COUNT_STEPS, case.work)
    for reading in case.scenarios:
        try:
            course = HiddenPlayModel(case.claims, reading, case.hidden_plays, rules, case.work)
            total += HiddenPlayCounter(course, budget, allowance).count_from({}, 0)
        except (BudgetExceeded, TooManyFillings):
            return total, False
    return total, True


class HiddenPlayCounter:
    """The count of the deals of one reading, hidden play after hidden play.

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
            room = self.model.remaining_options(assignment)
            cards = () if room is None else cards_in_mask(room.cards_by_play[slot])
            known = sum(self.count_from({**assignment, slot: card}, position + 1) for card in cards)
            self.known_counts[key] = known
        return known

    def _memo_key(self, filled: dict[HiddenPlay, Card], slot: HiddenPlay) -> tuple[object, ...]:
        """All that matters of ``filled`` from ``slot`` on."""
        gone = frozenset((one.seat, card) for one, card in filled.items())
        trick = tuple(card for one, card in filled.items() if one.trick == slot.trick)
        proved: dict[Seat, int] = {}
        choices = []
        for duty in self.model.off_suit_plays_with(filled):
            ban = exclusion_by_lead(duty.lead, self.model.claims.trick_rules)
            if duty.trick < slot.trick:
                proved[duty.seat] = proved.get(duty.seat, 0) | ban.excluded
            else:
                choices.append((duty.seat, duty.trick, duty.lead))
            if ban.conditional:
                choices.append((duty.seat, duty.trick, duty.lead))
        return slot, gone, trick, frozenset(proved.items()), frozenset(choices)

    def _count_rest(self, filled: dict[HiddenPlay, Card]) -> int:
        """The number of ways in which the cards can lie where every slot is filled."""
        return sum(fillings.total for fillings in self.list_fillings(filled))

    def list_fillings(self, assignment: dict[HiddenPlay, Card]) -> Iterator[NumberedFillings]:
        """The ways themselves, reading by reading.

        Raises:
            TooManyFillings: they cannot be counted.
        """
        for reading in list_complete_scenarios(self.model, assignment):
            key = tuple(reading.allowed_places)
            if key not in self.known_fillings:
                self.known_fillings[key] = self.count_budget.number_fillings(reading)
            yield self.known_fillings[key]


def find_witness(evidence: Evidence, lawful: bool) -> CompleteDeal | None:
    """One complete deal that agrees with the record on a level; None where none was found."""
    try:
        return _find_witness(evidence, lawful)
    except BudgetExceeded:
        return None


def _find_witness(found: Evidence, lawful: bool) -> CompleteDeal | None:
    case = found.case
    if case.hidden_plays:
        one = find_first_filling(case, found.rules if lawful else PHYSICAL_ONLY, StepBudget(found.steps))
        return None if one is None else _build_complete_deal(case, one.scenarios[0], one.assignment)
    for reading in list_seen_play_scenarios(found, lawful):
        if filled_places(reading, case.work) is not None:
            return _build_complete_deal(case, reading, {})
    return None


def _build_complete_deal(
    case: InferenceCase, reading: Scenario, filled: PlayAssignment
) -> CompleteDeal | None:
    """The deal of one way to fill the places of ``reading``."""
    lying = filled_places(reading, case.work)
    if lying is None:
        return None
    away = tuple(lying[place_number(seat, FATE_DISCARDED)] for seat in SEATS)
    dealt = tuple(away[seat] | lying[place_number(seat, FATE_KEPT)] for seat in SEATS)
    drawn = tuple(lying[place_number(seat, FATE_DRAWN)] for seat in SEATS)
    plays = [DealPlay(slot.seq, slot.seat, slot.trick, card) for slot, card in filled.items()]
    for trick in case.claims.tricks:
        laid = zip(trick.seqs, trick.seats, trick.cards, strict=True)
        plays += [DealPlay(seq, seat, trick.number, card) for seq, seat, card in laid if CARD_BITS[card]]
    return CompleteDeal(
        dealt,
        away,
        drawn,
        lying[TALON_REST_PLACE],
        tuple(sorted(plays, key=lambda one: (one.trick, one.seat))),
    )
