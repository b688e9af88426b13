"""The point of a deal that is asked about: how much of the log, seen by whom, up to which entry."""

from collections.abc import Iterator
from typing import NamedTuple

from engine import (
    EVERYTHING,
    PUBLIC,
    Audit,
    Log,
    Viewer,
    audit,
    effective,
    in_seat,
    score,
    start,
    view,
)
from engine.audit import gathered, judged
from engine.cards import SEAT_NAMES, SEAT_OF
from engine.vocabulary import Seq
from service.cli.headings import place
from service.cli.inputs import Deal, Inputs
from service.cli.printable import readable

VIEWERS = {**{name: in_seat(SEAT_OF[name]) for name in SEAT_NAMES}, "public": PUBLIC}
"""Who may look, by the word for ``--viewer``."""


class Point(NamedTuple):
    """Where and how to look at a deal (DESIGN 4, Points).

    ``at`` is the entry after which the deal is shown, None for its end; ``known`` is how many
    entries of the log are taken into account, None for all; ``viewer`` is who looks.
    """

    at: Seq | None = None
    known: int | None = None
    viewer: Viewer = EVERYTHING


def audit_at(log: Log, at: Seq | None) -> Audit:
    """``log`` judged up to the entry ``at``, or to its end.

    Before the end, what is missing after the entry is no fault: it is only not asked about.

    Raises:
        LookupError: the log has no such entry.
    """
    if at is None:
        return audit(log)
    history = effective(log)
    history = history._replace(entries=history.up_to(at))
    state, findings = judged(history, start())
    return Audit(history, state, gathered(findings), score(state))


def audits(inputs: Inputs, point: Point, plain: bool) -> Iterator[tuple[Deal, Audit]]:
    """The deals of ``inputs`` as far as ``point`` shows them, each judged; what has no such entry is told.

    ``plain`` makes the texts of the record fit for a terminal.
    """
    for deal in inputs.deals():
        log = readable(deal.log) if plain else deal.log
        deal = deal._replace(log=view(log[: point.known], point.viewer))
        try:
            audited = audit_at(deal.log, point.at)
        except LookupError:
            inputs.refuse(f"{place(deal)} has no entry {point.at}; its entries are 1 to {len(deal.log)}.")
            continue
        yield deal, audited
