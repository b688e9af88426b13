"""The exact search: does the declarer come to an end of this rank, whatever the defenders do as one side?

A question is answered yes or no; two of them, on either side of a rank, prove it. What is found is kept for
the beginnings of tricks, where positions meet that were reached by different ways.
"""

from typing import Final

from engine.core.work_budget import Work
from engine.solver.bounds import Bounds
from engine.solver.layout import ALL_CARDS, MOST_CARDS, Layout
from engine.solver.tally import Tally

LEAD: Final = 8
"""What it costs to look into a lead."""
AFTER: Final = (1, 2, 0)
"""The next seat in the order of play."""


class Search:
    """The search of one deal: its cards, its tally and its declarer are the same throughout.

    ``left`` are the cards in all hands at the beginning of a trick, ``heads`` the first of each run of them;
    ``count`` is a number of the tally. Each answer says whether the declarer comes to a rank of at least
    ``goal``.
    """

    def __init__(self, layout: Layout, tally: Tally, declarer: int, work: Work) -> None:
        self._work = work
        self._declarer = declarer
        self._hands = layout.hands
        self._suit, self._beats = layout.suit, layout.beats
        self._compelling, self._freeing = layout.compelling, layout.freeing
        self._forms, self._parts = layout.forms, layout.parts
        self._floor, self._ceiling, self._stop = tally.floor, tally.ceiling, tally.stop
        self._after = tally.after
        self._counts = len(tally.floor)
        self._bounds = Bounds(layout, tally, declarer)
        self._known: dict[int, int] = {}
        """By position: the least rank that is still possible, times 256, and the greatest."""

    def led(self, left: int, leader: int, count: int, goal: int) -> bool:
        """At the lead to a trick. Raises `Spent`."""
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
            known = self._known[key] = self._bounds.at(left, form >> 2 * MOST_CARDS, leader, count)
        low, high = known >> 8, known & 255
        if low >= goal:
            return True
        if high < goal:
            return False
        heads = form >> MOST_CARDS & ALL_CARDS
        reached = self._stop[count] >= goal or self._by_lead(left, heads, leader, count, goal)
        self._known[key] = goal << 8 | high if reached else low << 8 | goal - 1
        return reached

    def heads(self, left: int) -> int:
        """The first card of each run."""
        first, second, third = self._parts
        forms = self._forms
        form = forms[left & first] | forms[left & second] | forms[left & third]
        return form >> MOST_CARDS & ALL_CARDS

    def _by_lead(self, left: int, heads: int, leader: int, count: int, goal: int) -> bool:
        self._work.spend(LEAD)
        wanted = leader == self._declarer
        seat = AFTER[leader]
        moves = left & self._hands[leader] & heads
        while moves:
            card = moves & -moves
            moves ^= card
            if self.followed(left, heads, leader, card, seat, count, goal) is wanted:
                return wanted
        return not wanted

    def followed(
        self, left: int, heads: int, leader: int, lead: int, seat: int, count: int, goal: int
    ) -> bool:
        """With one card on the table and ``seat`` to play; cards that beat it are tried first."""
        wanted = seat == self._declarer
        last = AFTER[seat]
        held = left & self._hands[seat]
        suit = held & self._suit[lead]
        # What may be played (RULES 5; `engine.core.ranking`), here as below; of each run the first card.
        if suit and (held & self._compelling[lead] or not held & self._freeing[lead]):
            held = suit
        moves = held & heads
        taking = moves & self._beats[lead]
        moves ^= taking
        left ^= lead
        while taking:
            card = 1 << taking.bit_length() - 1
            taking ^= card
            if self.closed(left ^ card, heads, lead, card, seat, last, count, goal) is wanted:
                return wanted
        while moves:
            card = 1 << moves.bit_length() - 1
            moves ^= card
            if self.closed(left ^ card, heads, lead, lead, leader, last, count, goal) is wanted:
                return wanted
        return not wanted

    def closed(
        self, rest: int, heads: int, lead: int, best: int, holder: int, seat: int, count: int, goal: int
    ) -> bool:
        """With two cards on the table, ``best`` of them by ``holder``; ``rest`` is what lies in the hands.

        Cards that take the trick from the other side are tried first.
        """
        wanted = seat == self._declarer
        held = rest & self._hands[seat]
        suit = held & self._suit[lead]
        if suit and (held & self._compelling[lead] or not held & self._freeing[lead]):
            held = suit
        other = held & heads
        first = other & self._beats[best]
        other ^= first
        winner = seat
        if not wanted and holder != self._declarer:
            first, other, winner, holder = other, first, holder, winner
        follows = self._after[winner][count]
        while first:
            card = 1 << first.bit_length() - 1
            first ^= card
            if self.led(rest ^ card, winner, follows, goal) is wanted:
                return wanted
        follows = self._after[holder][count]
        while other:
            card = 1 << other.bit_length() - 1
            other ^= card
            if self.led(rest ^ card, holder, follows, goal) is wanted:
                return wanted
        return not wanted
