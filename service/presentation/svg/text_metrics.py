"""How wide a text is, how it is cut to the room there is, and its element.

Texts are measured by the letters of Source Serif 4. Where a reader has another face, ``textLength``
holds each text to the width that was measured, so that nothing runs into anything.
"""

import json
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from service.presentation.svg.elements import clean_xml_text, svg_text_element

SVG_FONT_FAMILY: Final = (
    "'Source Serif 4', 'Spadille Serif', 'Source Serif Pro', Georgia, 'DejaVu Serif', serif"
)
FONTS_FOLDER: Final = Path(__file__).parent / "fonts"

_ELLIPSIS: Final = "…"
_WIDE, _NARROW, _STRANGE = 1.05, 0.0, 0.75
"""What a letter that our face has not takes at most of the type's size, by what kind it is."""


class FontStyle(NamedTuple):
    """A size of type in the drawing's units, in one of three styles: ``regular``, ``italic``, ``bold``."""

    size: float
    style: str = "regular"


@cache
def _load_glyph_widths() -> Mapping[str, Mapping[str, int]]:
    read: Mapping[str, Mapping[str, int]] = json.loads((FONTS_FOLDER / "widths.json").read_bytes())
    return read


def measure_text(text: str, font_style: FontStyle) -> float:
    """How wide a text is, in the drawing's units; of letters that our face has not, at most."""
    known = _load_glyph_widths()[font_style.style]
    return font_style.size * sum(
        known[one] / 1000 if one in known else _max_letter_width(one) for one in text
    )


def has_all_glyphs(text: str) -> bool:
    """Whether our face has every letter of a text."""
    return all(one in _load_glyph_widths()["regular"] for one in text)


def _max_letter_width(letter: str) -> float:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return _NARROW
    return _WIDE if unicodedata.east_asian_width(letter) in "WF" else _STRANGE


def truncate_to_width(text: str, font_style: FontStyle, max_width: float) -> str:
    """The text, or as much of it as fits into ``max_width`` with a sign that there is more."""
    text = clean_xml_text(text)
    if measure_text(text, font_style) <= max_width:
        return text
    shortened = text
    while shortened and measure_text(shortened.rstrip() + _ELLIPSIS, font_style) > max_width:
        shortened = _drop_last_letter(shortened)
    return shortened.rstrip() + _ELLIPSIS if shortened else ""


def _drop_last_letter(text: str) -> str:
    """The text without its last letter, and whatever belongs to that."""
    while text and _max_letter_width(text[-1]) == _NARROW:
        text = text[:-1]
    return text[:-1]


def measured_text_element(
    text: str,
    x: float,
    y: float,
    font_style: FontStyle,
    fill: str,
    *,
    anchor: str = "start",
    opacity: float | None = None,
) -> Element:
    """A text whose line begins (or ends, or has its middle) at that point."""
    text = clean_xml_text(text)
    known = _load_glyph_widths()[font_style.style]
    measured = bool(text) and all(one in known for one in text)
    return svg_text_element(
        "text",
        text,
        x=x,
        y=y,
        font_family=SVG_FONT_FAMILY,
        font_size=font_style.size,
        font_style="italic" if font_style.style == "italic" else None,
        font_weight=600 if font_style.style == "bold" else None,
        fill=fill,
        text_anchor=None if anchor == "start" else anchor,
        opacity=opacity,
        textLength=measure_text(text, font_style) if measured else None,
        lengthAdjust="spacingAndGlyphs" if measured else None,
    )
