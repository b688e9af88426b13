"""How much a record takes: so much as can be read back, and of that so much for each who writes.

A log that is read from a file has as many entries at most, so whatever a store holds can be taken out of
it and into another. The bound of a record is held where it is written: `StreamAppend.max_version`.
"""

from collections.abc import Callable, Sequence
from typing import Final

from engine import Log
from engine.core.events import CorrectionMade, Event
from engine.core.log import count_events
from schemas.wire.jsonlines import MAX_ENTRIES_PER_LOG
from service.eventstore import StreamFull
from service.records.record_streams import SubmittedEvent

ENTRIES_RESERVED_FOR_WRITERS: Final = 500
"""So many entries at the end of a record are for who may write in it: remarks cannot close it to him."""
MAX_NOTES_PER_GRANT: Final = 100
"""So many notes may stand in a record in the name of one grant by which nothing else is added."""

AppendValidator = Callable[[Log, Sequence[SubmittedEvent]], None]
"""Looks at what is new behind a log, and raises what speaks against storing it."""


class NoteQuotaExceeded(Exception):
    """A grant that allows notes alone, and in whose name as many stand in the record as it may have."""

    def __init__(self) -> None:
        super().__init__(
            f"In the name of one link that may add notes {MAX_NOTES_PER_GRANT} stand in a record at most, "
            "and with these it would be more. Nothing was stored. Ask the recorder to write them down."
        )


def max_record_entries(notes_only_grant: str | None) -> int:
    """How many entries a record may have behind what is sent.

    ``notes_only_grant`` is the grant of who may add notes and nothing else, here and below; None for a
    recorder.
    """
    return (
        MAX_ENTRIES_PER_LOG
        if notes_only_grant is None
        else MAX_ENTRIES_PER_LOG - ENTRIES_RESERVED_FOR_WRITERS
    )


def build_note_quota_validators(notes_only_grant: str | None) -> list[AppendValidator]:
    """Limit a notes-only caller to their share of a record. The validator raises `NoteQuotaExceeded`."""
    if notes_only_grant is None:
        return []

    def validate(log: Log, new: Sequence[SubmittedEvent]) -> None:
        existing_count = sum(entry.metadata.recorded_by == notes_only_grant for entry in log)
        if existing_count + len(new) > MAX_NOTES_PER_GRANT:
            raise NoteQuotaExceeded

    return [validate]


def build_capacity_validators(
    stream: str, submitted_events: Sequence[SubmittedEvent]
) -> list[AppendValidator]:
    """Count what corrections put in as entries of the record. The validator raises `StreamFull`.

    Where ``submitted_events`` has no such correction, there is nothing to validate: the store counts entries.
    """
    if not any(
        isinstance(one.reading.event, CorrectionMade) and one.reading.event.with_ for one in submitted_events
    ):
        return []

    def validate(log: Log, new: Sequence[SubmittedEvent]) -> None:
        require_capacity(stream, [entry.event for entry in log], [one.reading.event for one in new])

    return [validate]


def require_capacity(stream: str, existing_events: Sequence[Event], new_events: Sequence[Event]) -> None:
    """Raises `StreamFull` where a record would have too many entries, those inside corrections counted."""
    if count_events(existing_events) + count_events(new_events) > MAX_ENTRIES_PER_LOG:
        raise StreamFull(stream, len(existing_events), MAX_ENTRIES_PER_LOG)


def format_record_full_message(max_entries: int) -> str:
    """Why a record takes no more, for people, with what to do."""
    if max_entries < MAX_ENTRIES_PER_LOG:
        return (
            f"A record takes {MAX_ENTRIES_PER_LOG} entries, and the last {ENTRIES_RESERVED_FOR_WRITERS} are "
            "kept for who may write more than notes. Nothing was stored. Ask the recorder to write them down."
        )
    return (
        f"A record takes {MAX_ENTRIES_PER_LOG} entries at most, those that corrections put in counted, and "
        "with these it would have more. Nothing was stored. Where an evening goes on, open a new table for "
        "the rest of it."
    )
