"""What a verification found: which events are not as they were recorded, and what differs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class IntegrityFault(NamedTuple):
    """One thing that is not as it was recorded.

    ``kind``: an event was ``changed``, ``removed``, ``added`` or ``reordered``; ``unproved`` if a line says
    more than its proof shows; ``unreadable`` if its contents are no entry; ``rewritten`` is the first of
    several, of which it is not known which was changed. ``damaged`` is the file, ``rule`` a safeguard of the
    database that is gone, ``checkpoint`` what was to be proved against.

    ``code`` is the word for what differs, with its ``details``; ``position``, ``stream``, ``version`` and
    ``event_id`` say where, as far as that is known.
    """

    kind: str
    code: str
    position: int | None = None
    stream: str | None = None
    version: int | None = None
    event_id: str | None = None
    details: Mapping[str, str | int] = {}


class ErasedEvent(NamedTuple):
    """An event whose contents were erased: where it stands, and when that was (RFC 3339), if it is known.

    ``entry`` is the position at which the store records it, with a digest of what stands there since, which a
    later checkpoint proves; None in a proof file, which has none of that.
    """

    position: int
    stream: str
    version: int
    event_id: str
    erased_at: str | None = None
    entry: int | None = None


class VerificationResult(NamedTuple):
    """What was looked at and what was found: the first event that differs stands first.

    ``proven_count``: events that a checkpoint kept elsewhere proves with all that they say, None where there
    is no checkpoint; ``proven_position``: up to where in a store. ``hidden_count``: events looked at by their
    hash alone. ``unnamed_fault_count``: faults besides those named. ``consistent_from_size``: events that a
    log had before it grew.
    """

    event_count: int
    stream_count: int
    faults: tuple[IntegrityFault, ...]
    proven_count: int | None = None
    hidden_count: int = 0
    erased_events: tuple[ErasedEvent, ...] = ()
    unnamed_fault_count: int = 0
    consistent_from_size: int | None = None
    proven_position: int | None = None

    @property
    def erased_count(self) -> int:
        """How many events have lost their contents."""
        return len(self.erased_events)
