"""The exact search: does the declarer come to an end of this rank, whatever the defenders do as one side?

A question is answered yes or no; two of them, on either side of a rank, prove it. What is found is kept for
the beginnings of tricks, where positions meet that were reached by different ways.
"""

from typing import Final

from engine.core.work_budget import WorkBudget
from engine.solver.bit_layout import ALL_CARDS, MAX_CARDS, BitLayout, HandMasks
from engine.solver.outcome_order import OutcomeOrder


class RankBounds:
    """Bounds on the rank at the lead to a trick, by cards that nobody can beat, before any search.

    A trump higher than all that the others hold wins its trick at any time. The leader can play such cards
    one after another, and if the others have no trump left, unbeatable cards of plain suits too. Two ranks
    are one number: the lower, times 256, and the higher.
    """

    def __init__(self, layout: BitLayout, order: OutcomeOrder, declarer: int) -> None:
        self._declarer = declarer
        self._hands: HandMasks = layout.hands
        self._trumps = layout.trumps
        self._floor, self._ceiling, self._stop = order.floor, order.ceiling, order.stop_rank
        self._after = order.next_number
        self._found: dict[tuple[int, int, int, int], int] = {}

    def compute(self, left: int, top_cards: int, leader: int, count: int) -> int:
        """The bounds with the cards ``left``, of which ``top_cards`` are the highest of their suits."""
        hands, trumps = self._hands, self._trumps
        sure = top_cards & trumps
        if sure:
            holder = 0 if sure & hands[0] else 1 if sure & hands[1] else 2
            found = self._bounds_with_sure_tricks(left.bit_count() // 3, holder, sure.bit_count(), count)
            low, high = found >> 8, found & 255
        else:
            low, high = self._floor[count], self._ceiling[count]
        cashed = top_cards & hands[leader]
        if left & trumps & ~hands[leader]:
            cashed &= trumps
        after = self._after[leader]
        for _ in range(cashed.bit_count()):
            count = after[count]
        if leader == self._declarer:
            return max(low, self._floor[count]) << 8 | high
        return low << 8 | min(high, self._ceiling[count])

    def _bounds_with_sure_tricks(self, tricks: int, holder: int, sure: int, count: int) -> int:
        """The bounds where ``holder`` wins at least ``sure`` of the ``tricks`` that are left."""
        key = (tricks, holder, sure, count)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._compute_with_sure_tricks(tricks, holder, sure, count)
        return found

    def _compute_with_sure_tricks(self, tricks: int, holder: int, sure: int, count: int) -> int:
        low, high = self._floor[count], self._ceiling[count]
        if sure <= 0 or low == high:
            return low << 8 | high
        winners = range(3) if sure < tricks else (holder,)
        further = [
            self._bounds_with_sure_tricks(
                tricks - 1, holder, sure - (winner == holder), self._after[winner][count]
            )
            for winner in winners
        ]
        stop = self._stop[count]
        return max(stop, min(one >> 8 for one in further)) << 8 | max(stop, *(one & 255 for one in further))


LEAD_COST: Final = 8
"""What it costs to look into a lead."""
NEXT_SEAT: Final = (1, 2, 0)
"""The next seat in the order of play."""


class DoubleDummySearch:
    """The search of one deal: its cards, its `OutcomeOrder` and its declarer are the same throughout.

    ``left`` are the cards in all hands at the beginning of a trick, ``heads`` the first of each run of them;
    ``count`` is a number of the `OutcomeOrder`. Each answer says whether the declarer comes to a rank of at
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
        self._bounds = RankBounds(layout, order, declarer)
        self._known: dict[int, int] = {}
        """By position: the least rank that is still possible, times 256, and the greatest."""

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
            known = self._known[key] = self._bounds.compute(left, form >> 2 * MAX_CARDS, leader, count)
        low, high = known >> 8, known & 255
        if low >= goal:
            return True
        if high < goal:
            return False
        heads = form >> MAX_CARDS & ALL_CARDS
        reached = self._stop[count] >= goal or self._reaches_by_some_lead(left, heads, leader, count, goal)
        self._known[key] = goal << 8 | high if reached else low << 8 | goal - 1
        return reached

    def run_heads(self, left: int) -> int:
        """The first card of each run."""
        first, second, third = self._parts
        forms = self._forms
        form = forms[left & first] | forms[left & second] | forms[left & third]
        return form >> MAX_CARDS & ALL_CARDS

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
        """With two cards on the table, ``best`` of them by ``holder``; ``rest`` is what lies in the hands.

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
