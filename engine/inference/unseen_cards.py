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
from engine.inference.consistent_deals import (
    MAX_FILLING_STEPS,
    MAX_STEPS_PER_COUNT,
    DealCount,
    count_by_search,
    count_deals,
)
from engine.inference.evidence import Evidence, build_evidence
from engine.inference.hidden_cards import HiddenCard, cards_in_places, list_hidden_cards
from engine.inference.inference_case import PHYSICAL_ONLY, EvidenceLevel
from engine.inference.minimal_conflict import find_minimal_conflict
from engine.inference.places import ALL_PLACES, HAND_PLACES
from engine.play.state import State

DEFAULT_UNSEEN_WORK: Final = 8 * UNITS_PER_SECOND // 10
"""So much work is done in all (`engine.core.work_budget`), whatever the record is like."""
MAX_STEPS_PER_SEARCH: Final = 1_000
"""So many steps each search among hidden plays takes at most."""
MAX_STEPS_PER_CONFLICT: Final = 60
"""So many each question takes by which it is found which entries contradict each other."""
MAX_QUESTIONS: Final = 220
"""Most scenarios times questions of each for which hidden plays are searched; above, they are outlined."""
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


def analyze_unseen_cards(entries: Log, state: State, work: WorkBudget | None = None) -> UnseenCards:
    """What the entries of an effective history prove; ``state`` is the fold of just these.

    ``work`` bounds it, else `DEFAULT_UNSEEN_WORK` does; a level that this leaves open is not exact.
    """
    evidence = _build_evidence(entries, state, work)
    return UnseenCards(
        evidence,
        list_hidden_cards(evidence, entries),
        tuple(_build_possible_hand(evidence, seat, state) for seat in SEATS),
        count_deals(evidence, lawful=False),
        count_deals(evidence, lawful=True),
        _find_contradicting_entries(evidence),
    )


def forcing_level(card: HiddenCard) -> str | None:
    """On which level a hidden card can be but one: physically, by the rules too, on neither (None)."""
    if card.physical.bit_count() == 1:
        return "physical"
    return "lawful" if card.lawful.bit_count() == 1 else None


def can_count_deals(entries: Log, state: State, work: WorkBudget | None = None) -> bool:
    """Whether the lawful deals that agree with the entries can be counted in time: they can be drawn then."""
    evidence = _build_evidence(entries, state, work)
    return not evidence.case.hidden_plays or count_deals(evidence, lawful=True).is_exact


def _build_evidence(entries: Log, state: State, work: WorkBudget | None) -> Evidence:
    max_questions = MAX_QUESTIONS if len(entries) <= MAX_SEARCHED_ENTRIES else 0
    return build_evidence(
        entries, state, MAX_STEPS_PER_SEARCH, work or WorkBudget(DEFAULT_UNSEEN_WORK), max_questions
    )


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
    other_cards = cards_in_places(level, ALL_PLACES & ~HAND_PLACES[seat])
    for cards in level.cards_by_play.values():
        other_cards |= cards
    return level.hands[seat] & ~other_cards


def count_deals_by_card(unseen: UnseenCards, seq: Seq) -> tuple[tuple[Card, int | None], ...] | None:
    """In how many lawful deals the hidden card played at ``seq`` is each of those that it can be.

    None for a number that takes too long to count, and instead of all where no hidden card was played there.
    """
    evidence, case = unseen.evidence, unseen.evidence.case
    index = next((index for index, play in enumerate(case.hidden_plays) if play.seq == seq), None)
    if index is None:
        return None
    play = case.hidden_plays[index]
    is_countable = unseen.lawful_count.is_exact and evidence.lawful.is_consistent
    counts: list[tuple[Card, int | None]] = []
    for card in cards_in_mask(evidence.lawful.cards_by_play.get(play, 0)):
        # The same case, but that this one card is known: no more work than the whole count.
        known = play._replace(candidates=CARD_BITS[card])
        known_case = case._replace(
            hidden_plays=(*case.hidden_plays[:index], known, *case.hidden_plays[index + 1 :])
        )
        count = (
            count_by_search(known_case, evidence.rules, MAX_STEPS_PER_COUNT, MAX_FILLING_STEPS)
            if is_countable
            else None
        )
        counts.append((card, count))
    return tuple(counts)


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
