"""Tables and their deals, put together from the logs that a command line names."""

from collections.abc import Iterable
from typing import NamedTuple

from engine import Log
from engine.rulesets import RulesetBook
from engine.tables import EveningDeal, Table, fold_evening_deal
from service.cli.io.deal_titles import deal_location
from service.cli.io.inputs import InputLog
from service.cli.io.safe_group import print_to_stderr
from service.records.log_grouping import group_logs


class FoldedTable(NamedTuple):
    """A table's log with its deals, folded, by the names by which the table started them.

    ``deal_logs``: the deals' own logs, by the same names.
    """

    table_log: InputLog
    table: Table
    deals: dict[str, EveningDeal]
    deal_logs: dict[str, Log]


def fold_tables(logs: Iterable[InputLog], book: RulesetBook) -> list[FoldedTable]:
    """The tables among ``logs``, each with its deals; a deal that no table has started is told."""
    found = group_logs(logs, book)
    for one in found.duplicate_deals:
        print_to_stderr(f"{deal_location(one)}: this deal is here twice; the first one counts.")
    for one in found.standalone_deals:
        print_to_stderr(f"{deal_location(one)}: no table here has started this deal; it is left out.")
    return [
        FoldedTable(
            one.table_log,
            one.table,
            {name: fold_evening_deal(deal.log, book) for name, deal in one.deals.items()},
            {name: deal.log for name, deal in one.deals.items()},
        )
        for one in found.tables
    ]
