"""What a verification looked at, and what it found."""

from __future__ import annotations

from typing import NamedTuple

from service.transparency.integrity_faults import IntegrityFault


class ErasedEvent(NamedTuple):
    """An event whose contents were erased: where it stands, and when that was (RFC 3339), if it is known.

    ``entry`` is the position at which the store records it, with a digest of what stands there since; None in
    a proof file, which has none of that. A checkpoint proves what stands there if it is of that entry too;
    before that, who can write to the store can erase what he likes, and put what he likes there.
    """

    position: int
    stream: str
    version: int
    event_id: str
    erased_at: str | None = None
    entry: int | None = None


class VerificationResult(NamedTuple):
    """What was looked at and what was found: the first event that differs stands first.

    ``proven_count`` is how many events a checkpoint kept elsewhere proves with all that they say, None where
    none was asked for; ``proven_position`` the position up to which that goes in a store. ``hidden_count`` is
    how many were looked at by their hash alone, and ``erased_events`` are those that have lost their
    contents: of neither it is proved what they say. ``unnamed_fault_count`` is how many faults there are
    beside those that are named. ``consistent_from_size`` is only there for a log that grew: how many events
    it had before.
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
