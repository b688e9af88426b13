"""The deals of a run, each looked at from the point that the command line asks about."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from engine import Audit, Log, effective
from engine.core.field_types import Seq
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from schemas.logs.deal_size import DealTooLarge, require_displayable
from service.cli.io.deal_titles import deal_location
from service.cli.io.inputs import InputLog
from service.cli.io.terminal_text import sanitize_log
from service.records.deal_points import VIEWERS_BY_NAME, UnknownPoint, build_deal_point, first_known_entries
from service.records.deal_points import DealPoint as Reached
from service.records.variation_tree import VariationExpander


class PointOptions(NamedTuple):
    """Where and how to look at a deal (DESIGN 4, Points).

    ``at`` is the entry after which the deal is shown, None for its end; ``known`` is how many
    entries of the log are taken into account, None for all; ``viewer`` is the word for who looks;
    ``book`` has the rulesets that a deal may name.
    """

    at: Seq | None
    known: int | None
    viewer: str
    book: RulesetBook = PUBLISHED_RULESETS


def audit_deals(
    deals: Iterable[InputLog],
    report_unreadable: Callable[[str], None],
    point: PointOptions,
    for_terminal: bool,
) -> Iterator[tuple[InputLog, Audit]]:
    """``deals`` as far as ``point`` lets them be known, each judged there, as `deals_at_point` has them."""
    for deal, deal_point in deals_at_point(deals, report_unreadable, point, for_terminal):
        yield deal, deal_point.audit


def deals_at_point(
    deals: Iterable[InputLog],
    report_unreadable: Callable[[str], None],
    point: PointOptions,
    for_terminal: bool,
) -> Iterator[tuple[InputLog, Reached]]:
    """Yield ``deals`` as far as ``point`` lets them be known, each at that point.

    A variation is judged after its beginning (`VariationExpander`). A deal that has no such point is skipped
    and reported to ``report_unreadable``. ``for_terminal`` makes the record's texts safe for a terminal.
    """
    for deal, course in expand_deals(deals, point.viewer, for_terminal):
        try:
            deal_point = build_deal_point(course, point.at, point.known, point.book)
        except UnknownPoint as error:
            report_unreadable(f"{deal_location(deal)}: {error}")
            continue
        yield deal._replace(log=first_known_entries(deal.log, point.known)), deal_point


def skip_oversized_deals(
    deals: Iterable[tuple[InputLog, Log]], report_unreadable: Callable[[str], None]
) -> Iterator[tuple[InputLog, Log]]:
    """Yield ``deals`` that are not too large to report on; report the others to ``report_unreadable``."""
    for deal, course in deals:
        try:
            require_displayable(effective(course))
        except DealTooLarge as error:
            report_unreadable(f"{deal_location(deal)}: {error}")
        else:
            yield deal, course


def expand_deals(
    deals: Iterable[InputLog], viewer: str, for_terminal: bool
) -> Iterator[tuple[InputLog, Log]]:
    """``deals``, each with its log as ``viewer`` may know it: a variation behind its beginning
    (`VariationExpander`)."""
    variations, previous = VariationExpander(), ("", 0)
    for deal in deals:
        # A log between the two that is no deal, or cannot be read, parts a variation from what it leaves.
        if previous != (deal.file, deal.number - 1):
            variations = VariationExpander()
        previous = (deal.file, deal.number)
        log = sanitize_log(deal.log) if for_terminal else deal.log
        yield deal._replace(log=log), variations.expand_log(log, VIEWERS_BY_NAME[viewer])
