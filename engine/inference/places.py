"""The ten places of the pack, when only the cards themselves count (RULES 2, 4).

Each of the forty cards takes one way through a deal: dealt to a seat it is laid away there or kept; out of
the talon it is drawn by a seat or left. What was laid away reaches nobody else, so these ten places are all.
"""

from collections.abc import Sequence
from typing import Final

from engine.core.cards import SEATS, Seat

PlaceMask = int
"""A set of places, as a mask."""

FATE_DISCARDED, FATE_KEPT, FATE_DRAWN = 0, 1, 2
"""What can become of a card of a seat: the three places of each seat."""
TALON_REST_PLACE: Final = 9
"""The place of what is left of the talon."""
PLACE_COUNT: Final = 10


def place_number(seat: Seat, fate: int) -> int:
    """The number of a place of ``seat``."""
    return 3 * seat + fate


def hand_cards(cards_by_place: Sequence[int], seat: Seat) -> int:
    """The cards in the two places of the hand with which ``seat`` plays."""
    return cards_by_place[place_number(seat, FATE_KEPT)] | cards_by_place[place_number(seat, FATE_DRAWN)]


DISCARD_PLACES: Final[tuple[PlaceMask, ...]] = tuple(
    1 << place_number(seat, FATE_DISCARDED) for seat in SEATS
)
DRAW_PLACES: Final[tuple[PlaceMask, ...]] = tuple(1 << place_number(seat, FATE_DRAWN) for seat in SEATS)
DEALT_PLACES: Final[tuple[PlaceMask, ...]] = tuple(
    DISCARD_PLACES[seat] | 1 << place_number(seat, FATE_KEPT) for seat in SEATS
)
HAND_PLACES: Final[tuple[PlaceMask, ...]] = tuple(
    DRAW_PLACES[seat] | 1 << place_number(seat, FATE_KEPT) for seat in SEATS
)
"""By seat: what it lays away, what it draws, the nine dealt to it, the hand that it plays with."""
TALON_REST_PLACES: Final[PlaceMask] = 1 << TALON_REST_PLACE
ALL_PLACES: Final[PlaceMask] = (1 << PLACE_COUNT) - 1
