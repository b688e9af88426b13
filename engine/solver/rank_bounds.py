"""Bounds on the rank at which a deal ends, by cards that nobody can beat, before any search.

A trump higher than all that the others hold wins the trick to which it is played, at any time. The leader can
play such cards one after another, and if the others have no trump left, unbeatable cards of plain suits too.
How the deal can end with that many tricks is looked up in the `OutcomeOrder`, because payment is not
monotone in tricks.
"""

from engine.solver.bit_layout import BitLayout, HandMasks
from engine.solver.outcome_order import OutcomeOrder


class RankBounds:
    """Bounds at the lead to a trick. Two ranks are one number: the lower, times 256, and the higher."""

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
