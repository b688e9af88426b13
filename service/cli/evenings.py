"""Tables and their deals, put together from the logs that a command line names."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine import Log
from engine.rulesets import Book
from engine.tables import Dealt, Table, dealt, table_of
from schemas.reports import opening_of
from service.cli.endings import tell
from service.cli.headings import place
from service.cli.inputs import Deal, is_table


class Evening(NamedTuple):
    """A table's log with its deals, folded, by the names by which the table started them.

    ``logs``: the deals' own logs, by the same names.
    """

    log: Deal
    table: Table
    deals: dict[str, Dealt]
    logs: dict[str, Log]


def evenings(logs: Iterable[Deal], book: Book) -> list[Evening]:
    """The tables among ``logs``, each with its deals; a deal that no table has started is told.

    A deal belongs to the table that started it by the id of its opening; where the logs have no ids,
    by its number.
    """
    tables: list[Evening] = []
    deals: list[Deal] = []
    for one in logs:
        table = table_of(one.log, book) if is_table(one) else None
        if table is None:
            deals.append(one)
        else:
            tables.append(Evening(one, table, {}, {}))
    left = [one for one in deals if not _taken(one, _by_id(one, tables), book)]
    for one in left:
        if not _taken(one, _by_number(one, tables), book):
            tell(f"{place(one)}: no table here has started this deal; it is left out.")
    return tables


def _taken(deal: Deal, found: Iterator[tuple[Evening, str]], book: Book) -> bool:
    """Whether a deal has found its table; there it is, folded, from then on."""
    for evening, name in found:
        if name in evening.deals:
            tell(f"{place(deal)}: this deal is here twice; the first one counts.")
        else:
            evening.deals[name], evening.logs[name] = dealt(deal.log, book), deal.log
        return True
    return False


def _by_id(deal: Deal, tables: Iterable[Evening]) -> Iterator[tuple[Evening, str]]:
    """The table that started a deal by its id, and the name it has there."""
    name = _id(deal.log)
    for evening in tables:
        for started in evening.table.deals:
            if name is not None and started.deal.lower() == name.lower():
                yield evening, started.deal


def _by_number(deal: Deal, tables: list[Evening]) -> Iterator[tuple[Evening, str]]:
    """The table that started a deal of that number, as far as the logs have no ids to say it."""
    opened = opening_of(deal.log)
    if opened is None or opened.number is None:
        return
    for evening in tables:
        here = opened.table is None and len(tables) == 1
        if not here and (opened.table is None or opened.table != _id(evening.log.log)):
            continue
        for started in evening.table.deals:
            if started.number == opened.number and started.deal not in evening.deals:
                yield evening, started.deal


def _id(log: Log) -> str | None:
    return log[0].record.id
