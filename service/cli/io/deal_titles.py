"""What a deal or a table is called, and where it stands."""

from typing import Final

from engine import State
from engine.tables import Table
from schemas.answers.deal_reports import find_deal_opening
from schemas.i18n.catalogs import gettext
from service.cli.io.inputs import STDIN_NAME, InputLog
from service.cli.io.terminal_text import sanitize_line
from service.presentation.text.layout import wrap_text
from service.presentation.text.names import location_label
from service.presentation.text.style import TextStyle

ENGLISH_STYLE: Final = TextStyle()
"""How problems are told."""


def deal_title(deal: InputLog, state: State, style: TextStyle) -> str:
    """A deal's title; where it has none, its place."""
    opening_event = state.opening.event
    if opening_event is not None and opening_event.title:
        return opening_event.title
    return _format_location(deal, None if opening_event is None else opening_event.number, style)


def deal_title_lines(deal: InputLog, state: State, style: TextStyle) -> list[str]:
    """A deal's title in bold."""
    return [style.bold(line) for line in wrap_text(deal_title(deal, state, style), style.width)]


def deal_location(deal: InputLog, style: TextStyle = ENGLISH_STYLE) -> str:
    """Where a deal stands: "evening.jsonl, deal 2"; also the number that it bears, where that is another."""
    opening_event = find_deal_opening(deal.log)
    return _format_location(deal, None if opening_event is None else opening_event.number, style)


def _format_location(deal: InputLog, number: int | None, style: TextStyle) -> str:
    if number in (None, deal.number):
        text = location_label("deal", style, number=deal.number)
    else:
        text = style.phrase("deal {place} (number {number})", place=deal.number, number=number)
    return text if deal.file == STDIN_NAME else f"{sanitize_line(deal.file)}, {text}"


def table_title(table: Table, file: str, style: TextStyle) -> str:
    """What a table is called: its title, else the file it stands in."""
    if table.opening_event.title:
        return table.opening_event.title
    if file == STDIN_NAME:
        return style.phrase("Table", "ledger")
    return style.phrase("Table in {file}", "ledger", file=sanitize_line(file))


def table_rules_name(table: Table, style: TextStyle) -> str:
    """The rules of a table by their name, or as its opening has them where they are not known."""
    if not table.rules.is_known:
        return table.opening_event.ruleset
    return gettext(table.rules.ruleset.words, style.lang)
