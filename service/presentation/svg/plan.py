"""The plan of the table, seen from above: where every card lies, in units from the top left.

The same plan as the replayer's (``static/js/replay/table-plan.js``). Forehand sits at the bottom. Play goes
anticlockwise, so middlehand sits at the right-hand side and backhand at the left; where a table plays
clockwise the two change sides. Cards stay upright to the reader.
"""

from collections.abc import Callable, Mapping
from math import cos, radians, sin
from typing import Final, NamedTuple

from service.presentation.svg.lying import Lying

SHAPE: Final = 1.42
"""A card's height by its width."""
SMALL: Final[Mapping[str, float]] = {"talon": 0.62, "discard": 0.56, "won": 0.3, "aside": 0.3}
"""How large a card is drawn where it does not lie in a hand or a trick."""
_DEPTH: Final[Mapping[str, int]] = {
    "talon": 0, "discard": 100, "won": 200, "aside": 200, "hand": 300, "trick": 400,
}  # fmt: skip


WIDE: Final = 0.65
"""A table whose height is less than this share of its width is a wide one."""


class Plan(NamedTuple):
    """The measures of a table; ``card`` is a card's width, ``sides`` has the side that a seat sits at.

    On a ``wide`` table the labels stand in the corners and take no height from the cards: the hand at
    the bottom lies between them, and the hands at the sides above them. ``head`` is what the talon leaves
    free above itself there, for a line of text.
    """

    width: float
    height: float
    label: float
    edge: float
    card: float
    sides: Mapping[str, str]
    wide: bool = False
    head: float = 0

    @property
    def card_height(self) -> float:
        """How high a card is."""
        return self.card * SHAPE

    @property
    def column_top(self) -> float:
        """Where the hands at the sides may begin."""
        return self.edge + self.label + 4

    @property
    def hand_top(self) -> float:
        """Where the hand at the bottom begins."""
        return self.height - self.edge - self.card_height * 1.06

    @property
    def row_top(self) -> float:
        """Where the label of the hand at the bottom begins."""
        return (self.height - self.edge if self.wide else self.hand_top - 4) - self.label

    @property
    def column_end(self) -> float:
        """Where the hands at the sides have to end."""
        return self.row_top - 6

    @property
    def talon_top(self) -> float:
        """Where the talon begins."""
        return self.edge + self.head if self.wide else self.column_top

    @property
    def fan_left(self) -> float:
        """Where the hand at the bottom begins at most."""
        return self.width / 2 - self.card * (0.5 + 0.78 * 4 + 0.1)

    @property
    def discards_left(self) -> float:
        """Where the discards of the hand at the bottom begin."""
        return self.fan_left if self.wide else min(self.width * 0.42, 230)

    @property
    def inner(self) -> float:
        """How far from a side the table is free of hands."""
        return self.edge * 2 + self.card


class Place(NamedTuple):
    """Where a card lies: its middle, how far it is turned, how large it is, and how high in the heap."""

    x: float
    y: float
    turn: float = 0
    scale: float = 1
    depth: float = 0


def plan_for(width: float, height: float, label: float, direction: str, head: float = 0) -> Plan:
    """The plan of a table of that size, with labels of ``label`` units' height."""
    edge = max(8, round(width * 0.018))
    wide = height < width * WIDE
    # In card widths: a column of nine, or above each other talon, discards, trick and hand.
    high = (height - 2 * label - 2 * edge - 10) / 4.45 if wide else (height - 2 * label - 2 * edge) / 6.75
    card = max(8.0, min(width * 0.141, high, 92))
    right, left = ("backhand", "middlehand") if direction == "clockwise" else ("middlehand", "backhand")
    sides = {"forehand": "bottom", right: "right", left: "left"}
    return Plan(width, height, label, edge, card, sides, wide, head)


def place_of(lying: Lying, plan: Plan) -> Place:
    """Where a card lies."""
    place = _PLACES[lying.zone](lying, plan)
    return place._replace(depth=_DEPTH[lying.zone] + place.depth)


def _hand(lying: Lying, plan: Plan) -> Place:
    return _fan(lying, plan) if plan.sides[lying.seat] == "bottom" else _column(lying, plan)


def _fan(lying: Lying, plan: Plan) -> Place:
    """The hand at the bottom: a fan on a wide circle."""
    step = min(plan.card * 0.78, (plan.width - 2 * plan.edge - plan.card * 1.08) / max(8, lying.of - 1))
    offset = lying.order - (lying.of - 1) / 2
    turn = offset * 1.3
    sag = step / sin(radians(1.3)) * (1 - cos(radians(turn)))
    y = plan.hand_top + plan.card_height / 2 + sag
    return Place(plan.width / 2 + offset * step, y, turn, depth=lying.order)


def _column(lying: Lying, plan: Plan) -> Place:
    """A hand at a side: a column that bulges a little towards the table."""
    towards = 1 if plan.sides[lying.seat] == "left" else -1
    room = plan.column_end - plan.column_top - plan.card_height
    step = min(plan.card_height * 0.39, room / max(1, lying.of - 1))
    offset = lying.order - (lying.of - 1) / 2
    bulge = max(0.0, 1 - (offset / 4.5) ** 2) * plan.card * 0.09
    x = plan.edge + plan.card / 2 + bulge
    y = (plan.column_top + plan.column_end) / 2 + offset * step
    return Place(x if towards > 0 else plan.width - x, y, -towards * offset * 0.5, depth=lying.order)


def _trick(lying: Lying, plan: Plan) -> Place:
    """A card of the trick lies towards whoever played it, as he let it fall."""
    middle = _middle(plan)
    side = plan.sides[lying.seat]
    sway = ((lying.trick or 1) * 7 + lying.order * 5) % 5 - 2
    scale = min(1.2, max(1.0, plan.width / plan.card / 8))
    spread = min(1.02, (plan.width / 2 - plan.inner - plan.card * 0.85) / plan.card / scale)
    across = {"bottom": 0.0, "right": plan.card * spread, "left": -plan.card * spread}[side]
    down = plan.card_height * (0.42 if side == "bottom" else -0.2)
    lean = {"bottom": 0, "right": 5, "left": -5}[side]
    return Place(plan.width / 2 + across * scale, middle + down * scale, lean + sway, scale, lying.order)


def _middle(plan: Plan) -> float:
    """How far down the middle of the table is, where tricks are played."""
    if plan.wide:
        top = plan.talon_top + plan.card_height * SMALL["talon"] + 12
        return top + (plan.hand_top - top) * 0.46
    top = plan.talon_top + plan.card_height * (SMALL["talon"] + SMALL["discard"]) + 14
    return top + (plan.row_top - top) * 0.42


def _talon(lying: Lying, plan: Plan) -> Place:
    """The talon at the free side of the table: a pile, or a row where its cards are known."""
    y = plan.talon_top + plan.card_height * SMALL["talon"] / 2
    depth = lying.of - lying.order
    if lying.turned and not lying.spread:
        return Place(plan.width / 2 + plan.card * 0.95, y + plan.card_height * 0.06, 4, 0.74, 60)
    if not lying.spread:
        return Place(plan.width / 2 - depth * 0.4, y - depth * 0.4, scale=SMALL["talon"], depth=depth)
    room = plan.width - 2 * plan.inner - plan.card * SMALL["talon"]
    step = min(plan.card * 0.36, room / max(1, lying.of - 1))
    forward = plan.card_height * 0.22 if lying.turned else 0.0
    x = plan.width / 2 + (lying.order - (lying.of - 1) / 2) * step
    return Place(x, y + forward, scale=SMALL["talon"], depth=lying.order)


def _discard(lying: Lying, plan: Plan) -> Place:
    """What a player sold lies before him, on the talon's side of the trick."""
    small, side = SMALL["discard"], plan.sides[lying.seat]
    size = plan.card * small
    room = plan.width / 2 - plan.inner - size - 4
    step = min(size * (0.72 if lying.spread else 0.16), room / max(1, lying.of - 1))
    y = plan.column_top + plan.card_height * (SMALL["talon"] + small / 2) + 8
    if side == "left":
        return Place(plan.inner + size / 2 + lying.order * step, y, scale=small, depth=lying.order)
    if side == "right":
        x = plan.width - plan.inner - size / 2 - (lying.of - 1 - lying.order) * step
        return Place(x, y, scale=small, depth=lying.order)
    if plan.wide:
        step = min(step, (plan.width / 2 - plan.discards_left - size) / max(1, lying.of - 1))
    x = plan.discards_left + size / 2 + lying.order * step
    return Place(x, plan.hand_top - plan.card_height * small / 2 - 5, scale=small, depth=lying.order)


def _won(lying: Lying, plan: Plan) -> Place:
    """Tricks won lie in small packets before the winner, every other one crosswise, to be counted."""
    small, side, pile = SMALL["won"], plan.sides[lying.seat], lying.pile or 0
    size = plan.card_height * small
    turn = 90 if pile % 2 else 0
    depth = pile * 3 + lying.order
    step = plan.card * 0.19
    if side == "bottom":
        x = plan.width - plan.edge - size / 2 - pile * step * 1.25
        y = plan.height - plan.edge - size if plan.wide else plan.row_top + size * 0.75
        return Place(x, y, turn, small, depth)
    x = plan.inner + size / 2
    y = plan.column_end - (size if plan.wide else plan.card_height * 0.5) - pile * step
    return Place(x if side == "left" else plan.width - x, y, turn, small, depth)


_PLACES: Final[Mapping[str, Callable[[Lying, Plan], Place]]] = {
    "hand": _hand, "trick": _trick, "talon": _talon, "discard": _discard, "won": _won, "aside": _won,
}  # fmt: skip
