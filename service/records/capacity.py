"""How much a record takes: as many entries as a log in a file, so that it can be imported again.

`StreamAppend.max_version` enforces the limit when something is written.
"""

from collections.abc import Sequence
from typing import Final

from engine import Log
from engine.core.events import Event
from engine.core.log import count_events
from schemas.wire.jsonlines import MAX_ENTRIES_PER_LOG
from service.eventstore import StreamFull
from service.records.record_streams import SubmittedEvent

ENTRIES_RESERVED_FOR_WRITERS: Final = 500
"""The last entries of a record are for writers, so that notes cannot fill it."""
MAX_NOTES_PER_GRANT: Final = 100
"""Notes in a record by one grant that allows notes alone."""


class NoteQuotaExceeded(Exception):
    """A grant that allows notes alone has as many in the record as it may have."""

    def __init__(self) -> None:
        super().__init__(
            f"A link may add at most {MAX_NOTES_PER_GRANT} notes to a record, and these would exceed it. "
            "Nothing was stored. Ask the recorder to write them down."
        )


def max_record_entries(notes_only_grant: str | None) -> int:
    """The entries that a record may have after an append.

    ``notes_only_grant`` is the grant of a caller who may add notes and nothing else, None for other callers.
    """
    return MAX_ENTRIES_PER_LOG - (0 if notes_only_grant is None else ENTRIES_RESERVED_FOR_WRITERS)


def require_note_quota(log: Log, new_events: Sequence[SubmittedEvent], *, notes_only_grant: str) -> None:
    """Raise `NoteQuotaExceeded` if a notes-only caller would have more than their share of a record."""
    existing_count = sum(entry.metadata.recorded_by == notes_only_grant for entry in log)
    if existing_count + len(new_events) > MAX_NOTES_PER_GRANT:
        raise NoteQuotaExceeded


def require_capacity(stream: str, existing_events: Sequence[Event], new_events: Sequence[Event]) -> None:
    """Raise `StreamFull` if a record would have too many entries, counting those inside corrections."""
    if count_events(existing_events) + count_events(new_events) > MAX_ENTRIES_PER_LOG:
        raise StreamFull(stream, len(existing_events), MAX_ENTRIES_PER_LOG)


def format_record_full_message(max_entries: int) -> str:
    """Why a record takes no more entries, and what to do."""
    if max_entries < MAX_ENTRIES_PER_LOG:
        return (
            f"A record takes {MAX_ENTRIES_PER_LOG} entries, and the last {ENTRIES_RESERVED_FOR_WRITERS} "
            "are reserved for its recorders. Nothing was stored. Ask the recorder to write the notes down."
        )
    return (
        f"A record takes at most {MAX_ENTRIES_PER_LOG} entries, including those that corrections add, and "
        "these would exceed it. Nothing was stored. To continue an evening, open a new table for the rest "
        "of it."
    )
