"""What is found in the deals of an evening themselves, beside what its ledger finds between them.

The ledger of the API does without: it may be read by those who may not see every card, and a finding
tells of cards. Who has the logs as files has all of it.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine import Log, audit
from engine.diagnosis.explanations import has_suspected_mistake
from engine.diagnosis.finding_caveats import add_caveats
from engine.rulesets import RulesetBook
from engine.tables import Ledger
from engine.tables.evening_audit import add_pot_to_opening
from engine.tables.ledger import TableFinding


class AuditedLedger(NamedTuple):
    """A ledger with the findings of its deals; ``may_have_mistakes``: a mistake of the pen may explain
    some."""

    ledger: Ledger
    may_have_mistakes: bool


def audit_ledger_deals(ledger: Ledger, deal_logs: Mapping[str, Log], book: RulesetBook) -> AuditedLedger:
    """The ledger with what each deal breaks by itself behind what was found already; not what is mere info.

    ``deal_logs``: the deals' own, by the names by which the table started them.
    """
    deals = [(name, audit(log, book)) for name, log in _deals_with_pools(ledger, deal_logs)]
    deal_findings = (
        TableFinding(name, one)
        for name, audited in deals
        for one in add_caveats(audited)
        if one.severity != "info"
    )
    found = tuple(dict.fromkeys((*ledger.findings, *deal_findings)))
    return AuditedLedger(
        ledger._replace(findings=found), any(has_suspected_mistake(audited) for _, audited in deals)
    )


def _deals_with_pools(ledger: Ledger, logs: Mapping[str, Log]) -> Iterator[tuple[str, Log]]:
    """The deals in their order; one that does not record its pool with what lay there by the ledger."""
    lines = {line.deal: line for line in ledger.lines if line.deal is not None}
    for name, line in lines.items():
        if name in logs:
            yield name, add_pot_to_opening(logs[name], line)
