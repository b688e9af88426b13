"""What was plainly entered wrongly in an evening, and the evening without it; the record stays as it is."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.core.events import CorrectionMade
from engine.core.log import Log
from engine.core.message import format_message
from engine.core.table_events import DealStarted
from engine.diagnosis.explanations import Explanation, append_corrections, explain_findings, relocate_finding
from engine.play.findings import Finding, build_finding
from engine.play.history import effective
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.tables.duplicate_deals import DuplicateDeal, find_duplicate_deals
from engine.tables.evening_audit import EveningAudit


class EveningMistakes(NamedTuple):
    """What was entered wrongly, by the streams' names of deals: those entered twice, those explained.

    ``log`` and ``deals``: the table's log and those of its deals without all that.
    """

    duplicates: Mapping[str, DuplicateDeal]
    explanations: Mapping[str, Explanation]
    log: Log
    deals: Mapping[str, Log]

    def relocate_finding(self, name: str, one: Finding) -> Finding:
        """A finding of the deal as put right, with the entries as they stand in the record."""
        if name not in self.explanations:
            return one
        explained = self.explanations[name]
        recorded = self.deals[name][: -len(explained.corrections)]
        return relocate_finding(one, explained.original_seqs(recorded))


def find_evening_mistakes(
    evening: EveningAudit, deals: Mapping[str, Log], book: RulesetBook = PUBLISHED_RULESETS
) -> EveningMistakes:
    """What was entered wrongly in an evening; ``deals`` are its deals' logs as recorded, by their names."""
    findings = evening.ledger.findings
    misseated = {one.deal for one in findings if one.deal and one.finding.code == "seating_mismatch"}
    duplicates = find_duplicate_deals(evening.logs, deals, misseated)
    explained = dict(_list_explanations(evening, duplicates, book))
    return EveningMistakes(
        duplicates,
        explained,
        append_corrections(evening.log, _list_duplicate_corrections(evening.log, duplicates)),
        {
            name: append_corrections(deal, explained[name].corrections) if name in explained else deal
            for name, deal in deals.items()
            if name not in duplicates
        },
    )


def _list_explanations(
    evening: EveningAudit, duplicates: Mapping[str, DuplicateDeal], book: RulesetBook
) -> Iterator[tuple[str, Explanation]]:
    for name, judged in evening.audits.items():
        if judged.findings and name not in duplicates:
            found = explain_findings(evening.logs[name], judged, book)
            if found.mistakes:
                yield name, found


def _list_duplicate_corrections(
    log: Log, duplicates: Mapping[str, DuplicateDeal]
) -> Iterator[CorrectionMade]:
    """The corrections of a table's log that leave out the deals that were entered twice."""
    for entry in effective(log).entries:
        if isinstance(entry.event, DealStarted) and entry.event.deal in duplicates:
            yield CorrectionMade("", (entry.seq,), None, ())


def build_duplicate_finding(evening: EveningAudit, duplicate: DuplicateDeal) -> Finding:
    """That a deal was entered before, as a finding at the first entry that shows it; of a slip a warning."""
    number = next(line.number or 0 for line in evening.ledger.lines if line.deal == duplicate.first)
    message = format_message(
        "This deal is deal {number} once more; it counts twice until one of them is taken back.",
        number=number,
    )
    if not duplicate.is_certain:
        message = format_message(
            "This slip says what that of deal {number} says, of the same people in the same seats and "
            "out of turn: perhaps it is that deal once more.",
            number=number,
        )
    seq, *others = duplicate.evidence
    finding = build_finding(seq, "deal_doubled", message, "9. Record", evidence=tuple(others))
    return finding if duplicate.is_certain else finding._replace(severity="warning")
