"""The cards in play as bits, so numbered that a suit lies together from its highest card to its lowest.

Everything that trick play asks of a card is found by its bit. Cards that are gone leave no gap that
matters: two positions in which the cards left of each suit lie in the same hands in the same order are one
position, and of cards that lie side by side in one hand one stands for all (RULES 1, 5).
"""

from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, Card, cards_in_mask
from engine.core.ranking import TrickRules

HandMasks = tuple[int, int, int]
"""A mask for each seat."""

MAX_CARDS: Final = 27
"""Three hands of nine."""
ALL_CARDS: Final = (1 << MAX_CARDS) - 1


KINDS_PER_SUIT: Final = 6
"""Of the cards of a suit, for the search: three hands, in each the matadors apart."""


class SuitForms(dict[int, int]):
    """For some of the cards that are left, whole suits of them: their form, and above it heads and tops.

    The *form* is the same for cards that lie in the same hands in the same order. A *run* is made of cards
    side by side in one hand, its *head* is the highest of them. No matador is in a run with a lower trump,
    as only that one compels (RULES 5). Above the heads stand the *tops*: the cards of a suit, one or more in
    one hand, that are higher than all that the others hold of it. Each is worked out when first asked for.
    """

    def __init__(self, kind_of: dict[int, int]) -> None:
        super().__init__()
        self._kind_of = kind_of
        self._first: dict[tuple[int, ...], int] = {}

    def __missing__(self, left: int) -> int:
        kinds: list[int] = []
        heads, tops, rest, unbroken = 0, 0, left, True
        while rest:
            bit = rest & -rest
            rest ^= bit
            kind = self._kind_of[bit]
            before = kinds[-1] if kinds else -1
            if kind != before:
                heads |= bit
            if kind // KINDS_PER_SUIT != before // KINDS_PER_SUIT:
                unbroken = True
            elif kind % 3 != before % 3:
                unbroken = False
            if unbroken:
                tops |= bit
            kinds.append(kind)
        form = self._first.setdefault(tuple(kinds), left)
        found = self[left] = form | heads << MAX_CARDS | tops << 2 * MAX_CARDS
        return found


class BitLayout(NamedTuple):
    """The cards of three hands as bits, and the tables of play by bit (`engine.core.ranking.TrickRules`).

    ``cards``: the card of each bit, by its number; ``bit_of``: the bit of each card; ``hands``: who holds
    what at the beginning. ``followers``, ``compelling``, ``freeing`` and ``beaten_by`` are those of
    `TrickRules`. ``suit_groups``: three masks of whole suits that together are all cards; ``forms`` is asked
    for each of them.
    """

    cards: tuple[Card, ...]
    bit_of: dict[Card, int]
    hands: HandMasks
    followers: dict[int, int]
    compelling: dict[int, int]
    freeing: dict[int, int]
    beaten_by: dict[int, int]
    trumps: int
    suit_groups: HandMasks
    forms: SuitForms


def build_layout(hands: HandMasks, trick_rules: TrickRules) -> BitLayout:
    """The layout under ``trick_rules`` of three ``hands``: masks of the pack's cards, none in two of them."""
    dealt = hands[0] | hands[1] | hands[2]
    suits = sorted(
        {trick_rules.followers[card] & dealt for card in cards_in_mask(dealt)},
        key=lambda suit: suit.bit_count(),
    )
    cards = tuple(
        card
        for suit in suits
        for card in sorted(cards_in_mask(suit), key=lambda c: _count_higher(c, trick_rules))
    )
    bit_of = {card: 1 << place for place, card in enumerate(cards)}

    def bits(mask: int) -> int:
        return sum(bit_of[card] for card in cards_in_mask(mask & dealt))

    by_suit = {suit: bits(suit) for suit in suits}
    by_seat = (bits(hands[0]), bits(hands[1]), bits(hands[2]))
    kind_of = {}
    for number, suit in enumerate(suits):
        for card in cards_in_mask(suit):
            seat = next(seat for seat, hand in enumerate(hands) if hand & CARD_BITS[card])
            kind_of[bit_of[card]] = (
                KINDS_PER_SUIT * number + seat + (3 if CARD_BITS[card] & trick_rules.matadors else 0)
            )
    return BitLayout(
        cards,
        bit_of,
        by_seat,
        {bit: by_suit[trick_rules.followers[card] & dealt] for card, bit in bit_of.items()},
        {bit: bits(trick_rules.compelling[card]) for card, bit in bit_of.items()},
        {bit: bits(trick_rules.freeing[card]) for card, bit in bit_of.items()},
        {bit: bits(trick_rules.beaten_by[card]) for card, bit in bit_of.items()},
        bits(trick_rules.trumps),
        _group_suits(list(by_suit.values())),
        SuitForms(kind_of),
    )


def _count_higher(card: Card, trick_rules: TrickRules) -> int:
    """How many cards of its suit are higher."""
    return (trick_rules.beaten_by[card] & trick_rules.followers[card]).bit_count()


def _group_suits(suits: list[int]) -> HandMasks:
    """Whole suits put together into three parts; ``suits`` rise by their length."""
    parts = [*suits, 0, 0, 0]
    while len(parts) > 3:
        parts.sort(key=lambda part: part.bit_count(), reverse=True)
        parts[-2:] = [parts[-2] | parts[-1]]
    return parts[0], parts[1], parts[2]
