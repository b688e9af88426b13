"""Finding the evening of a sheet among the tables that were recorded before."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from engine.core.log import Log
from engine.core.table_events import TableOpened
from engine.rulesets import RulesetBook
from engine.tables import Table
from schemas.spreadsheet.slip_logs import EveningLogs
from service.eventstore import EventReader, StreamInfo
from service.records.record_streams import TABLE_KIND
from service.records.repository import UnknownRecord, iterate_streams, read_log, table_deal_info
from service.records.tables import table_from_log

MAX_DIFFERENT_NAMES = 2
"""One player may be another in the sheet: a name that was written wrongly."""


class RecordedEvening(NamedTuple):
    """The logs of an evening, and whether its table is set aside."""

    logs: EveningLogs
    is_set_aside: bool


class RecordedEvenings:
    """The tables of a store; each version of one is folded once."""

    def __init__(self, store: EventReader, book: RulesetBook) -> None:
        self._store, self._book = store, book
        self._tables: dict[str, tuple[int, Log, Table]] = {}

    def find(self, sheet: TableOpened, identify: Callable[[str], str]) -> Iterator[RecordedEvening]:
        """The evenings with the title, the date and the players of a sheet's.

        ``identify`` gives what is the same for all names of a player.
        """
        players = set(map(identify, sheet.players))
        max_different_names = MAX_DIFFERENT_NAMES if sheet.title and sheet.date else 0
        for info in iterate_streams(self._store, kind=TABLE_KIND):
            log, table = self._read_table(info)
            opening = table.opening_event
            different_names = players ^ set(map(identify, opening.players))
            is_same = (opening.title, opening.date) == (sheet.title, sheet.date)
            if is_same and len(different_names) <= max_different_names:
                logs = EveningLogs(log, tuple(self._read_deals(info, table)))
                yield RecordedEvening(logs, table.voided is not None)

    def _read_table(self, info: StreamInfo) -> tuple[Log, Table]:
        version, log, table = self._tables.get(info.stream) or (0, None, None)
        if log is None or table is None or version != info.version:
            log = read_log(self._store, info.stream)
            table = table_from_log(log, self._book)
            self._tables[info.stream] = (info.version, log, table)
        return log, table

    def _read_deals(self, info: StreamInfo, table: Table) -> Iterator[Log]:
        for deal in dict.fromkeys(started.deal for started in table.deals):
            with suppress(UnknownRecord):
                yield read_log(self._store, table_deal_info(self._store, info.root, deal).stream)
