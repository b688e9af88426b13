"""The labels of a table: who sits where, who plays what, whose turn it is, who sits out."""

from collections.abc import Iterator
from typing import Any, Final
from xml.etree.ElementTree import Element

from engine.core.cards import SEAT_NAMES
from schemas.i18n.card_words import SEAT_TERMS
from schemas.i18n.catalogs import gettext
from service.presentation.svg.cards import draw_pip
from service.presentation.svg.drawing_options import Palette
from service.presentation.svg.elements import svg_element
from service.presentation.svg.placed_cards import count_tricks_won, has_result_only
from service.presentation.svg.table_plan import TablePlan
from service.presentation.svg.terms import DrawingTerms
from service.presentation.svg.text_metrics import (
    FontStyle,
    measure_text,
    measured_text_element,
    truncate_to_width,
)

StateObject = dict[str, Any]

NAME_FONT: Final = FontStyle(16, "bold")
GAME_FONT: Final = FontStyle(16, "italic")
DETAIL_FONT: Final = FontStyle(14, "italic")
RESULT_FONT: Final = FontStyle(34, "bold")
HEAD_HEIGHT: Final = 17.0
"""How high the line is that says who sits out, above the talon of a wide table."""
LABEL_HEIGHT: Final = 40.0
"""How high a label is: a name, and a smaller line below it."""
_BASE, _MORE_BASE, _GAP, _PIP = 15.0, 34.0, 6.0, 14.0


def draw_seat_labels(
    state: StateObject, plan: TablePlan, terms: DrawingTerms, palette: Palette
) -> Iterator[Element]:
    """The label of every seat, and of those who sit out."""
    sitters = state["players"]["sitting_out"]
    for seat in SEAT_NAMES:
        yield from _draw_seat_label(state, seat, plan, terms, palette)
    if sitters:
        yield from _draw_sitting_out(sitters, plan, terms, palette)


def _draw_seat_label(
    state: StateObject, seat: str, plan: TablePlan, terms: DrawingTerms, palette: Palette
) -> Iterator[Element]:
    ink, side = palette.cloth_ink, plan.sides[seat]
    if side == "bottom":
        top, room = plan.row_top + 2, plan.discards_left - plan.margin - 8
    else:
        share = 0.36 if state["players"]["sitting_out"] else 0.5
        top, room = plan.margin, plan.width * share - plan.margin - 4

    def line_left(width: float) -> float:
        return plan.width - plan.margin - width if side == "right" else plan.margin

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
    return f"{seat_name} · {terms.format_phrase('trick' if count == 1 else 'tricks', count=count)}"


def _draw_sitting_out(
    sitters: list[str], plan: TablePlan, terms: DrawingTerms, palette: Palette
) -> Iterator[Element]:
    """Who sits out, at the free side of the table: on two lines, or on one where the talon lies there."""
    middle, room = plan.width / 2, plan.width * 0.26
    names = terms.join_names(terms.member_name(one) or terms.format_phrase("somebody") for one in sitters)
    phrase = terms.format_phrase("sits_out" if len(sitters) == 1 else "sit_out")
    lines = [(names, NAME_FONT._replace(style="regular"), _BASE), (phrase, DETAIL_FONT, _MORE_BASE)]
    if plan.is_wide:
        lines = [(f"{names} {phrase}", DETAIL_FONT, _BASE - 4)]
    for words, type_, base in lines:
        line = truncate_to_width(words, type_, room)
        yield measured_text_element(
            line, middle, plan.margin + base, type_, palette.cloth_ink, anchor="middle"
        )


def draw_talon_count(
    state: StateObject, plan: TablePlan, terms: DrawingTerms, palette: Palette
) -> Iterator[Element]:
    """How many cards lie in the talon, where it is a pile of which cards are still bought."""
    talon = state["talon"]
    spread = any("?" not in card and card != talon["turned"] for card in talon["cards"])
    if not talon["count"] or spread or state["phase"] in ("play", "finished"):
        return
    right_edge = plan.width / 2 - plan.card_width * 0.31 - 12
    words = truncate_to_width(
        terms.format_phrase("talon", count=talon["count"]), DETAIL_FONT, right_edge - plan.inner_margin
    )
    yield measured_text_element(
        words,
        right_edge,
        plan.talon_top + plan.card_width * 0.44 + 5,
        DETAIL_FONT,
        palette.cloth_ink,
        anchor="end",
    )


def draw_recorded_result(
    state: StateObject, plan: TablePlan, terms: DrawingTerms, palette: Palette
) -> Iterator[Element]:
    """What was played, in the middle of a table of which only the result was written down."""
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
    outcome = terms.outcome_sentence(state["result"].get("outcome", "")) or terms.player_label(
        state["declarer"]
    )
    line = truncate_to_width(outcome, NAME_FONT._replace(style="italic"), plan.width - 2 * plan.inner_margin)
    yield measured_text_element(line, plan.width / 2, y + RESULT_FONT.size, GAME_FONT, ink, anchor="middle")
