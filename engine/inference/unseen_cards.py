"""What the unseen cards of a deal can be at a point, in little work (DESIGN 5).

For a director: each hidden card, each hand as it stands, how many complete deals agree, and if none does,
which entries cannot all be true. What would take long stays undecided: then everything that is possible is
listed, and perhaps more.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

from engine.core.cards import (
    CARD_BITS,
    CARD_CANDIDATES,
    SEATS,
    TALON_SIZE,
    Card,
    Seat,
    cards_in_mask,
    mask_of_cards,
)
from engine.core.events import CardPlayed, CardsDrawn, Event, TalonLaid, TalonTurned
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.core.message import format_message
from engine.core.work_budget import UNITS_PER_SECOND, BudgetExceeded, WorkBudget
from engine.inference.claims import (
    ALL_PLACES,
    DRAW_PLACES,
    HAND_PLACES,
    TALON_REST_PLACES,
    ExchangeCounts,
    PlaceMask,
    cards_of_event,
)
from engine.inference.consistent_deals import (
    MAX_FILLING_STEPS,
    MAX_STEPS_PER_COUNT,
    DealCount,
    count_by_search,
    count_deals,
)
from engine.inference.evidence import Evidence, build_evidence, find_minimal_conflict
from engine.inference.inference_case import PHYSICAL_ONLY, EvidenceLevel
from engine.inference.physical_constraints import list_draw_orders, talon_card_place
from engine.play.state import State

DEFAULT_UNSEEN_WORK: Final = 8 * UNITS_PER_SECOND // 10
"""The work of one answer, if no other budget is given."""
MAX_STEPS_PER_SEARCH: Final = 1_000
"""Limit on the steps of each search among hidden plays."""
MAX_STEPS_PER_CONFLICT: Final = 60
"""Limit on the steps of each question about contradictory entries."""
MAX_QUESTIONS: Final = 220
"""Limit on the questions of all scenarios about hidden plays; above it the answer is an outline."""
MAX_SEARCHED_ENTRIES: Final = 500
"""A longer record is no deal that was played; the answer is an outline."""
MAX_CONFLICT_SCENARIOS: Final = 60
"""Limit on the scenarios for which contradictory entries are searched."""
PHYSICAL_ASSUMPTIONS: Final = format_message(
    "The cards alone: the pack, how many cards were dealt, discarded and drawn, in which order, "
    "and what was seen when."
)
LAWFUL_ASSUMPTIONS: Final = format_message(
    "In addition everybody followed suit when required, except for the revokes that the cards "
    "prove, and the winner of each trick led to the next."
)
"""What each level assumes."""


class HiddenCard(NamedTuple):
    """A hidden card: its entry, its place there (from 0), and masks of what it can be."""

    seq: Seq
    place: int
    physical: int
    lawful: int


class PossibleHand(NamedTuple):
    """The number of cards in a hand now, and masks of the cards that it can hold and certainly holds."""

    seat: Seat
    size: int
    physical: int
    lawful: int
    certain_physical: int
    certain_lawful: int


class UnseenCards(NamedTuple):
    """What is proved of the unseen cards.

    ``cards``: the hidden cards of the record; ``hands``: the three hands as they stand; ``physical_count``
    and ``lawful_count``: how many complete deals agree on each level. ``contradicting_entries``: if no deal
    agrees, a minimal set of entries whose cards cannot all be true; None if it was not searched.
    """

    evidence: Evidence
    cards: tuple[HiddenCard, ...]
    hands: tuple[PossibleHand, ...]
    physical_count: DealCount
    lawful_count: DealCount
    contradicting_entries: tuple[Seq, ...] | None


def analyze_unseen_cards(entries: Log, state: State, work: WorkBudget | None = None) -> UnseenCards:
    """What the entries of an effective history prove; ``state`` is their fold.

    ``work`` limits it, `DEFAULT_UNSEEN_WORK` by default; a level that this leaves open is not exact.
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
    """The level on which a hidden card can be only one card, the physical one first; None if on neither."""
    if card.physical.bit_count() == 1:
        return "physical"
    return "lawful" if card.lawful.bit_count() == 1 else None


def can_count_deals(entries: Log, state: State, work: WorkBudget | None = None) -> bool:
    """Whether the lawful deals that agree with the entries can be counted, and so drawn, in time."""
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
    # Cards of missing entries may have been played.
    is_certain = evidence.claims.is_play_order_known and not state.is_incomplete
    certain = (_certain_cards(level, seat) if is_certain else 0 for level in levels)
    return PossibleHand(seat, count, *(level.hands[seat] for level in levels), *certain)


def _certain_cards(level: EvidenceLevel, seat: Seat) -> int:
    """The cards that can only be in the hand of ``seat`` now."""
    other_cards = level.cards_in(ALL_PLACES & ~HAND_PLACES[seat])
    for cards in level.cards_by_play.values():
        other_cards |= cards
    return level.hands[seat] & ~other_cards


def count_deals_by_card(unseen: UnseenCards, seq: Seq) -> tuple[tuple[Card, int | None], ...] | None:
    """In how many lawful deals the hidden card played at ``seq`` is each of the cards that it can be.

    A number that takes too long to count is None. Returns None if no hidden card was played there.
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


# --- Card by card ----------------------------------------------------------------------------------


def list_hidden_cards(evidence: Evidence, entries: Log) -> tuple[HiddenCard, ...]:
    """Every hidden card of the entries from which ``evidence`` was made."""
    hidden_cards: list[HiddenCard] = []
    finder = _CandidateFinder(evidence)
    for seq, event, _ in entries:
        cards = cards_of_event(event)
        if all(CARD_BITS[card] for card in cards):
            continue
        known = mask_of_cards(cards)
        physical = finder.find(evidence.physical, seq, event)
        lawful = finder.find(evidence.lawful, seq, event)
        for index, (card, *possible) in enumerate(zip(cards, physical, lawful, strict=True)):
            if not CARD_BITS[card]:
                candidates = CARD_CANDIDATES[card] & ~known
                hidden_cards.append(HiddenCard(seq, index, *(mask & candidates for mask in possible)))
    return tuple(hidden_cards)


class _CandidateFinder:
    """Finds what the cards of an entry can be; what it reads off the claims, it reads once."""

    def __init__(self, evidence: Evidence) -> None:
        self.case, self.talon_cards = evidence.case, evidence.claims.talon_cards
        self.hidden_plays = {slot.seq: slot for slot in evidence.case.hidden_plays}
        self.claim_positions = {one.seq: i for i, one in enumerate(evidence.claims.card_claims)}
        self.talon_masks: dict[int, int] = {}

    def find(self, level: EvidenceLevel, seq: Seq, event: Event) -> Sequence[int]:
        """For each card of an entry a mask of the cards that it can be."""
        match event:
            case CardPlayed():
                return [self._possible_play(level, seq, event)]
            case CardsDrawn():
                return self._possible_draws(level, event)
            case TalonLaid():
                return [self._possible_talon_card(level, depth) for depth in range(len(event.cards))]
            case TalonTurned():
                return [self._possible_talon_card(level, 0)]
        return [self._possible_claimed_card(level, seq)] * len(cards_of_event(event))

    @cached_property
    def uncounted_plays(self) -> list[tuple[int, ...]]:
        """By claim, and by seat, the cards laid there or later that do not count."""
        masks = [0] * len(SEATS)
        found = []
        for one in reversed(self.case.claims.card_claims):
            if one.is_uncounted and one.seat is not None:
                masks[one.seat] |= mask_of_cards(one.cards)
            found.append(tuple(masks))
        return found[::-1]

    @cached_property
    def talon_places(self) -> list[PlaceMask]:
        """By depth in the talon where the card there can have come to lie; the last is one too deep."""
        if not self.case.scenarios:
            return [TALON_REST_PLACES | sum(DRAW_PLACES)] * (TALON_SIZE + 1)
        places = [0] * (TALON_SIZE + 1)
        for sizes in dict.fromkeys(scenario.place_sizes for scenario in self.case.scenarios):
            exchanges = tuple(ExchangeCounts(sizes[3 * seat], sizes[3 * seat + 2]) for seat in SEATS)
            for draw_order in list_draw_orders(self.case.claims):
                for depth in range(TALON_SIZE + 1):
                    places[depth] |= talon_card_place(depth, draw_order, exchanges)
        return places

    def _claimed_talon_card(self, depth: int) -> int:
        """What the claims say of the talon's card at a depth: which it was, or none of those elsewhere."""
        if depth not in self.talon_masks:
            mask = ~0
            for one in self.talon_cards:
                mask &= CARD_CANDIDATES[one.card] if one.depth == depth else ~CARD_BITS[one.card]
            self.talon_masks[depth] = mask
        return self.talon_masks[depth]

    def _possible_talon_card(self, level: EvidenceLevel, depth: int) -> int:
        places = self.talon_places[min(depth, TALON_SIZE)]
        return level.cards_in(places) & self._claimed_talon_card(depth)

    def _possible_claimed_card(self, level: EvidenceLevel, seq: Seq) -> int:
        """Cards of a hand, a discard or the rest of the talon; during the play, those not played before."""
        index = self.claim_positions[seq]
        claim = self.case.claims.card_claims[index]
        if claim.seat is None or not claim.last_trick or claim.places != HAND_PLACES[claim.seat]:
            return level.cards_in(claim.places)
        mask = level.hands[claim.seat] | self.uncounted_plays[index][claim.seat]
        for slot, cards in level.cards_by_play.items():
            if slot.seat == claim.seat and slot.trick > claim.last_trick:
                mask |= cards
        for card, play in self.case.plays_by_card.items():
            if play.seat == claim.seat and play.is_counted and play.trick > claim.last_trick:
                mask |= CARD_BITS[card]
        return mask

    def _possible_draws(self, level: EvidenceLevel, event: CardsDrawn) -> list[int]:
        """Cards drawn; if the talon's order is known, the very cards that lay there."""
        mask, before = level.cards_in(DRAW_PLACES[event.seat]), self._count_drawn_before(event.seat)
        if before is None:
            return [mask] * len(event.cards)
        return [mask & self._claimed_talon_card(before + index) for index in range(len(event.cards))]

    def _count_drawn_before(self, seat: Seat) -> int | None:
        """How many cards had been drawn before ``seat`` drew; None if that is not known."""
        before, claims = 0, self.case.claims
        if None in claims.exchanges:
            return None
        for other in claims.draw_order:
            if other == seat:
                return before
            exchange = claims.exchanges[other]
            before += 0 if exchange is None else exchange.draw_count
        return None

    def _possible_play(self, level: EvidenceLevel, seq: Seq, event: CardPlayed) -> int:
        slot = self.hidden_plays.get(seq)
        if slot is not None and slot in level.cards_by_play:
            return level.cards_by_play[slot]
        return level.cards_in(HAND_PLACES[event.seat]) if level.is_consistent is not False else 0
