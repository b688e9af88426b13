"""What stands in the place of erased contents, held to what the store records of its erasures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.eventstore import erasure_log
from service.eventstore.inspection import RawEvent
from service.transparency.integrity_faults import IntegrityFault
from service.transparency.verification_result import ErasedEvent


class PlaceholderTracker:
    """The erased events of a scan with digests of what stands there, and the entries that record those.

    The last entry of an event counts.
    """

    def __init__(self) -> None:
        self._erased_events: dict[int, tuple[ErasedEvent, bytes]] = {}
        self._recorded: dict[int, tuple[int, bytes]] = {}

    def add_erased_event(self, event: RawEvent) -> None:
        """Take an event that has lost its contents."""
        erased_at = event.erased_at or None
        erasure = ErasedEvent(event.position, event.stream, event.version, event.event_id, erased_at)
        self._erased_events[event.position] = erasure, erasure_log.placeholder_sha256(event.body)

    def add_erasure_entry(self, entry: int, event_json: dict[str, Any]) -> None:
        """Take an entry that records what was erased. Raises `ValueError` where it is none."""
        for position, digest in erasure_log.parse_placeholders(event_json):
            self._recorded[position] = (entry, digest)

    def merge(self, later: PlaceholderTracker) -> None:
        """Take what another scan took, of events behind these."""
        self._erased_events |= later._erased_events
        self._recorded |= later._recorded

    def list_erased_events(self) -> Iterator[ErasedEvent]:
        """The erased events, each with the entry that records it."""
        for position, (erasure, _) in self._erased_events.items():
            yield erasure._replace(entry=self._recorded.get(position, (None, b""))[0])

    def find_faults(self) -> Iterator[IntegrityFault]:
        """Where what stands there is not what an entry records, or none does; or contents are back."""
        for position, (erasure, digest) in self._erased_events.items():
            if position not in self._recorded:
                yield IntegrityFault("changed", "not_erased", *erasure[:4])
            elif self._recorded[position][1] != digest:
                yield IntegrityFault("changed", "standin", *erasure[:4])
        for position, (entry, _) in self._recorded.items():
            if position not in self._erased_events:
                yield IntegrityFault("changed", "returned", position, details={"entry": entry})
