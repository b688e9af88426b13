"""What is found in the deals of an evening themselves, beside what its ledger finds between them.

The ledger of the API does without: it may be read by those who may not see every card, and a finding
tells of cards. Who has the logs as files has all of it.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine import Log, audit
from engine.diagnosis.conditions import with_conditions
from engine.diagnosis.explanations import may_be_mistaken
from engine.rulesets import Book
from engine.tables import Ledger
from engine.tables.judging import as_it_lay
from engine.tables.ledger import TableFinding


class DealsJudged(NamedTuple):
    """A ledger with the findings of its deals; ``mistaken``: a mistake of the pen may explain some."""

    ledger: Ledger
    mistaken: bool


def with_deals_judged(told: Ledger, logs: Mapping[str, Log], book: Book) -> DealsJudged:
    """The ledger with what each deal breaks by itself behind what was found already; not what is mere info.

    ``logs``: the deals' own, by the names by which the table started them.
    """
    deals = [(name, audit(log, book)) for name, log in _as_they_lay(told, logs)]
    judged = (
        TableFinding(name, one)
        for name, audited in deals
        for one in with_conditions(audited)
        if one.severity != "info"
    )
    found = tuple(dict.fromkeys((*told.findings, *judged)))
    return DealsJudged(told._replace(findings=found), any(may_be_mistaken(audited) for _, audited in deals))


def _as_they_lay(told: Ledger, logs: Mapping[str, Log]) -> Iterator[tuple[str, Log]]:
    """The deals in their order; one that does not record its pool with what lay there by the ledger."""
    lines = {line.deal: line for line in told.lines if line.deal is not None}
    for name, line in lines.items():
        if name in logs:
            yield name, as_it_lay(logs[name], line)
