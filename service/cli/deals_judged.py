"""What is found in the deals of an evening themselves, beside what its ledger finds between them.

The ledger of the API does without: it may be read by those who may not see every card, and a finding
tells of cards. Who has the logs as files has all of it.
"""

from collections.abc import Iterator, Mapping

from engine import Log, audit
from engine.rulesets import Book
from engine.tables import Ledger
from engine.tables.judging import as_it_lay
from engine.tables.ledger import TableFinding


def with_deals_judged(told: Ledger, logs: Mapping[str, Log], book: Book) -> Ledger:
    """The ledger with what each deal breaks by itself behind what was found already; not what is mere info.

    ``logs``: the deals' own, by the names by which the table started them.
    """
    judged = (
        TableFinding(name, one)
        for name, log in _as_they_lay(told, logs)
        for one in audit(log, book).findings
        if one.severity != "info"
    )
    return told._replace(findings=tuple(dict.fromkeys((*told.findings, *judged))))


def _as_they_lay(told: Ledger, logs: Mapping[str, Log]) -> Iterator[tuple[str, Log]]:
    """The deals in their order; one that does not record its pool with what lay there by the ledger."""
    lines = {line.deal: line for line in told.lines if line.deal is not None}
    for name, line in lines.items():
        if name in logs:
            yield name, as_it_lay(logs[name], line)
