"""What a verification looked at, and what it found."""

from __future__ import annotations

from typing import NamedTuple

from service.transparency.integrity_faults import IntegrityFault


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
