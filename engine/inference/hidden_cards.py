"""The answer, card by card: what each hidden card of a record can be, on both levels."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple

from engine.core.cards import (
    CARD_BITS,
    CARD_CANDIDATES,
    SEATS,
    TALON_SIZE,
    Seat,
    cards_in_mask,
    mask_of_cards,
)
from engine.core.events import (
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    HandDealt,
    HandHeld,
    TalonLaid,
    TalonSeen,
    TalonTurned,
)
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.inference.claims import CardClaim, ExchangeCounts, cards_of_event
from engine.inference.evidence import Evidence
from engine.inference.inference_case import EvidenceLevel
from engine.inference.physical_constraints import list_draw_orders, talon_card_place
from engine.inference.places import DRAW_PLACES, HAND_PLACES, TALON_REST_PLACES, PlaceMask, place_number


class HiddenCard(NamedTuple):
    """A card that the record does not show: its entry and place there (from 0), what it can be, as masks."""

    seq: Seq
    place: int
    physical: int
    lawful: int


def list_hidden_cards(evidence: Evidence, entries: Log) -> tuple[HiddenCard, ...]:
    """Every hidden card of the entries from which ``evidence`` was made."""
    hidden_cards: list[HiddenCard] = []
    record = _ClaimIndex(evidence)
    for seq, event, _ in entries:
        find_candidates = CANDIDATE_FINDERS.get(type(event))
        cards = cards_of_event(event)
        if find_candidates is None or all(CARD_BITS[card] for card in cards):
            continue
        known = mask_of_cards(cards)
        physical = find_candidates(record, evidence.physical, seq, event)
        lawful = find_candidates(record, evidence.lawful, seq, event)
        for index, (card, *possible) in enumerate(zip(cards, physical, lawful, strict=True)):
            if not CARD_BITS[card]:
                candidates = CARD_CANDIDATES[card] & ~known
                hidden_cards.append(HiddenCard(seq, index, *(mask & candidates for mask in possible)))
    return tuple(hidden_cards)


def cards_in_places(level: EvidenceLevel, places: PlaceMask) -> int:
    """The cards that can lie in any of these places."""
    mask = 0
    for place in cards_in_mask(places):
        mask |= level.cards_by_place[place]
    return mask


class _ClaimIndex:
    """A record that is looked through: what is read off its claims once, and not for every entry again."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.hidden_plays = {slot.seq: slot for slot in evidence.case.hidden_plays}
        self.claims: dict[Seq, tuple[int, CardClaim]] = {}
        for index, claim in enumerate(evidence.claims.card_claims):
            self.claims.setdefault(claim.seq, (index, claim))
        self._depths: dict[int, int] = {}

    @cached_property
    def uncounted_plays(self) -> list[list[int]]:
        """By entry that tells of cards, and by seat, the cards laid there or later that do not count."""
        masks = [0] * len(SEATS)
        found = []
        for one in reversed(self.evidence.claims.card_claims):
            if one.is_uncounted and one.seat is not None:
                masks[one.seat] |= mask_of_cards(one.cards)
            found.append(list(masks))
        return found[::-1]

    @cached_property
    def talon_places(self) -> list[PlaceMask]:
        """By depth in the talon where the card there can have come to lie; the last, of one too many."""
        case = self.evidence.case
        if not case.has_all_scenarios:
            return [TALON_REST_PLACES | sum(DRAW_PLACES)] * (TALON_SIZE + 1)
        places = [0] * (TALON_SIZE + 1)
        for sizes in dict.fromkeys(scenario.place_sizes for scenario in case.scenarios):
            exchanges = tuple(ExchangeCounts(sizes[3 * seat], sizes[3 * seat + 2]) for seat in SEATS)
            for draw_order in list_draw_orders(case.claims):
                for depth in range(TALON_SIZE + 1):
                    places[depth] |= talon_card_place(depth, draw_order, exchanges)
        return places

    def possible_talon_card(self, depth: int) -> int:
        """What the claims say of the card at a depth: which it was, or none of those elsewhere."""
        if depth not in self._depths:
            mask = ~0
            for one in self.evidence.claims.talon_cards:
                if one.depth == depth:
                    mask &= CARD_CANDIDATES[one.card]
                else:
                    mask &= ~CARD_BITS[one.card]
            self._depths[depth] = mask
        return self._depths[depth]


def _possible_claimed_cards(record: _ClaimIndex, level: EvidenceLevel, seq: Seq, event: Any) -> Iterator[int]:
    """Cards of a hand, a discard or what is left of the talon; in the play, those not played before."""
    index, claim = record.claims[seq]
    mask = cards_in_places(level, claim.places)
    if claim.seat is not None and claim.last_trick and claim.places == HAND_PLACES[claim.seat]:
        mask = (
            _possible_hand_then(record, level, claim.seat, claim) | record.uncounted_plays[index][claim.seat]
        )
    return iter([mask] * len(event.cards))


def _possible_hand_then(record: _ClaimIndex, level: EvidenceLevel, seat: Seat, claim: CardClaim) -> int:
    """The cards that a seat can have held at the moment of ``claim``, in the play."""
    mask = level.hands[seat]
    for slot, cards in level.cards_by_play.items():
        if slot.seat == seat and slot.trick > claim.last_trick:
            mask |= cards
    for card, play in record.evidence.case.plays_by_card.items():
        if play.seat == seat and play.is_counted and play.trick > claim.last_trick:
            mask |= CARD_BITS[card]
    return mask


def _possible_draws(record: _ClaimIndex, level: EvidenceLevel, seq: Seq, event: CardsDrawn) -> Iterator[int]:
    """Cards drawn, where the talon's order is known the very one that lay there."""
    mask, before = (
        level.cards_by_place[place_number(event.seat, 2)],
        _count_drawn_before(record.evidence, event.seat),
    )
    for index, _ in enumerate(event.cards):
        yield mask if before is None else mask & record.possible_talon_card(before + index)


def _count_drawn_before(evidence: Evidence, seat: Seat) -> int | None:
    """How many cards had been drawn before ``seat`` drew; None where nobody knows."""
    before = 0
    if None in evidence.claims.exchanges:
        return None
    for other in evidence.claims.draw_order:
        if other == seat:
            return before
        exchange = evidence.claims.exchanges[other]
        before += 0 if exchange is None else exchange.draw_count
    return None


def _possible_talon(record: _ClaimIndex, level: EvidenceLevel, seq: Seq, event: TalonLaid) -> Iterator[int]:
    """The talon: each card with those that can come to lie where it goes."""
    for depth, _ in enumerate(event.cards):
        yield cards_in_places(
            level, record.talon_places[min(depth, TALON_SIZE)]
        ) & record.possible_talon_card(depth)


def _possible_plays(record: _ClaimIndex, level: EvidenceLevel, seq: Seq, event: CardPlayed) -> Iterator[int]:
    slot = record.hidden_plays.get(seq)
    if slot is not None and slot in level.cards_by_play:
        yield level.cards_by_play[slot]
    else:
        yield cards_in_places(level, HAND_PLACES[event.seat]) if level.is_consistent is not False else 0


CandidateFinder = Callable[[_ClaimIndex, EvidenceLevel, Seq, Any], Iterator[int]]

CANDIDATE_FINDERS: Final[dict[type, CandidateFinder]] = {
    HandDealt: _possible_claimed_cards,
    HandHeld: _possible_claimed_cards,
    CardsShown: _possible_claimed_cards,
    CardsDiscarded: _possible_claimed_cards,
    TalonSeen: _possible_claimed_cards,
    CardsDrawn: _possible_draws,
    TalonLaid: _possible_talon,
    TalonTurned: lambda record, level, seq, event: _possible_talon(
        record, level, seq, TalonLaid((event.card,))
    ),
    CardPlayed: _possible_plays,
}
"""Where to look for what the cards of an entry can be."""
