"""Evenings as files."""

from typing import Any

from engine.core.events import Event, ResultRecorded
from engine.core.log import Entry, EntryMetadata
from schemas.wire.event_writer import entry_object
from tests.support.cli.deals import Json, jsonl
from tests.support.engine.evenings import Evening

F, M, B = range(3)


def slip(outcome: str, declarer: int = F, contract: str = "play", **more: Any) -> ResultRecorded:
    return ResultRecorded(outcome, declarer, contract, **more)  # type: ignore[arg-type]


def written(events: list[Event], **first: Any) -> list[Json]:
    """Events as they stand in a file, the first with more fields."""
    objects = [
        entry_object(Entry(seq, event, EntryMetadata()), omit_unknown=True)
        for seq, event in enumerate(events, 1)
    ]
    return [{**one, **(first if number == 0 else {})} for number, one in enumerate(objects)]


def lines_of(evening: Evening) -> bytes:
    """A table's log and its deals', the deals numbered and without ids."""
    return jsonl(written(evening.table), *(written(log) for log in evening.logs.values()))
