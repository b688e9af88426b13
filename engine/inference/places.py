"""The ten places of the pack, when only the matter of the cards counts (RULES 2, 4).

Each of the forty cards takes one way through a deal: dealt to a seat it is laid away there or kept; out of
the talon it is drawn by a seat or left. What was laid away reaches nobody else, so these ten places are all.
"""

from typing import Final

from engine.core.cards import SEATS, Seat

Places = int
"""A set of places, as a mask."""

LAID_AWAY, KEPT, DRAWN = 0, 1, 2
"""What can become of a card of a seat: the three places of each seat."""
LEFT: Final = 9
"""The place of what is left of the talon."""
COUNT: Final = 10


def place_of(seat: Seat, fate: int) -> int:
    """The number of a place of ``seat``."""
    return 3 * seat + fate


AWAY: Final[tuple[Places, ...]] = tuple(1 << place_of(seat, LAID_AWAY) for seat in SEATS)
TAKEN: Final[tuple[Places, ...]] = tuple(1 << place_of(seat, DRAWN) for seat in SEATS)
DEALT: Final[tuple[Places, ...]] = tuple(AWAY[seat] | 1 << place_of(seat, KEPT) for seat in SEATS)
HAND: Final[tuple[Places, ...]] = tuple(TAKEN[seat] | 1 << place_of(seat, KEPT) for seat in SEATS)
"""By seat: what it lays away, what it draws, the nine dealt to it, the hand that it plays with."""
UNDRAWN: Final[Places] = 1 << LEFT
ANYWHERE: Final[Places] = (1 << COUNT) - 1
