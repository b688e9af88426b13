"""The labels of a table: who sits where, who plays what, whose turn it is, who sits out."""

from collections.abc import Iterator
from typing import Any, Final
from xml.etree.ElementTree import Element

from engine.core.cards import SEAT_NAMES
from service.presentation.svg.cards import pip
from service.presentation.svg.elements import element
from service.presentation.svg.lettering import Type, cut, lettered, width_of
from service.presentation.svg.lying import is_told_only, tricks_won
from service.presentation.svg.manner import Palette
from service.presentation.svg.plan import Plan
from service.presentation.svg.terms import Terms

State = dict[str, Any]

NAME: Final = Type(16, "bold")
GAME: Final = Type(16, "italic")
MORE: Final = Type(14, "italic")
RESULT: Final = Type(34, "bold")
HEAD: Final = 17.0
"""How high the line is that says who sits out, above the talon of a wide table."""
LABEL: Final = 40.0
"""How high a label is: a name, and a smaller line below it."""
_BASE, _MORE_BASE, _GAP, _PIP = 15.0, 34.0, 6.0, 14.0


def labels(state: State, plan: Plan, terms: Terms, palette: Palette) -> Iterator[Element]:
    """The label of every seat, and of those who sit out."""
    sitters = state["players"]["sitting_out"]
    share = 0.36 if sitters else 0.5
    for seat in SEAT_NAMES:
        side = plan.sides[seat]
        room = plan.width * share - plan.edge - 4
        if side == "bottom":
            room = plan.discards_left - plan.edge - 8
        top = plan.row_top + 2 if side == "bottom" else plan.edge
        yield from _label(state, seat, _Spot(plan, side, top, room), terms, palette)
    if sitters:
        yield from _sitting_out(sitters, plan, terms, palette)


class _Spot:
    """Where a label stands: ``room`` wide, from the left or up to the right."""

    def __init__(self, plan: Plan, side: str, top: float, room: float) -> None:
        self.top, self.room = top, room
        self._end = plan.width - plan.edge if side == "right" else None
        self._start = plan.edge

    def left(self, width: float) -> float:
        """Where a line of that width begins."""
        return self._start if self._end is None else self._end - width


def _label(state: State, seat: str, spot: _Spot, terms: Terms, palette: Palette) -> Iterator[Element]:
    ink = palette.cloth_ink
    game = terms.contract() if state["declarer"] == seat else None
    trump = state["trump"] if game else None
    sign = _PIP + _GAP * 0.7 if trump else 0.0
    named = min(width_of(terms.player(seat), NAME), spot.room / 2)
    game = cut(game, GAME, spot.room - named - sign - _GAP) if game else None
    game_width = width_of(game, GAME) + _GAP + sign if game else 0.0
    name = cut(terms.player(seat), NAME, spot.room - game_width)
    name_width = width_of(name, NAME)
    x = spot.left(name_width + game_width)
    y = spot.top + _BASE
    yield lettered(name, x, y, NAME, ink)
    if state["to_act"] == seat:
        yield element("rect", x=x, y=y + 4, width=name_width, height=2, fill=ink)
    if game:
        yield lettered(game, x + name_width + _GAP, y, GAME, ink)
        if trump:
            yield pip(trump, x + name_width + game_width - _PIP, y - 12, _PIP, ink)
    more = cut(_more(state, seat, terms), MORE, spot.room)
    yield lettered(more, spot.left(width_of(more, MORE)), spot.top + _MORE_BASE, MORE, ink, opacity=0.9)


def _more(state: State, seat: str, terms: Terms) -> str:
    """The seat, and what it has taken."""
    counts = tricks_won(state)
    counted = state["tricks"] or any(counts.values())
    return terms.seat(seat) + (f" · {terms.tricks(counts[seat])}" if counted else "")


def _sitting_out(sitters: list[str], plan: Plan, terms: Terms, palette: Palette) -> Iterator[Element]:
    """Who sits out, at the free side of the table: on two lines, or on one where the talon lies there."""
    middle, room = plan.width / 2, plan.width * 0.26
    names = terms.listed(terms.name(one) or terms.say("somebody") for one in sitters)
    says = terms.say("sits_out" if len(sitters) == 1 else "sit_out")
    lines = [(names, NAME._replace(style="regular"), _BASE), (says, MORE, _MORE_BASE)]
    if plan.wide:
        lines = [(f"{names} {says}", MORE, _BASE - 4)]
    for words, type_, base in lines:
        line = cut(words, type_, room)
        yield lettered(line, middle, plan.edge + base, type_, palette.cloth_ink, anchor="middle")


def talon_count(state: State, plan: Plan, terms: Terms, palette: Palette) -> Iterator[Element]:
    """How many cards lie in the talon, where it is a pile of which cards are still bought."""
    talon = state["talon"]
    spread = any("?" not in card and card != talon["turned"] for card in talon["cards"])
    if not talon["count"] or spread or state["phase"] in ("play", "finished"):
        return
    right = plan.width / 2 - plan.card * 0.31 - 12
    words = cut(terms.say("talon", count=talon["count"]), MORE, right - plan.inner)
    yield lettered(words, right, plan.talon_top + plan.card * 0.44 + 5, MORE, palette.cloth_ink, anchor="end")


def told_result(state: State, plan: Plan, terms: Terms, palette: Palette) -> Iterator[Element]:
    """What was played, in the middle of a table of which only the result was written down."""
    contract = terms.contract()
    if not is_told_only(state) or contract is None:
        return
    ink, trump = palette.cloth_ink, state["trump"]
    sign = RESULT.size * 0.9 if trump else 0.0
    name = cut(contract, RESULT, plan.width - 2 * plan.inner - sign)
    x, y = plan.width / 2 - (width_of(name, RESULT) + sign * 1.3) / 2, plan.height * 0.44
    yield lettered(name, x, y, RESULT, ink)
    if trump:
        yield pip(trump, x + width_of(name, RESULT) + sign * 0.3, y - sign * 0.85, sign, ink)
    outcome = terms.outcome(state["result"].get("outcome", "")) or terms.player(state["declarer"])
    line = cut(outcome, NAME._replace(style="italic"), plan.width - 2 * plan.inner)
    yield lettered(line, plan.width / 2, y + RESULT.size, GAME, ink, anchor="middle")
