"""SVG's elements: a tree that the standard library writes, so that whatever a name holds is escaped."""

import re
from typing import Final
from xml.etree.ElementTree import Element, tostring

NAMESPACE: Final = "http://www.w3.org/2000/svg"

_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may hold, even escaped."""
_DIRECTIONS: Final = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks that turn the direction of what follows them, beyond the name that holds them."""

Value = str | float | int


def clean(text: str) -> str:
    """A text in one line that can stand in any drawing: of control characters nothing is left."""
    return " ".join(_DIRECTIONS.sub("", _NOT_XML.sub("", text)).split())


def element(tag: str, *children: Element, **attributes: Value | None) -> Element:
    """An element. ``stroke_width=2`` becomes ``stroke-width="2"``; an attribute of None is left out."""
    made = Element(tag)
    for name, value in attributes.items():
        if value is not None:
            made.set(name.rstrip("_").replace("_", "-"), _written(value))
    made.extend(children)
    return made


def worded(tag: str, words: str, **attributes: Value | None) -> Element:
    """An element that holds text."""
    made = element(tag, **attributes)
    made.text = clean(words)
    return made


def group(*children: Element, **attributes: Value | None) -> Element:
    """Elements together."""
    return element("g", *children, **attributes)


def document(root: Element) -> str:
    """The whole drawing as text."""
    root.set("xmlns", NAMESPACE)
    return tostring(root, encoding="unicode")


def _written(value: Value) -> str:
    if isinstance(value, str):
        return value
    rounded = round(float(value), 2)
    return str(int(rounded)) if rounded == int(rounded) else str(rounded)


def moved(x: float, y: float, turn: float = 0, scale: float = 1) -> str:
    """A transform: there, turned by so many degrees, so large."""
    parts = [f"translate({_written(x)} {_written(y)})"]
    if turn:
        parts.append(f"rotate({_written(turn)})")
    if scale != 1:
        parts.append(f"scale({_written(round(scale, 4)) if scale > 0.1 else scale:})")
    return " ".join(parts)
