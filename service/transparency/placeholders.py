"""What stands in the place of erased contents, held to what the store records of its erasures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from service.eventstore import erasure_log
from service.eventstore.inspection import RawEvent
from service.transparency.integrity_faults import IntegrityFault
from service.transparency.verification_result import ErasedEvent


class _RecordedPlaceholder(NamedTuple):
    """What an entry at that position says of an event: the digest of what stands there since."""

    entry: int
    digest: bytes


class PlaceholderTracker:
    """The erased events of a scan, and the entries that record them. The last entry of an event counts."""

    def __init__(self) -> None:
        self._erased_events: dict[int, tuple[ErasedEvent, bytes]] = {}
        self._recorded_digests: dict[int, _RecordedPlaceholder] = {}

    def add_erased_event(self, event: RawEvent) -> None:
        """Take an event that has lost its contents."""
        erased_at = event.erased_at or None
        erasure = ErasedEvent(event.position, event.stream, event.version, event.event_id, erased_at)
        self._erased_events[event.position] = erasure, erasure_log.placeholder_sha256(event.body)

    def add_erasure_entry(self, entry: int, event_json: dict[str, Any]) -> None:
        """Take an entry that records what was erased. Raises `ValueError` where it is none."""
        for position, digest in erasure_log.parse_placeholders(event_json):
            self._recorded_digests[position] = _RecordedPlaceholder(entry, digest)

    def merge(self, later: PlaceholderTracker) -> None:
        """Take what another scan took, of events behind these."""
        self._erased_events |= later._erased_events
        self._recorded_digests |= later._recorded_digests

    def list_erased_events(self) -> Iterator[ErasedEvent]:
        """The erased events, each with the entry that records it."""
        for position, (erasure, _) in self._erased_events.items():
            recorded = self._recorded_digests.get(position)
            yield erasure._replace(entry=recorded.entry if recorded else None)

    def find_faults(self) -> Iterator[IntegrityFault]:
        """Where what stands there is not what an entry records, or none does; or contents are back."""
        for position, (erasure, digest) in self._erased_events.items():
            recorded = self._recorded_digests.get(position)
            if recorded is None:
                yield IntegrityFault("changed", "not_erased", *erasure[:4])
            elif recorded.digest != digest:
                yield IntegrityFault("changed", "standin", *erasure[:4])
        for position, recorded in self._recorded_digests.items():
            if position not in self._erased_events:
                yield IntegrityFault("changed", "returned", position, details={"entry": recorded.entry})
