"""The deals and tables of a run: their names, and the point at which they are shown."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from engine import Log, State
from engine.core.field_types import Seq
from engine.play.history import find_deal_opening
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.tables import Table
from schemas.i18n.catalogs import gettext
from schemas.logs.deal_size import DealTooLarge
from service.cli.io.inputs import STDIN_NAME, InputLog
from service.cli.io.safe_group import print_to_stderr
from service.cli.io.terminal_text import sanitize_line, sanitize_log
from service.presentation.text.layout import wrap_text
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES
from service.records.deal_points import (
    VIEWERS_BY_NAME,
    DealPoint,
    UnknownPoint,
    build_deal_point,
    first_known_entries,
)
from service.records.log_grouping import TableLogs, group_logs
from service.records.variations import VariationExpander

ENGLISH_STYLE: Final = TextStyle()
"""The style of messages about problems."""


def deal_title(deal: InputLog, state: State, style: TextStyle) -> str:
    """A deal's title, or its location if it has none."""
    opening_event = state.opening.event
    if opening_event is not None and opening_event.title:
        return opening_event.title
    return _format_location(deal, None if opening_event is None else opening_event.number, style)


def deal_title_lines(deal: InputLog, state: State, style: TextStyle) -> list[str]:
    """A deal's title in bold."""
    return [style.bold(line) for line in wrap_text(deal_title(deal, state, style), style.width)]


def deal_location(deal: InputLog, style: TextStyle = ENGLISH_STYLE) -> str:
    """Where a deal is: "evening.jsonl, deal 2"; with its recorded number, if that differs."""
    opening_event = find_deal_opening(deal.log)
    return _format_location(deal, None if opening_event is None else opening_event.number, style)


def _format_location(deal: InputLog, number: int | None, style: TextStyle) -> str:
    if number in (None, deal.number):
        text = style.phrase(LABEL_PHRASES["deal"], number=deal.number)
    else:
        text = style.phrase("deal {place} (number {number})", place=deal.number, number=number)
    return text if deal.file == STDIN_NAME else f"{sanitize_line(deal.file)}, {text}"


class PointOptions(NamedTuple):
    """The point at which to show a deal (DESIGN 4, Points).

    ``at`` is the entry after which the deal is shown, None for its end; ``known`` is how many entries of the
    log count, None for all; ``viewer`` is the name of the viewer; ``book`` has the rulesets a deal may name.
    """

    at: Seq | None
    known: int | None
    viewer: str
    book: RulesetBook = PUBLISHED_RULESETS


def deals_at_point(
    deals: Iterable[InputLog],
    report_unreadable: Callable[[str], None],
    point: PointOptions,
    for_terminal: bool,
    has_size_limit: bool = False,
) -> Iterator[tuple[InputLog, DealPoint]]:
    """Yield ``deals`` as ``point`` shows them, each at that point.

    A variation is judged after its beginning (`VariationExpander`). A deal that has no such point is skipped
    and reported to ``report_unreadable``, with ``has_size_limit`` also one that is too large for answers that
    look at every entry. ``for_terminal`` makes the texts of the log safe for a terminal.
    """
    for deal, course in expand_deals(deals, point.viewer, for_terminal):
        try:
            deal_point = build_deal_point(course, point.at, point.known, point.book)
            if has_size_limit:
                deal_point.require_size()
        except (UnknownPoint, DealTooLarge) as error:
            report_unreadable(f"{deal_location(deal)}: {error}")
            continue
        if point.known is not None:
            deal = deal._replace(log=first_known_entries(deal.log, point.known))
        yield deal, deal_point


def expand_deals(
    deals: Iterable[InputLog], viewer: str, for_terminal: bool
) -> Iterator[tuple[InputLog, Log]]:
    """``deals``, each with its log as ``viewer`` may know it; a variation after its beginning."""
    variations, previous = VariationExpander(), ("", 0)
    for deal in deals:
        # A variation must directly follow the deal that it leaves.
        if previous != (deal.file, deal.number - 1):
            variations = VariationExpander()
        previous = (deal.file, deal.number)
        if for_terminal:
            deal = deal._replace(log=sanitize_log(deal.log))
        yield deal, variations.expand_log(deal.log, VIEWERS_BY_NAME[viewer])


def collect_tables(logs: Iterable[InputLog], book: RulesetBook) -> list[TableLogs[InputLog]]:
    """The tables among ``logs``, each with its deals; a deal that belongs to none is reported."""
    found = group_logs(logs, book)
    for one in found.duplicate_deals:
        print_to_stderr(f"{deal_location(one)}: this deal appears twice; only the first one counts.")
    for one in found.standalone_deals:
        print_to_stderr(f"{deal_location(one)}: no table in the input has started this deal; it is left out.")
    return found.tables


def table_title(table: Table, file: str, style: TextStyle) -> str:
    """A table's title, or else the file that it is in."""
    if table.opening_event.title:
        return table.opening_event.title
    if file == STDIN_NAME:
        return style.phrase("Table", "ledger")
    return style.phrase("Table in {file}", "ledger", file=sanitize_line(file))


def table_rules_name(table: Table, style: TextStyle) -> str:
    """The name of a table's rules; of unknown rules the id in its opening."""
    if not table.rules.is_known:
        return table.opening_event.ruleset
    return gettext(table.rules.ruleset.words, style.lang)
