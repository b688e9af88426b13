"""SVG's elements: a tree that the standard library writes, so that whatever a name holds is escaped."""

import re
from typing import Final
from xml.etree.ElementTree import Element, tostring

SVG_NAMESPACE: Final = "http://www.w3.org/2000/svg"

_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may hold, even escaped."""
_BIDI_CONTROLS: Final = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks that turn the direction of what follows them, beyond the name that holds them."""

AttributeValue = str | float | int


def clean_xml_text(text: str) -> str:
    """A text in one line that can stand in any drawing: of control characters nothing is left."""
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
    """An element that holds text."""
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
    """A transform: there, turned by so many degrees, so large."""
    parts = [f"translate({_format_attribute(x)} {_format_attribute(y)})"]
    if turn:
        parts.append(f"rotate({_format_attribute(turn)})")
    if scale != 1:
        parts.append(f"scale({_format_attribute(round(scale, 4)) if scale > 0.1 else scale:})")
    return " ".join(parts)
