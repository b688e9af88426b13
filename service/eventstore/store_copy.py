"""Stores copied whole: each event with all that a store keeps of it, so that the copy is the same log.

An *original* is read, a *copy* is written, and both are of any kind. What is in a copy is a beginning of its
original, in the same order and at the same positions, to the byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from service.eventstore.errors import StoreError
from service.eventstore.interface import SealedEvent


class CopyDiverged(StoreError):
    """What is in the store that was to be the copy is no beginning of the original; the sentence says why."""


class FullEvent(NamedTuple):
    """An event with all that a store keeps of it: what proves it, the kind of its stream, the digest by which
    a repeat of it is recognised, and when its contents were erased, if they were."""

    sealed_event: SealedEvent
    kind: str
    digest: bytes
    erased_at: str | None


class _MerkleLog(Protocol):
    def head(self) -> int:
        """The position of the newest event, 0 in an empty store."""
        ...

    def read_tile(self, level: int, number: int) -> list[bytes]:
        """See `EventReader.read_tile`."""
        ...

    def read_secret(self) -> bytes:
        """The 32 bytes by which ids of imported logs are derived. Raises `StoreDamaged` where it is lost."""
        ...


class CopySource(_MerkleLog, Protocol):
    """A store that is read to be copied; others may be writing to it. Every event is held to its leaf hash:
    raises `StoreDamaged` where one is not as it was recorded."""

    def read_full_events(self, after: int, limit: int) -> list[FullEvent]:
        """Events with a position above ``after``, in order, at most ``limit``."""
        ...

    def read_full_events_at(self, positions: Sequence[int]) -> list[FullEvent]:
        """The events at these positions, as they are now, in order."""
        ...


class CopyTarget(_MerkleLog, Protocol):
    """A store that is written as a copy. Nobody else writes to it meanwhile."""

    def replace_secret(self, secret: bytes) -> None:
        """Keep the original's secret instead of one's own, as an empty store may."""
        ...

    def add_events(self, events: Sequence[FullEvent], erased: Sequence[FullEvent]) -> None:
        """Add the events behind the last one, at their positions, all of them or none; and put what stands in
        the place of ``erased`` ones, which are there already, in their place.

        Raises `CopyDiverged` where others have written to it.
        """
        ...


COPY_TARGET_CHANGED = (
    "Others write to the store {}, into which is copied: it is no copy any more. Choose an empty one."
)
