"""An evening folded and judged: each deal, what links the deals, and what was paid compared with what is due.

No settlement is believed (RULES 7).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from engine.audit import Audit, audit
from engine.core.events import DealClosed, DealOpened, DealSettled
from engine.core.field_types import Seq
from engine.core.log import Log, seq_key
from engine.diagnosis.explanations import filter_for_director
from engine.diagnosis.finding_caveats import add_caveats
from engine.play.findings import Findings
from engine.play.history import effective
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.scoring.payments import Payments, add_by_name, payment_differences
from engine.tables.evening_deal import EveningDeal, fold_evening_deal, player_at
from engine.tables.ledger import Ledger, LedgerLine, TableFinding
from engine.tables.ledger_builder import compute_ledger


class Settlement(NamedTuple):
    """What an entry of a deal says was paid.

    ``difference``: by how much it is not what the rules pay, by player, without those for whom it agrees;
    None where it is not known what the rules pay. ``engine_version``: the version that computed a closing.
    """

    seq: Seq
    payments: Payments
    difference: Payments | None
    engine_version: str | None


def effective_settlement(settlements: Sequence[Settlement]) -> Settlement | None:
    """The last of a deal's settlements, which counts; None of none.

    A closing has what was computed, and counts only where no settlement was recorded.
    """
    paid = [one for one in settlements if one.engine_version is None] or settlements
    return paid[-1] if paid else None


class EveningAudit(NamedTuple):
    """An evening judged.

    ``log``: the table's; ``ledger``: as the table has it, by the rules wherever they say what a deal pays. By
    the streams' names of its deals, in the order in which they were started: ``deals`` as folded, ``logs`` as
    they lay, with the pool that a deal does not record itself, and ``audits`` of these.
    """

    log: Log
    ledger: Ledger
    deals: Mapping[str, EveningDeal]
    logs: Mapping[str, Log]
    audits: Mapping[str, Audit]

    def list_deal_lines(self) -> Iterator[tuple[str, LedgerLine]]:
        """The line of each deal whose record is here, with its name."""
        for line in self.ledger.lines:
            if line.deal is not None and line.deal in self.logs:
                yield line.deal, line

    def list_settlements(self, name: str, line: LedgerLine) -> tuple[Settlement, ...]:
        """Each payment in the record of a deal, compared with what the rules pay where that is known."""
        state, is_decided = self.deals[name].state, line.is_decided and self.audits[name].score.decided
        settlements = []
        for seq, event, _ in effective(self.logs[name]).entries:
            if isinstance(event, (DealSettled, DealClosed)):
                paid = add_by_name(
                    (player_at(state, line.seating, at), chips) for at, chips in event.payments
                )
                difference = payment_differences(line.chips, paid.items()) if is_decided else None
                engine = event.engine if isinstance(event, DealClosed) else None
                settlements.append(Settlement(seq, tuple(paid.items()), difference, engine))
        return tuple(settlements)

    def find_differences(self) -> dict[str, Payments]:
        """By deal how much what was paid in it is not what the rules pay, by player."""
        found: dict[str, Payments] = {}
        for name, line in self.list_deal_lines():
            paid = effective_settlement(self.list_settlements(name, line))
            found[name] = () if paid is None else paid.difference or ()
        return found


def audit_evening(
    log: Log,
    deals: Mapping[str, Log],
    book: RulesetBook = PUBLISHED_RULESETS,
    previous: EveningAudit | None = None,
) -> EveningAudit | None:
    """The evening of a table: ``log`` is the table's, ``deals`` its deals' by their streams' names.

    None where the log opens no table. A deal that is the same in ``previous`` is not judged again.
    """
    folded = {name: fold_evening_deal(deal, book) for name, deal in deals.items()}
    ledger = compute_ledger(log, folded, book)
    if ledger is None:
        return None
    logs = {
        line.deal: add_pot_to_opening(deals[line.deal], line)
        for line in ledger.lines
        if line.deal is not None and line.deal in deals
    }
    audits = {
        name: previous.audits[name]
        if previous is not None and previous.logs.get(name) == deal
        else audit(deal, book)
        for name, deal in logs.items()
    }
    return EveningAudit(log, ledger, folded, logs, audits)


def add_pot_to_opening(log: Log, line: LedgerLine) -> Log:
    """A deal with what lay in the pool by its line of the ledger, where it does not record that itself."""
    opening = log[0].event if log else None
    if line.pot_before is None or not isinstance(opening, DealOpened) or opening.pool is not None:
        return log
    pot = line.pot_before.opening_pot
    return (log[0]._replace(event=replace(opening, pool=pot.pool, reserved=pot.reserved)), *log[1:])


def list_evening_findings(
    evening: EveningAudit, findings_of: Callable[[Audit], Findings] = add_caveats
) -> Iterator[TableFinding]:
    """All findings that a director needs: in the table's own log, then deal by deal in their order.

    ``findings_of`` lists a deal's findings, worded as they are shown.
    """
    ledger_findings = evening.ledger.findings
    for one in filter_for_director(one.finding for one in ledger_findings if one.deal is None):
        yield TableFinding(None, one)
    for name, judged in evening.audits.items():
        deal_findings = {(one.seq, one.code, one.about): one for one in findings_of(judged)}
        deal_findings |= {
            (one.finding.seq, one.finding.code, None): one.finding
            for one in ledger_findings
            if one.deal == name
        }
        for one in sorted(filter_for_director(deal_findings.values()), key=lambda one: seq_key(one.seq)):
            yield TableFinding(name, one)
