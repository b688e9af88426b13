"""What a deal is called, and where it stands."""

from typing import Final

from engine import State
from service.cli.inputs import STANDARD_INPUT, Deal
from service.cli.layout import wrapped
from service.cli.names import place_label
from service.cli.printable import printable
from service.cli.style import Style

ENGLISH: Final = Style()
"""How problems are told."""


def title(deal: Deal, state: State, style: Style) -> str:
    """A deal's title; where it has none, its place."""
    opened = state.opening.opened
    return opened.title if opened and opened.title else place(deal, style)


def heading(deal: Deal, state: State, style: Style) -> list[str]:
    """A deal's title in bold."""
    return [style.bold(line) for line in wrapped(title(deal, state, style), style.width)]


def place(deal: Deal, style: Style = ENGLISH) -> str:
    """Where a deal stands: "evening.jsonl, deal 2"."""
    number = place_label("deal", style, number=deal.number)
    return number if deal.file == STANDARD_INPUT else f"{printable(deal.file)}, {number}"
