"""What a failure to follow suit proves of a hand, under the ruleset's matador policy (RULES 5).

A seat that lawfully did not follow held no compelling card from then on. Under ``can-beat-lead`` one thing
stays open: if manille was led and not followed, basta was held only together with spadille.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.core.cards import CARD_BITS, Card, Seat, cards_in_mask
from engine.core.field_types import Seq
from engine.core.ranking import TrickRules
from engine.core.work_budget import WorkBudget
from engine.inference.claims import HAND_PLACES, Claims, PlaceMask
from engine.inference.physical_constraints import CardPlay
from engine.play.state import Trick

EXCLUSION_COST, CHOICE_COST = 5, 5
"""Work of an off-suit play, and of trying one choice of the cards held."""


class OffSuitPlay(NamedTuple):
    """A card that did not follow the lead; ``seq`` and ``lead_seq`` are the entries of the two."""

    seq: Seq
    lead_seq: Seq
    seat: Seat
    trick: int
    lead: Card
    card: Card


class HandExclusion(NamedTuple):
    """What a lawful failure to follow excludes from the hand: the cards ``excluded``.

    A card of ``conditional`` was there only if one of ``freeing`` was.
    """

    excluded: int
    conditional: int
    freeing: int


def list_off_suit_plays(claims: Claims) -> tuple[OffSuitPlay, ...]:
    """Every card of the record that is known not to have followed the card known to be led."""
    if not claims.is_play_order_known:
        return ()
    return tuple(
        play
        for number, trick in enumerate(claims.tricks)
        if is_lead_known(claims.tricks, number)
        for play in off_suit_plays_of_trick(trick, claims.trick_rules)
    )


def is_lead_known(tricks: tuple[Trick, ...], number: int) -> bool:
    """Whether the first card recorded of a trick is the one that was led to it."""
    if len(tricks[number].cards) == 3:
        return True
    last = number == len(tricks) - 1
    return last and bool(tricks[number].cards) and (number == 0 or len(tricks[number - 1].cards) == 3)


def off_suit_plays_of_trick(trick: Trick, trick_rules: TrickRules) -> Iterator[OffSuitPlay]:
    """The cards of a trick that did not follow."""
    suit = trick_rules.followers[trick.cards[0]] if trick.cards and CARD_BITS[trick.cards[0]] else 0
    if not suit:
        return
    for place, card in enumerate(trick.cards):
        if CARD_BITS[card] and not CARD_BITS[card] & suit:
            seq, seat = trick.seqs[place], trick.seats[place]
            yield OffSuitPlay(seq, trick.seqs[0], seat, trick.number, trick.cards[0], card)


def exclusion_by_lead(lead: Card, trick_rules: TrickRules) -> HandExclusion:
    """What not following ``lead`` excludes."""
    lead_bit, compelling = CARD_BITS[lead], trick_rules.compelling[lead]
    privileged = trick_rules.followers[lead] & ~compelling & ~lead_bit
    freeing = trick_rules.freeing[lead] & privileged
    conditional = privileged & ~trick_rules.freeing[lead]
    if not freeing:
        return HandExclusion((compelling | conditional) & ~lead_bit, 0, 0)
    return HandExclusion(compelling & ~lead_bit, conditional, freeing if conditional else 0)


def list_lawful_placements(
    allowed_places: list[PlaceMask],
    off_suit_plays: Iterable[OffSuitPlay],
    trick_rules: TrickRules,
    plays_by_card: dict[Card, CardPlay],
    work: WorkBudget,
) -> Iterator[list[PlaceMask]]:
    """The places of the cards if these plays were lawful: one list for each way.

    No deal belongs to two of them. Every play before the cards in question must be known. Raises
    `BudgetExceeded`.
    """
    allowed_places = list(allowed_places)
    choices: dict[tuple[Seat, int, int], None] = {}
    for off_suit_play in off_suit_plays:
        work.spend(EXCLUSION_COST)
        ban, seat = exclusion_by_lead(off_suit_play.lead, trick_rules), off_suit_play.seat
        for card in cards_in_mask(ban.excluded):
            if not _was_played_before(card, off_suit_play, plays_by_card):
                allowed_places[card] &= ~HAND_PLACES[seat]
        if ban.conditional:
            conditional = _not_played_before(ban.conditional, off_suit_play, plays_by_card)
            choices[seat, conditional, _not_played_before(ban.freeing, off_suit_play, plays_by_card)] = None
    return _apply_choices(allowed_places, list(choices), work)


def _apply_choices(
    allowed: list[PlaceMask], choices: list[tuple[Seat, int, int]], work: WorkBudget
) -> Iterator[list[PlaceMask]]:
    """The places for every combination of choices in which each card has a place."""
    ways = {tuple(allowed): None}
    for seat, conditional, freeing in choices:
        extended: dict[tuple[PlaceMask, ...], None] = {}
        for placed in ways:
            for held in _possible_holdings(conditional, freeing):
                work.spend(CHOICE_COST)
                placement = list(placed)
                for card in cards_in_mask(conditional | freeing):
                    placement[card] &= HAND_PLACES[seat] if held & CARD_BITS[card] else ~HAND_PLACES[seat]
                if all(placement[card] for card in cards_in_mask(conditional | freeing)):
                    extended[tuple(placement)] = None
        ways = extended
    return (list(placed) for placed in ways)


def _was_played_before(card: Card, off_suit_play: OffSuitPlay, played: dict[Card, CardPlay]) -> bool:
    card_play = played.get(card)
    return (
        card_play is not None
        and card_play.seat == off_suit_play.seat
        and card_play.trick < off_suit_play.trick
    )


def _not_played_before(cards: int, off_suit_play: OffSuitPlay, played: dict[Card, CardPlay]) -> int:
    """The cards that the seat has not played before."""
    for card in cards_in_mask(cards):
        if _was_played_before(card, off_suit_play, played):
            cards ^= CARD_BITS[card]
    return cards


def _possible_holdings(conditional: int, freeing: int) -> list[int]:
    """The sets of these cards that a hand can hold: a conditional one only with a freeing one."""
    cards = cards_in_mask(conditional | freeing)
    holdings = []
    for choice in range(1 << len(cards)):
        held = sum(CARD_BITS[card] for place, card in enumerate(cards) if choice >> place & 1)
        if not held & conditional or held & freeing:
            holdings.append(held)
    return holdings
