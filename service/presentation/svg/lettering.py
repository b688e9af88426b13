"""Lettering: how wide a text is, how it is cut to the room there is, and its element.

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

from service.presentation.svg.elements import clean, worded

FAMILY: Final = "'Source Serif 4', 'Spadille Serif', 'Source Serif Pro', Georgia, 'DejaVu Serif', serif"
FONTS: Final = Path(__file__).parent / "fonts"

_MORE: Final = "…"
_WIDE, _NARROW, _STRANGE = 1.05, 0.0, 0.75
"""What a letter that our face has not takes at most of the type's size, by what kind it is."""


class Type(NamedTuple):
    """A size of type in the drawing's units, in one of three styles: ``regular``, ``italic``, ``bold``."""

    size: float
    style: str = "regular"


@cache
def _widths() -> Mapping[str, Mapping[str, int]]:
    read: Mapping[str, Mapping[str, int]] = json.loads((FONTS / "widths.json").read_bytes())
    return read


def width_of(text: str, type_: Type) -> float:
    """How wide a text is, in the drawing's units; of letters that our face has not, at most."""
    known = _widths()[type_.style]
    return type_.size * sum(known[one] / 1000 if one in known else _at_most(one) for one in text)


def is_ours(text: str) -> bool:
    """Whether our face has every letter of a text."""
    return all(one in _widths()["regular"] for one in text)


def _at_most(letter: str) -> float:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return _NARROW
    return _WIDE if unicodedata.east_asian_width(letter) in "WF" else _STRANGE


def cut(text: str, type_: Type, room: float) -> str:
    """The text, or as much of it as fits into ``room`` with a sign that there is more."""
    text = clean(text)
    if width_of(text, type_) <= room:
        return text
    kept = text
    while kept and width_of(kept.rstrip() + _MORE, type_) > room:
        kept = _shorter(kept)
    return kept.rstrip() + _MORE if kept else ""


def _shorter(text: str) -> str:
    """The text without its last letter, and whatever belongs to that."""
    while text and _at_most(text[-1]) == _NARROW:
        text = text[:-1]
    return text[:-1]


def lettered(
    words: str,
    x: float,
    y: float,
    type_: Type,
    fill: str,
    *,
    anchor: str = "start",
    opacity: float | None = None,
) -> Element:
    """A text whose line begins (or ends, or has its middle) at that point."""
    words = clean(words)
    known = _widths()[type_.style]
    measured = bool(words) and all(one in known for one in words)
    return worded(
        "text",
        words,
        x=x,
        y=y,
        font_family=FAMILY,
        font_size=type_.size,
        font_style="italic" if type_.style == "italic" else None,
        font_weight=600 if type_.style == "bold" else None,
        fill=fill,
        text_anchor=None if anchor == "start" else anchor,
        opacity=opacity,
        textLength=width_of(words, type_) if measured else None,
        lengthAdjust="spacingAndGlyphs" if measured else None,
    )
