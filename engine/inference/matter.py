"""What the claims of a record allow as mere matter: where each card of the pack can lie.

A *reading* settles what the claims leave open in numbers: how many cards a seat exchanged of which nothing
is told. In each reading every card has a set of places, and every place a size; all readings together are
what the record allows.
"""

from collections.abc import Iterable, Iterator
from itertools import permutations, product
from typing import NamedTuple

from engine.core.cards import BIT, CANDIDATES, HAND_SIZE, HIDDEN, SEATS, TALON_SIZE, Card, Seat
from engine.core.work_budget import Work
from engine.inference.claims import Claims, Swapped
from engine.inference.places import ANYWHERE, DEALT, HAND, KEPT, TAKEN, UNDRAWN, Places, place_of

PACK_SIZE = 40
KEPT_ALONE = tuple(1 << place_of(seat, KEPT) for seat in SEATS)
CLAIM, READING, TALON_CARD = 2, 3, 3
"""What it costs to take up a claim, a reading of all, and a card of the talon in one."""


class Need(NamedTuple):
    """At least ``least`` of ``cards`` lie in ``places``: what a record says that knows only suits."""

    places: Places
    cards: int
    least: int


class Played(NamedTuple):
    """Where and when a card was played.

    ``counts``: to ``trick``; else it was laid on the table after it, second to a trick or after the end.
    """

    seat: Seat
    trick: int
    counts: bool = True

    def after(self, trick: int) -> bool:
        """Whether it was still in the hand once the seat had played to ``trick``."""
        return self.trick > trick or (not self.counts and self.trick == trick)


class Reading(NamedTuple):
    """One reading: for each card its places, for each place its size, and what is known only by suit."""

    allowed: list[Places]
    sizes: tuple[int, ...]
    needs: tuple[Need, ...] = ()


def laid_cards(claims: Claims) -> dict[Card, Played]:
    """Every known card that left a hand in the play, those that do not count among them."""
    beyond = {
        card: Played(one.seat, one.trick, False)
        for one in claims.told
        if one.beyond and one.seat is not None
        for card in one.cards
        if BIT[card]
    }
    return {**beyond, **played_cards(claims)}


def played_cards(claims: Claims) -> dict[Card, Played]:
    """Every known card that was played to a trick."""
    return {
        card: Played(seat, trick.number)
        for trick in claims.tricks
        for seat, card in zip(trick.seats, trick.cards, strict=True)
        if BIT[card]
    }


def readings(claims: Claims, work: Work) -> Iterator[Reading]:
    """Every reading of the claims that is possible in numbers; cards may still fit in none of them.

    Raises:
        Spent: there are more of them than there is work for.
    """
    cards = sum(len(one.cards) for one in claims.told)
    work.spend(CLAIM * (PACK_SIZE + len(claims.told) + len(claims.talon)) + cards)
    allowed = allowed_by(claims)
    needs = _once(_needs(claims))
    stated = _stated(claims)
    for swapped in _exchanges(claims):
        work.spend(READING + len(stated))
        if not all(_has_size(swapped[seat], where, count) for seat, where, count in stated):
            continue
        if not claims.talon:
            yield Reading(list(allowed), _sizes(swapped), needs)
            continue
        known: list[Reading] = []
        for drawing in drawings(claims):
            work.spend(TALON_CARD * len(claims.talon))
            here = _with_talon(claims, allowed, swapped, drawing)
            reading = Reading(here, _sizes(swapped), _once((*needs, *_talon_needs(claims, swapped, drawing))))
            if reading not in known:
                known.append(reading)
                yield reading


def allowed_by(claims: Claims) -> list[Places]:
    """For each card of the pack the places that no single claim excludes."""
    played = played_cards(claims)
    allowed = [ANYWHERE] * PACK_SIZE
    for one in claims.told:
        for card in one.cards:
            if BIT[card]:
                allowed[card] &= one.places
                if one.trick and card in played and played[card].trick <= one.trick:
                    allowed[card] = 0
    laid = 0
    for card, at in played.items():
        allowed[card] &= HAND[at.seat]
    for trick in claims.tricks:
        for card in trick.cards:
            if laid & BIT[card]:
                allowed[card] = 0
            laid |= BIT[card]
    return allowed


def _exchanges(claims: Claims) -> Iterator[tuple[Swapped, Swapped, Swapped]]:
    """Every number of cards that the seats can have exchanged, where it is not told."""
    most = TALON_SIZE - sum(one.drawn for one in claims.swapped if one is not None)
    untold = [Swapped(count, count) for count in range(min(HAND_SIZE, max(most, 0)) + 1)]
    first, second, third = (untold if one is None else [one] for one in claims.swapped)
    for exchange in product(first, second, third):
        if sum(one.drawn for one in exchange) <= TALON_SIZE and all(
            one.away <= HAND_SIZE for one in exchange
        ):
            yield exchange


def _sizes(swapped: tuple[Swapped, Swapped, Swapped]) -> tuple[int, ...]:
    sizes: list[int] = []
    for one in swapped:
        sizes += (one.away, HAND_SIZE - one.away, one.drawn)
    return (*sizes, TALON_SIZE - sum(one.drawn for one in swapped))


Stated = tuple[Seat, Places, int]
"""Of a hand that is stated whole: whose, where it lay, and with how many cards before any was played."""


def _stated(claims: Claims) -> list[Stated]:
    """The hands that are stated whole, each once; where no play is missing."""
    if not claims.course_known or any(len(trick.cards) != len(SEATS) for trick in claims.tricks[:-1]):
        return []
    found: dict[Stated, None] = {}
    laid_beyond = [0] * len(SEATS)
    for one in claims.told:
        if one.seat is None:
            continue
        if one.whole:
            laid = 0
            if one.places not in (DEALT[one.seat], KEPT_ALONE[one.seat]):
                laid = laid_beyond[one.seat]
                laid += sum(
                    1 for trick in claims.tricks if trick.number <= one.trick and one.seat in trick.seats
                )
            found[one.seat, one.places, len(one.cards) + laid] = None
        laid_beyond[one.seat] += one.beyond
    return list(found)


def _has_size(swapped: Swapped, places: Places, count: int) -> bool:
    """Whether a hand that lay in these places had so many cards, where so many were exchanged."""
    if places in DEALT:
        return count == HAND_SIZE
    drawn = 0 if places in KEPT_ALONE else swapped.drawn
    return count == HAND_SIZE - swapped.away + drawn


def drawings(claims: Claims) -> Iterator[tuple[Seat, ...]]:
    """Every order in which the seats can have drawn: who may have drawn untold comes anywhere."""
    untold = [seat for seat in SEATS if claims.swapped[seat] is None]
    for order in permutations((*claims.drawing, *untold)):
        if tuple(seat for seat in order if seat in claims.drawing) == claims.drawing:
            yield order


def place_in_talon(depth: int, drawing: tuple[Seat, ...], swapped: tuple[Swapped, ...]) -> Places:
    """Where the card at ``depth`` of the talon comes to lie: with who draws it, or among what is left."""
    drawn = 0
    for seat in drawing:
        drawn += swapped[seat].drawn
        if depth < drawn:
            return TAKEN[seat]
    return UNDRAWN


def _with_talon(
    claims: Claims, allowed: list[Places], swapped: tuple[Swapped, ...], drawing: tuple[Seat, ...]
) -> list[Places]:
    allowed = list(allowed)
    at: dict[int, Card] = {}
    for _, depth, card in claims.talon:
        if BIT[card]:
            allowed[card] &= place_in_talon(depth, drawing, swapped)
            if at.setdefault(depth, card) != card:
                allowed[card] = 0
    return allowed


def _needs(claims: Claims) -> Iterator[Need]:
    """What is told of cards of which only the suit is known."""
    for one in claims.told:
        for code in set(one.cards):
            if BIT[code] or code == HIDDEN:
                continue
            suit = CANDIDATES[code]
            count = sum(card == code or bool(BIT[card] & suit) for card in one.cards)
            if one.trick and one.seat is not None:
                count += sum(_laid_before(claims, one.seat, one.trick, suit))
            yield Need(one.places, suit, count)


def _once(needs: Iterable[Need]) -> tuple[Need, ...]:
    """Of needs of the same cards in the same places the one that takes in the others."""
    least: dict[tuple[Places, int], int] = {}
    for places, cards, count in needs:
        least[places, cards] = max(least.get((places, cards), 0), count)
    return tuple(Need(places, cards, count) for (places, cards), count in least.items())


def _laid_before(claims: Claims, seat: Seat, trick: int, suit: int) -> Iterator[bool]:
    for each in claims.tricks:
        if each.number <= trick and seat in each.seats:
            yield bool(BIT[each.cards[each.seats.index(seat)]] & suit)


def _talon_needs(claims: Claims, swapped: tuple[Swapped, ...], drawing: tuple[Seat, ...]) -> tuple[Need, ...]:
    """Cards of the talon of which only the suit is known, gathered by the place where they come to lie."""
    found: dict[tuple[Places, int], int] = {}
    known = {one.depth: one.card for one in claims.talon if BIT[one.card]}
    hidden = {one.depth: CANDIDATES[one.card] for one in claims.talon if one.depth not in known}
    for depth, suit in hidden.items():
        key = (place_in_talon(depth, drawing, swapped), suit)
        found[key] = found.get(key, 0) + 1
    for depth, card in known.items() if found else ():
        for places, suit in found:
            if BIT[card] & suit and places == place_in_talon(depth, drawing, swapped):
                found[places, suit] += 1
    return tuple(Need(places, suit, count) for (places, suit), count in found.items())
