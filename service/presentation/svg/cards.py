"""Cards: white, with a large index in one corner.

The drawing shows without colour whether a card is hidden, has only a known suit, or wins its trick. A card is
drawn a hundred units wide and moved to its place by a transform.
"""

from collections.abc import Mapping
from typing import Final
from xml.etree.ElementTree import Element

from schemas.i18n.card_words import SPANISH_LETTERS
from schemas.i18n.catalogs import rank_letter
from service.presentation.svg.drawing_options import DrawingOptions, Palette
from service.presentation.svg.elements import (
    FontStyle,
    measure_text,
    measured_text_element,
    svg_element,
    svg_group,
    svg_transform,
)
from service.presentation.svg.placed_cards import HIDDEN_CARD_CODE, PlacedCard
from service.presentation.svg.table_plan import CARD_ASPECT_RATIO, CardPosition

CARD_WIDTH: Final = 100
CARD_HEIGHT: Final = CARD_WIDTH * CARD_ASPECT_RATIO

SUIT_PATHS: Final[Mapping[str, str]] = {
    "S": "M12 1.4C10.2 6.5 2.3 9.7 2.3 15c0 2.8 2.1 4.6 4.6 4.6 1.8 0 3.2-.9 4-2.3-.1 2.2-.9 3.9-2.7 5.3h7.6"
    "c-1.8-1.4-2.6-3.1-2.7-5.3.8 1.4 2.2 2.3 4 2.3 2.5 0 4.6-1.8 4.6-4.6C21.7 9.7 13.8 6.5 12 1.4Z",
    "H": "M12 22.4C10.4 17.2 2.2 13.9 2.2 7.8c0-3 2.2-5.2 5-5.2 2.2 0 4 1.4 4.8 3.7.8-2.3 2.6-3.7 4.8-3.7"
    " 2.8 0 5 2.2 5 5.2 0 6.1-8.2 9.4-9.8 14.6Z",
    "C": "M12 1.5a4.6 4.6 0 0 0-3.4 7.7 4.6 4.6 0 1 0 2.3 7.6c0 2.4-.9 4.3-2.7 5.8h7.6c-1.8-1.5-2.7-3.4"
    "-2.7-5.8a4.6 4.6 0 1 0 2.3-7.6A4.6 4.6 0 0 0 12 1.5Z",
    "D": "M12 1.1C9.8 5.5 6.6 8.9 2.7 12c3.9 3.1 7.1 6.5 9.3 10.9 2.2-4.4 5.4-7.8 9.3-10.9-3.9-3.1-7.1-6.5"
    "-9.3-10.9Z",
}
"""The signs of the suits, in a square of 24 units, also used by the pages."""

_BACK, _LATTICE = "#e9e3d3", "#6f6858"
_MARGIN, _PITCH = 7.0, 9.2
_INDEX_FONT: Final = FontStyle(41, "bold")
_LONG_INDEX_FONT: Final = FontStyle(30, "bold")


def drawn_rank_letter(rank: str, lang: str) -> str:
    """The letter of a rank on a card; ``lang`` is "es" where the terms are Spanish."""
    return SPANISH_LETTERS.get(rank, rank) if lang == "es" else rank_letter(rank, lang)


def draw_pip(suit: str, x: float, y: float, size: float, fill: str, opacity: float | None = None) -> Element:
    """The sign of a suit, ``size`` wide, with its top left corner at a point."""
    return svg_element(
        "path", d=SUIT_PATHS[suit], transform=svg_transform(x, y, scale=size / 24), fill=fill, opacity=opacity
    )


def card_definitions(palette: Palette) -> Element:
    """The back of a card, with its lattice, which all hidden cards share."""
    lattice = svg_element("path", d=_lattice_path(), stroke=_LATTICE, stroke_width=1.7, fill="none")
    back = svg_group(
        _draw_card_outline(palette.card),
        _draw_inlay(_BACK, stroke=_LATTICE, stroke_width=1.4),
        lattice,
        id="back",
    )
    return svg_element("defs", back)


def _lattice_path() -> str:
    """Diagonal lines within the margin; a pattern would blur on a small card."""
    left, top, right, bottom = _MARGIN, _MARGIN, CARD_WIDTH - _MARGIN, CARD_HEIGHT - _MARGIN
    parts = []
    for step in range(1, int((right - left + bottom - top) / _PITCH) + 1):
        along = step * _PITCH
        over, under = max(0.0, along - (bottom - top)), max(0.0, along - (right - left))
        down, across = min(along, bottom - top), min(along, right - left)
        parts.append(f"M{left + over:.1f} {top + down:.1f}L{left + across:.1f} {top + under:.1f}")
        parts.append(f"M{right - over:.1f} {top + down:.1f}L{right - across:.1f} {top + under:.1f}")
    return "".join(parts)


def _draw_card_outline(fill: str) -> Element:
    return svg_element(
        "rect", width=CARD_WIDTH, height=CARD_HEIGHT, rx=8.5, fill=fill, stroke="#14100a",
        stroke_opacity=0.45, stroke_width=1.1,
    )  # fmt: skip


def _draw_inlay(fill: str, **more: str | float) -> Element:
    return svg_element(
        "rect",
        x=_MARGIN,
        y=_MARGIN,
        width=CARD_WIDTH - 2 * _MARGIN,
        height=CARD_HEIGHT - 2 * _MARGIN,
        rx=4,
        fill=fill,
        **more,
    )


def draw_card(
    placed_card: PlacedCard, position: CardPosition, width: float, drawing_options: DrawingOptions
) -> Element:
    """A card at its place; ``width`` is that of a card at scale 1."""
    scale = position.scale * width / CARD_WIDTH
    if placed_card.face_down:
        # The source of the drawing must not reveal a card that lies face down.
        placed_card = placed_card._replace(card=HIDDEN_CARD_CODE)
    drawn = _draw_face(placed_card, drawing_options)
    if placed_card.is_winner:
        drawn.append(_draw_winner_ring(drawing_options.palette, 5 / scale))
    laid = svg_group(*drawn, transform=svg_transform(-CARD_WIDTH / 2, -CARD_HEIGHT / 2))
    transform = svg_transform(position.x, position.y, position.turn, scale)
    return svg_group(
        laid, class_="card", data_card=placed_card.card, data_zone=placed_card.zone, transform=transform
    )


def _draw_face(placed_card: PlacedCard, drawing_options: DrawingOptions) -> list[Element]:
    palette = drawing_options.palette
    shadow = svg_element(
        "rect", x=0.5, y=2, width=CARD_WIDTH, height=CARD_HEIGHT, rx=8.5, fill="#0a0e0a", opacity=0.2
    )
    if placed_card.card == HIDDEN_CARD_CODE:
        return [shadow, svg_element("use", href="#back")]
    suit, rank = placed_card.card[0], placed_card.card[1]
    if rank == "?":
        return [*_draw_unranked_face(suit, drawing_options)]
    ink = palette.suit_colour(suit, drawing_options.suits == "four")
    letter = drawn_rank_letter(rank, drawing_options.letter_language)
    # Two letters are set closer, so that the next card in a row does not cover the sign.
    type_, gap, size = (_INDEX_FONT, 2, 27) if len(letter) == 1 else (_LONG_INDEX_FONT, 0.5, 25)
    index = measured_text_element(letter, 6, 37, type_, ink)
    signs = [index, draw_pip(suit, 6 + gap + measure_text(letter, type_), 36.5 - size, size, ink)]
    if placed_card.zone == "trick":
        signs.append(draw_pip(suit, 50, CARD_HEIGHT - 51, 44, palette.card_ink, 0.11))
    return [shadow, _draw_card_outline(palette.card), *signs]


def _draw_unranked_face(suit: str, drawing_options: DrawingOptions) -> list[Element]:
    """A card of which only the suit is known: no letter, a dashed edge."""
    palette = drawing_options.palette
    ink = palette.suit_colour(suit, drawing_options.suits == "four")
    edge = svg_element(
        "rect", x=1, y=1, width=CARD_WIDTH - 2, height=CARD_HEIGHT - 2, rx=8, fill=palette.card,
        stroke=palette.card_ink, stroke_width=2.2, stroke_dasharray="7 6",
    )  # fmt: skip
    return [
        edge,
        draw_pip(suit, 8, 9.5, 27, ink),
        draw_pip(suit, 19, CARD_HEIGHT / 2 - 31, 62, palette.card_ink, 0.22),
    ]


def _draw_winner_ring(palette: Palette, gap: float) -> Element:
    """The ring around the card that won its trick."""
    return svg_element(
        "rect", x=-gap, y=-gap, width=CARD_WIDTH + 2 * gap, height=CARD_HEIGHT + 2 * gap, rx=8.5 + gap,
        fill="none", stroke=palette.cloth_ink, stroke_width=gap * 0.4,
    )  # fmt: skip
