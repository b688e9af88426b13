"""Evenings as files."""

from typing import Any

from engine.core.events import Event, ResultRecorded
from engine.core.log import build_log
from schemas.wire.event_writer import entry_object
from tests.support.cli.deals import Json, jsonl
from tests.support.engine.evenings import Evening

F, M, B = range(3)


def slip_result(outcome: str, declarer: int = F, contract: str = "play", **more: Any) -> ResultRecorded:
    return ResultRecorded(outcome, declarer, contract, **more)  # type: ignore[arg-type]


def wire_events(events: list[Event], **first: Any) -> list[Json]:
    """Events as they stand in a file, the first with more fields."""
    opening, *others = [entry_object(entry, omit_unknown=True) for entry in build_log(events)]
    return [opening | first, *others]


def lines_of(evening: Evening) -> bytes:
    """A table's log and its deals', the deals numbered and without ids."""
    return jsonl(wire_events(evening.table), *(wire_events(log) for log in evening.logs.values()))
