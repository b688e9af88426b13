"""What a failure to follow suit proves of a hand, under the ruleset's matador policy (RULES 5).

Who did not follow held nothing that compelled him, from that card on to the end. Under ``can-beat-lead`` one
thing stays open: manille led and not followed, basta was held only together with spadille.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.core.cards import BIT, Card, Seat, cards_in
from engine.core.ranking import Following
from engine.core.vocabulary import Seq
from engine.core.work_budget import Work
from engine.inference.claims import Claims
from engine.inference.matter import Played
from engine.inference.places import HAND, Places
from engine.play.state import Trick

DUTY, CHOICE = 5, 5
"""What it costs to keep a duty, and to try one way to choose what was held."""


class Duty(NamedTuple):
    """A card that did not follow the one led: if it was lawful, the hand held nothing that compelled it.

    ``seq`` and ``lead_seq`` are the entries of the two cards.
    """

    seq: Seq
    lead_seq: Seq
    seat: Seat
    trick: int
    lead: Card
    card: Card


class Ban(NamedTuple):
    """What a lawful failure to follow excludes: ``never`` was not in the hand then.

    ``needy`` was there only if one of ``freeing`` was.
    """

    never: int
    needy: int
    freeing: int


def duties(claims: Claims) -> tuple[Duty, ...]:
    """Every card of the record that is known not to have followed the card known to be led."""
    if not claims.course_known:
        return ()
    return tuple(
        duty
        for number, trick in enumerate(claims.tricks)
        if led_known(claims.tricks, number)
        for duty in of_trick(trick, claims.table)
    )


def led_known(tricks: tuple[Trick, ...], number: int) -> bool:
    """Whether the first card recorded of a trick is the one that was led to it."""
    if len(tricks[number].cards) == 3:
        return True
    last = number == len(tricks) - 1
    return last and bool(tricks[number].cards) and (number == 0 or len(tricks[number - 1].cards) == 3)


def of_trick(trick: Trick, table: Following) -> Iterator[Duty]:
    """The cards of a trick that did not follow."""
    suit = table.suit[trick.cards[0]] if trick.cards and BIT[trick.cards[0]] else 0
    if not suit:
        return
    for seat, card, seq in zip(trick.seats[1:], trick.cards[1:], trick.seqs[1:], strict=True):
        if BIT[card] and not BIT[card] & suit:
            yield Duty(seq, trick.seqs[0], seat, trick.number, trick.cards[0], card)


def ban_of(lead: Card, table: Following) -> Ban:
    """What not following ``lead`` excludes."""
    led, compelling = BIT[lead], table.compelling[lead]
    privileged = table.suit[lead] & ~compelling & ~led
    freeing = table.freeing[lead] & privileged
    needy = privileged & ~table.freeing[lead]
    if not freeing:
        return Ban((compelling | needy) & ~led, 0, 0)
    return Ban(compelling & ~led, needy, freeing if needy else 0)


def lawful(
    allowed: list[Places], kept: Iterable[Duty], table: Following, played: dict[Card, Played], work: Work
) -> Iterator[list[Places]]:
    """The places of the cards where these duties were kept: one list for each way to have kept them.

    No deal belongs to two of them. Every play before the cards in question has to be known.

    Raises:
        Spent: there are more ways than there is work for.
    """
    allowed = list(allowed)
    choices: dict[tuple[Seat, int, int], None] = {}
    for duty in kept:
        work.spend(DUTY)
        ban, seat = ban_of(duty.lead, table), duty.seat
        for card in cards_in(ban.never):
            if not _gone_before(card, duty, played):
                allowed[card] &= ~HAND[seat]
        if ban.needy:
            needy = _still(ban.needy, duty, played)
            choices[seat, needy, _still(ban.freeing, duty, played)] = None
    return _chosen(allowed, list(choices), work)


def _chosen(
    allowed: list[Places], choices: list[tuple[Seat, int, int]], work: Work
) -> Iterator[list[Places]]:
    """The places in every way to make the choices in which each card has a place."""
    ways = {tuple(allowed): None}
    for seat, needy, freeing in choices:
        more: dict[tuple[Places, ...], None] = {}
        for way in ways:
            for inside in _ways(needy, freeing):
                work.spend(CHOICE)
                here = list(way)
                for card in cards_in(needy | freeing):
                    here[card] &= HAND[seat] if inside & BIT[card] else ~HAND[seat]
                if all(here[card] for card in cards_in(needy | freeing)):
                    more[tuple(here)] = None
        ways = more
    return (list(way) for way in ways)


def _gone_before(card: Card, duty: Duty, played: dict[Card, Played]) -> bool:
    laid = played.get(card)
    return laid is not None and laid.seat == duty.seat and laid.trick < duty.trick


def _still(cards: int, duty: Duty, played: dict[Card, Played]) -> int:
    """Of ``cards`` those that the seat has not played before."""
    for card in cards_in(cards):
        if _gone_before(card, duty, played):
            cards ^= BIT[card]
    return cards


def _ways(needy: int, freeing: int) -> list[int]:
    """Which of these few cards can have been in the hand together: a needy one only with one that frees."""
    both = cards_in(needy | freeing)
    ways = []
    for choice in range(1 << len(both)):
        inside = sum(BIT[card] for place, card in enumerate(both) if choice >> place & 1)
        if not inside & needy or inside & freeing:
            ways.append(inside)
    return ways
