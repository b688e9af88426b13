"""What a deal is called, and where it stands."""

from typing import Final

from engine import State
from schemas.answers.reports import opening_of
from service.cli.io.inputs import STANDARD_INPUT, Deal
from service.cli.io.terminal_text import printable
from service.presentation.text.layout import wrapped
from service.presentation.text.names import place_label
from service.presentation.text.style import Style
from service.presentation.text.words import LABELS

ENGLISH: Final = Style()
"""How problems are told."""


def title(deal: Deal, state: State, style: Style) -> str:
    """A deal's title; where it has none, its place."""
    opened = state.opening.opened
    if opened is not None and opened.title:
        return opened.title
    return _placed(deal, None if opened is None else opened.number, style)


def heading(deal: Deal, state: State, style: Style) -> list[str]:
    """A deal's title in bold."""
    return [style.bold(line) for line in wrapped(title(deal, state, style), style.width)]


def place(deal: Deal, style: Style = ENGLISH) -> str:
    """Where a deal stands: "evening.jsonl, deal 2"; also the number that it bears, where that is another."""
    opened = opening_of(deal.log)
    return _placed(deal, None if opened is None else opened.number, style)


def _placed(deal: Deal, number: int | None, style: Style) -> str:
    if number in (None, deal.number):
        told = place_label("deal", style, number=deal.number)
    else:
        told = LABELS["place_and_number"][style.lang].format(place=deal.number, number=number)
    return told if deal.file == STANDARD_INPUT else f"{printable(deal.file)}, {told}"
