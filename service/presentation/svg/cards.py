"""Cards on the table: a face or a back from the symbols, on an edge and a ground of their own.

The drawing shows without colour whether a card is hidden, has only a known suit, or wins its trick. A card is
drawn a hundred units wide and moved to its place by a transform.
"""

from collections.abc import Iterable
from typing import Final
from xml.etree.ElementTree import Element

from service.presentation.svg.card_symbols import (
    CARD_HEIGHT,
    CARD_WIDTH,
    back_symbol,
    edge_id,
    edge_symbol,
    face_id,
    face_symbol,
    pip_symbols,
)
from service.presentation.svg.drawing_options import DrawingOptions, Palette
from service.presentation.svg.elements import svg_element, svg_group, svg_transform
from service.presentation.svg.placed_cards import HIDDEN_CARD_CODE, PlacedCard
from service.presentation.svg.table_plan import CardPosition

_CORNER: Final = 8.5


def card_definitions(laid: Iterable[tuple[PlacedCard, CardPosition]], letter_language: str) -> Element:
    """The symbols of these cards, and of the suits."""
    shown = {(_shown_code(placed_card), position.is_covered) for placed_card, position in laid}
    faces = sorted(one for one in shown if one[0] != HIDDEN_CARD_CODE)
    symbols = [
        (edge_symbol if is_covered else face_symbol)(card, letter_language) for card, is_covered in faces
    ]
    return svg_element("defs", *pip_symbols(), back_symbol(), *symbols)


def draw_pip(suit: str, x: float, y: float, size: float, fill: str) -> Element:
    """The sign of a suit, ``size`` wide, with its top left corner at a point."""
    return svg_element("use", href=f"#pip-{suit}", x=x, y=y, width=size, height=size, fill=fill)


def _shown_code(placed_card: PlacedCard) -> str:
    """The code of a card as it is seen: the source of the drawing must not reveal one that lies face down."""
    return HIDDEN_CARD_CODE if placed_card.face_down else placed_card.card


def draw_card(
    placed_card: PlacedCard, position: CardPosition, width: float, drawing_options: DrawingOptions
) -> Element:
    """A card at its place; ``width`` is that of a card at scale 1."""
    scale = position.scale * width / CARD_WIDTH
    card = _shown_code(placed_card)
    drawn = _draw_face(card, position.is_covered, drawing_options)
    if placed_card.is_winner:
        drawn.append(_draw_winner_ring(drawing_options.palette, 5 / scale))
    laid = svg_group(*drawn, transform=svg_transform(-CARD_WIDTH / 2, -CARD_HEIGHT / 2))
    transform = svg_transform(position.x, position.y, position.turn, scale)
    return svg_group(laid, class_="card", data_card=card, data_zone=placed_card.zone, transform=transform)


def _draw_face(card: str, is_covered: bool, drawing_options: DrawingOptions) -> list[Element]:
    palette = drawing_options.palette
    shadow = _draw_ground(y=2, fill="#0a0e0a", opacity=0.2)
    ground = _draw_ground(fill=palette.card, stroke="#14100a", stroke_opacity=0.45, stroke_width=1.1)
    if card == HIDDEN_CARD_CODE:
        return [shadow, ground, _use("card-back")]
    if "?" in card:  # only the suit is known: a dashed edge
        ground = _draw_ground(
            fill=palette.card, stroke=palette.card_ink, stroke_width=2.2, stroke_dasharray="7 6"
        )
    ink = palette.suit_colour(card[0], drawing_options.suits == "four")
    return [shadow, ground, _use(edge_id(card) if is_covered else face_id(card), ink)]


def _draw_ground(y: float = 0, **more: str | float) -> Element:
    return svg_element("rect", y=y or None, width=CARD_WIDTH, height=CARD_HEIGHT, rx=_CORNER, **more)


def _use(symbol: str, colour: str | None = None) -> Element:
    return svg_element("use", href=f"#{symbol}", width=CARD_WIDTH, height=CARD_HEIGHT, color=colour)


def _draw_winner_ring(palette: Palette, gap: float) -> Element:
    """The ring around the card that won its trick."""
    return svg_element(
        "rect", x=-gap, y=-gap, width=CARD_WIDTH + 2 * gap, height=CARD_HEIGHT + 2 * gap, rx=_CORNER + gap,
        fill="none", stroke=palette.cloth_ink, stroke_width=gap * 0.4,
    )  # fmt: skip
