"""The ends of a deal in the order in which the sides want them, and the counts of tricks that lead to them.

Payment is not monotone in tricks (1-4-4), so no number of tricks is an aim. For the search an end is its
rank, and a count of tricks is told apart from another only where something that can still come differs.
"""

from collections.abc import Callable
from math import inf
from typing import Final, NamedTuple

from engine.core.cards import SEAT_NAMES, Seat
from engine.play.outcomes import BETE, CODILLE, WON
from engine.play.slam import SLAM_FAILED, SLAM_MADE
from engine.solver.trick_splits import DealEnd, TrickCount, TrickSplits

NO_RANK: Final = -1
"""The rank of an end that is not open."""
OUTCOME_ORDER: Final = (CODILLE, BETE, WON)
SLAM_ORDER: Final = (SLAM_FAILED, None, SLAM_MADE)
"""Of two ends that pay alike the declarer would rather have the later one of these."""

EndPreference = Callable[[DealEnd], tuple[float, ...]]
"""How much the declarer wants an end, and the defenders do not."""


class OutcomeOrder(NamedTuple):
    """Counts of tricks, by number, as the search needs them.

    ``ends``: by rank, the last the best for the declarer. The first counts are those at which nothing that
    can still come makes a difference: number and rank are the same. ``floor`` and ``ceiling``: the ranks
    between which the deal will end; ``stop_rank``: the rank that the declarer has by stopping, else
    ``NO_RANK``; ``next_number``: by the winner of the next trick, the number of the count that follows;
    ``numbers``: the number of each count.
    """

    ends: tuple[DealEnd, ...]
    floor: list[int]
    ceiling: list[int]
    stop_rank: list[int]
    next_number: tuple[list[int], list[int], list[int]]
    numbers: dict[TrickCount, int]


def list_ends(splits: TrickSplits) -> tuple[DealEnd, ...]:
    """The ends that there are, each once."""
    found: dict[DealEnd, None] = {}
    for fall in splits.values():
        found.update((end, None) for end in (fall.end, fall.stop_end) if end is not None)
    return tuple(found)


def order_ends(ends: tuple[DealEnd, ...], declarer: Seat, collector: Seat) -> tuple[DealEnd, ...]:
    """The ends, the best for the declarer last, for the defenders as one side first.

    Of those that are alike to the declarer the defenders would rather have the one that pays ``collector``,
    one of them, more, then the one that pays the other more.
    """
    return tuple(sorted(ends, key=_build_preference(ends, declarer, collector)))


def _build_preference(ends: tuple[DealEnd, ...], declarer: Seat, collector: Seat) -> EndPreference:
    """The wish by payments.

    A kodille of which they are not stated counts as those of which they are, shared by both defenders; where
    none is stated it is dearer than whatever is no kodille.
    """
    payments = [dict(end.payments) for end in ends if end.outcome == CODILLE and end.payments is not None]
    other = Seat(3 - declarer - collector)

    def chips(end: DealEnd, seat: Seat) -> float:
        name = SEAT_NAMES[seat]
        if end.payments is not None:
            return dict(end.payments)[name]
        if payments and seat == declarer:
            return sum(one[name] for one in payments) / len(payments)
        if payments:
            both = (SEAT_NAMES[collector], SEAT_NAMES[other])
            return sum(one[name] for one in payments for name in both) / len(payments) / 2
        return -inf if seat == declarer else inf

    return lambda end: (
        chips(end, declarer),
        -chips(end, collector),
        -chips(end, other),
        OUTCOME_ORDER.index(end.outcome),
        SLAM_ORDER.index(end.slam),
    )


def build_outcome_order(splits: TrickSplits, ends: tuple[DealEnd, ...]) -> OutcomeOrder:
    """The order of the counts in ``splits``, with their ``ends`` already in order."""
    builder = _OutcomeOrderBuilder(splits, {end: rank for rank, end in enumerate(ends)})
    numbers = {count: builder.number_of(count) for count in splits}
    first, second, third = builder.next_number
    return OutcomeOrder(
        ends, builder.floor, builder.ceiling, builder.stop_rank, (first, second, third), numbers
    )


class _OutcomeOrderBuilder:
    """An `OutcomeOrder` in the making: counts from which the same can come share one number."""

    def __init__(self, splits: TrickSplits, rank_of: dict[DealEnd, int]) -> None:
        self._splits = splits
        self._rank_of = rank_of
        self._numbers: dict[TrickCount, int] = {}
        self._known_numbers: dict[tuple[int, ...], int] = {}
        ranks = range(len(rank_of))
        self.floor, self.ceiling, self.stop_rank = list(ranks), list(ranks), [NO_RANK] * len(ranks)
        self.next_number = tuple(list(ranks) for _ in range(3))

    def number_of(self, count: TrickCount) -> int:
        """The number of ``count``, after those of all counts that can follow it."""
        known = self._numbers.get(count)
        if known is None:
            known = self._numbers[count] = self._assign_number(count)
        return known

    def _assign_number(self, count: TrickCount) -> int:
        split = self._splits[count]
        if split.end is not None:
            return self._rank_of[split.end]
        stop = NO_RANK if split.stop_end is None else self._rank_of[split.stop_end]
        after = tuple(self.number_of(follows) for follows in split.next_counts)
        floor = max(stop, min(self.floor[number] for number in after))
        ceiling = max(stop, *(self.ceiling[number] for number in after))
        if floor == ceiling:
            return floor
        known_number = self._known_numbers.get((stop, *after))
        return self._add_number(stop, after, floor, ceiling) if known_number is None else known_number

    def _add_number(self, stop: int, after: tuple[int, ...], floor: int, ceiling: int) -> int:
        number = self._known_numbers[stop, *after] = len(self.floor)
        self.floor.append(floor)
        self.ceiling.append(ceiling)
        self.stop_rank.append(stop)
        for follows, column in zip(after, self.next_number, strict=True):
            column.append(follows)
        return number
