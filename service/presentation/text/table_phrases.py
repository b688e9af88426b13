"""What follows from a fault of a table, and by how much its deals part from the rules, each as a phrase."""

from collections.abc import Mapping

from engine.tables.evening_faults import EveningFault
from engine.tables.ledger import TableFinding
from engine.tables.table_report import FirstDifference, TableReport
from schemas.i18n.translate import translate
from service.presentation.text.findings import format_card_codes
from service.presentation.text.mistake_sentences import finding_after_entry
from service.presentation.text.names import join_names
from service.presentation.text.style import TextStyle


def consequence_phrase(
    finding: TableFinding, fault: EveningFault, numbers: Mapping[str | None, int | None], style: TextStyle
) -> str:
    """A finding that follows from a fault, after its entry; ``numbers`` are those of the deals."""
    if finding.deal is None or finding.deal == fault.deal:
        return finding_after_entry(finding.finding, style)
    return style.phrase(
        "deal {number}, entry {seq}: {what}",
        number=numbers.get(finding.deal),
        seq=finding.finding.seq,
        what=format_card_codes(translate(finding.finding.message, style.lang), style),
    )


def first_difference_phrase(first_difference: FirstDifference, style: TextStyle) -> str:
    """By how much, and for whom, the first deal parts from the rules; or by what in the pool."""
    if first_difference.difference:
        return ", ".join(f"{player} {style.chips(chips)}" for player, chips in first_difference.difference)
    recorded = 0 if first_difference.recorded_pot is None else first_difference.recorded_pot.total
    expected = (
        0 if first_difference.line.pot_before is None else first_difference.line.pot_before.opening_pot.total
    )
    return style.phrase(
        "opened with {recorded} in the pool instead of {due}", recorded=recorded, due=expected
    )


def condition_sentence(table_report: TableReport, style: TextStyle) -> str:
    """For which deals the account holds only on a condition; empty where it holds as it is."""
    if not table_report.deal_numbers_with_caveats:
        return ""
    return style.phrase(
        (
            "For deal {deals} this holds on the condition told there; where an entry was made "
            "wrongly, it is otherwise."
        )
        if len(table_report.deal_numbers_with_caveats) == 1
        else (
            "For deals {deals} this holds on the conditions told there; where an entry was made "
            "wrongly, it is otherwise."
        ),
        deals=join_names(map(str, table_report.deal_numbers_with_caveats), style),
    )
