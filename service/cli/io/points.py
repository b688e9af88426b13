"""The deals of a run, each looked at from the point that the command line asks about."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from engine import Audit, Log, effective
from engine.core.vocabulary import Seq
from engine.rulesets import PUBLISHED, Book
from schemas.logs.deal_size import DealTooLarge, require_size
from service.cli.io.deal_titles import place
from service.cli.io.inputs import Deal
from service.cli.io.terminal_text import readable
from service.records.points import VIEWERS, UnknownPoint, known_part, point_of
from service.records.points import Point as Reached
from service.records.variation_tree import Family


class Point(NamedTuple):
    """Where and how to look at a deal (DESIGN 4, Points).

    ``at`` is the entry after which the deal is shown, None for its end; ``known`` is how many
    entries of the log are taken into account, None for all; ``viewer`` is the word for who looks;
    ``book`` has the rulesets that a deal may name.
    """

    at: Seq | None
    known: int | None
    viewer: str
    book: Book = PUBLISHED


def audits(
    deals: Iterable[Deal], refuse: Callable[[str], None], point: Point, plain: bool
) -> Iterator[tuple[Deal, Audit]]:
    """``deals`` as far as ``point`` lets them be known, each judged there, as `reached` has them."""
    for deal, there in reached(deals, refuse, point, plain):
        yield deal, there.audit


def reached(
    deals: Iterable[Deal], refuse: Callable[[str], None], point: Point, plain: bool
) -> Iterator[tuple[Deal, Reached]]:
    """``deals`` as far as ``point`` lets them be known, each at that point.

    A variation is judged behind its beginning (`Family`). A deal that has no such point is told to
    ``refuse``, and left out. ``plain`` makes the texts of the record fit for a terminal.
    """
    for deal, course in courses(deals, point.viewer, plain):
        try:
            there = point_of(course, point.at, point.known, point.book)
        except UnknownPoint as error:
            refuse(f"{place(deal)}: {error}")
            continue
        yield deal._replace(log=known_part(deal.log, point.known)), there


def of_size(deals: Iterable[tuple[Deal, Log]], refuse: Callable[[str], None]) -> Iterator[tuple[Deal, Log]]:
    """Those of ``deals`` that are not too large to be reported on; the others are told to ``refuse``."""
    for deal, course in deals:
        try:
            require_size(effective(course))
        except DealTooLarge as error:
            refuse(f"{place(deal)}: {error}")
        else:
            yield deal, course


def courses(deals: Iterable[Deal], viewer: str, plain: bool) -> Iterator[tuple[Deal, Log]]:
    """``deals``, each with its log as ``viewer`` may know it: a variation behind its beginning (`Family`)."""
    family, before = Family(), ("", 0)
    for deal in deals:
        # A log between the two that is no deal, or cannot be read, parts a variation from what it leaves.
        if before != (deal.file, deal.number - 1):
            family = Family()
        before = (deal.file, deal.number)
        log = readable(deal.log) if plain else deal.log
        yield deal._replace(log=log), family.course(log, VIEWERS[viewer])
