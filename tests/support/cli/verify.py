"""A data folder with a table and deals."""

from collections.abc import Callable
from pathlib import Path

from service.config.data_files import STORE_FILE_NAME
from service.eventstore import EventStore, SqliteStore
from service.records.append import append_to_deal
from service.records.deal_starts import start_deals
from service.records.record_streams import TABLE_KIND as TABLE_KIND
from service.records.repository import record_info
from tests.support.api.recording import OPENING, TABLE, posted, recorded_table
from tests.support.transparency.forging import DEALS, fill


def make_club_folder(folder: Path, more: Callable[[EventStore], object] = fill) -> None:
    """A club's data folder: a table with a deal, and more, unless told otherwise three deals alone."""
    folder.mkdir()
    with SqliteStore(folder / STORE_FILE_NAME) as store:
        recorded_table(store)
        table = record_info(store, TABLE_KIND, TABLE)
        opening = posted({**OPENING, "id": DEALS[30], "table": TABLE, "number": 1})
        start_deals(store, table, 1, [[opening]])
        result = {"type": "result_recorded", "outcome": "passed_out"}
        append_to_deal(store, store.stream_info(DEALS[30]), 1, [posted(result)], strict=False)
        more(store)
