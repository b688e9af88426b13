"""Which of the recorded tables is the evening of a sheet."""

from collections.abc import Sequence

import pytest

from engine.core.events import Event
from engine.core.log import build_log
from engine.core.table_events import PlayerJoined, TableOpened, TableVoided
from engine.rulesets import PUBLISHED_RULESETS
from service.cli.io.inputs import InputLog
from service.eventstore import MemoryStore
from service.records.log_import import import_logs
from service.records.recorded_evenings import RecordedEvenings


def opened(
    title: str | None = "Torsdag", date: str | None = "2026-11-19", players: str = "Anna Bo Carl"
) -> TableOpened:
    return TableOpened("dlu", tuple(players.split()), title=title, date=date)


@pytest.mark.parametrize(
    ("recorded", "sheet", "is_found"),
    [
        ([opened()], opened(), True),
        ([opened(players="Carl Bo ANNA")], opened(), True),
        ([opened(players="Karl Bo Anna")], opened(), True),
        ([opened(players="Karl Ib Anna")], opened(), False),
        ([opened(players="Karl Bo Anna", title=None)], opened(title=None), False),
        ([opened(date=None)], opened(date=None), True),
        ([opened(date="2026-11-26")], opened(), False),
        ([opened(date=None)], opened(), False),
        ([opened(title="Fredag")], opened(), False),
        ([opened(), PlayerJoined("Dora")], opened(), True),
        ([opened(), TableVoided("Opened twice.")], opened(), False),
    ],
)
def test_it_has_the_title_the_date_and_the_players_and_counts(
    recorded: Sequence[Event], sheet: TableOpened, is_found: bool
) -> None:
    store, log = MemoryStore(), build_log(recorded)
    assert [one.failure_reason for one in import_logs(store, [InputLog("", 1, log)], PUBLISHED_RULESETS)] == [
        None
    ]
    found = RecordedEvenings(store, PUBLISHED_RULESETS).find(sheet, str.casefold)
    counting = [one.logs for one in found if not one.is_set_aside]
    assert [[entry.event for entry in one.table[1:]] for one in counting] == (
        [list(recorded[1:])] if is_found else []
    )
