"""A log: entries in the order in which they were recorded."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.core.events import DEAL_EVENTS, CorrectionMade, Event, type_name
from engine.core.field_types import Basis, EventId, Moment, Name, Names, Seq
from engine.core.table_events import TABLE_EVENTS


class EntryMetadata(NamedTuple):
    """An entry's bookkeeping: who recorded it, when, and how it is known (DESIGN 4).

    ``recorded_at`` is the device's clock, ``stored_at`` the server's, both RFC 3339.
    """

    id: EventId | None = None
    recorded_at: Moment | None = None
    stored_at: Moment | None = None
    recorded_by: Name | None = None
    basis: Basis | None = None
    accounts: Names | None = None


NO_METADATA: Final = EntryMetadata()
"""The bookkeeping of an entry without any."""


class Entry(NamedTuple):
    """One entry of a log: its seq, its event, and its bookkeeping."""

    seq: Seq
    event: Event
    metadata: EntryMetadata = NO_METADATA


Log = tuple[Entry, ...]

EVENT_TYPES: Final[dict[str, type[Event]]] = {type_name(c): c for c in (*DEAL_EVENTS, *TABLE_EVENTS)}
"""Every event class by its ``type`` on the wire."""


def build_log(events: Iterable[Event]) -> Log:
    """A log of bare events, numbered 1, 2, …."""
    return tuple(Entry(seq, event) for seq, event in enumerate(events, 1))


def seq_key(seq: Seq) -> tuple[int, ...]:
    """A seq as numbers: ``"30.1"`` is (30, 1). Orders entries by when they were recorded."""
    if isinstance(seq, int):
        return (seq,)
    return tuple(int(part) for part in seq.split("."))


def count_events(events: Iterable[Event]) -> int:
    """The number of events, including those inside corrections, at any depth.

    >>> from engine.core.events import CorrectionMade, GapNoted
    >>> count_events([GapNoted(), CorrectionMade("wrong", with_=(GapNoted(), GapNoted()))])
    4
    """
    count, waiting = 0, list(events)
    while waiting:
        event = waiting.pop()
        count += 1
        if isinstance(event, CorrectionMade):
            waiting += event.with_
    return count


def inherited_count(log: Log) -> int:
    """How many entries at the start of a log are its beginning in another deal (`engine.branching`)."""
    if not log or isinstance(log[0].seq, int):
        return 0
    return next((count for count, entry in enumerate(log) if isinstance(entry.seq, int)), len(log))
