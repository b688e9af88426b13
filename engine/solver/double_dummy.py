"""The exact search: does the declarer reach an end of this rank, whatever the defenders do as one side?

A question is answered yes or no; two of them, on either side of a rank, prove it. Answers are remembered at
the beginnings of tricks, where positions meet that were reached in different ways.

The cards in play are numbered as bits so that a suit lies together from its highest card to its lowest. Two
positions in which the remaining cards of each suit lie in the same hands in the same order count as one, and
of cards next to each other in one hand only the highest is tried (RULES 1, 5).
"""

from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, Card, cards_in_mask
from engine.core.ranking import TrickRules
from engine.core.work_budget import WorkBudget
from engine.solver.outcome_order import OutcomeOrder

HandMasks = tuple[int, int, int]
"""A mask for each seat."""

MAX_CARDS: Final = 27
"""Three hands of nine."""
ALL_CARDS: Final = (1 << MAX_CARDS) - 1
KINDS_PER_SUIT: Final = 6
"""Kinds of cards in a suit: three hands, in each the matadors apart."""


class SuitForms(dict[int, int]):
    """By a mask of whole suits of the cards that are left: their form, and above it the heads of their runs.

    The *form* is the same for cards that lie in the same hands in the same order. A *run* is made of cards
    next to each other in one hand, and its *head* is the highest of them. No matador is in a run with a lower
    trump, as only the lower one compels (RULES 5). Each value is computed on demand.
    """

    def __init__(self, kind_of: dict[int, int]) -> None:
        super().__init__()
        self._kind_of = kind_of
        self._first: dict[tuple[int, ...], int] = {}

    def __missing__(self, left: int) -> int:
        kinds: list[int] = []
        heads, rest = 0, left
        while rest:
            bit = rest & -rest
            rest ^= bit
            kind = self._kind_of[bit]
            if not kinds or kind != kinds[-1]:
                heads |= bit
            kinds.append(kind)
        form = self._first.setdefault(tuple(kinds), left)
        found = self[left] = form | heads << MAX_CARDS
        return found


class BitLayout(NamedTuple):
    """The cards of three hands as bits, and the tables of play by bit (`engine.core.ranking.TrickRules`).

    ``bit_of``: the bit of each card; ``hands``: who holds what at the beginning. ``suit_groups``: three masks
    of whole suits that together are all cards; ``forms`` has the form of each.
    """

    bit_of: dict[Card, int]
    hands: HandMasks
    followers: dict[int, int]
    compelling: dict[int, int]
    freeing: dict[int, int]
    beaten_by: dict[int, int]
    suit_groups: HandMasks
    forms: SuitForms


def build_layout(hands: HandMasks, trick_rules: TrickRules) -> BitLayout:
    """The layout of three ``hands``, masks of the pack's cards of which none is in two hands."""
    dealt = hands[0] | hands[1] | hands[2]
    suits = sorted(
        {trick_rules.followers[card] & dealt for card in cards_in_mask(dealt)},
        key=lambda suit: suit.bit_count(),
    )
    cards = (
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
        bit_of,
        by_seat,
        {bit: by_suit[trick_rules.followers[card] & dealt] for card, bit in bit_of.items()},
        {bit: bits(trick_rules.compelling[card]) for card, bit in bit_of.items()},
        {bit: bits(trick_rules.freeing[card]) for card, bit in bit_of.items()},
        {bit: bits(trick_rules.beaten_by[card]) for card, bit in bit_of.items()},
        _group_suits(list(by_suit.values())),
        SuitForms(kind_of),
    )


def _count_higher(card: Card, trick_rules: TrickRules) -> int:
    return (trick_rules.beaten_by[card] & trick_rules.followers[card]).bit_count()


def _group_suits(suits: list[int]) -> HandMasks:
    """Whole suits joined into three groups; ``suits`` are sorted by length."""
    parts = [*suits, 0, 0, 0]
    while len(parts) > 3:
        parts.sort(key=lambda part: part.bit_count(), reverse=True)
        parts[-2:] = [parts[-2] | parts[-1]]
    return parts[0], parts[1], parts[2]


LEAD_COST: Final = 6
"""Work of searching a lead."""
NEXT_SEAT: Final = (1, 2, 0)
"""The next seat in the order of play."""


class DoubleDummySearch:
    """The search of one deal, with the same cards, `OutcomeOrder` and declarer throughout.

    ``left``: the cards in all hands at the beginning of a trick; ``heads``: the first of each run of them;
    ``count``: a number of the `OutcomeOrder`. Each answer says whether the declarer reaches a rank of at
    least ``goal``.
    """

    def __init__(self, layout: BitLayout, order: OutcomeOrder, declarer: int, work: WorkBudget) -> None:
        self._work = work
        self._declarer = declarer
        self._hands = layout.hands
        self._suit, self._beats = layout.followers, layout.beaten_by
        self._compelling, self._freeing = layout.compelling, layout.freeing
        self._forms, self._parts = layout.forms, layout.suit_groups
        self._floor, self._ceiling, self._stop = order.floor, order.ceiling, order.stop_rank
        self._after = order.next_number
        self._counts = len(order.floor)
        self._known: dict[int, int] = {}
        """By position: the least rank that is still possible, times 256, plus the greatest."""

    def reaches_at_lead(self, left: int, leader: int, count: int, goal: int) -> bool:
        """At the lead to a trick. Raises `BudgetExceeded`."""
        if self._floor[count] >= goal:
            return True
        if self._ceiling[count] < goal:
            return False
        first, second, third = self._parts
        forms = self._forms
        form = forms[left & first] | forms[left & second] | forms[left & third]
        key = ((form & ALL_CARDS) * 3 + leader) * self._counts + count
        known = self._known.get(key)
        if known is None:
            low, high = self._floor[count], self._ceiling[count]
        else:
            low, high = known >> 8, known & 255
            if low >= goal:
                return True
            if high < goal:
                return False
        heads = form >> MAX_CARDS
        reached = self._stop[count] >= goal or self._reaches_by_some_lead(left, heads, leader, count, goal)
        self._known[key] = goal << 8 | high if reached else low << 8 | goal - 1
        return reached

    def run_heads(self, left: int) -> int:
        """The first card of each run."""
        first, second, third = self._parts
        forms = self._forms
        form = forms[left & first] | forms[left & second] | forms[left & third]
        return form >> MAX_CARDS

    def _reaches_by_some_lead(self, left: int, heads: int, leader: int, count: int, goal: int) -> bool:
        self._work.spend(LEAD_COST)
        declarer_moves = leader == self._declarer
        seat = NEXT_SEAT[leader]
        moves = left & self._hands[leader] & heads
        while moves:
            card = moves & -moves
            moves ^= card
            if self.reaches_at_second_card(left, heads, leader, card, seat, count, goal) is declarer_moves:
                return declarer_moves
        return not declarer_moves

    def reaches_at_second_card(
        self, left: int, heads: int, leader: int, lead: int, seat: int, count: int, goal: int
    ) -> bool:
        """With one card on the table and ``seat`` to play; cards that beat it are tried first."""
        declarer_moves = seat == self._declarer
        last = NEXT_SEAT[seat]
        hand = left & self._hands[seat]
        suit = hand & self._suit[lead]
        # What may be played (RULES 5; `engine.core.ranking`), here as below; of each run the first card.
        if suit and (hand & self._compelling[lead] or not hand & self._freeing[lead]):
            hand = suit
        moves = hand & heads
        taking = moves & self._beats[lead]
        moves ^= taking
        left ^= lead
        while taking:
            card = 1 << taking.bit_length() - 1
            taking ^= card
            if (
                self.reaches_at_last_card(left ^ card, heads, lead, card, seat, last, count, goal)
                is declarer_moves
            ):
                return declarer_moves
        while moves:
            card = 1 << moves.bit_length() - 1
            moves ^= card
            if (
                self.reaches_at_last_card(left ^ card, heads, lead, lead, leader, last, count, goal)
                is declarer_moves
            ):
                return declarer_moves
        return not declarer_moves

    def reaches_at_last_card(
        self, rest: int, heads: int, lead: int, best: int, holder: int, seat: int, count: int, goal: int
    ) -> bool:
        """With two cards on the table, the better one ``best`` by ``holder``; ``rest`` is in the hands.

        Cards that take the trick from the other side are tried first.
        """
        declarer_moves = seat == self._declarer
        hand = rest & self._hands[seat]
        suit = hand & self._suit[lead]
        if suit and (hand & self._compelling[lead] or not hand & self._freeing[lead]):
            hand = suit
        other = hand & heads
        first = other & self._beats[best]
        other ^= first
        winner = seat
        if not declarer_moves and holder != self._declarer:
            first, other, winner, holder = other, first, holder, winner
        follows = self._after[winner][count]
        while first:
            card = 1 << first.bit_length() - 1
            first ^= card
            if self.reaches_at_lead(rest ^ card, winner, follows, goal) is declarer_moves:
                return declarer_moves
        follows = self._after[holder][count]
        while other:
            card = 1 << other.bit_length() - 1
            other ^= card
            if self.reaches_at_lead(rest ^ card, holder, follows, goal) is declarer_moves:
                return declarer_moves
        return not declarer_moves
