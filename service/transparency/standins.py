"""What stands in the place of erased contents, held to what the store records of its erasures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from service.eventstore import erasing
from service.eventstore.inspection import RawEvent
from service.transparency.faults import Fault
from service.transparency.verdict import Erasure


class _Recorded(NamedTuple):
    """What an entry at that position says of an event: the digest of what stands there since."""

    entry: int
    digest: bytes


class Standins:
    """The erased events of a walk, and the entries that record them. The last entry of an event counts."""

    def __init__(self) -> None:
        self._there: dict[int, tuple[Erasure, bytes]] = {}
        self._recorded: dict[int, _Recorded] = {}

    def stand(self, event: RawEvent) -> None:
        """Take an event that has lost its contents."""
        erased_at = event.erased_at or None
        erasure = Erasure(event.position, event.stream, event.version, event.event_id, erased_at)
        self._there[event.position] = erasure, erasing.standin_digest(event.body)

    def recorded(self, entry: int, said: dict[str, Any]) -> None:
        """Take an entry that records what was erased. Raises `ValueError` where it is none."""
        for position, digest in erasing.standins_in(said):
            self._recorded[position] = _Recorded(entry, digest)

    def go_on(self, behind: Standins) -> None:
        """Take what another walk took, of events behind these."""
        self._there |= behind._there
        self._recorded |= behind._recorded

    def erasures(self) -> Iterator[Erasure]:
        """The erased events, each with the entry that records it."""
        for position, (erasure, _) in self._there.items():
            recorded = self._recorded.get(position)
            yield erasure._replace(entry=recorded.entry if recorded else None)

    def faults(self) -> Iterator[Fault]:
        """Where what stands there is not what an entry records, or none does; or contents are back."""
        for position, (erasure, digest) in self._there.items():
            recorded = self._recorded.get(position)
            if recorded is None:
                yield Fault("changed", "not_erased", *erasure[:4])
            elif recorded.digest != digest:
                yield Fault("changed", "standin", *erasure[:4])
        for position, recorded in self._recorded.items():
            if position not in self._there:
                yield Fault("changed", "returned", position, parts={"entry": recorded.entry})
