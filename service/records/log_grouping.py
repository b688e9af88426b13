"""Grouping the logs of files by table."""

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, NamedTuple, Protocol, TypeVar

from engine import Log
from engine.core.table_events import DealStarted, TableOpened
from engine.play.history import find_deal_opening
from engine.rulesets import RulesetBook
from engine.tables import Table, fold_table
from service.records.record_streams import flatten_corrections


class SupportsLog(Protocol):
    """Something with a log."""

    @property
    def log(self) -> Log:
        """The log."""
        ...


One = TypeVar("One", bound=SupportsLog)


class TableLogs(NamedTuple, Generic[One]):
    """The log of a table and those of its deals, by their names at the table.

    ``started_deals``: the names of all deals that the table ever started, also taken back, by small letters.
    """

    table_log: One
    table: Table
    deals: dict[str, One]
    started_deals: dict[str, str]


class GroupedLogs(NamedTuple, Generic[One]):
    """Tables, further copies of their deals, and deals that no table started."""

    tables: list[TableLogs[One]]
    duplicate_deals: list[One]
    standalone_deals: list[One]


def is_table_log(log: Log) -> bool:
    """Whether a log is that of a table."""
    return bool(log) and isinstance(log[0].event, TableOpened)


def group_logs(logs: Iterable[One], book: RulesetBook) -> GroupedLogs[One]:
    """Group logs by table: deals belong to the table that started them by id or, without ids, by number."""
    found: GroupedLogs[One] = GroupedLogs([], [], [])
    deals: list[One] = []
    for one in logs:
        table = fold_table(one.log, book) if is_table_log(one.log) else None
        if table is None:
            deals.append(one)
        else:
            found.tables.append(TableLogs(one, table, {}, _list_started_deals(one.log)))
    unassigned = _assign_to_tables(deals, found, _match_by_id)
    found.standalone_deals.extend(_assign_to_tables(unassigned, found, _match_by_number))
    return found


def _list_started_deals(log: Log) -> dict[str, str]:
    events = (event for entry in log for event in flatten_corrections(entry.event))
    return {event.deal.lower(): event.deal for event in events if isinstance(event, DealStarted)}


TableMatcher = Callable[[One, list[TableLogs[One]]], Iterator[tuple[TableLogs[One], str]]]
"""The tables that may have started a deal, with its name there."""


def _assign_to_tables(deals: Iterable[One], found: GroupedLogs[One], match: TableMatcher[One]) -> list[One]:
    """Assign deals to tables; return the others."""
    unassigned = []
    for one in deals:
        match_found = next(match(one, found.tables), None)
        if match_found is None:
            unassigned.append(one)
            continue
        evening, name = match_found
        if name in evening.deals:
            found.duplicate_deals.append(one)
        else:
            evening.deals[name] = one
    return unassigned


def _match_by_id(deal: One, tables: list[TableLogs[One]]) -> Iterator[tuple[TableLogs[One], str]]:
    name = (deal.log[0].metadata.id or "").lower()
    for evening in tables:
        if name in evening.started_deals:
            yield evening, evening.started_deals[name]


def _match_by_number(deal: One, tables: list[TableLogs[One]]) -> Iterator[tuple[TableLogs[One], str]]:
    """The tables that started a deal of that number, for logs without ids."""
    opened = find_deal_opening(deal.log)
    if opened is None or opened.number is None:
        return
    for evening in tables:
        is_only_table = opened.table is None and len(tables) == 1
        if not is_only_table and (
            opened.table is None or opened.table != evening.table_log.log[0].metadata.id
        ):
            continue
        for started in evening.table.deals:
            if started.number == opened.number and started.deal not in evening.deals:
                yield evening, started.deal
