"""A whole drawing: the cloth with its cards and labels, and a line of caption below it."""

from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element

from service.presentation.svg.caption import description, sentences, shortly
from service.presentation.svg.cards import card_at, definitions
from service.presentation.svg.elements import document, element, group, worded
from service.presentation.svg.lettering import Type, cut, lettered, width_of
from service.presentation.svg.lying import lying_cards
from service.presentation.svg.manner import Manner
from service.presentation.svg.plan import Plan, place_of, plan_for
from service.presentation.svg.seats import HEAD, LABEL, labels, talon_count, told_result
from service.presentation.svg.terms import Terms

UNITS: Final = 760.0
"""From this width on a drawing grows as a whole; below it, type keeps its size and the plan gives way."""
_TALL, _WIDE = (400.0, 1.2), (760.0, 0.83)
"""The height of a table by its width, on a phone and on a screen."""

_LETTERED: Final = (labels, talon_count, told_result)


class Sheet(NamedTuple):
    """What is drawn on, in units: the table, and the strip of caption below it."""

    width: float
    table: float
    strip: float

    @property
    def height(self) -> float:
        """The whole height."""
        return self.table + self.strip


def sheet_for(manner: Manner) -> Sheet:
    """The sheet of a drawing of that size."""
    width = min(manner.width, UNITS)
    strip = 40.0 if width > 480 else 36.0
    if manner.height is not None:
        return Sheet(width, width * manner.height / manner.width - strip, strip)
    (narrow, tall), (broad, wide) = _TALL, _WIDE
    share = min(1.0, max(0.0, (width - narrow) / (broad - narrow)))
    return Sheet(width, round(width * (tall + (wide - tall) * share)), strip)


def drawn(state: dict[str, Any], manner: Manner) -> str:
    """A state object (as ``/state`` answers with it) as SVG."""
    sheet, palette = sheet_for(manner), manner.palette
    terms = Terms(state, manner)
    head = HEAD if state["players"]["sitting_out"] else 0
    plan = plan_for(sheet.width, sheet.table, LABEL, manner.rules.ruleset.direction, head)
    height = manner.height or round(sheet.height * manner.width / sheet.width)
    root = element(
        "svg",
        worded("title", terms.say("title")),
        worded("desc", description(state, terms, manner)),
        definitions(palette),
        element("rect", width=sheet.width, height=sheet.height, fill=palette.paper),
        element("rect", width=sheet.width, height=sheet.table, fill=palette.cloth),
        _cards(state, manner, plan),
        group(*(one for words in _LETTERED for one in words(state, plan, terms, palette))),
        _caption(state, terms, sheet, manner),
        viewBox=f"0 0 {sheet.width:g} {sheet.height:g}",
        width=manner.width,
        height=height,
        role="img",
        lang=manner.lang,
    )
    return document(root)


def _cards(state: dict[str, Any], manner: Manner, plan: Plan) -> Element:
    laid = [(lying, place_of(lying, plan)) for lying in lying_cards(state, manner.rules)]
    laid.sort(key=lambda one: one[1].depth)
    return group(*(card_at(lying, place, plan.card, manner) for lying, place in laid))


def _caption(state: dict[str, Any], terms: Terms, sheet: Sheet, manner: Manner) -> Element:
    """As many of the sentences as there is room for; of the first as much as there is room for."""
    type_ = Type(17 if sheet.width > 480 else 15)
    edge = max(10.0, sheet.width * 0.018)
    room = sheet.width - 2 * edge
    first, *others = sentences(state, terms)
    line = first if width_of(first, type_) <= room else shortly(state, terms) or first
    for sentence in others:
        longer = f"{line} {sentence}"
        if width_of(longer, type_) > room:
            break
        line = longer
    base = sheet.table + sheet.strip / 2 + type_.size * 0.33
    return lettered(cut(line, type_, room), edge, base, type_, manner.palette.ink)
