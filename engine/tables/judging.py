"""An evening folded and judged: its deals by themselves and between them, its payments beside what is due."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from engine.audit import Audit, audit
from engine.core.events import DealOpened
from engine.core.log import Log, place
from engine.diagnosis.conditions import with_conditions
from engine.diagnosis.explanations import for_a_director
from engine.play.findings import Findings
from engine.rulesets import PUBLISHED, Book
from engine.scoring.payments import Chips
from engine.tables.dealt import Dealt, dealt
from engine.tables.evening import ledger
from engine.tables.ledger import Ledger, Line, TableFinding
from engine.tables.recount import Settlement, counting, settlements_in


class Judged(NamedTuple):
    """An evening judged.

    ``log``: the table's; ``ledger``: as the table has it, by the rules wherever they say what a deal pays. By
    the streams' names of its deals, in the order in which they were started: ``folded``, ``logs`` as they
    lay, with the pool that a deal does not record itself, and ``audits`` of these.
    """

    log: Log
    ledger: Ledger
    folded: Mapping[str, Dealt]
    logs: Mapping[str, Log]
    audits: Mapping[str, Audit]

    def lines(self) -> Iterator[tuple[str, Line]]:
        """The line of each deal whose record is here, with its name."""
        for line in self.ledger.lines:
            if line.deal is not None and line.deal in self.logs:
                yield line.deal, line

    def settlements(self, name: str, line: Line) -> tuple[Settlement, ...]:
        """All that the record of a deal says was paid, each beside what the rules say, where they say it."""
        due = line._replace(decided=line.decided and self.audits[name].score.decided)
        return tuple(settlements_in(self.logs[name], self.folded[name].state, due))

    def apart(self) -> dict[str, Chips]:
        """By deal how much what was paid in it is not what the rules pay, by player."""
        found: dict[str, Chips] = {}
        for name, line in self.lines():
            paid = counting(self.settlements(name, line))
            found[name] = () if paid is None else paid.apart or ()
        return found


def judged_evening(
    log: Log, deals: Mapping[str, Log], book: Book = PUBLISHED, known: Judged | None = None
) -> Judged | None:
    """The evening of a table: ``log`` is the table's, ``deals`` its deals' by their streams' names.

    None where the log does not say how the table was opened. A deal that lay so in the evening that is
    ``known`` is not judged anew.
    """
    folded = {name: dealt(deal, book) for name, deal in deals.items()}
    told = ledger(log, folded, book)
    if told is None:
        return None
    logs = {
        line.deal: as_it_lay(deals[line.deal], line)
        for line in told.lines
        if line.deal is not None and line.deal in deals
    }
    audits = {
        name: known.audits[name] if known is not None and known.logs.get(name) == deal else audit(deal, book)
        for name, deal in logs.items()
    }
    return Judged(log, told, folded, logs, audits)


def as_it_lay(log: Log, line: Line) -> Log:
    """A deal with what lay in the pool by its line of the ledger, where it does not record that itself."""
    opening = log[0].event if log else None
    if line.before is None or not isinstance(opening, DealOpened) or opening.pool is not None:
        return log
    lay = line.before.to_play_for
    return (log[0]._replace(event=replace(opening, pool=lay.pool, reserved=lay.reserved)), *log[1:])


def found_in(evening: Judged, told: Callable[[Audit], Findings] = with_conditions) -> Iterator[TableFinding]:
    """All that is found and matters: in the table's own log, then deal by deal in their order.

    ``told``: a deal's findings as they are told.
    """
    between = evening.ledger.findings
    for one in for_a_director(one.finding for one in between if one.deal is None):
        yield TableFinding(None, one)
    for name, judged in evening.audits.items():
        there = {(one.seq, one.code, one.about): one for one in told(judged)}
        there |= {
            (one.finding.seq, one.finding.code, None): one.finding for one in between if one.deal == name
        }
        for one in sorted(for_a_director(there.values()), key=lambda one: place(one.seq)):
            yield TableFinding(name, one)
