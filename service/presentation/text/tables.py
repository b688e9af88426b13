"""What follows from a fault of a table, and by how much its deals part from the rules, each as a phrase."""

from collections.abc import Mapping

from engine.tables.faults import Fault
from engine.tables.ledger import TableFinding
from engine.tables.report import Parting, TableReport
from service.presentation.i18n.translate import told
from service.presentation.text.findings import begins_with_entry, with_cards
from service.presentation.text.names import listed
from service.presentation.text.style import Style
from service.presentation.text.table_report_words import TABLE_REPORT


def following_told(
    one: TableFinding, fault: Fault, numbers: Mapping[str | None, int | None], style: Style
) -> str:
    """A finding that follows from a fault, after its entry; ``numbers`` are those of the deals."""
    what = with_cards(told(one.finding.message, style.lang), style)
    if one.deal is None or one.deal == fault.deal:
        if begins_with_entry(what, one.finding, style):
            return what
        return TABLE_REPORT["follows_at"][style.lang].format(seq=one.finding.seq, what=what)
    number = numbers.get(one.deal)
    return TABLE_REPORT["follows_in"][style.lang].format(number=number, seq=one.finding.seq, what=what)


def parting_told(first: Parting, style: Style) -> str:
    """By how much, and for whom, the first deal parts from the rules; or by what in the pool."""
    if first.apart:
        return ", ".join(f"{player} {style.chips(chips)}" for player, chips in first.apart)
    recorded = 0 if first.recorded is None else first.recorded.total
    due = 0 if first.line.before is None else first.line.before.to_play_for.total
    return TABLE_REPORT["pool"][style.lang].format(recorded=recorded, due=due)


def on_condition_told(made: TableReport, style: Style) -> str:
    """For which deals the account holds only on a condition; empty where it holds as it is."""
    if not made.on_condition:
        return ""
    key = "on_condition" if len(made.on_condition) == 1 else "on_conditions"
    return TABLE_REPORT[key][style.lang].format(deals=listed(map(str, made.on_condition), style))
