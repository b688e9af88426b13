"""What was plainly entered wrongly in an evening, and the evening without it.

A deal that was entered twice is struck, and the mistakes of the pen in a deal are corrected, both by entries
as a person would append them. That is done to see what follows from them, and never to the record.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.core.events import CorrectionMade
from engine.core.log import Log
from engine.core.message import said
from engine.core.table_events import DealStarted
from engine.diagnosis.explanations import Explanation, explanation, in_places, with_corrections
from engine.play.findings import Finding, finding
from engine.play.history import effective
from engine.rulesets import PUBLISHED, Book
from engine.tables.doubling import Doubled, doubled
from engine.tables.judging import Judged


class Mistakes(NamedTuple):
    """What was entered wrongly, by the streams' names of deals: those entered twice, those explained.

    ``log`` and ``deals``: the table's log and those of its deals without all that.
    """

    doubled: Mapping[str, Doubled]
    explained: Mapping[str, Explanation]
    log: Log
    deals: Mapping[str, Log]

    def as_recorded(self, name: str, one: Finding) -> Finding:
        """A finding of the deal as put right, with the entries as they stand in the record."""
        if name not in self.explained:
            return one
        explained = self.explained[name]
        recorded = self.deals[name][: -len(explained.corrections)]
        return in_places(one, explained.places(recorded))


def mistakes_in(evening: Judged, deals: Mapping[str, Log], book: Book = PUBLISHED) -> Mistakes:
    """What was entered wrongly in an evening; ``deals`` are its deals' logs as recorded, by their names."""
    found = evening.ledger.findings
    astray = {one.deal for one in found if one.deal and one.finding.code == "seating_mismatch"}
    twice = doubled(evening.logs, deals, astray)
    explained = dict(_explained(evening, twice, book))
    return Mistakes(
        twice,
        explained,
        with_corrections(evening.log, _struck(evening.log, twice)),
        {
            name: with_corrections(deal, explained[name].corrections) if name in explained else deal
            for name, deal in deals.items()
            if name not in twice
        },
    )


def _explained(
    evening: Judged, twice: Mapping[str, Doubled], book: Book
) -> Iterator[tuple[str, Explanation]]:
    for name, judged in evening.audits.items():
        if judged.findings and name not in twice:
            found = explanation(evening.logs[name], judged, book)
            if found is not None:
                yield name, found


def _struck(log: Log, twice: Mapping[str, Doubled]) -> Iterator[CorrectionMade]:
    """The corrections of a table's log that leave out the deals that were entered twice."""
    for entry in effective(log).entries:
        if isinstance(entry.event, DealStarted) and entry.event.deal in twice:
            yield CorrectionMade("", (entry.seq,), None, ())


def entered_twice(evening: Judged, name: str, one: Doubled) -> Finding:
    """That a deal was entered before, as a finding at the first entry that shows it; of a slip a warning."""
    number = next(line.number or 0 for line in evening.ledger.lines if line.deal == one.first)
    message = said(
        "This deal is deal {number} once more; it counts twice until one of them is taken back.",
        number=number,
    )
    if not one.certain:
        message = said(
            "This slip says what that of deal {number} says, of the same people in the same seats and "
            "out of turn: perhaps it is that deal once more.",
            number=number,
        )
    seq, *others = one.evidence
    told = finding(seq, "deal_doubled", message, "9. Record", evidence=tuple(others))
    return told if one.certain else told._replace(severity="warning")
