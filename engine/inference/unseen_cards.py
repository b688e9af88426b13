"""What the unseen cards of a deal can be at a point, in so little work that one can wait for it (DESIGN 5).

`engine.inference` has the parts; here they are put together as a director asks for them: each hidden card,
each hand as it stands, how many complete deals agree, and where none does, which entries cannot all be true.
What would take long is left undecided: then everything that is possible is named, and perhaps more.
"""

from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, SEATS, Card, Seat, cards_in_mask
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.core.message import format_message
from engine.core.work_budget import UNITS_PER_SECOND, BudgetExceeded, WorkBudget
from engine.inference.claims import collect_claims
from engine.inference.consistent_deals import (
    CompleteDeal,
    DealCount,
    HiddenPlayCounter,
    count_deals,
    find_witness,
    list_seen_play_scenarios,
)
from engine.inference.enumeration import CountBudget, TooManyFillings
from engine.inference.evidence import Evidence, build_case_evidence, build_unsearched_evidence
from engine.inference.evidence_levels import outline_level
from engine.inference.hidden_cards import HiddenCard, cards_in_places, list_hidden_cards
from engine.inference.hidden_play_search import StepBudget
from engine.inference.hidden_plays import PHYSICAL_ONLY, AssumedRules, HiddenPlayModel
from engine.inference.inference_case import (
    INCONSISTENT_LEVEL,
    EvidenceLevel,
    InferenceCase,
    build_case,
    build_case_without_scenarios,
)
from engine.inference.minimal_conflict import find_minimal_conflict
from engine.inference.placement import CardsByPlace, merge_cards_by_place, possible_cards_by_place
from engine.inference.places import HAND_PLACES, PLACE_COUNT
from engine.play.state import State

DEFAULT_UNSEEN_WORK: Final = 8 * UNITS_PER_SECOND // 10
"""So much work is done in all (`engine.core.work_budget`), whatever the record is like."""
MAX_STEPS_PER_SEARCH: Final = 1_000
"""So many steps each search among hidden plays takes at most."""
MAX_STEPS_PER_COUNT: Final = 300
"""So many the count of deals takes, beside hidden plays."""
MAX_STEPS_PER_CONFLICT: Final = 60
"""So many each question takes by which it is found which entries contradict each other."""
MAX_FILLING_STEPS: Final = 10_000
"""So many ways to lay out cards are counted on each level."""
MAX_QUESTIONS: Final = 220
"""Most scenarios times questions of each for which hidden plays are searched; above, they are outlined."""
QUESTIONS_PER_SCENARIO: Final = 13
"""What is asked of a scenario beside its hidden plays: of ten places and three hands."""
MAX_SEARCHED_ENTRIES: Final = 500
"""A record of more entries is no deal that was played, and nothing is worked out of it."""
MAX_CONFLICT_SCENARIOS: Final = 60
"""Most scenarios for which the search for contradictory entries runs."""
PHYSICAL_ASSUMPTIONS: Final = format_message(
    "Matter alone: the pack, how many cards were dealt, discarded and drawn, in which order, and what was "
    "seen when."
)
LAWFUL_ASSUMPTIONS: Final = format_message(
    "Also every duty to follow was kept, except for the revokes that the cards prove, and who led to a trick "
    "had won the one before."
)
"""What each level assumes."""


class PossibleHand(NamedTuple):
    """What a seat can hold at the point, and what it holds for certain, as masks; of how many cards."""

    seat: Seat
    size: int
    physical: int
    lawful: int
    certain_physical: int
    certain_lawful: int


class UnseenCards(NamedTuple):
    """What is proved of the unseen cards.

    ``evidence`` has both levels; ``cards`` are the hidden cards of the record, ``hands`` the three hands as
    they stand. ``physical_count`` and ``lawful_count`` say how many complete deals agree on each level.
    ``contradicting_entries``: entries whose cards cannot all be true, where no deal agrees, each of them
    needed to see it; None where that was not looked for.
    """

    evidence: Evidence
    cards: tuple[HiddenCard, ...]
    hands: tuple[PossibleHand, ...]
    physical_count: DealCount
    lawful_count: DealCount
    contradicting_entries: tuple[Seq, ...] | None

    def find_witness(self, lawful: bool) -> CompleteDeal | None:
        """One complete deal that agrees on a level; None where none does, or none was found."""
        return find_witness(self.evidence, lawful)


def analyze_unseen_cards(entries: Log, state: State, work: WorkBudget | None = None) -> UnseenCards:
    """What the entries of an effective history prove; ``state`` is the fold of just these.

    ``work`` bounds it, else `DEFAULT_UNSEEN_WORK` does; a level that this leaves open is not exact.
    """
    evidence = _build_evidence(entries, state, WorkBudget(DEFAULT_UNSEEN_WORK) if work is None else work)
    return UnseenCards(
        evidence,
        list_hidden_cards(evidence, entries),
        tuple(_build_possible_hand(evidence, seat, state) for seat in SEATS),
        _count_on_level(evidence, lawful=False),
        _count_on_level(evidence, lawful=True),
        _find_contradicting_entries(evidence),
    )


def forcing_level(card: HiddenCard) -> str | None:
    """On which level a hidden card can be but one: physically, by the rules too, on neither (None)."""
    if card.physical.bit_count() == 1:
        return "physical"
    return "lawful" if card.lawful.bit_count() == 1 else None


def can_count_deals(entries: Log, state: State, work: WorkBudget | None = None) -> bool:
    """Whether the lawful deals that agree with the entries can be counted in time: they can be drawn then."""
    evidence = _build_evidence(entries, state, WorkBudget(DEFAULT_UNSEEN_WORK) if work is None else work)
    return not evidence.case.hidden_plays or _count_on_level(evidence, lawful=True).is_exact


def _build_evidence(entries: Log, state: State, work: WorkBudget) -> Evidence:
    claims = collect_claims(entries, state)
    try:
        return _search_case(build_case(claims, work), searchable=len(entries) <= MAX_SEARCHED_ENTRIES)
    except BudgetExceeded:
        return build_unsearched_evidence(build_case_without_scenarios(claims, work), MAX_STEPS_PER_SEARCH)


def _search_case(case: InferenceCase, *, searchable: bool) -> Evidence:
    """What a case proves; only in outline where its plays are hidden in too many scenarios."""
    if searchable and not case.hidden_plays:
        return build_case_evidence(case, MAX_STEPS_PER_SEARCH)
    try:
        placements = _list_physical_placements(case)
    except BudgetExceeded:
        return build_unsearched_evidence(case, MAX_STEPS_PER_SEARCH)
    if searchable and _count_questions(case, placements) <= MAX_QUESTIONS:
        return build_case_evidence(case, MAX_STEPS_PER_SEARCH)
    level = _outline_placements(case, placements)
    return Evidence(case, level, level, (), MAX_STEPS_PER_SEARCH)


def _list_physical_placements(case: InferenceCase) -> list[CardsByPlace]:
    """Where the cards can physically lie, in each scenario that can be, whatever was played when."""
    placements = (possible_cards_by_place(scenario, case.work) for scenario in case.scenarios)
    return [one for one in placements if one is not None]


def _count_questions(case: InferenceCase, placements: list[CardsByPlace]) -> int:
    """Count the questions about hidden plays, over all scenarios."""
    return len(placements) * (QUESTIONS_PER_SCENARIO + len(case.hidden_plays))


def _outline_placements(case: InferenceCase, placements: list[CardsByPlace]) -> EvidenceLevel:
    """What is physically open, whatever was played when: everything that is possible, and more."""
    merged: CardsByPlace | None = None
    for one in placements:
        merged = merge_cards_by_place(merged, one)
    return INCONSISTENT_LEVEL if merged is None else outline_level(case, merged)


def _build_possible_hand(evidence: Evidence, seat: Seat, state: State) -> PossibleHand:
    play, levels = state.play, (evidence.physical, evidence.lawful)
    count = play.known_cards[seat].bit_count() + len(play.hidden_slots[seat])
    if not count:
        return PossibleHand(seat, 0, 0, 0, 0, 0)
    # What is missing may have been played.
    is_certain = evidence.claims.is_play_order_known and not state.is_incomplete
    certain = (_certain_cards(level, seat) if is_certain else 0 for level in levels)
    return PossibleHand(seat, count, *(level.hands[seat] for level in levels), *certain)


def _certain_cards(level: EvidenceLevel, seat: Seat) -> int:
    """The cards that can be nowhere but in the hand of ``seat`` now."""
    other_cards = cards_in_places(level, ((1 << PLACE_COUNT) - 1) & ~HAND_PLACES[seat])
    for cards in level.cards_by_play.values():
        other_cards |= cards
    return level.hands[seat] & ~other_cards


# --- How many deals -------------------------------------------------------------------------------


def _count_on_level(evidence: Evidence, lawful: bool) -> DealCount:
    """How many complete deals agree, where they can be counted in time; else bounds."""
    level = evidence.lawful if lawful else evidence.physical
    minimum = 1 if level.is_consistent else 0
    if level.is_consistent is False:
        return DealCount(0, 0)
    if not level.is_exact and not evidence.case.hidden_plays:
        return DealCount(minimum, None)
    if not evidence.case.hidden_plays:
        return _count_seen_plays(evidence, lawful)
    if _is_outlined(evidence):
        return DealCount(minimum, None)
    # In no step at all: what is known without going through the hidden plays.
    bounds = count_deals(evidence._replace(steps=0), lawful)
    if bounds.is_exact:
        return bounds
    total = _count_by_search(evidence.case, evidence.rules if lawful else PHYSICAL_ONLY)
    return (
        DealCount(max(minimum, bounds.minimum), bounds.maximum) if total is None else DealCount(total, total)
    )


def _is_outlined(evidence: Evidence) -> bool:
    return evidence.physical.is_consistent is None and evidence.physical is evidence.lawful


def _count_seen_plays(evidence: Evidence, lawful: bool) -> DealCount:
    count_budget, total = CountBudget(MAX_FILLING_STEPS, evidence.case.work), 0
    try:
        for scenario in list_seen_play_scenarios(evidence, lawful):
            total += count_budget.number_fillings(scenario).total
    except (BudgetExceeded, TooManyFillings):
        return DealCount(max(total, 1), None)
    return DealCount(total, total)


def _count_by_search(case: InferenceCase, rules: AssumedRules) -> int | None:
    """The deals, gone through hidden play after hidden play; None where that takes too long."""
    budget, count_budget, total = (
        StepBudget(MAX_STEPS_PER_COUNT),
        CountBudget(MAX_FILLING_STEPS, case.work),
        0,
    )
    try:
        for scenario in case.scenarios:
            if possible_cards_by_place(scenario, case.work) is not None:
                model = HiddenPlayModel(case.claims, scenario, case.hidden_plays, rules, case.work)
                total += HiddenPlayCounter(model, budget, count_budget).count_from({}, 0)
    except (BudgetExceeded, TooManyFillings):
        return None
    return total


def count_deals_by_card(unseen: UnseenCards, seq: Seq) -> tuple[tuple[Card, int | None], ...] | None:
    """In how many lawful deals the hidden card played at ``seq`` is each of those that it can be.

    None for a number that takes too long to count, and instead of all where no hidden card was played there.
    """
    case = unseen.evidence.case
    place = next((index for index, slot in enumerate(case.hidden_plays) if slot.seq == seq), None)
    if place is None:
        return None
    slot, counts = case.hidden_plays[place], list[tuple[Card, int | None]]()
    for card in cards_in_mask(unseen.evidence.lawful.cards_by_play.get(slot, 0)):
        # The same case, but that this one card is known: no more work than the whole count.
        hidden_plays = (
            *case.hidden_plays[:place],
            slot._replace(candidates=CARD_BITS[card]),
            *case.hidden_plays[place + 1 :],
        )
        is_countable = unseen.lawful_count.is_exact and unseen.evidence.lawful.is_consistent
        rules = unseen.evidence.rules
        counts.append(
            (
                card,
                _count_by_search(case._replace(hidden_plays=hidden_plays), rules) if is_countable else None,
            )
        )
    return tuple(counts)


# --- Where none agrees ----------------------------------------------------------------------------


def _find_contradicting_entries(evidence: Evidence) -> tuple[Seq, ...] | None:
    """Entries whose cards cannot all be true on the first level on which no deal agrees."""
    if evidence.physical.is_consistent is not False and evidence.lawful.is_consistent is not False:
        return ()
    if len(evidence.case.scenarios) > MAX_CONFLICT_SCENARIOS:
        return None
    rules = PHYSICAL_ONLY if evidence.physical.is_consistent is False else evidence.rules
    try:
        return find_minimal_conflict(evidence.claims, rules, MAX_STEPS_PER_CONFLICT, evidence.case.work)
    except BudgetExceeded:
        return None
