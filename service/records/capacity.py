"""How much a record takes: so much as can be read back, and of that so much for each who writes.

A log that is read from a file has as many entries at most, so whatever a store holds can be taken out of
it and into another. What is the bound of a record is held where it is written; see `Append.most`.
"""

from collections.abc import Callable, Sequence
from typing import Final

from engine import Log
from engine.core.events import CorrectionMade, Event
from engine.core.log import count_events
from schemas.wire.jsonlines import ENTRIES
from service.eventstore import StreamFull
from service.records.records import Posted

KEPT_FOR_WRITERS: Final = 500
"""So many entries at the end of a record are for who may write in it: remarks cannot close it to him."""
NOTES: Final = 100
"""So many notes may stand in a record in the name of one grant by which nothing else is added."""

Judge = Callable[[Log, Sequence[Posted]], None]
"""Looks at what is new behind a log, and raises what speaks against storing it."""


class NotesUsedUp(Exception):
    """A grant that allows notes alone, and in whose name as many stand in the record as it may have."""

    def __init__(self) -> None:
        super().__init__(
            f"In the name of one link that may add notes {NOTES} stand in a record at most, and with these "
            "it would be more. Nothing was stored. Ask the recorder to write them down."
        )


def most_entries(noting_as: str | None) -> int:
    """How many entries a record may have behind what is sent.

    ``noting_as`` is the grant of who may add notes and nothing else, here and below; None for a recorder.
    """
    return ENTRIES if noting_as is None else ENTRIES - KEPT_FOR_WRITERS


def share_of(noting_as: str | None) -> list[Judge]:
    """Holds who may only add notes to his share of a record. The judge raises `NotesUsedUp`."""
    if noting_as is None:
        return []

    def judge(log: Log, new: Sequence[Posted]) -> None:
        there = sum(entry.record.recorded_by == noting_as for entry in log)
        if there + len(new) > NOTES:
            raise NotesUsedUp

    return [judge]


def room_for_corrections(stream: str, new: Sequence[Posted]) -> list[Judge]:
    """Count what corrections put in as entries of the record. The judge raises `StreamFull`.

    Where ``new`` has no such correction, there is nothing to judge: the store counts the entries.
    """
    if not any(isinstance(one.reading.event, CorrectionMade) and one.reading.event.with_ for one in new):
        return []

    def judge(log: Log, new: Sequence[Posted]) -> None:
        require_room(stream, [entry.event for entry in log], [one.reading.event for one in new])

    return [judge]


def require_room(stream: str, there: Sequence[Event], new: Sequence[Event]) -> None:
    """Raises `StreamFull` where a record would have too many entries, those inside corrections counted."""
    if count_events(there) + count_events(new) > ENTRIES:
        raise StreamFull(stream, len(there), ENTRIES)


def told_full(most: int) -> str:
    """Why a record takes no more, for people, with what to do."""
    if most < ENTRIES:
        return (
            f"A record takes {ENTRIES} entries, and the last {KEPT_FOR_WRITERS} are kept for who may write "
            "more than notes. Nothing was stored. Ask the recorder to write them down."
        )
    return (
        f"A record takes {ENTRIES} entries at most, those that corrections put in counted, and with these it "
        "would have more. Nothing was stored. Where an evening goes on, open a new table for the rest of it."
    )
