"""Tables and their deals, put together from logs that lie beside each other in files."""

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, NamedTuple, Protocol, TypeVar

from engine import Log
from engine.core.table_events import TableOpened
from engine.rulesets import Book
from engine.tables import Table, table_of
from schemas.answers.reports import opening_of


class Logged(Protocol):
    """A log that was read from somewhere."""

    @property
    def log(self) -> Log:
        """The log."""
        ...


One = TypeVar("One", bound=Logged)


class Evening(NamedTuple, Generic[One]):
    """A table's log with those of its deals, by the names by which the table started them."""

    log: One
    table: Table
    deals: dict[str, One]


class Gathered(NamedTuple, Generic[One]):
    """The tables; the deals that were there ``twice`` at a table; and those that no table has started."""

    evenings: list[Evening[One]]
    twice: list[One]
    alone: list[One]


def is_table(log: Log) -> bool:
    """Whether a log is that of a table."""
    return bool(log) and isinstance(log[0].event, TableOpened)


def gathered(logs: Iterable[One], book: Book) -> Gathered[One]:
    """The tables among ``logs``, each with its deals.

    A deal belongs to the table that started it by the id of its opening; where the logs have no ids,
    by its number.
    """
    found: Gathered[One] = Gathered([], [], [])
    deals: list[One] = []
    for one in logs:
        table = table_of(one.log, book) if is_table(one.log) else None
        if table is None:
            deals.append(one)
        else:
            found.evenings.append(Evening(one, table, {}))
    left = _placed(deals, found, _by_id)
    found.alone.extend(_placed(left, found, _by_number))
    return found


Search = Callable[[One, list[Evening[One]]], Iterator[tuple[Evening[One], str]]]
"""Where a deal may belong: the tables that started it, and the names that it has there."""


def _placed(deals: Iterable[One], found: Gathered[One], search: Search[One]) -> list[One]:
    """Gives deals to their tables; those that are left."""
    left = []
    for one in deals:
        place = next(search(one, found.evenings), None)
        if place is None:
            left.append(one)
            continue
        evening, name = place
        if name in evening.deals:
            found.twice.append(one)
        else:
            evening.deals[name] = one
    return left


def _by_id(deal: One, tables: list[Evening[One]]) -> Iterator[tuple[Evening[One], str]]:
    name = deal.log[0].record.id
    for evening in tables:
        for started in evening.table.deals:
            if name is not None and started.deal.lower() == name.lower():
                yield evening, started.deal


def _by_number(deal: One, tables: list[Evening[One]]) -> Iterator[tuple[Evening[One], str]]:
    """The table that started a deal of that number, as far as the logs have no ids to say it."""
    opened = opening_of(deal.log)
    if opened is None or opened.number is None:
        return
    for evening in tables:
        here = opened.table is None and len(tables) == 1
        if not here and (opened.table is None or opened.table != evening.log.log[0].record.id):
            continue
        for started in evening.table.deals:
            if started.number == opened.number and started.deal not in evening.deals:
                yield evening, started.deal
