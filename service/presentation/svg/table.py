"""A whole drawing: the cloth with its cards and labels, and a line of caption below it."""

from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element

from service.presentation.svg.caption import caption_sentences, short_caption, table_description
from service.presentation.svg.cards import card_definitions, draw_card
from service.presentation.svg.drawing_options import DrawingOptions
from service.presentation.svg.elements import serialize_svg, svg_element, svg_group, svg_text_element
from service.presentation.svg.placed_cards import list_placed_cards
from service.presentation.svg.seats import (
    HEAD_HEIGHT,
    LABEL_HEIGHT,
    draw_recorded_result,
    draw_seat_labels,
    draw_talon_count,
)
from service.presentation.svg.table_plan import TablePlan, build_table_plan, card_position
from service.presentation.svg.terms import DrawingTerms
from service.presentation.svg.text_metrics import (
    FontStyle,
    measure_text,
    measured_text_element,
    truncate_to_width,
)

SCALING_WIDTH: Final = 760.0
"""From this width on a drawing grows as a whole; below it, type keeps its size and the plan gives way."""
_TALL, _WIDE = (400.0, 1.2), (760.0, 0.83)
"""The height of a table by its width, on a phone and on a screen."""


class DrawingSize(NamedTuple):
    """What is drawn on, in units: the table, and the strip of caption below it."""

    width: float
    table_height: float
    caption_height: float

    @property
    def height(self) -> float:
        """The whole height."""
        return self.table_height + self.caption_height


def drawing_size(drawing_options: DrawingOptions) -> DrawingSize:
    """The sheet of a drawing of that size."""
    width = min(drawing_options.width, SCALING_WIDTH)
    caption_height = 40.0 if width > 480 else 36.0
    if drawing_options.height is not None:
        return DrawingSize(
            width, width * drawing_options.height / drawing_options.width - caption_height, caption_height
        )
    (narrow, tall), (broad, wide) = _TALL, _WIDE
    share = min(1.0, max(0.0, (width - narrow) / (broad - narrow)))
    return DrawingSize(width, round(width * (tall + (wide - tall) * share)), caption_height)


def draw_table(state: dict[str, Any], drawing_options: DrawingOptions) -> str:
    """A state object (as ``/state`` answers with it) as SVG."""
    sheet, palette = drawing_size(drawing_options), drawing_options.palette
    terms = DrawingTerms(state, drawing_options)
    head = HEAD_HEIGHT if state["players"]["sitting_out"] else 0
    plan = build_table_plan(
        sheet.width, sheet.table_height, LABEL_HEIGHT, drawing_options.rules.ruleset.direction, head
    )
    height = drawing_options.height or round(sheet.height * drawing_options.width / sheet.width)
    root = svg_element(
        "svg",
        svg_text_element("title", terms.format_phrase("title")),
        svg_text_element("desc", table_description(state, terms, drawing_options)),
        card_definitions(palette),
        svg_element("rect", width=sheet.width, height=sheet.height, fill=palette.paper),
        svg_element("rect", width=sheet.width, height=sheet.table_height, fill=palette.cloth),
        _draw_cards(state, drawing_options, plan),
        svg_group(
            *draw_seat_labels(state, plan, terms, palette),
            *draw_talon_count(state, plan, terms, palette),
            *draw_recorded_result(state, plan, terms, palette),
        ),
        _draw_caption(state, terms, sheet, drawing_options),
        viewBox=f"0 0 {sheet.width:g} {sheet.height:g}",
        width=drawing_options.width,
        height=height,
        role="img",
        lang=drawing_options.lang,
    )
    return serialize_svg(root)


def _draw_cards(state: dict[str, Any], drawing_options: DrawingOptions, plan: TablePlan) -> Element:
    laid = [
        (placed_card, card_position(placed_card, plan))
        for placed_card in list_placed_cards(state, drawing_options.rules)
    ]
    laid.sort(key=lambda one: one[1].depth)
    return svg_group(
        *(draw_card(placed_card, place, plan.card_width, drawing_options) for placed_card, place in laid)
    )


def _draw_caption(
    state: dict[str, Any], terms: DrawingTerms, sheet: DrawingSize, drawing_options: DrawingOptions
) -> Element:
    """As many of the sentences as there is room for; of the first as much as there is room for."""
    type_ = FontStyle(17 if sheet.width > 480 else 15)
    edge = max(10.0, sheet.width * 0.018)
    room = sheet.width - 2 * edge
    first, *others = caption_sentences(state, terms)
    line = first if measure_text(first, type_) <= room else short_caption(state, terms) or first
    for sentence in others:
        longer = f"{line} {sentence}"
        if measure_text(longer, type_) > room:
            break
        line = longer
    base = sheet.table_height + sheet.caption_height / 2 + type_.size * 0.33
    return measured_text_element(
        truncate_to_width(line, type_, room), edge, base, type_, drawing_options.palette.ink
    )
