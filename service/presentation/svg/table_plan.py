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
ZONE_SCALES: Final[Mapping[str, float]] = {"talon": 0.5, "discard": 0.5, "won": 0.2, "aside": 0.2}
"""The scale of a card that is not in a hand or a trick."""
_ZONE_DEPTHS: Final[Mapping[str, int]] = {
    "talon": 0, "discard": 100, "won": 200, "aside": 200, "hand": 300, "trick": 400,
}  # fmt: skip
_STACK: Final = CARD_ASPECT_RATIO * (0.5 + 1.55 + 1.06)
"""Talon, trick and hand below each other, in card widths."""

WIDE_TABLE_RATIO: Final = 0.65
"""Below this ratio of height to width a table is wide: the talon lies between the labels, not below them."""
_MAX_CARD_WIDTH: Final = 129.0


class TablePlan(NamedTuple):
    """The measures of a table; ``sides`` has the side of each seat.

    The hand at the bottom lies ``between`` those at the sides where it is wide enough, else below them.
    """

    width: float
    height: float
    label_height: float
    margin: float
    card_width: float
    sides: Mapping[str, str]
    talon_top: float
    between: bool

    @property
    def card_height(self) -> float:
        """The height of a card."""
        return self.card_width * CARD_ASPECT_RATIO

    @property
    def column_top(self) -> float:
        """The top of the hands at the sides."""
        return self.margin + self.label_height + 4

    @property
    def is_wide(self) -> bool:
        """Whether the talon lies between the labels."""
        return self.talon_top < self.column_top

    @property
    def column_bottom(self) -> float:
        """The bottom of the hands at the sides."""
        return self.height - self.margin if self.between else self.hand_top - 6

    @property
    def hand_top(self) -> float:
        """The top of the hand at the bottom."""
        return self.height - self.margin - self.card_height * 1.06

    @property
    def row_top(self) -> float:
        """The top of the label of the hand at the bottom."""
        return self.hand_top - 4 - self.label_height

    @property
    def inner_margin(self) -> float:
        """The distance from a side that its hand takes."""
        return self.margin * 2 + self.card_width

    @property
    def middle_width(self) -> float:
        """The distance between the hands at the sides."""
        return self.width - 2 * self.inner_margin

    @property
    def trick_top(self) -> float:
        """The top of the trick."""
        return self.talon_top + self.card_height * ZONE_SCALES["talon"] + 6

    @property
    def trick_bottom(self) -> float:
        """The bottom of the trick: above the hand, or above the row between them that has no room for it."""
        return self.hand_top - 6 - (0 if self.between else self.row_height)

    @property
    def row_height(self) -> float:
        """The height of the row above the hand at the bottom, with its label and discards."""
        return max(self.label_height + 4, self.card_height * ZONE_SCALES["discard"] + 5)

    @property
    def trick_scale(self) -> float:
        """The scale of a card in the trick."""
        room = (self.trick_bottom - self.trick_top) / self.card_height
        return max(0.5, min(1.15 if self.between else 1, room / 1.55))

    def row_room(self, part: float) -> float:
        """The width next to the trick's lower card, or a part of the middle where there is none."""
        beside = self.middle_width / 2 - self.card_width * self.trick_scale * 0.56
        return beside if self.between else self.middle_width * part

    def label_room(self, has_discards: bool) -> float:
        """The greatest width of the label of the hand at the bottom."""
        return self.row_room(0.64 if has_discards else 1)


class CardPosition(NamedTuple):
    """The place of a card: its centre, rotation in degrees, scale, and order in depth.

    ``is_covered``: the next card of its hand covers all but the top edge of it.
    """

    x: float
    y: float
    turn: float = 0
    scale: float = 1
    depth: float = 0
    is_covered: bool = False


def build_table_plan(
    width: float, height: float, label_height: float, direction: str, head_height: float = 0
) -> TablePlan:
    """Build the plan of a table of a size in units; ``head_height`` is that of a line above the talon."""
    edge = max(8, round(width * 0.018))
    is_wide = height < width * WIDE_TABLE_RATIO
    talon_top = edge + (head_height if is_wide else label_height + 4)
    free = height - talon_top - edge - 14
    between = min((width - 4 * edge) / 6.55, free / _STACK)
    below = min(width * 0.197, (free - label_height) / _STACK, (free + 9) / (_STACK + CARD_ASPECT_RATIO / 2))
    is_between = between > below * 0.95
    card = max(8.0, min(between if is_between else below, _MAX_CARD_WIDTH))
    right, left = ("backhand", "middlehand") if direction == "clockwise" else ("middlehand", "backhand")
    sides = {"forehand": "bottom", right: "right", left: "left"}
    return TablePlan(width, height, label_height, edge, card, sides, talon_top, is_between)


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
    room = plan.middle_width if plan.between else plan.width - 2 * plan.margin
    step = min(plan.card_width * 0.62, (room - plan.card_width * 1.08) / max(5, placed_card.zone_size - 1))
    offset = placed_card.order - (placed_card.zone_size - 1) / 2
    turn = offset * 1.3
    sag = step / sin(radians(1.3)) * (1 - cos(radians(turn)))
    y = plan.hand_top + plan.card_height / 2 + sag
    return CardPosition(plan.width / 2 + offset * step, y, turn, depth=placed_card.order)


def _side_hand_position(placed_card: PlacedCard, plan: TablePlan) -> CardPosition:
    """A hand at a side: a column below its label that bulges a little towards the table."""
    towards = 1 if plan.sides[placed_card.seat] == "left" else -1
    room = plan.column_bottom - plan.column_top - plan.card_height
    step = min(plan.card_width * 0.36, room / max(8, placed_card.zone_size - 1))
    offset = placed_card.order - (placed_card.zone_size - 1) / 2
    bulge = max(0.0, 1 - (offset / 4.5) ** 2) * plan.card_width * 0.05
    x = plan.margin + plan.card_width / 2 + bulge
    y = plan.column_top + plan.card_height * 0.51 + placed_card.order * step
    return CardPosition(
        x if towards > 0 else plan.width - x, y, -towards * offset * 0.4,
        depth=placed_card.order, is_covered=placed_card.order < placed_card.zone_size - 1,
    )  # fmt: skip


def _trick_position(placed_card: PlacedCard, plan: TablePlan) -> CardPosition:
    """A card of the trick, near its player and a little askew; the lowest lies on top and covers no index."""
    side, scale, height = plan.sides[placed_card.seat], plan.trick_scale, plan.card_height
    middle, room = (plan.trick_top + plan.trick_bottom) / 2, plan.trick_bottom - plan.trick_top
    sway = ((placed_card.trick or 1) * 7 + placed_card.order * 5) % 5 - 2
    across = min(plan.card_width * scale * 0.9, plan.middle_width / 2 - plan.card_width * scale * 0.53)
    down = min(0.33 * height * scale, (room - height * scale) / 2)
    if side == "bottom":
        return CardPosition(plan.width / 2, middle + down, sway, scale, 9)
    sign = 1 if side == "right" else -1
    return CardPosition(
        plan.width / 2 + sign * across, middle - down, sign * 3 + sway * 0.7, scale, placed_card.order
    )


def _talon_position(placed_card: PlacedCard, plan: TablePlan) -> CardPosition:
    """The talon at the free side of the table: a pile, or a row where its cards are known."""
    scale = ZONE_SCALES["talon"]
    y = plan.talon_top + plan.card_height * scale / 2
    depth = placed_card.zone_size - placed_card.order
    if placed_card.is_turned and not placed_card.is_spread:
        return CardPosition(plan.width / 2 + plan.card_width * 0.66, y + plan.card_height * 0.06, 4, 0.62, 60)
    if not placed_card.is_spread:
        return CardPosition(plan.width / 2 - depth * 0.4, y - depth * 0.4, scale=scale, depth=depth)
    room = plan.middle_width * 0.44 - plan.card_width * scale
    step = min(plan.card_width * 0.3, room / max(1, placed_card.zone_size - 1))
    forward = plan.card_height * 0.15 if placed_card.is_turned else 0.0
    x = plan.width / 2 + (placed_card.order - (placed_card.zone_size - 1) / 2) * step
    return CardPosition(x, y + forward, scale=scale, depth=placed_card.order)


def _discard_position(placed_card: PlacedCard, plan: TablePlan) -> CardPosition:
    """The discards of a player: those at the sides next to the talon, those at the bottom above the hand."""
    scale, side = ZONE_SCALES["discard"], plan.sides[placed_card.seat]
    size, height = plan.card_width * scale, plan.card_height * scale
    room = plan.row_room(0.36) - 4 if side == "bottom" else plan.middle_width * 0.28
    step = min(
        size * (0.72 if placed_card.is_spread else 0.16), (room - size) / max(1, placed_card.zone_size - 1)
    )
    along = placed_card.order if side == "left" else placed_card.zone_size - 1 - placed_card.order
    x = plan.inner_margin + size / 2 + along * step
    y = plan.hand_top - height / 2 - 5 if side == "bottom" else plan.column_top + height / 2
    return CardPosition(x if side == "left" else plan.width - x, y, scale=scale, depth=placed_card.order)


def _won_trick_position(placed_card: PlacedCard, plan: TablePlan) -> CardPosition:
    """Tricks won, in small packets in front of the winner, every other one crosswise."""
    scale, side, pile = ZONE_SCALES["won"], plan.sides[placed_card.seat], placed_card.trick_pile or 0
    size = plan.card_height * scale
    x = plan.inner_margin + size / 2 + pile * plan.card_width * 0.13
    y = plan.row_top - size * (0.65 if side == "bottom" else 1.9)
    return CardPosition(
        plan.width - x if side == "right" else x, y, 90 if pile % 2 else 0, scale,
        pile * 3 + placed_card.order,
    )  # fmt: skip


_POSITION_BY_ZONE: Final[Mapping[str, Callable[[PlacedCard, TablePlan], CardPosition]]] = {
    "hand": _hand_position,
    "trick": _trick_position,
    "talon": _talon_position,
    "discard": _discard_position,
    "won": _won_trick_position,
    "aside": _won_trick_position,
}
