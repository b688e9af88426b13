"""A scan of a store's events: their leaf hashes as they are now, and what contradicts itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import orjson

from schemas.rulesets.published_rulesets import is_published_ruleset, read_published_ruleset
from schemas.wire.event_reader import read_entry
from schemas.wire.jsonlines import RULESET_PUBLISHED_TYPE
from schemas.wire.wire_faults import WireError
from service.eventstore import erasure_log
from service.eventstore.inspection import RawEvent
from service.eventstore.merkle.leaf_tree import LeafHashes, LeafTree
from service.eventstore.merkle.leaves import ABSENT_LEAF_HASH
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.merkle.tree import HASH_BYTES, root_of_leaves
from service.eventstore.verified_rows import placeholder_row_digest
from service.records.club_rules import RULESETS_KIND
from service.records.erase_person import can_be_placeholder
from service.records.record_streams import DEAL_KIND, TABLE_KIND
from service.transparency.verification_result import ErasedEvent, IntegrityFault


class PlaceholderTracker:
    """The erased events of a scan, and the entries that record their placeholders; the last entry counts."""

    def __init__(self) -> None:
        self._erased_events: dict[int, tuple[ErasedEvent, bytes]] = {}
        self._recorded: dict[int, tuple[int, bytes]] = {}

    def add_erased_event(self, event: RawEvent) -> None:
        """Take an event without its contents."""
        erased_at = event.erased_at or None
        erasure = ErasedEvent(event.position, event.stream, event.version, event.event_id, erased_at)
        self._erased_events[event.position] = erasure, erasure_log.placeholder_sha256(event.body)

    def add_erasure_entry(self, entry: int, event_json: dict[str, Any]) -> None:
        """Take an entry that records an erasure. Raises `ValueError` if it is none."""
        for position, digest in erasure_log.parse_placeholders(event_json):
            self._recorded[position] = (entry, digest)

    def merge(self, later: PlaceholderTracker) -> None:
        """Take what a scan of later events took."""
        self._erased_events |= later._erased_events
        self._recorded |= later._recorded

    def list_erased_events(self) -> Iterator[ErasedEvent]:
        """The erased events, each with the entry that records it."""
        for position, (erasure, _) in self._erased_events.items():
            yield erasure._replace(entry=self._recorded.get(position, (None, b""))[0])

    def find_faults(self) -> Iterator[IntegrityFault]:
        """Placeholders that differ from their entry or have none, and erased contents that are back."""
        for position, (erasure, digest) in self._erased_events.items():
            if position not in self._recorded:
                yield IntegrityFault("changed", "not_erased", *erasure[:4])
            elif self._recorded[position][1] != digest:
                yield IntegrityFault("changed", "standin", *erasure[:4])
        for position, (entry, _) in self._recorded.items():
            if position not in self._erased_events:
                yield IntegrityFault("changed", "returned", position, details={"entry": entry})


MAX_POSITION_GAP: Final = 1_000_000
"""A row after a larger gap has a damaged position."""

UNSET_LEAF_HASH: Final = bytes(HASH_BYTES)
"""The leaf hash of a row that was not written by the service."""
KIND_BY_OPENING_TYPE: Final = {
    "deal_opened": DEAL_KIND,
    "table_opened": TABLE_KIND,
    RULESET_PUBLISHED_TYPE: RULESETS_KIND,
    erasure_log.ERASURE_EVENT_TYPE: erasure_log.ERASURE_STREAM_KIND,
}
_MAX_SKIPPED_VERSIONS: Final = 1000
_MAX_FAULTS: Final = 10_000
_TILE_BYTES: Final = TILE_WIDTH * HASH_BYTES


class StoreScan:
    """The scan of a store's events after position ``start`` and up to ``end``.

    ``computed_leaves`` are the leaf hashes that follow from the rows, ``differing_leaves`` those stored in
    the rows that differ, by index (position less one). ``first_versions`` and ``stream_versions`` are the
    first and last version of each stream; ``missing_positions`` are positions without an event,
    ``skipped_versions`` the streams and versions without one.
    """

    def __init__(self, start: int = 0) -> None:
        self.start = self.end = start
        self._leaf_bytes = bytearray()
        self.computed_leaves = LeafHashes(self._leaf_bytes)
        self._tile_roots: list[bytes] = []
        self.differing_leaves: dict[int, bytes] = {}
        self.first_versions: dict[str, int] = {}
        self.stream_versions: dict[str, int] = {}
        self.missing_positions: list[int] = []
        self.skipped_versions: list[tuple[str, int]] = []
        self.faults: list[IntegrityFault] = []
        self.event_count = 0
        self.placeholders = PlaceholderTracker()

    def add_events(self, events: Iterable[RawEvent]) -> IntegrityFault | None:
        """Scan the next events; the fault if the scan ends at an impossible position."""
        for event in events:
            if not self.end < event.position <= self.end + MAX_POSITION_GAP:
                return build_event_fault("damaged", "position", event)
            self._add_event(event)
        return None

    def add_segment(self, segment: StoreScan) -> bool:
        """Take intact events that were scanned elsewhere; False if they do not continue these."""
        first_versions, versions = segment.first_versions, self.stream_versions
        if segment.start != self.end or any(
            versions.get(stream, 0) + 1 != first for stream, first in first_versions.items()
        ):
            return False
        self.end = segment.end
        self._leaf_bytes += segment._leaf_bytes
        self._tile_roots += segment._tile_roots
        self.stream_versions |= segment.stream_versions
        self.event_count += segment.event_count
        self.placeholders.merge(segment.placeholders)
        return True

    def is_intact(self) -> bool:
        """Whether no event contradicts itself, and none is missing."""
        return not (self.missing_positions or self.faults or self.skipped_versions or self.differing_leaves)

    def tree(self) -> LeafTree:
        """The tree over the computed leaf hashes."""
        return LeafTree(self.computed_leaves, self._tile_roots)

    def stored_leaves(self) -> Sequence[bytes]:
        """The leaf hashes as stored in the rows."""
        if not self.differing_leaves:
            return self.computed_leaves
        leaves = self.computed_leaves[:]
        for index, leaf in self.differing_leaves.items():
            leaves[index] = leaf
        return leaves

    def _add_event(self, event: RawEvent) -> None:
        for position in range(self.end + 1, event.position):
            self.missing_positions.append(position)
            self._add_leaf(ABSENT_LEAF_HASH)
        leaf = event.compute_leaf_hash()
        if event.leaf_hash != leaf:
            self.differing_leaves[self.end] = event.leaf_hash or b""
        self._add_leaf(leaf)
        self.event_count += 1
        if event.salt is None:
            self.placeholders.add_erased_event(event)
        self._check_version(event)
        self._check_contents(event)

    def _add_leaf(self, leaf: bytes) -> None:
        self._leaf_bytes += leaf
        self.end += 1
        if len(self._leaf_bytes) % _TILE_BYTES == 0:
            self._tile_roots.append(root_of_leaves(self.computed_leaves[-TILE_WIDTH:]))

    def _check_version(self, event: RawEvent) -> None:
        if event.stream not in self.stream_versions:
            # A scan from the middle does not know whether this is the first event of the stream.
            first = event.version if self.start else 1
            self.first_versions[event.stream], self.stream_versions[event.stream] = first, first - 1
        expected = self.stream_versions[event.stream] + 1
        self.stream_versions[event.stream] = max(event.version, expected - 1)
        if event.version > expected:
            last = min(event.version, expected + _MAX_SKIPPED_VERSIONS)
            self.skipped_versions += ((event.stream, version) for version in range(expected, last))
            if not self.missing_positions:
                fault = build_event_fault("removed", "version_skipped", event, due=expected)
                self._add_fault(fault._replace(version=expected, event_id=None))
        elif event.version < expected:
            self._add_fault(build_event_fault("reordered", "version_repeated", event, due=expected))

    def _check_contents(self, event: RawEvent) -> None:
        if event.leaf_hash == UNSET_LEAF_HASH:
            self._add_fault(build_event_fault("added", "no_leaf", event))
        elif event.salt is None and event.commitment is None:
            self._add_fault(build_event_fault("changed", "salt_lost", event))
        elif event.placeholder_digest and event.placeholder_digest != placeholder_row_digest(event.body):
            self._add_fault(build_event_fault("changed", "standin", event))
        try:
            data = orjson.loads(event.body)
            if is_published_ruleset(data):
                read_published_ruleset(data)
            elif event.stream == erasure_log.ERASURE_STREAM:
                self.placeholders.add_erasure_entry(event.position, data)
            else:
                read_entry(data, event.version)
        except orjson.JSONDecodeError:
            self._add_fault(build_event_fault("unreadable", "no_json", event))
        except (WireError, ValueError) as error:
            self._add_fault(build_event_fault("unreadable", "no_entry", event, said=str(error)))
        else:
            self._check_bookkeeping(event, data)

    def _check_bookkeeping(self, event: RawEvent, data: dict[str, Any]) -> None:
        """Check that the row and the contents of a readable event agree."""
        columns = (("id", event.event_id), ("seq", event.version), ("stored_at", event.stored_at))
        if names := [name for name, value in columns if data.get(name, value) != value]:
            self._add_fault(build_event_fault("changed", "columns", event, names=", ".join(names)))
        if event.version == 1 and (expected := find_mismatched_kind(event.kind, data)):
            self._add_fault(build_event_fault("changed", "kind", event, kept_as=event.kind, due=expected))
        if event.salt is None and not can_be_placeholder(data):
            self._add_fault(build_event_fault("changed", "no_standin", event))

    def _add_fault(self, fault: IntegrityFault) -> None:
        if len(self.faults) < _MAX_FAULTS:
            self.faults.append(fault)


def build_event_fault(kind: str, code: str, event: RawEvent, **details: str | int) -> IntegrityFault:
    """A fault at that event."""
    return IntegrityFault(kind, code, event.position, event.stream, event.version, event.event_id, details)


def find_mismatched_kind(kind: str, event_json: dict[str, Any]) -> str | None:
    """The kind of a record by its first event, if it is stored as another kind; else None.

    Such a record is missing in lists, and no leaf hash reveals it.
    """
    expected = KIND_BY_OPENING_TYPE.get(str(event_json.get("type")))
    return expected if expected is not None and expected != kind else None
