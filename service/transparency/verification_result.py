"""What a verification found: which events are not as they were recorded, and what differs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class IntegrityFault(NamedTuple):
    """One thing that is not as it was recorded, and where, as far as it is known.

    ``kind``: an event was ``changed``, ``removed``, ``added`` or ``reordered``; a line of an export is
    ``unproved`` if it says more than its proof, ``unreadable`` if it is no entry; ``rewritten`` is the first
    of several events of which some were changed. ``damaged`` is the file, ``rule`` a missing safeguard of the
    database, ``checkpoint`` the checkpoint to compare with. ``code`` names what differs, with ``details``.
    """

    kind: str
    code: str
    position: int | None = None
    stream: str | None = None
    version: int | None = None
    event_id: str | None = None
    details: Mapping[str, str | int] = {}


class ErasedEvent(NamedTuple):
    """An event whose contents were erased, and when (RFC 3339), if known.

    ``entry`` is the position at which the store records the erasure, with a digest of the placeholder; None
    in a proof file.
    """

    position: int
    stream: str
    version: int
    event_id: str
    erased_at: str | None = None
    entry: int | None = None


class VerificationResult(NamedTuple):
    """The result of a verification; the fault of the first event comes first.

    ``proven_count``: events that a checkpoint kept elsewhere proves with their contents, None without one;
    ``proven_position``: up to which position of a store. ``hidden_count``: events of which only the hash was
    verified. ``unnamed_fault_count``: further faults. ``consistent_from_size``: the size before the log grew.
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
        """The number of erased events."""
        return len(self.erased_events)
