"""The faces and the back of the cards, and the signs of the suits, as SVG symbols.

The one source of their shapes: a drawing has the symbols of the cards it shows (`face_symbol`), a page
refers to a document with all of them (`card_symbols_document`). They take their colour from where they are.

A face has its index at two corners, rank over suit, so that a fan shows both. A number card has its pips, a
court card its monogram in a frame. Of a card in a column only the top edge is seen: `edge_symbol` has rank
and suit side by side.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final
from xml.etree.ElementTree import Element, tostring

from markupsafe import Markup

from engine.core.cards import CARD_CODES
from schemas.i18n.card_words import SPANISH_LETTERS
from schemas.i18n.catalogs import rank_letter
from service.presentation.svg.elements import serialize_svg, svg_element, svg_group
from service.presentation.svg.table_plan import CARD_ASPECT_RATIO

CARD_WIDTH: Final = 100
CARD_HEIGHT: Final = CARD_WIDTH * CARD_ASPECT_RATIO

_SUIT_PATHS: Final[Mapping[str, str]] = {
    "S": "M12 1.4C10.2 6.5 2.3 9.7 2.3 15c0 2.8 2.1 4.6 4.6 4.6 1.8 0 3.2-.9 4-2.3-.1 2.2-.9 3.9-2.7 5.3h7.6"
    "c-1.8-1.4-2.6-3.1-2.7-5.3.8 1.4 2.2 2.3 4 2.3 2.5 0 4.6-1.8 4.6-4.6C21.7 9.7 13.8 6.5 12 1.4Z",
    "H": "M12 22.4C10.4 17.2 2.2 13.9 2.2 7.8c0-3 2.2-5.2 5-5.2 2.2 0 4 1.4 4.8 3.7.8-2.3 2.6-3.7 4.8-3.7"
    " 2.8 0 5 2.2 5 5.2 0 6.1-8.2 9.4-9.8 14.6Z",
    "C": "M12 1.5a4.6 4.6 0 0 0-3.4 7.7 4.6 4.6 0 1 0 2.3 7.6c0 2.4-.9 4.3-2.7 5.8h7.6c-1.8-1.5-2.7-3.4"
    "-2.7-5.8a4.6 4.6 0 1 0 2.3-7.6A4.6 4.6 0 0 0 12 1.5Z",
    "D": "M12 1.1C9.8 5.5 6.6 8.9 2.7 12c3.9 3.1 7.1 6.5 9.3 10.9 2.2-4.4 5.4-7.8 9.3-10.9-3.9-3.1-7.1-6.5"
    "-9.3-10.9Z",
}
"""The signs of the suits, in a square of 24 units."""

_CENTRE, _MIDDLE = CARD_WIDTH / 2, CARD_HEIGHT / 2
_LEFT, _RIGHT = 38.5, 61.5
_TOP, _UPPER, _BOTTOM = 31.0, 51.0, CARD_HEIGHT - 31.0
_PAIR: Final = ((_CENTRE, _TOP), (_CENTRE, _BOTTOM))
_SQUARE: Final = ((_LEFT, _TOP), (_RIGHT, _TOP), (_LEFT, _BOTTOM), (_RIGHT, _BOTTOM))
_SIX: Final = (*_SQUARE, (_LEFT, _MIDDLE), (_RIGHT, _MIDDLE))
_PIPS_BY_RANK: Final[Mapping[str, tuple[tuple[float, float], ...]]] = {
    "2": _PAIR,
    "3": (*_PAIR, (_CENTRE, _MIDDLE)),
    "4": _SQUARE,
    "5": (*_SQUARE, (_CENTRE, _MIDDLE)),
    "6": _SIX,
    "7": (*_SIX, (_CENTRE, _UPPER)),
}
"""Where the signs of a number card lie."""
_TURNED: Final = f"rotate(180 {_CENTRE:g} {_MIDDLE:g})"
_ACE_PIP, _LONE_PIP, _PIP = 46.0, 52.0, 20.0

_BACK, _LATTICE = "#e9e3d3", "#6f6858"
_MARGIN, _PITCH = 7.0, 10.75


def drawn_rank_letter(rank: str, lang: str) -> str:
    """The letter of a rank on a card; ``lang`` is "es" where the terms are Spanish."""
    return SPANISH_LETTERS.get(rank, rank) if lang == "es" else rank_letter(rank, lang)


def pip_symbols(suits: Iterable[str] = _SUIT_PATHS) -> list[Element]:
    """The signs of suits: ``pip-S`` and so on."""
    return [
        _symbol(f"pip-{suit}", svg_element("path", d=_SUIT_PATHS[suit]), width=24, height=24)
        for suit in suits
    ]


def face_id(card: str) -> str:
    """The id of a card's face: its code; a card of which only the suit is known ends in x."""
    return f"card-{card.replace('?', 'x')}"


def edge_id(card: str) -> str:
    """The id of a card's top edge."""
    return f"edge-{card.replace('?', 'x')}"


def face_symbol(card: str, letter_language: str) -> Element:
    """The face of a card, or of one whose suit is known, to be laid on a ground with an edge."""
    suit, letter = card[0], _card_letter(card, letter_language)
    index = [_letter(letter, 16.5, 31.5, 34.5), _pip(suit, 16.5, 48, 22)] if letter else [_lone_index(suit)]
    symbol = face_id(card)
    turned_index = svg_element("use", href=f"#{symbol}-index", transform=_TURNED)
    field = _draw_field(suit, card[1], letter)
    return _symbol(symbol, _draw_ink(svg_group(*index, id=f"{symbol}-index"), turned_index, *field))


def edge_symbol(card: str, letter_language: str) -> Element:
    """The top edge of a card that another one covers but for that edge."""
    suit, letter = card[0], _card_letter(card, letter_language)
    size, x, pip = (28.0, 16.5, 40.0) if len(letter) == 1 else (36.0, 19.5, 47.0)
    index = [_letter(letter, x, 22.5, size), _pip(suit, pip, 13.5, 19)] if letter else [_lone_index(suit)]
    return _symbol(edge_id(card), _draw_ink(*index))


def back_symbol() -> Element:
    """The back of a card, with its lattice: ``card-back``."""
    lattice = svg_element("path", d=_lattice_path(), stroke=_LATTICE, stroke_width=1.7, fill="none")
    return _symbol("card-back", _inlay(), lattice)


@cache
def page_suit_symbols() -> Markup:
    """The signs of the suits, for a page that refers to them."""
    return _inline(pip_symbols())


@cache
def inline_card_symbols(letter_language: str) -> Markup:
    """The back and the faces of all cards, for a file that also has the signs of the suits."""
    return _inline(_card_symbols(letter_language))


@cache
def card_symbols_document(letter_language: str) -> str:
    """The signs, the back and the faces as a document, which pages refer to and browsers cache."""
    return serialize_svg(svg_element("svg", *pip_symbols(), *_card_symbols(letter_language)))


def _card_symbols(letter_language: str) -> list[Element]:
    codes = [*(code for code in CARD_CODES if "?" not in code), *(f"{suit}?" for suit in _SUIT_PATHS)]
    faces = [draw(card, letter_language) for card in codes for draw in (face_symbol, edge_symbol)]
    return [back_symbol(), *faces]


def _inline(symbols: Iterable[Element]) -> Markup:
    element = svg_element("svg", *symbols, class_="card-symbols", aria_hidden="true")
    return Markup(tostring(element, encoding="unicode"))  # noqa: S704: nothing in it comes from a reader


def _symbol(symbol: str, *shapes: Element, width: float = CARD_WIDTH, height: float = CARD_HEIGHT) -> Element:
    return svg_element("symbol", *shapes, id=symbol, viewBox=f"0 0 {width:g} {height:g}")


def _draw_ink(*shapes: Element) -> Element:
    """What is printed on a card."""
    return svg_group(*shapes, fill="currentColor", font_weight=600, text_anchor="middle")


def _card_letter(card: str, letter_language: str) -> str:
    return "" if card[1] == "?" else drawn_rank_letter(card[1], letter_language)


def _pip(suit: str, x: float, y: float, size: float = _PIP) -> Element:
    """The sign of a suit around a point."""
    return svg_element("use", href=f"#pip-{suit}", x=x - size / 2, y=y - size / 2, width=size, height=size)


def _letter(letter: str, x: float, y: float, size: float) -> Element:
    """A letter centred on ``x``; two letters are smaller."""
    element = svg_element("text", x=x, y=y, font_size=size if len(letter) == 1 else size * 0.64)
    element.text = letter
    return element


def _lone_index(suit: str) -> Element:
    """The index of a card of which only the suit is known."""
    return _pip(suit, 17.5, 17.5, 23)


def _draw_field(suit: str, rank: str, letter: str) -> list[Element]:
    """What stands between the corners."""
    if rank in "?A":
        return [_pip(suit, _CENTRE, _MIDDLE, _ACE_PIP if letter else _LONE_PIP)]
    if rank in _PIPS_BY_RANK:
        upright = [(x, y) for x, y in _PIPS_BY_RANK[rank] if y <= _MIDDLE]
        turned = [(x, CARD_HEIGHT - y) for x, y in _PIPS_BY_RANK[rank] if y > _MIDDLE]
        return [
            *(_pip(suit, x, y) for x, y in upright),
            svg_group(*(_pip(suit, x, y) for x, y in turned), transform=_TURNED),
        ]
    return [
        svg_element(
            "rect", x=33.5, y=17, width=33, height=CARD_HEIGHT - 34, rx=3.5, fill_opacity=0.06,
            stroke="currentColor", stroke_width=1.6,
        ),
        _pip(suit, _CENTRE, 35),
        _letter(letter, _CENTRE, _MIDDLE + 11, 33),
        svg_group(_pip(suit, _CENTRE, 35), transform=_TURNED),
    ]  # fmt: skip


def _inlay() -> Element:
    return svg_element(
        "rect", x=_MARGIN, y=_MARGIN, width=CARD_WIDTH - 2 * _MARGIN, height=CARD_HEIGHT - 2 * _MARGIN, rx=4,
        fill=_BACK, stroke=_LATTICE, stroke_width=1.4,
    )  # fmt: skip


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
