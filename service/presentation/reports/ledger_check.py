"""What was paid in the deals of a table, beside what is due, deal by deal and in all."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.core.field_types import Seq
from engine.scoring.payments import Payments
from engine.tables.settlements import Settlement, effective_settlement
from engine.tables.table_report import DealReport, FirstDifference, TableReport
from service.presentation.text import names
from service.presentation.text.style import TextStyle
from service.presentation.text.table_phrases import first_difference_phrase


class LedgerFormatter(NamedTuple):
    """How chips and players are written: ``replace_ids`` puts members' names for their ids into a text."""

    style: TextStyle
    replace_ids: Callable[[str], str]

    def format_chips(self, chips: Payments) -> str:
        """Chips by player: "Anna +4, Bo −2"."""
        return ", ".join(
            f"{self.replace_ids(player)}\N{NO-BREAK SPACE}{self.style.chips(count)}"
            for player, count in chips
        )

    def format_first_difference(self, first_difference: FirstDifference) -> str:
        """By how much a deal parts from the rules, or by what in the pool."""
        return self.replace_ids(first_difference_phrase(first_difference, self.style))


class PlayerBalance(NamedTuple):
    """A player: what he has or is due one way and the other, and by how much he was paid too much.

    In a deal that is what is due and what was paid; in all, what the account says, and what it says once
    what was plainly entered wrongly is put right. ``difference`` is empty where nothing is wrong.
    """

    name: str
    first_amount: str
    second_amount: str
    difference: str


class LedgerCheck(NamedTuple):
    """A deal counted again.

    ``state``: "right", "apart", "unpaid" (nobody said what was paid), "open" (what is due cannot be said, or
    the deal was entered twice: it is left out of the count) or "away" (its record is not here); ``seq``: the
    entry that says what was paid; ``balances``: each player's, where the deal is "apart".
    """

    state: str
    result: str
    expected: str
    paid: str
    seq: Seq | None
    balances: tuple[PlayerBalance, ...]


def build_ledger_check(deal_report: DealReport, formatter: LedgerFormatter) -> LedgerCheck:
    """A deal of the evening counted again, in words."""
    paid = effective_settlement(deal_report.settlements)
    state = _check_state(deal_report, paid)
    return LedgerCheck(
        state,
        _result_phrase(deal_report, formatter),
        formatter.format_chips(deal_report.due_chips or ()),
        "" if paid is None else formatter.format_chips(paid.payments),
        None if paid is None else paid.seq,
        tuple(_build_balances(deal_report, paid, formatter)) if paid is not None and state == "apart" else (),
    )


def build_total_balances(table_report: TableReport, formatter: LedgerFormatter) -> Iterator[PlayerBalance]:
    """For each player what the account comes to, what it comes to put right, and what was paid too much."""
    computed, recorded, differences = map(
        dict, (table_report.ledger.totals, table_report.corrected_ledger.totals, table_report.difference)
    )
    chips = formatter.style.chips
    for player in dict.fromkeys((*computed, *recorded, *differences)):
        yield PlayerBalance(
            formatter.replace_ids(player),
            chips(computed[player]) if player in computed else "",
            chips(recorded[player]) if player in recorded else "",
            chips(differences[player]) if player in differences else "",
        )


def _check_state(one: DealReport, paid: Settlement | None) -> str:
    if one.audit is None:
        return "away"
    if one.due_chips is None:
        return "open"
    if paid is None:
        return "unpaid"
    return "apart" if one.difference else "right"


def _result_phrase(one: DealReport, formatter: LedgerFormatter) -> str:
    """How the deal ended, as its own record says."""
    if one.audit is None:
        return ""
    phrase = formatter.replace_ids(names.result_phrase(one.audit.state, one.audit.score, formatter.style))
    return f"{phrase[:1].upper()}{phrase[1:]}"


def _build_balances(one: DealReport, paid: Settlement, formatter: LedgerFormatter) -> Iterator[PlayerBalance]:
    """Everybody to whom something is due, or who paid or was paid."""
    expected_chips, recorded_chips, differences = map(
        dict, (one.due_chips or (), paid.payments, one.difference)
    )
    chips = formatter.style.chips
    for player in dict.fromkeys((*expected_chips, *recorded_chips)):
        difference = chips(differences[player]) if player in differences else ""
        yield PlayerBalance(
            formatter.replace_ids(player),
            chips(expected_chips.get(player, 0)),
            chips(recorded_chips.get(player, 0)),
            difference,
        )
