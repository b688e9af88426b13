"""A whole drawing: the cloth with its cards and the labels of its players, and a caption below it."""

from collections.abc import Iterator
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from engine.core.cards import SEAT_NAMES
from schemas.i18n.card_words import SEAT_TERMS
from schemas.i18n.catalogs import gettext
from service.presentation.svg.caption import (
    DrawingTerms,
    caption_sentences,
    short_caption,
    table_description,
)
from service.presentation.svg.cards import card_definitions, draw_card, draw_pip
from service.presentation.svg.drawing_options import DrawingOptions, Palette
from service.presentation.svg.elements import (
    SVG_FONT_FAMILY,
    FontStyle,
    measure_text,
    measured_text_element,
    serialize_svg,
    svg_element,
    svg_group,
    svg_text_element,
    truncate_to_width,
)
from service.presentation.svg.placed_cards import (
    StateObject,
    count_tricks_won,
    has_result_only,
    list_placed_cards,
)
from service.presentation.svg.table_plan import TablePlan, build_table_plan, card_position
from service.presentation.text.names import join_names
from service.presentation.text.style import TextStyle

SCALING_WIDTH: Final = 760.0
"""Wider drawings are scaled as a whole; on narrower ones the type keeps its size."""
_TALL, _WIDE = (400.0, 1.2), (760.0, 0.83)
"""The height of a table by its width, on a phone and on a screen."""
NAME_FONT: Final = FontStyle(16, "bold")
GAME_FONT: Final = FontStyle(16, "italic")
DETAIL_FONT: Final = FontStyle(14, "italic")
RESULT_FONT: Final = FontStyle(34, "bold")
HEAD_HEIGHT: Final = 22.0
"""The height of the line that names who sits out, above the talon of a wide table."""
LABEL_HEIGHT: Final = 40.0
"""The height of a label: a name, and a smaller line below it."""
_BASE, _MORE_BASE, _GAP, _PIP = 15.0, 34.0, 6.0, 14.0


class DrawingSize(NamedTuple):
    """The size of a drawing in units: the table, and the caption below it."""

    width: float
    table_height: float
    caption_height: float

    @property
    def height(self) -> float:
        """The whole height."""
        return self.table_height + self.caption_height


def drawing_size(drawing_options: DrawingOptions) -> DrawingSize:
    """The size of a drawing in units."""
    width = min(drawing_options.width, SCALING_WIDTH)
    caption_height = 40.0 if width > 480 else 36.0
    if drawing_options.height is not None:
        return DrawingSize(
            width, width * drawing_options.height / drawing_options.width - caption_height, caption_height
        )
    (narrow, tall), (broad, wide) = _TALL, _WIDE
    share = min(1.0, max(0.0, (width - narrow) / (broad - narrow)))
    return DrawingSize(width, round(width * (tall + (wide - tall) * share)), caption_height)


def draw_table(state: StateObject, drawing_options: DrawingOptions) -> str:
    """A state object (as ``/state`` answers with it) as SVG."""
    sheet, palette = drawing_size(drawing_options), drawing_options.palette
    terms = DrawingTerms(state, drawing_options)
    head = HEAD_HEIGHT if state["players"]["sitting_out"] else 0
    plan = build_table_plan(
        sheet.width, sheet.table_height, LABEL_HEIGHT, drawing_options.rules.ruleset.direction, head
    )
    height = drawing_options.height or round(sheet.height * drawing_options.width / sheet.width)
    placed_cards = list_placed_cards(state, drawing_options.rules)
    laid = sorted(((card, card_position(card, plan)) for card in placed_cards), key=lambda one: one[1].depth)
    root = svg_element(
        "svg",
        svg_text_element("title", terms.phrase("The table, seen from above")),
        svg_text_element("desc", table_description(state, terms, drawing_options)),
        card_definitions(laid, drawing_options.letter_language),
        svg_element("rect", width=sheet.width, height=sheet.height, fill=palette.paper),
        svg_element("rect", width=sheet.width, height=sheet.table_height, fill=palette.cloth),
        svg_group(
            *(draw_card(card, place, plan.card_width, drawing_options) for card, place in laid),
            font_family=SVG_FONT_FAMILY,
        ),
        svg_group(
            *_draw_seat_labels(state, plan, terms, palette),
            *_draw_talon_count(state, plan, terms, palette),
            *_draw_recorded_result(state, plan, terms, palette),
        ),
        _draw_caption(state, terms, sheet, drawing_options),
        viewBox=f"0 0 {sheet.width:g} {sheet.height:g}",
        width=drawing_options.width,
        height=height,
        role="img",
        lang=drawing_options.lang,
    )
    return serialize_svg(root)


def _draw_caption(
    state: StateObject, terms: DrawingTerms, sheet: DrawingSize, drawing_options: DrawingOptions
) -> Element:
    """As many of the sentences as fit; the first one is shortened if it must be."""
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


# --- Labels ---------------------------------------------------------------------------------------


def _draw_seat_labels(
    state: StateObject, plan: TablePlan, terms: DrawingTerms, palette: Palette
) -> Iterator[Element]:
    """The label of every seat, and of the players who sit out."""
    sitters = state["players"]["sitting_out"]
    for seat in SEAT_NAMES:
        yield from _draw_seat_label(state, seat, plan, terms, palette)
    if sitters:
        yield from _draw_sitting_out(sitters, plan, terms, palette)


def _draw_seat_label(
    state: StateObject, seat: str, plan: TablePlan, terms: DrawingTerms, palette: Palette
) -> Iterator[Element]:
    ink, side, left = palette.cloth_ink, plan.sides[seat], plan.margin
    if side == "bottom":
        top, left = plan.row_top + 2, plan.inner_margin
        room = plan.label_room(has_discards=bool(state["discards"].get(seat)))
    else:
        share = 0.36 if state["players"]["sitting_out"] else 0.5
        top, room = plan.margin, plan.width * share - plan.margin - 4

    def line_left(width: float) -> float:
        return plan.width - plan.margin - width if side == "right" else left

    game = terms.contract_name() if state["declarer"] == seat else None
    trump = state["trump"] if game else None
    sign = _PIP + _GAP * 0.7 if trump else 0.0
    reserved_name_width = min(measure_text(terms.player_label(seat), NAME_FONT), room / 2)
    game = truncate_to_width(game, GAME_FONT, room - reserved_name_width - sign - _GAP) if game else None
    game_width = measure_text(game, GAME_FONT) + _GAP + sign if game else 0.0
    name = truncate_to_width(terms.player_label(seat), NAME_FONT, room - game_width)
    name_width = measure_text(name, NAME_FONT)
    x, y = line_left(name_width + game_width), top + _BASE
    yield measured_text_element(name, x, y, NAME_FONT, ink)
    if state["to_act"] == seat:
        yield svg_element("rect", x=x, y=y + 4, width=name_width, height=2, fill=ink)
    if game:
        yield measured_text_element(game, x + name_width + _GAP, y, GAME_FONT, ink)
        if trump:
            yield draw_pip(trump, x + name_width + game_width - _PIP, y - 12, _PIP, ink)
    more = truncate_to_width(_seat_details(state, seat, terms), DETAIL_FONT, room)
    x = line_left(measure_text(more, DETAIL_FONT))
    yield measured_text_element(more, x, top + _MORE_BASE, DETAIL_FONT, ink, opacity=0.9)


def _seat_details(state: StateObject, seat: str, terms: DrawingTerms) -> str:
    """The seat, and what it has taken."""
    counts, seat_name = count_tricks_won(state), gettext(SEAT_TERMS[seat], terms.lang)
    if not state["tricks"] and not any(counts.values()):
        return seat_name
    count = counts[seat]
    return f"{seat_name} · {terms.phrase('1 trick' if count == 1 else '{count} tricks', count=count)}"


def _draw_sitting_out(
    sitters: list[str], plan: TablePlan, terms: DrawingTerms, palette: Palette
) -> Iterator[Element]:
    """Who sits out, at the free side of the table: on two lines, or on one if the talon lies there."""
    middle, room = plan.width / 2, plan.width * 0.26
    labels = [terms.member_name(one) or terms.player_label(None) for one in sitters]
    names = join_names(labels, TextStyle(terms.lang))
    phrase = terms.phrase("sits out" if len(sitters) == 1 else "sit out")
    lines = [(names, NAME_FONT._replace(style="regular"), _BASE), (phrase, DETAIL_FONT, _MORE_BASE)]
    if plan.is_wide:
        lines = [(f"{names} {phrase}", DETAIL_FONT, _BASE - 4)]
    for words, type_, base in lines:
        line = truncate_to_width(words, type_, room)
        yield measured_text_element(
            line, middle, plan.margin + base, type_, palette.cloth_ink, anchor="middle"
        )


def _draw_talon_count(
    state: StateObject, plan: TablePlan, terms: DrawingTerms, palette: Palette
) -> Iterator[Element]:
    """The number of cards in the talon, while it is a pile from which cards are drawn."""
    talon = state["talon"]
    spread = any("?" not in card and card != talon["turned"] for card in talon["cards"])
    if not talon["count"] or spread or state["phase"] in ("play", "finished"):
        return
    words = truncate_to_width(
        terms.phrase("{count} in the talon", count=talon["count"]), DETAIL_FONT, plan.middle_width
    )
    yield measured_text_element(
        words, plan.width / 2, plan.trick_top + 12, DETAIL_FONT, palette.cloth_ink, anchor="middle"
    )


def _draw_recorded_result(
    state: StateObject, plan: TablePlan, terms: DrawingTerms, palette: Palette
) -> Iterator[Element]:
    """What was played, in the middle of the table if only the result is recorded."""
    contract = terms.contract_name()
    if not has_result_only(state) or contract is None:
        return
    ink, trump = palette.cloth_ink, state["trump"]
    sign = RESULT_FONT.size * 0.9 if trump else 0.0
    name = truncate_to_width(contract, RESULT_FONT, plan.width - 2 * plan.inner_margin - sign)
    x, y = plan.width / 2 - (measure_text(name, RESULT_FONT) + sign * 1.3) / 2, plan.height * 0.44
    yield measured_text_element(name, x, y, RESULT_FONT, ink)
    if trump:
        yield draw_pip(trump, x + measure_text(name, RESULT_FONT) + sign * 0.3, y - sign * 0.85, sign, ink)
    outcome = terms.outcome_sentence() or terms.player_label(state["declarer"])
    line = truncate_to_width(outcome, NAME_FONT._replace(style="italic"), plan.width - 2 * plan.inner_margin)
    yield measured_text_element(line, plan.width / 2, y + RESULT_FONT.size, GAME_FONT, ink, anchor="middle")
