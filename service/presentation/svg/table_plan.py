"""The plan of the table, seen from above: the place of every card, in units from the top left.

The same plan as the replayer's (``static/js/replay/table-plan.js``). Forehand sits at the bottom, middlehand
at the right and backhand at the left, or the other way round where play goes clockwise.
"""

from collections.abc import Callable, Mapping
from math import cos, radians, sin
from typing import Final, NamedTuple

from service.presentation.svg.placed_cards import PlacedCard

CARD_ASPECT_RATIO: Final = 1.42
"""The height of a card divided by its width."""
ZONE_SCALES: Final[Mapping[str, float]] = {"talon": 0.62, "discard": 0.56, "won": 0.3, "aside": 0.3}
"""The scale of a card that is not in a hand or a trick."""
_ZONE_DEPTHS: Final[Mapping[str, int]] = {
    "talon": 0, "discard": 100, "won": 200, "aside": 200, "hand": 300, "trick": 400,
}  # fmt: skip


WIDE_TABLE_RATIO: Final = 0.65
"""Below this ratio of height to width a table is wide."""


class TablePlan(NamedTuple):
    """The measures of a table; ``sides`` has the side of each seat.

    If it ``is_wide``, the labels stand in the corners: the hand at the bottom lies between them, the others
    above them. ``head_height`` is the space above the talon for a line of text.
    """

    width: float
    height: float
    label_height: float
    margin: float
    card_width: float
    sides: Mapping[str, str]
    is_wide: bool = False
    head_height: float = 0

    @property
    def card_height(self) -> float:
        """The height of a card."""
        return self.card_width * CARD_ASPECT_RATIO

    @property
    def column_top(self) -> float:
        """The top of the hands at the sides."""
        return self.margin + self.label_height + 4

    @property
    def hand_top(self) -> float:
        """The top of the hand at the bottom."""
        return self.height - self.margin - self.card_height * 1.06

    @property
    def row_top(self) -> float:
        """The top of the label of the hand at the bottom."""
        return (self.height - self.margin if self.is_wide else self.hand_top - 4) - self.label_height

    @property
    def column_bottom(self) -> float:
        """The bottom of the hands at the sides."""
        return self.row_top - 6

    @property
    def talon_top(self) -> float:
        """The top of the talon."""
        return self.margin + self.head_height if self.is_wide else self.column_top

    @property
    def fan_left(self) -> float:
        """The left edge of the hand at the bottom, if it is full."""
        return self.width / 2 - self.card_width * (0.5 + 0.78 * 4 + 0.1)

    @property
    def discards_left(self) -> float:
        """The left edge of the discards of the hand at the bottom."""
        return self.fan_left if self.is_wide else min(self.width * 0.42, 230)

    @property
    def inner_margin(self) -> float:
        """The distance from a side that its hand takes."""
        return self.margin * 2 + self.card_width


class CardPosition(NamedTuple):
    """The place of a card: its centre, rotation in degrees, scale, and order in depth."""

    x: float
    y: float
    turn: float = 0
    scale: float = 1
    depth: float = 0


def build_table_plan(
    width: float, height: float, label_height: float, direction: str, head_height: float = 0
) -> TablePlan:
    """Build the plan of a table of a size in units."""
    edge = max(8, round(width * 0.018))
    wide = height < width * WIDE_TABLE_RATIO
    # In card widths: a column of nine cards, or talon, discards, trick and hand below each other.
    high = (
        (height - 2 * label_height - 2 * edge - 10) / 4.45
        if wide
        else (height - 2 * label_height - 2 * edge) / 6.75
    )
    card = max(8.0, min(width * 0.141, high, 92))
    right, left = ("backhand", "middlehand") if direction == "clockwise" else ("middlehand", "backhand")
    sides = {"forehand": "bottom", right: "right", left: "left"}
    return TablePlan(width, height, label_height, edge, card, sides, wide, head_height)


def card_position(placed_card: PlacedCard, plan: TablePlan) -> CardPosition:
    """The place of a card."""
    place = _POSITION_BY_ZONE[placed_card.zone](placed_card, plan)
    return place._replace(depth=_ZONE_DEPTHS[placed_card.zone] + place.depth)


def _hand_position(placed_card: PlacedCard, plan: TablePlan) -> CardPosition:
    return (
        _bottom_hand_position(placed_card, plan)
        if plan.sides[placed_card.seat] == "bottom"
        else _side_hand_position(placed_card, plan)
    )


def _bottom_hand_position(placed_card: PlacedCard, plan: TablePlan) -> CardPosition:
    """The hand at the bottom: a fan on a wide circle."""
    step = min(
        plan.card_width * 0.78,
        (plan.width - 2 * plan.margin - plan.card_width * 1.08) / max(8, placed_card.zone_size - 1),
    )
    offset = placed_card.order - (placed_card.zone_size - 1) / 2
    turn = offset * 1.3
    sag = step / sin(radians(1.3)) * (1 - cos(radians(turn)))
    y = plan.hand_top + plan.card_height / 2 + sag
    return CardPosition(plan.width / 2 + offset * step, y, turn, depth=placed_card.order)


def _side_hand_position(placed_card: PlacedCard, plan: TablePlan) -> CardPosition:
    """A hand at a side: a column that bulges a little towards the table."""
    towards = 1 if plan.sides[placed_card.seat] == "left" else -1
    room = plan.column_bottom - plan.column_top - plan.card_height
    step = min(plan.card_height * 0.39, room / max(1, placed_card.zone_size - 1))
    offset = placed_card.order - (placed_card.zone_size - 1) / 2
    bulge = max(0.0, 1 - (offset / 4.5) ** 2) * plan.card_width * 0.09
    x = plan.margin + plan.card_width / 2 + bulge
    y = (plan.column_top + plan.column_bottom) / 2 + offset * step
    return CardPosition(
        x if towards > 0 else plan.width - x, y, -towards * offset * 0.5, depth=placed_card.order
    )


def _trick_position(placed_card: PlacedCard, plan: TablePlan) -> CardPosition:
    """A card of the trick, near its player and a little askew."""
    middle = _middle_y(plan)
    side = plan.sides[placed_card.seat]
    sway = ((placed_card.trick or 1) * 7 + placed_card.order * 5) % 5 - 2
    scale = min(1.2, max(1.0, plan.width / plan.card_width / 8))
    spread = min(
        1.02, (plan.width / 2 - plan.inner_margin - plan.card_width * 0.85) / plan.card_width / scale
    )
    across = {"bottom": 0.0, "right": plan.card_width * spread, "left": -plan.card_width * spread}[side]
    down = plan.card_height * (0.42 if side == "bottom" else -0.2)
    lean = {"bottom": 0, "right": 5, "left": -5}[side]
    return CardPosition(
        plan.width / 2 + across * scale, middle + down * scale, lean + sway, scale, placed_card.order
    )


def _middle_y(plan: TablePlan) -> float:
    """The height at which tricks are played."""
    if plan.is_wide:
        top = plan.talon_top + plan.card_height * ZONE_SCALES["talon"] + 12
        return top + (plan.hand_top - top) * 0.46
    top = plan.talon_top + plan.card_height * (ZONE_SCALES["talon"] + ZONE_SCALES["discard"]) + 14
    return top + (plan.row_top - top) * 0.42


def _talon_position(placed_card: PlacedCard, plan: TablePlan) -> CardPosition:
    """The talon at the free side of the table: a pile, or a row where its cards are known."""
    y = plan.talon_top + plan.card_height * ZONE_SCALES["talon"] / 2
    depth = placed_card.zone_size - placed_card.order
    if placed_card.is_turned and not placed_card.is_spread:
        return CardPosition(plan.width / 2 + plan.card_width * 0.95, y + plan.card_height * 0.06, 4, 0.74, 60)
    if not placed_card.is_spread:
        return CardPosition(
            plan.width / 2 - depth * 0.4, y - depth * 0.4, scale=ZONE_SCALES["talon"], depth=depth
        )
    room = plan.width - 2 * plan.inner_margin - plan.card_width * ZONE_SCALES["talon"]
    step = min(plan.card_width * 0.36, room / max(1, placed_card.zone_size - 1))
    forward = plan.card_height * 0.22 if placed_card.is_turned else 0.0
    x = plan.width / 2 + (placed_card.order - (placed_card.zone_size - 1) / 2) * step
    return CardPosition(x, y + forward, scale=ZONE_SCALES["talon"], depth=placed_card.order)


def _discard_position(placed_card: PlacedCard, plan: TablePlan) -> CardPosition:
    """The discards in front of a player, on the talon's side of the trick."""
    small, side = ZONE_SCALES["discard"], plan.sides[placed_card.seat]
    size = plan.card_width * small
    room = plan.width / 2 - plan.inner_margin - size - 4
    step = min(size * (0.72 if placed_card.is_spread else 0.16), room / max(1, placed_card.zone_size - 1))
    y = plan.column_top + plan.card_height * (ZONE_SCALES["talon"] + small / 2) + 8
    if side == "left":
        return CardPosition(
            plan.inner_margin + size / 2 + placed_card.order * step, y, scale=small, depth=placed_card.order
        )
    if side == "right":
        x = plan.width - plan.inner_margin - size / 2 - (placed_card.zone_size - 1 - placed_card.order) * step
        return CardPosition(x, y, scale=small, depth=placed_card.order)
    if plan.is_wide:
        step = min(step, (plan.width / 2 - plan.discards_left - size) / max(1, placed_card.zone_size - 1))
    x = plan.discards_left + size / 2 + placed_card.order * step
    return CardPosition(
        x, plan.hand_top - plan.card_height * small / 2 - 5, scale=small, depth=placed_card.order
    )


def _won_trick_position(placed_card: PlacedCard, plan: TablePlan) -> CardPosition:
    """Tricks won, in small packets in front of the winner, every other one crosswise."""
    small, side, pile = ZONE_SCALES["won"], plan.sides[placed_card.seat], placed_card.trick_pile or 0
    size = plan.card_height * small
    turn = 90 if pile % 2 else 0
    depth = pile * 3 + placed_card.order
    step = plan.card_width * 0.19
    if side == "bottom":
        x = plan.width - plan.margin - size / 2 - pile * step * 1.25
        y = plan.height - plan.margin - size if plan.is_wide else plan.row_top + size * 0.75
        return CardPosition(x, y, turn, small, depth)
    x = plan.inner_margin + size / 2
    y = plan.column_bottom - (size if plan.is_wide else plan.card_height * 0.5) - pile * step
    return CardPosition(x if side == "left" else plan.width - x, y, turn, small, depth)


_POSITION_BY_ZONE: Final[Mapping[str, Callable[[PlacedCard, TablePlan], CardPosition]]] = {
    "hand": _hand_position,
    "trick": _trick_position,
    "talon": _talon_position,
    "discard": _discard_position,
    "won": _won_trick_position,
    "aside": _won_trick_position,
}
