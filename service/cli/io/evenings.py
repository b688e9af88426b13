"""Tables and their deals, put together from the logs that a command line names."""

from collections.abc import Iterable
from typing import NamedTuple

from engine import Log
from engine.rulesets import Book
from engine.tables import Dealt, Table, dealt
from service.cli.io.deal_titles import place
from service.cli.io.inputs import Deal
from service.cli.io.safe_group import tell
from service.records.gather_logs import gathered


class Evening(NamedTuple):
    """A table's log with its deals, folded, by the names by which the table started them.

    ``logs``: the deals' own logs, by the same names.
    """

    log: Deal
    table: Table
    deals: dict[str, Dealt]
    logs: dict[str, Log]


def evenings(logs: Iterable[Deal], book: Book) -> list[Evening]:
    """The tables among ``logs``, each with its deals; a deal that no table has started is told."""
    found = gathered(logs, book)
    for one in found.twice:
        tell(f"{place(one)}: this deal is here twice; the first one counts.")
    for one in found.alone:
        tell(f"{place(one)}: no table here has started this deal; it is left out.")
    return [
        Evening(
            one.log,
            one.table,
            {name: dealt(deal.log, book) for name, deal in one.deals.items()},
            {name: deal.log for name, deal in one.deals.items()},
        )
        for one in found.evenings
    ]
