"""The report of a table: what a director wants to know of an evening, and each fault once."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.audit import Audit
from engine.core.log import Log
from engine.judging.caveats import has_caveat
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.scoring.payments import Payments
from engine.tables.evening_audit import EveningAudit, Settlement, audit_evening
from engine.tables.evening_changes import EveningChange, list_evening_changes
from engine.tables.evening_faults import CHIP_CODES, EveningFault, collect_faults
from engine.tables.evening_mistakes import find_evening_mistakes
from engine.tables.ledger import Ledger, LedgerLine, Pot, recorded_pot
from engine.tables.table import Table, fold_table


class DealReport(NamedTuple):
    """A deal of the evening: its line of the ledger as recorded, and what was paid compared with what is due.

    ``audit``: its audit, None if its record is not here. The rest applies after obvious input errors are
    corrected. ``due_chips``: what the rules pay, None if they or the record do not say, and for a deal that
    was entered twice; ``settlements``: all payments that were recorded; ``difference``: what was paid minus
    what is due, by player; ``running_difference``: the same for all deals up to and including this one.
    """

    line: LedgerLine
    audit: Audit | None
    due_chips: Payments | None
    settlements: tuple[Settlement, ...]
    difference: Payments
    running_difference: Payments


class FirstDifference(NamedTuple):
    """Where the table's account first differs from the rules: the deal, and its fault.

    ``difference``: by how much what was paid is not what is due, by player; ``recorded_pot``: the pool with
    which the deal was opened, where that is not what the earlier deals left (`line.pot_before`).
    """

    line: LedgerLine
    fault: EveningFault
    difference: Payments
    recorded_pot: Pot | None


class TableReport(NamedTuple):
    """The report of a table.

    ``ledger``: as the table has it; ``corrected_ledger``: once obvious input errors are corrected;
    ``deals``: in the order in which they were started; ``faults``: those of the table's own log first, then
    deal by deal; ``first_difference``: where what was paid, or the pool, first is not what it should be, and
    not only because of another fault; ``changes``: who came later or left, and what was corrected.
    """

    table: Table
    ledger: Ledger
    corrected_ledger: Ledger
    deals: tuple[DealReport, ...]
    faults: tuple[EveningFault, ...]
    first_difference: FirstDifference | None
    changes: tuple[EveningChange, ...] = ()

    @property
    def difference(self) -> Payments:
        """By how much the table and the rules differ in the end, by player."""
        return self.deals[-1].running_difference if self.deals else ()

    @property
    def deal_numbers_with_caveats(self) -> tuple[int, ...]:
        """The numbers of the deals with a fault that depends on a condition."""
        numbers = (one.number for one in self.faults if has_caveat(one.finding.message))
        return tuple(dict.fromkeys(number for number in numbers if number is not None))

    @property
    def ok(self) -> bool:
        """Whether nothing at the table is impossible or against the rules."""
        return not any(one.finding.severity in ("impossible", "error") for one in self.faults)


def compile_table_report(
    log: Log, deals: Mapping[str, Log], book: RulesetBook = PUBLISHED_RULESETS
) -> TableReport | None:
    """The report of an evening: ``log`` is the table's, ``deals`` its deals' by their streams' names.

    Deals that are not among ``deals`` have their lines alone. None where the log does not say how the
    table was opened.
    """
    table, evening = fold_table(log, book), audit_evening(log, deals, book)
    if table is None or evening is None:
        return None
    mistakes = find_evening_mistakes(evening, deals, book)
    corrected = audit_evening(mistakes.log, mistakes.deals, book, evening) or evening
    faults = collect_faults(evening, corrected, mistakes)
    return TableReport(
        table,
        evening.ledger,
        corrected.ledger,
        tuple(_list_deal_reports(evening, corrected)),
        faults,
        next(
            (_build_first_difference(corrected, one) for one in faults if one.finding.code in CHIP_CODES),
            None,
        ),
        tuple(
            list_evening_changes(
                log, evening.audits, {name: line.number for name, line in evening.list_deal_lines()}
            )
        ),
    )


def _list_deal_reports(recorded: EveningAudit, corrected: EveningAudit) -> Iterator[DealReport]:
    """The deals in their order, and how far the table and the rules differ after each."""
    right, differences = dict(corrected.list_deal_lines()), corrected.find_differences()
    running: dict[str, int] = {}
    for line in recorded.ledger.lines:
        name = line.deal
        if name is None:
            continue
        for player, chips in differences.get(name, ()):
            running[player] = running.get(player, 0) + chips
        decided = name in right and right[name].is_decided and corrected.audits[name].score.decided
        yield DealReport(
            line,
            recorded.audits.get(name),
            right[name].chips if decided else None,
            corrected.list_settlements(name, right[name]) if name in right else (),
            differences.get(name, ()),
            tuple((player, chips) for player, chips in running.items() if chips),
        )


def _build_first_difference(corrected: EveningAudit, fault: EveningFault) -> FirstDifference:
    """By how much the table's account and the rules differ in a deal, by a fault of its chips."""
    name, line = next((name, line) for name, line in corrected.list_deal_lines() if name == fault.deal)
    settlements = corrected.list_settlements(name, line)
    differences: list[Payments] = [
        one.difference for one in settlements if one.difference and one.seq == fault.finding.seq
    ]
    recorded = recorded_pot(corrected.deals[name].state)
    differs = line.pot_before is not None and recorded != line.pot_before.opening_pot
    return FirstDifference(line, fault, differences[0] if differences else (), recorded if differs else None)
