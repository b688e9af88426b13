"""The ends of a deal in the order in which the sides want them, and the counts of tricks that lead to them.

Payment is not monotone in tricks (1-4-4), so no number of tricks is an aim. For the search an end is its
rank, and a count of tricks is told apart from another only where something that can still come differs.
"""

from collections.abc import Callable
from math import inf
from typing import Final, NamedTuple

from engine.core.cards import SEAT_NAMES, Seat
from engine.play.outcomes import BETE, CODILLE, WON
from engine.play.slam import FAILED, MADE
from engine.solver.falls import Count, End, Falls

NEVER: Final = -1
"""The rank of an end that is not open."""
OUTCOMES: Final = (CODILLE, BETE, WON)
SLAMS: Final = (FAILED, None, MADE)
"""Of two ends that pay alike the declarer would rather have the later one of these."""

Wish = Callable[[End], tuple[float, ...]]
"""How much the declarer wants an end, and the defenders do not."""


class Tally(NamedTuple):
    """Counts of tricks, by number, as the search needs them.

    ``ends``: by rank, the last the best for the declarer. The first counts are those at which nothing that
    can still come makes a difference: number and rank are the same. ``floor`` and ``ceiling``: the ranks
    between which the deal will end; ``stop``: the rank that the declarer has by stopping, else ``NEVER``;
    ``after``: by the winner of the next trick, the count that follows; ``numbers``: where each count is.
    """

    ends: tuple[End, ...]
    floor: list[int]
    ceiling: list[int]
    stop: list[int]
    after: tuple[list[int], list[int], list[int]]
    numbers: dict[Count, int]


def ends_among(falls: Falls) -> tuple[End, ...]:
    """The ends that there are, each once."""
    found: dict[End, None] = {}
    for fall in falls.values():
        found.update((end, None) for end in (fall.end, fall.stop) if end is not None)
    return tuple(found)


def ordered(ends: tuple[End, ...], declarer: Seat, collector: Seat) -> tuple[End, ...]:
    """The ends, the best for the declarer last, for the defenders as one side first.

    Of those that are alike to the declarer the defenders would rather have the one that pays ``collector``,
    one of them, more, then the one that pays the other more.
    """
    return tuple(sorted(ends, key=_wish(ends, declarer, collector)))


def _wish(ends: tuple[End, ...], declarer: Seat, collector: Seat) -> Wish:
    """The wish by payments.

    A kodille of which they are not stated counts as those of which they are, shared by both defenders; where
    none is stated it is dearer than whatever is no kodille.
    """
    told = [dict(end.payments) for end in ends if end.outcome == CODILLE and end.payments is not None]
    other = Seat(3 - declarer - collector)

    def chips(end: End, seat: Seat) -> float:
        name = SEAT_NAMES[seat]
        if end.payments is not None:
            return dict(end.payments)[name]
        if told and seat == declarer:
            return sum(one[name] for one in told) / len(told)
        if told:
            both = (SEAT_NAMES[collector], SEAT_NAMES[other])
            return sum(one[name] for one in told for name in both) / len(told) / 2
        return -inf if seat == declarer else inf

    return lambda end: (
        chips(end, declarer),
        -chips(end, collector),
        -chips(end, other),
        OUTCOMES.index(end.outcome),
        SLAMS.index(end.slam),
    )


def tallied(falls: Falls, ends: tuple[End, ...]) -> Tally:
    """The tally of ``falls``, ``ends`` being their ends in order."""
    making = _Making(falls, {end: rank for rank, end in enumerate(ends)})
    numbers = {count: making.number(count) for count in falls}
    first, second, third = making.after
    return Tally(ends, making.floor, making.ceiling, making.stop, (first, second, third), numbers)


class _Making:
    """A tally in the making: counts of which the same can come have one number."""

    def __init__(self, falls: Falls, rank_of: dict[End, int]) -> None:
        self._falls = falls
        self._rank_of = rank_of
        self._numbers: dict[Count, int] = {}
        self._alike: dict[tuple[int, ...], int] = {}
        ranks = range(len(rank_of))
        self.floor, self.ceiling, self.stop = list(ranks), list(ranks), [NEVER] * len(ranks)
        self.after = tuple(list(ranks) for _ in range(3))

    def number(self, count: Count) -> int:
        """The number of ``count``, after those of all counts that can follow it."""
        known = self._numbers.get(count)
        if known is None:
            known = self._numbers[count] = self._numbered(count)
        return known

    def _numbered(self, count: Count) -> int:
        fall = self._falls[count]
        if fall.end is not None:
            return self._rank_of[fall.end]
        stop = NEVER if fall.stop is None else self._rank_of[fall.stop]
        after = tuple(self.number(follows) for follows in fall.after)
        floor = max(stop, min(self.floor[number] for number in after))
        ceiling = max(stop, *(self.ceiling[number] for number in after))
        if floor == ceiling:
            return floor
        alike = self._alike.get((stop, *after))
        return self._added(stop, after, floor, ceiling) if alike is None else alike

    def _added(self, stop: int, after: tuple[int, ...], floor: int, ceiling: int) -> int:
        number = self._alike[stop, *after] = len(self.floor)
        self.floor.append(floor)
        self.ceiling.append(ceiling)
        self.stop.append(stop)
        for follows, column in zip(after, self.after, strict=True):
            column.append(follows)
        return number
