"""What a failure to follow suit proves of a hand, under the ruleset's matador policy (RULES 5).

Who did not follow held nothing that compelled him, from that card on to the end. Under ``can-beat-lead`` one
thing stays open: manille led and not followed, basta was held only together with spadille.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.core.cards import CARD_BITS, Card, Seat, cards_in_mask
from engine.core.field_types import Seq
from engine.core.ranking import TrickRules
from engine.core.work_budget import WorkBudget
from engine.inference.claims import Claims
from engine.inference.physical_constraints import CardPlay
from engine.inference.places import HAND_PLACES, PlaceMask
from engine.play.state import Trick

EXCLUSION_COST, CHOICE_COST = 5, 5
"""What it costs to keep a duty, and to try one way to choose what was held."""


class OffSuitPlay(NamedTuple):
    """A card that did not follow the one led: if it was lawful, the hand held nothing that compelled it.

    ``seq`` and ``lead_seq`` are the entries of the two cards.
    """

    seq: Seq
    lead_seq: Seq
    seat: Seat
    trick: int
    lead: Card
    card: Card


class HandExclusion(NamedTuple):
    """What a lawful failure to follow excludes: ``excluded`` was not in the hand then.

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
        duty
        for number, trick in enumerate(claims.tricks)
        if is_lead_known(claims.tricks, number)
        for duty in off_suit_plays_of_trick(trick, claims.trick_rules)
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
    for seat, card, seq in zip(trick.seats[1:], trick.cards[1:], trick.seqs[1:], strict=True):
        if CARD_BITS[card] and not CARD_BITS[card] & suit:
            yield OffSuitPlay(seq, trick.seqs[0], seat, trick.number, trick.cards[0], card)


def exclusion_by_lead(lead: Card, trick_rules: TrickRules) -> HandExclusion:
    """What not following ``lead`` excludes."""
    led, compelling = CARD_BITS[lead], trick_rules.compelling[lead]
    privileged = trick_rules.followers[lead] & ~compelling & ~led
    freeing = trick_rules.freeing[lead] & privileged
    needy = privileged & ~trick_rules.freeing[lead]
    if not freeing:
        return HandExclusion((compelling | needy) & ~led, 0, 0)
    return HandExclusion(compelling & ~led, needy, freeing if needy else 0)


def list_lawful_placements(
    allowed_places: list[PlaceMask],
    off_suit_plays: Iterable[OffSuitPlay],
    trick_rules: TrickRules,
    plays_by_card: dict[Card, CardPlay],
    work: WorkBudget,
) -> Iterator[list[PlaceMask]]:
    """The places of the cards where these duties were kept: one list for each way to have kept them.

    No deal belongs to two of them. Every play before the cards in question has to be known.

    Raises:
        BudgetExceeded: there are more ways than there is work for.
    """
    allowed_places = list(allowed_places)
    choices: dict[tuple[Seat, int, int], None] = {}
    for duty in off_suit_plays:
        work.spend(EXCLUSION_COST)
        ban, seat = exclusion_by_lead(duty.lead, trick_rules), duty.seat
        for card in cards_in_mask(ban.excluded):
            if not _was_played_before(card, duty, plays_by_card):
                allowed_places[card] &= ~HAND_PLACES[seat]
        if ban.conditional:
            needy = _not_played_before(ban.conditional, duty, plays_by_card)
            choices[seat, needy, _not_played_before(ban.freeing, duty, plays_by_card)] = None
    return _apply_choices(allowed_places, list(choices), work)


def _apply_choices(
    allowed: list[PlaceMask], choices: list[tuple[Seat, int, int]], work: WorkBudget
) -> Iterator[list[PlaceMask]]:
    """The places in every way to make the choices in which each card has a place."""
    ways = {tuple(allowed): None}
    for seat, needy, freeing in choices:
        more: dict[tuple[PlaceMask, ...], None] = {}
        for way in ways:
            for inside in _possible_holdings(needy, freeing):
                work.spend(CHOICE_COST)
                here = list(way)
                for card in cards_in_mask(needy | freeing):
                    here[card] &= HAND_PLACES[seat] if inside & CARD_BITS[card] else ~HAND_PLACES[seat]
                if all(here[card] for card in cards_in_mask(needy | freeing)):
                    more[tuple(here)] = None
        ways = more
    return (list(way) for way in ways)


def _was_played_before(card: Card, duty: OffSuitPlay, played: dict[Card, CardPlay]) -> bool:
    laid = played.get(card)
    return laid is not None and laid.seat == duty.seat and laid.trick < duty.trick


def _not_played_before(cards: int, duty: OffSuitPlay, played: dict[Card, CardPlay]) -> int:
    """Of ``cards`` those that the seat has not played before."""
    for card in cards_in_mask(cards):
        if _was_played_before(card, duty, played):
            cards ^= CARD_BITS[card]
    return cards


def _possible_holdings(needy: int, freeing: int) -> list[int]:
    """Which of these few cards can have been in the hand together: a needy one only with one that frees."""
    both = cards_in_mask(needy | freeing)
    ways = []
    for choice in range(1 << len(both)):
        inside = sum(CARD_BITS[card] for place, card in enumerate(both) if choice >> place & 1)
        if not inside & needy or inside & freeing:
            ways.append(inside)
    return ways
