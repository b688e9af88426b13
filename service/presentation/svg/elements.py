"""SVG elements, written by the standard library so that all text is escaped, and the widths of texts.

Texts are measured by the letters of Source Serif 4. Where a reader has another font, ``textLength`` keeps
each text to the measured width, so that nothing overlaps.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, tostring

SVG_NAMESPACE: Final = "http://www.w3.org/2000/svg"

_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may contain, even escaped."""
_BIDI_CONTROLS: Final = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks that change the direction of text, also after the name that contains them."""

AttributeValue = str | float | int


def clean_xml_text(text: str) -> str:
    """A text in one line, without control characters."""
    return " ".join(_BIDI_CONTROLS.sub("", _NOT_XML.sub("", text)).split())


def svg_element(tag: str, *children: Element, **attributes: AttributeValue | None) -> Element:
    """An element. ``stroke_width=2`` becomes ``stroke-width="2"``; an attribute of None is left out."""
    element = Element(tag)
    for name, value in attributes.items():
        if value is not None:
            element.set(name.rstrip("_").replace("_", "-"), _format_attribute(value))
    element.extend(children)
    return element


def svg_text_element(tag: str, text: str, **attributes: AttributeValue | None) -> Element:
    """An element that contains text."""
    element = svg_element(tag, **attributes)
    element.text = clean_xml_text(text)
    return element


def svg_group(*children: Element, **attributes: AttributeValue | None) -> Element:
    """Elements together."""
    return svg_element("g", *children, **attributes)


def serialize_svg(root: Element) -> str:
    """The whole drawing as text."""
    root.set("xmlns", SVG_NAMESPACE)
    return tostring(root, encoding="unicode")


def _format_attribute(value: AttributeValue) -> str:
    if isinstance(value, str):
        return value
    rounded = round(float(value), 2)
    return str(int(rounded)) if rounded == int(rounded) else str(rounded)


def svg_transform(x: float, y: float, turn: float = 0, scale: float = 1) -> str:
    """A transform to a point, turned by degrees and scaled."""
    parts = [f"translate({_format_attribute(x)} {_format_attribute(y)})"]
    if turn:
        parts.append(f"rotate({_format_attribute(turn)})")
    if scale != 1:
        parts.append(f"scale({_format_attribute(round(scale, 4)) if scale > 0.1 else scale:})")
    return " ".join(parts)


# --- Texts and their widths -----------------------------------------------------------------------

SVG_FONT_FAMILY: Final = (
    "'Source Serif 4', 'Spadille Serif', 'Source Serif Pro', Georgia, 'DejaVu Serif', serif"
)
FONTS_FOLDER: Final = Path(__file__).parent / "fonts"

_ELLIPSIS: Final = "…"
_WIDE, _NARROW, _UNKNOWN = 1.05, 0.0, 0.75
"""The greatest width of a letter that our font lacks, as a share of the font size, by its kind."""


class FontStyle(NamedTuple):
    """A font size in the drawing's units and a style: ``regular``, ``italic`` or ``bold``."""

    size: float
    style: str = "regular"


@cache
def _load_glyph_widths() -> Mapping[str, Mapping[str, int]]:
    read: Mapping[str, Mapping[str, int]] = json.loads((FONTS_FOLDER / "widths.json").read_bytes())
    return read


def measure_text(text: str, font_style: FontStyle) -> float:
    """The width of a text in the drawing's units; an upper bound for letters that our font lacks."""
    known = _load_glyph_widths()[font_style.style]
    return font_style.size * sum(
        known[one] / 1000 if one in known else _max_letter_width(one) for one in text
    )


def has_all_glyphs(text: str) -> bool:
    """Whether our font has every letter of a text."""
    return all(one in _load_glyph_widths()["regular"] for one in text)


def _max_letter_width(letter: str) -> float:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return _NARROW
    return _WIDE if unicodedata.east_asian_width(letter) in "WF" else _UNKNOWN


def truncate_to_width(text: str, font_style: FontStyle, max_width: float) -> str:
    """The text, shortened with an ellipsis if it is wider than ``max_width``."""
    text = clean_xml_text(text)
    if measure_text(text, font_style) <= max_width:
        return text
    shortened = text
    while shortened and measure_text(shortened.rstrip() + _ELLIPSIS, font_style) > max_width:
        shortened = _drop_last_letter(shortened)
    return shortened.rstrip() + _ELLIPSIS if shortened else ""


def _drop_last_letter(text: str) -> str:
    """The text without its last letter and the marks combined with it."""
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
    """A text whose line begins at a point, or has its ``anchor`` there."""
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
