"""Finding the evening of a sheet among the tables that were recorded before."""

from collections.abc import Callable, Iterator
from contextlib import suppress

from engine.core.table_events import TableOpened
from engine.rulesets import RulesetBook
from schemas.spreadsheet.slip_logs import EveningLogs
from service.eventstore import EventReader
from service.records.record_streams import TABLE_KIND
from service.records.repository import UnknownRecord, iterate_streams, read_log, table_deal_info
from service.records.tables import table_from_log

MAX_DIFFERENT_NAMES = 2
"""One player may be another in the sheet: a name that was written wrongly."""


def find_recorded_evenings(
    store: EventReader, sheet: TableOpened, identify: Callable[[str], str], book: RulesetBook
) -> Iterator[EveningLogs]:
    """The recorded evenings with the title, the date and the players of a sheet's, unless set aside.

    ``identify`` gives what is the same for all names of a player.
    """
    players = set(map(identify, sheet.players))
    for info in iterate_streams(store, kind=TABLE_KIND):
        log = read_log(store, info.stream)
        table = table_from_log(log, book)
        opening = table.opening_event
        is_set_aside = table.voided is not None
        if is_set_aside or (opening.title, opening.date) != (sheet.title, sheet.date):
            continue
        different_names = players ^ set(map(identify, opening.players))
        if len(different_names) <= (MAX_DIFFERENT_NAMES if sheet.title and sheet.date else 0):
            deals = []
            for deal in dict.fromkeys(started.deal for started in table.deals):
                with suppress(UnknownRecord):
                    deals.append(read_log(store, table_deal_info(store, info.root, deal).stream))
            yield EveningLogs(log, tuple(deals))
