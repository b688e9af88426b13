"""What the claims of a record physically allow: where each card of the pack can lie.

A *scenario* fixes the numbers that the claims leave open: how many cards a seat exchanged if the record does
not say. In each scenario every card has a set of places, and every place a size; all scenarios together are
what the record allows.
"""

from collections.abc import Iterable, Iterator
from itertools import permutations, product
from typing import NamedTuple

from engine.core.cards import (
    CARD_BITS,
    CARD_CANDIDATES,
    HAND_SIZE,
    HIDDEN_CARD,
    SEATS,
    TALON_SIZE,
    Card,
    Seat,
)
from engine.core.tuples import new_tuple
from engine.core.work_budget import WorkBudget
from engine.inference.claims import (
    ALL_PLACES,
    DEALT_PLACES,
    DRAW_PLACES,
    FATE_KEPT,
    HAND_PLACES,
    TALON_REST_PLACES,
    Claims,
    ExchangeCounts,
    PlaceMask,
    place_number,
)

PACK_SIZE = 40
KEPT_PLACES = tuple(1 << place_number(seat, FATE_KEPT) for seat in SEATS)
EQUAL_EXCHANGES = tuple(ExchangeCounts(count, count) for count in range(HAND_SIZE + 1))
"""An exchange of which only the size of the hand limits the number, which is the same for both parts."""
CLAIM_COST, SCENARIO_COST, TALON_CARD_COST = 2, 3, 3
"""Work of a claim, of a scenario, and of a card of the talon in a scenario."""


class SuitMinimum(NamedTuple):
    """At least ``minimum`` of ``cards`` lie in ``places``: for cards of which only the suit is known."""

    places: PlaceMask
    cards: int
    minimum: int


class CardPlay(NamedTuple):
    """Where and when a card was played.

    ``is_counted``: to ``trick``; otherwise it was laid on the table after it, second to a trick or after the
    end.
    """

    seat: Seat
    trick: int
    is_counted: bool = True

    def was_held_after(self, trick: int) -> bool:
        """Whether it was still in the hand after the seat had played to ``trick``."""
        return self.trick > trick or (not self.is_counted and self.trick == trick)


class Scenario(NamedTuple):
    """One scenario: for each card its places, for each place its size, and what is known only by suit."""

    allowed_places: list[PlaceMask]
    place_sizes: tuple[int, ...]
    suit_minimums: tuple[SuitMinimum, ...] = ()


def plays_by_card(claims: Claims) -> dict[Card, CardPlay]:
    """Every known card that left a hand during the play, including those that do not count."""
    plays = {
        card: CardPlay(one.seat, one.last_trick, False)
        for one in claims.card_claims
        if one.is_uncounted and one.seat is not None
        for card in one.cards
        if CARD_BITS[card]
    }
    for trick in claims.tricks:
        for place, card in enumerate(trick.cards):
            if CARD_BITS[card]:
                plays[card] = new_tuple(CardPlay, (trick.seats[place], trick.number, True))
    return plays


def list_scenarios(claims: Claims, work: WorkBudget) -> Iterator[Scenario]:
    """Every scenario that is possible by its numbers, even if no cards fit. Raises `BudgetExceeded`."""
    cards = sum(len(one.cards) for one in claims.card_claims)
    work.spend(CLAIM_COST * (PACK_SIZE + len(claims.card_claims) + len(claims.talon_cards)) + cards)
    allowed = find_allowed_places(claims)
    needs = _merge_suit_minimums(_list_suit_minimums(claims))
    stated_hands = _list_stated_hands(claims)
    for exchanges in _list_possible_exchanges(claims):
        work.spend(SCENARIO_COST + len(stated_hands))
        if not all(_fits_hand_size(exchanges[seat], where, count) for seat, where, count in stated_hands):
            continue
        if not claims.talon_cards:
            yield Scenario(list(allowed), _place_sizes(exchanges), needs)
            continue
        known: list[Scenario] = []
        for draw_order in list_draw_orders(claims):
            work.spend(TALON_CARD_COST * len(claims.talon_cards))
            restricted = _restrict_by_talon(claims, allowed, exchanges, draw_order)
            scenario = Scenario(
                restricted,
                _place_sizes(exchanges),
                _merge_suit_minimums((*needs, *_talon_suit_minimums(claims, exchanges, draw_order))),
            )
            if scenario not in known:
                known.append(scenario)
                yield scenario


def find_allowed_places(claims: Claims) -> list[PlaceMask]:
    """For each card of the pack the places that no single claim excludes."""
    allowed = [ALL_PLACES] * PACK_SIZE
    trick_of_card: dict[Card, int] = {}
    for trick in claims.tricks:
        for place, card in enumerate(trick.cards):
            if CARD_BITS[card]:
                allowed[card] = 0 if card in trick_of_card else HAND_PLACES[trick.seats[place]]
                trick_of_card[card] = trick.number
    for one in claims.card_claims:
        for card in one.cards:
            if CARD_BITS[card]:
                trick_number = trick_of_card.get(card)
                is_gone = trick_number is not None and trick_number <= one.last_trick
                allowed[card] = 0 if is_gone else allowed[card] & one.places
    return allowed


def _list_possible_exchanges(
    claims: Claims,
) -> Iterator[tuple[ExchangeCounts, ExchangeCounts, ExchangeCounts]]:
    """The numbers of cards that the seats can have exchanged, in every combination."""
    remaining = TALON_SIZE - sum(one.draw_count for one in claims.exchanges if one is not None)
    possible_counts = EQUAL_EXCHANGES[: max(remaining, 0) + 1]
    first, second, third = (possible_counts if one is None else (one,) for one in claims.exchanges)
    for exchange in product(first, second, third):
        if sum(one.draw_count for one in exchange) <= TALON_SIZE and all(
            one.discard_count <= HAND_SIZE for one in exchange
        ):
            yield exchange


def _place_sizes(exchanges: tuple[ExchangeCounts, ExchangeCounts, ExchangeCounts]) -> tuple[int, ...]:
    sizes: list[int] = []
    for one in exchanges:
        sizes += (one.discard_count, HAND_SIZE - one.discard_count, one.draw_count)
    return (*sizes, TALON_SIZE - sum(one.draw_count for one in exchanges))


StatedHand = tuple[Seat, PlaceMask, int]
"""A hand stated whole: the seat, the places, and the number of cards before any was played."""


def _list_stated_hands(claims: Claims) -> list[StatedHand]:
    """The hands that are stated whole, each once; none if a play is missing."""
    if not claims.is_play_order_known or any(len(trick.cards) != len(SEATS) for trick in claims.tricks[:-1]):
        return []
    hands: dict[StatedHand, None] = {}
    uncounted = [0] * len(SEATS)
    for one in claims.card_claims:
        if one.seat is None:
            continue
        if one.is_whole_hand:
            played_count = 0
            if one.places not in (DEALT_PLACES[one.seat], KEPT_PLACES[one.seat]):
                played_count = uncounted[one.seat]
                played_count += sum(
                    1 for trick in claims.tricks if trick.number <= one.last_trick and one.seat in trick.seats
                )
            hands[one.seat, one.places, len(one.cards) + played_count] = None
        uncounted[one.seat] += one.is_uncounted
    return list(hands)


def _fits_hand_size(exchanges: ExchangeCounts, places: PlaceMask, count: int) -> bool:
    """Whether a hand in these places has ``count`` cards with these exchanges."""
    if places in DEALT_PLACES:
        return count == HAND_SIZE
    drawn = 0 if places in KEPT_PLACES else exchanges.draw_count
    return count == HAND_SIZE - exchanges.discard_count + drawn


def list_draw_orders(claims: Claims) -> Iterator[tuple[Seat, ...]]:
    """Every order in which the seats can have drawn: unrecorded draws come anywhere."""
    unplaced_seats = [seat for seat in SEATS if claims.exchanges[seat] is None]
    for order in permutations((*claims.draw_order, *unplaced_seats)):
        if tuple(seat for seat in order if seat in claims.draw_order) == claims.draw_order:
            yield order


def talon_card_place(
    depth: int, draw_order: tuple[Seat, ...], exchanges: tuple[ExchangeCounts, ...]
) -> PlaceMask:
    """Where the card at ``depth`` of the talon comes to lie: with the seat that draws it, or in the rest."""
    drawn = 0
    for seat in draw_order:
        drawn += exchanges[seat].draw_count
        if depth < drawn:
            return DRAW_PLACES[seat]
    return TALON_REST_PLACES


def _restrict_by_talon(
    claims: Claims,
    allowed: list[PlaceMask],
    exchanges: tuple[ExchangeCounts, ...],
    draw_order: tuple[Seat, ...],
) -> list[PlaceMask]:
    allowed = list(allowed)
    card_at_depth: dict[int, Card] = {}
    for _, depth, card in claims.talon_cards:
        if CARD_BITS[card]:
            allowed[card] &= talon_card_place(depth, draw_order, exchanges)
            if card_at_depth.setdefault(depth, card) != card:
                allowed[card] = 0
    return allowed


def _list_suit_minimums(claims: Claims) -> Iterator[SuitMinimum]:
    """The minimums from cards of which only the suit is known."""
    for one in claims.card_claims:
        for code in set(one.cards):
            if CARD_BITS[code] or code == HIDDEN_CARD:
                continue
            suit = CARD_CANDIDATES[code]
            count = sum(card == code or bool(CARD_BITS[card] & suit) for card in one.cards)
            if one.last_trick and one.seat is not None:
                count += sum(_suit_plays_before(claims, one.seat, one.last_trick, suit))
            yield SuitMinimum(one.places, suit, count)


def _merge_suit_minimums(needs: Iterable[SuitMinimum]) -> tuple[SuitMinimum, ...]:
    """Of minimums of the same cards in the same places the greatest."""
    minimums: dict[tuple[PlaceMask, int], int] = {}
    for places, cards, count in needs:
        minimums[places, cards] = max(minimums.get((places, cards), 0), count)
    return tuple(SuitMinimum(places, cards, count) for (places, cards), count in minimums.items())


def _suit_plays_before(claims: Claims, seat: Seat, trick: int, suit: int) -> Iterator[bool]:
    for each in claims.tricks:
        if each.number <= trick and seat in each.seats:
            yield bool(CARD_BITS[each.cards[each.seats.index(seat)]] & suit)


def _talon_suit_minimums(
    claims: Claims, exchanges: tuple[ExchangeCounts, ...], draw_order: tuple[Seat, ...]
) -> tuple[SuitMinimum, ...]:
    """The minimums from cards of the talon of which only the suit is known, by where they come to lie."""
    counts: dict[tuple[PlaceMask, int], int] = {}
    known = {one.depth: one.card for one in claims.talon_cards if CARD_BITS[one.card]}
    hidden = {one.depth: CARD_CANDIDATES[one.card] for one in claims.talon_cards if one.depth not in known}
    for depth, suit in hidden.items():
        key = (talon_card_place(depth, draw_order, exchanges), suit)
        counts[key] = counts.get(key, 0) + 1
    for depth, card in known.items() if counts else ():
        for places, suit in counts:
            if CARD_BITS[card] & suit and places == talon_card_place(depth, draw_order, exchanges):
                counts[places, suit] += 1
    return tuple(SuitMinimum(places, suit, count) for (places, suit), count in counts.items())
