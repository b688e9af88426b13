"""A scan of all events of a store file: what each comes to now, and what contradicts itself."""

from __future__ import annotations

from typing import Final

import orjson

from schemas.rulesets.published_rulesets import is_published_ruleset, read_published_ruleset
from schemas.wire.event_reader import read_entry
from schemas.wire.wire_faults import WireError
from service.eventstore import erasure_log
from service.eventstore.inspection import RawEvent
from service.eventstore.merkle.leaves import ABSENT_LEAF_HASH, build_leaf_hasher, compute_commitment
from service.eventstore.merkle.tree import HASH_BYTES
from service.eventstore.verified_rows import placeholder_row_digest
from service.records.erase_person import can_be_placeholder
from service.transparency.integrity_faults import IntegrityFault
from service.transparency.openings import find_mismatched_kind
from service.transparency.placeholders import PlaceholderTracker

MAX_POSITION_GAP: Final = 1_000_000
"""So many positions are never missing in a row; a row that lies farther off is damaged."""

UNSET_LEAF_HASH: Final = bytes(HASH_BYTES)
"""Stands where a row was put in by who knew nothing of leaves."""
_MAX_SKIPPED_VERSIONS: Final = 1000
_MAX_FAULTS: Final = 10_000


class BoundedFaultList(list[IntegrityFault]):
    """The first faults of a scan; a file that is garbage has as many as it has events."""

    def append(self, fault: IntegrityFault, /) -> None:
        """Add one, unless there are very many."""
        if len(self) < _MAX_FAULTS:
            super().append(fault)


class StoreScan:
    """What the events of a store come to. Indices are positions less one.

    ``released_count`` events before those of the lists were looked at and let go of. ``computed_leaves``
    are the leaf hashes that the rows come to as they stand; ``stored_leaves`` those in the rows beside them;
    ``stream_versions`` says how many events each stream has; ``missing_positions`` are positions without an
    event; ``skipped_versions`` are the streams and versions that they leave out; ``placeholders`` the events
    that have lost their contents, and what is recorded of that.
    """

    def __init__(self, released_count: int = 0) -> None:
        self.released_count = released_count
        self.computed_leaves: list[bytes] = []
        self.stored_leaves: list[bytes] = []
        self.stream_versions: dict[str, int] = {}
        self.missing_positions: list[int] = []
        self.skipped_versions: list[tuple[str, int]] = []
        self.faults = BoundedFaultList()
        self.event_count = 0
        self.placeholders = PlaceholderTracker()

    def add_event(self, event: RawEvent) -> bool:
        """Take the next event; False where its position cannot be, so that the scan ends."""
        index = self.released_count + len(self.computed_leaves)
        if event.position != index + 1:
            if not index < event.position <= index + MAX_POSITION_GAP:
                self.faults.append(self.build_fault("damaged", "position", event))
                return False
            for position in range(index + 1, event.position):
                self.missing_positions.append(position)
                self.computed_leaves.append(ABSENT_LEAF_HASH)
                self.stored_leaves.append(ABSENT_LEAF_HASH)
        leaf = compute_current_leaf(event)
        self.computed_leaves.append(leaf)
        self.stored_leaves.append(leaf if event.leaf_hash == leaf else event.leaf_hash or b"")
        self.event_count += 1
        if event.salt is None:
            self.placeholders.add_erased_event(event)
        if event.version == self.stream_versions.get(event.stream, 0) + 1:
            self.stream_versions[event.stream] = event.version
        else:
            self._check_version(event)
        self._check_contents(event)
        return True

    def is_intact(self) -> bool:
        """Whether of the events that are held none contradicts itself, and none is missing."""
        return (
            not (self.missing_positions or self.faults or self.skipped_versions)
            and self.computed_leaves == self.stored_leaves
        )

    def release_leaves(self) -> list[bytes]:
        """The leaf hashes of the events so far, of which no more is kept here than how many they were."""
        leaves, self.computed_leaves, self.stored_leaves = self.computed_leaves, [], []
        self.released_count += len(leaves)
        return leaves

    def build_fault(self, kind: str, what: str, event: RawEvent, **parts: str | int) -> IntegrityFault:
        """A fault of that event."""
        return IntegrityFault(kind, what, event.position, event.stream, event.version, event.event_id, parts)

    def _check_version(self, event: RawEvent) -> None:
        """Of an event that is not the next of its stream."""
        expected = self.stream_versions.get(event.stream, 0) + 1
        self.stream_versions[event.stream] = max(event.version, expected - 1)
        if event.version > expected:
            last = min(event.version, expected + _MAX_SKIPPED_VERSIONS)
            self.skipped_versions += ((event.stream, version) for version in range(expected, last))
            if not self.missing_positions:
                fault = self.build_fault("removed", "version_skipped", event, due=expected)
                self.faults.append(fault._replace(version=expected, event_id=None))
        else:
            self.faults.append(self.build_fault("reordered", "version_repeated", event, due=expected))

    def _check_contents(self, event: RawEvent) -> None:
        if event.leaf_hash == UNSET_LEAF_HASH:
            self.faults.append(self.build_fault("added", "no_leaf", event))
        elif event.salt is None and event.commitment is None:
            self.faults.append(self.build_fault("changed", "salt_lost", event))
        elif event.placeholder_digest and event.placeholder_digest != placeholder_row_digest(event.body):
            self.faults.append(self.build_fault("changed", "standin", event))
        try:
            data = orjson.loads(event.body)
            if is_published_ruleset(data):
                read_published_ruleset(data)
            elif event.stream == erasure_log.ERASURE_STREAM:
                self.placeholders.add_erasure_entry(event.position, data)
            else:
                read_entry(data, event.version)
        except orjson.JSONDecodeError:
            self.faults.append(self.build_fault("unreadable", "no_json", event))
        except (WireError, ValueError) as error:
            self.faults.append(self.build_fault("unreadable", "no_entry", event, said=str(error)))
        else:
            if names := find_mismatched_columns(event, data):
                self.faults.append(self.build_fault("changed", "columns", event, names=", ".join(names)))
            if event.version == 1 and (expected := find_mismatched_kind(event.kind, data)):
                self.faults.append(
                    self.build_fault("changed", "kind", event, kept_as=event.kind, due=expected)
                )
            if event.salt is None and not can_be_placeholder(data):
                self.faults.append(self.build_fault("changed", "no_standin", event))


def compute_current_leaf(event: RawEvent) -> bytes:
    """The leaf hash that a row comes to as it stands."""
    committed = (
        compute_commitment(event.salt, event.body) if event.salt is not None else event.commitment or b""
    )
    return build_leaf_hasher(event.root, event.stream)(
        event.version, event.event_id, event.stored_at, committed
    )


def find_mismatched_columns(event: RawEvent, event_json: object) -> list[str]:
    """What the row says of itself in other words than its contents do."""
    if not isinstance(event_json, dict) or (
        event_json.get("id") == event.event_id
        and event_json.get("seq") == event.version
        and event_json.get("stored_at") == event.stored_at
    ):
        return []
    columns = (("id", event.event_id), ("seq", event.version), ("stored_at", event.stored_at))
    return [name for name, value in columns if event_json.get(name, value) != value]
