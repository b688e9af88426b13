"""From the leaf hashes that were recorded and the rows that stand there now: what was done to which event.

A hash does not say what it was made of. But an event that was only moved still leads to a recorded hash once
it is put back: under the number it had. By that a removal, an addition and a change are told apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Final

import orjson

from service.eventstore.inspection import Inspection, RawEvent
from service.transparency.integrity_faults import IntegrityFault
from service.transparency.scan import UNSET_LEAF_HASH, StoreScan, build_event_fault, compute_current_leaf

MAX_DIAGNOSED_EVENTS: Final = 20
"""So many events are named; who changed more has rewritten the record."""


class LeafDiagnosis:
    """Compares ``recorded`` leaf hashes with those of a scan; ``unnamed_count`` differ that are not named."""

    def __init__(self, recorded: Sequence[bytes], scan: StoreScan, inspection: Inspection) -> None:
        self._recorded = recorded
        self._scan = scan
        self._inspection = inspection
        self.unnamed_count = 0

    def find_faults(self) -> Iterator[IntegrityFault]:
        """What was done, from the first event on, until one was taken out or put in between others."""
        computed = self._scan.computed_leaves
        differing = (i for i, leaf in enumerate(self._recorded) if i >= len(computed) or computed[i] != leaf)
        for index in islice(differing, MAX_DIAGNOSED_EVENTS):
            fault = self._fault_at(index)
            yield fault
            if fault.kind != "changed" and fault.code not in ("no_row", "no_leaf"):
                return
        self.unnamed_count = sum(1 for _ in differing)

    def _fault_at(self, index: int) -> IntegrityFault:
        if index >= len(self._scan.computed_leaves):
            return IntegrityFault("removed", "at_the_end", index + 1)
        if index + 1 in self._scan.missing_positions:
            return build_missing_row_fault(self._scan, index + 1)
        event = self._inspection.read_raw_event(index + 1)
        if event is None:
            return IntegrityFault("removed", "no_row", index + 1)
        return self._diagnose_event(index, event, self._inspection.read_raw_stream(event.stream))

    def _diagnose_event(self, index: int, event: RawEvent, stream: Sequence[RawEvent]) -> IntegrityFault:
        if event.leaf_hash == UNSET_LEAF_HASH == self._recorded[index]:
            return build_event_fault("added", "no_leaf", event)
        recorded_index = self._find_recorded_index(event, len(stream))
        if recorded_index == index:  # only its number is another
            return build_event_fault("changed", "columns", event, names="seq")
        is_present = self._is_still_present(self._recorded[index], stream, event.version)
        if recorded_index is None:
            if is_present:
                return build_event_fault("added", "not_recorded", event)
            return self._diagnose_change(index, event)
        if is_present:
            return build_event_fault("reordered", "stood_at", event, was=recorded_index + 1)
        fault = build_event_fault("removed", "closed_up", event, next=event.event_id)
        return fault._replace(event_id=None)

    def _diagnose_change(self, index: int, event: RawEvent) -> IntegrityFault:
        data = parse_event_object(event)
        for column, name, kind in _REPEATED_COLUMNS:
            value = data.get(name)
            if isinstance(value, kind):
                restored = event._replace(**{column: value})  # type: ignore[arg-type]
                if compute_current_leaf(restored) == self._recorded[index]:
                    return build_event_fault("changed", "columns", event, names=name)
        return build_event_fault("changed", "contents", event)

    def _find_recorded_index(self, event: RawEvent, count: int) -> int | None:
        """The index at which the event was recorded, whatever its number was then; None if it was not."""
        leaves = (leaf for v in range(count + 2) for leaf in _leaf_hashes_as_version(event, v))
        return next((self._recorded_indexes[leaf] for leaf in leaves if leaf in self._recorded_indexes), None)

    def _is_still_present(self, leaf: bytes, stream: Sequence[RawEvent], version: int) -> bool:
        """Whether a recorded event still stands somewhere, or in the stream under that number."""
        return leaf in self._computed_leaf_set or any(
            leaf in _leaf_hashes_as_version(event, version) for event in stream
        )

    @cached_property
    def _recorded_indexes(self) -> dict[bytes, int]:
        return {leaf: index for index, leaf in enumerate(self._recorded)}

    @cached_property
    def _computed_leaf_set(self) -> set[bytes]:
        return set(self._scan.computed_leaves)


_REPEATED_COLUMNS: Final = (("event_id", "id", str), ("version", "seq", int), ("stored_at", "stored_at", str))
"""What stands in the row and in the contents too."""


def build_missing_row_fault(scan: StoreScan, position: int) -> IntegrityFault:
    """The event that has no row any more; where one stream has gaps, they tell which events these were."""
    skipped, missing = scan.skipped_versions, scan.missing_positions
    is_known = len({stream for stream, _ in skipped}) == 1 and len(skipped) == len(missing)
    return IntegrityFault(
        "removed", "no_row", position, *(skipped[missing.index(position)] if is_known else ())
    )


def _leaf_hashes_as_version(event: RawEvent, version: int) -> Iterator[bytes]:
    """The leaf hashes that the event would have as another of its stream: its contents as they are, or
    with that number in them."""
    renumbered = event._replace(version=version)
    yield compute_current_leaf(renumbered)
    data = parse_event_object(event)
    if "seq" in data:
        yield compute_current_leaf(renumbered._replace(body=orjson.dumps({**data, "seq": version})))


def parse_event_object(event: RawEvent) -> dict[str, object]:
    """What an event says; nothing where that is no JSON object."""
    try:
        data = orjson.loads(event.body)
    except orjson.JSONDecodeError:
        return {}
    return data if isinstance(data, dict) else {}
