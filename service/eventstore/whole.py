"""Stores copied whole: each event with all that a store keeps of it, so that the copy is the same log.

An *original* is read, a *copy* is written, and both are of any kind. What is in a copy is a beginning of its
original, in the same order and at the same positions, to the byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from service.eventstore.errors import StoreError
from service.eventstore.interface import Sealed


class NotACopy(StoreError):
    """What is in the store that was to be the copy is no beginning of the original; the sentence says why."""


class WholeEvent(NamedTuple):
    """An event with all that a store keeps of it: what proves it, the kind of its stream, the digest by which
    a repeat of it is recognised, and when its contents were erased, if they were."""

    sealed: Sealed
    kind: str
    digest: bytes
    erased_at: str | None


class _Log(Protocol):
    def head(self) -> int:
        """The position of the newest event, 0 in an empty store."""
        ...

    def tile(self, level: int, number: int) -> list[bytes]:
        """See `EventReader.tile`."""
        ...

    def secret(self) -> bytes:
        """The 32 bytes by which ids of imported logs are derived. Raises `StoreDamaged` where it is lost."""
        ...


class Original(_Log, Protocol):
    """A store that is read to be copied; others may be writing to it. Every event is held to its leaf hash:
    raises `StoreDamaged` where one is not as it was recorded."""

    def events(self, after: int, limit: int) -> list[WholeEvent]:
        """Events with a position above ``after``, in order, at most ``limit``."""
        ...

    def at(self, positions: Sequence[int]) -> list[WholeEvent]:
        """The events at these positions, as they are now, in order."""
        ...


class Copy(_Log, Protocol):
    """A store that is written as a copy. Nobody else writes to it meanwhile."""

    def take_secret(self, secret: bytes) -> None:
        """Keep the original's secret instead of one's own, as an empty store may."""
        ...

    def add(self, events: Sequence[WholeEvent], erased: Sequence[WholeEvent]) -> None:
        """Add the events behind the last one, at their positions, all of them or none; and put what stands in
        the place of ``erased`` ones, which are there already, in their place.

        Raises `NotACopy` where others have written to it.
        """
        ...


TAKEN = "Others write to the store {}, into which is copied: it is no copy any more. Choose an empty one."
