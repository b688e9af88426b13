"""Tables: the fold of a table's log, and its ledger."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from engine import Log
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.tables import EveningDeal, Ledger, Table, compute_ledger, fold_evening_deal, fold_table
from engine.tables.rescoring import EveningRescoring, OtherRules, rescore_evening
from engine.tables.table_report import TableReport, compile_table_report
from service.eventstore import EventReader, StoreDamaged, UnknownStream
from service.records.repository import read_log

Opened = TypeVar("Opened")


def read_table(store: EventReader, table: str, book: RulesetBook = PUBLISHED_RULESETS) -> Table:
    """The table as it is now. Raises `UnknownStream`."""
    return table_from_log(read_log(store, table), book)


def table_from_log(log: Log, book: RulesetBook = PUBLISHED_RULESETS) -> Table:
    """The fold of a table's log. Raises `StoreDamaged` if the log opens no table."""
    return _require_opened(fold_table(log, book))


def _require_opened(found: Opened | None) -> Opened:
    if found is None:
        raise StoreDamaged("The table's log does not show how the table was opened.")
    return found


def build_ledger(
    log: Log, read_deal_log: Callable[[str], Log], book: RulesetBook = PUBLISHED_RULESETS
) -> Ledger:
    """The ledger of a table with that log; ``read_deal_log`` reads the log of a deal by its id."""
    deals = fold_table_deals(read_deal_log, table_from_log(log, book), book)
    return _require_opened(compute_ledger(log, deals, book))


def build_table_report(
    log: Log, deals: Mapping[str, Log], other_rules: OtherRules | None, book: RulesetBook = PUBLISHED_RULESETS
) -> tuple[TableReport, EveningRescoring | None]:
    """The report on a table with the logs of its deals, and the evening rescored by ``other_rules``.

    Raises `StoreDamaged` if the log opens no table.
    """
    report = _require_opened(compile_table_report(log, deals, book))
    return report, None if other_rules is None else rescore_evening(log, deals, other_rules, book)


def fold_table_deals(
    read_deal_log: Callable[[str], Log], table: Table, book: RulesetBook = PUBLISHED_RULESETS
) -> dict[str, EveningDeal]:
    """The folded deals of a table, without those whose streams are missing."""
    found = {}
    for started in table.deals:
        try:
            found[started.deal] = fold_evening_deal(read_deal_log(started.deal), book)
        except UnknownStream:
            continue
    return found
