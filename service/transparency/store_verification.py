"""Verifying a store against itself and against checkpoints kept elsewhere, and diagnosing what was changed.

A hash does not say of what it was made. But an event that was moved gives a recorded hash again once it has
its old number. This tells removals, additions and changes apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from typing import Final

import orjson

from service.eventstore import StoreError
from service.eventstore.inspection import Inspection, RawEvent
from service.eventstore.merkle.leaf_tree import LeafTree
from service.eventstore.merkle.leaves import ABSENT_LEAF_HASH
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.merkle.tree import root_of_leaves
from service.transparency.checkpoint_file import SavedCheckpoints
from service.transparency.scan import UNSET_LEAF_HASH, StoreScan, build_event_fault
from service.transparency.signed_notes import Checkpoint
from service.transparency.verification_result import IntegrityFault, VerificationResult

MAX_STORE_FAULTS: Final = 50


def verify_store(
    inspection: Inspection,
    trusted: SavedCheckpoints | None = None,
    local: SavedCheckpoints | None = None,
    segments: Iterable[StoreScan | None] = (),
) -> VerificationResult:
    """Verify a whole store, and compare it with ``trusted`` checkpoints, kept elsewhere.

    ``local`` is what is stored next to the store. It proves nothing, as anyone who changed the store could
    change that too; but the store must agree with it, and its leaf hashes can show which event was changed.

    Reads the events after ``segments``, which `service.transparency.parallel` has scanned, and holds 32 bytes
    for each event in memory.
    """
    damage: list[IntegrityFault] = []
    _check_file(inspection, damage)
    last_assigned = 0
    with _noting_damage(damage):
        last_assigned = inspection.last_assigned_position()
    scan, end_faults = _scan_store(inspection, segments)
    damage += end_faults
    named_faults: list[IntegrityFault] = []
    unnamed_count = proven = 0
    recorded = stored = scan.stored_leaves()
    with _noting_damage(damage):
        recorded = _read_recorded_leaves(inspection, scan, stored, damage)
    with _noting_damage(damage):
        if saved := trusted or local:
            lists = (saved.leaf_hashes, local.leaf_hashes if local else (), recorded, stored)
            proven, recorded, checkpoint_faults = _check_checkpoints(
                saved, scan, lists, is_complete=not end_faults
            )
            named_faults += checkpoint_faults
        if trusted is not None and not _has_matching_leaves(trusted):
            damage.append(IntegrityFault("checkpoint", "leaves_amiss"))
        if end_faults:
            recorded = recorded[: scan.end]
        if recorded is not scan.computed_leaves:
            diagnosis = LeafDiagnosis(recorded, scan, inspection)
            named_faults += diagnosis.find_faults()
            unnamed_count = diagnosis.unnamed_count
        named_faults += _find_leaf_mismatches(scan, recorded, inspection)
        named_faults += _find_missing_events(scan, recorded, proven if trusted else 0)
        if not end_faults:
            named_faults += _find_cut_off_events(scan.end, inspection.recorded_head, last_assigned)
    placeholder_faults = () if end_faults else scan.placeholders.find_faults()
    named_faults = _remove_duplicate_faults([*named_faults, *scan.faults, *placeholder_faults])
    named_faults.sort(key=lambda fault: (fault.position is None, fault.position or 0))
    faults = (*named_faults, *_remove_duplicate_faults(damage))
    erasures = tuple(scan.placeholders.list_erased_events())
    return VerificationResult(
        scan.event_count,
        len(scan.stream_versions),
        faults[:MAX_STORE_FAULTS],
        proven - sum(one.position <= proven for one in erasures) if trusted else None,
        erased_events=erasures,
        unnamed_fault_count=unnamed_count + max(0, len(faults) - MAX_STORE_FAULTS),
        proven_position=proven if trusted else None,
    )


@contextmanager
def _noting_damage(damage: list[IntegrityFault]) -> Iterator[None]:
    """End the block if the database fails, and note its error."""
    try:
        yield
    except StoreError as error:
        damage.append(IntegrityFault("damaged", "file", details={"said": str(error)}))


def _check_file(inspection: Inspection, damage: list[IntegrityFault]) -> None:
    """Note what is wrong with the file, apart from its events."""
    with _noting_damage(damage):
        for message in inspection.find_integrity_errors():
            damage.append(IntegrityFault("damaged", "integrity", details={"said": message}))
        for name in inspection.find_schema_differences():
            damage.append(IntegrityFault("rule", "rule", details={"name": name}))
        for event in inspection.find_unpositioned_events():
            damage.append(build_event_fault("added", "stray", event)._replace(position=None))


def _scan_store(
    inspection: Inspection, segments: Iterable[StoreScan | None]
) -> tuple[StoreScan, list[IntegrityFault]]:
    """The scan, and why it ended early if it did."""
    scan, end_faults = StoreScan(), list[IntegrityFault]()
    with _noting_damage(end_faults):
        for segment in segments:
            if segment is None or not scan.add_segment(segment):
                break
        if fault := scan.add_events(inspection.read_raw_events(scan.end)):
            end_faults.append(fault)
    return scan, end_faults


def _read_recorded_leaves(
    inspection: Inspection, scan: StoreScan, stored: Sequence[bytes], damage: list[IntegrityFault]
) -> Sequence[bytes]:
    """The leaf hashes in the store: those of full tiles, and of the rows after them."""
    tiles, size = dict[int, list[bytes]](), scan.end
    is_sound = inspection.reports_leaf_mismatch and scan.is_intact()
    for number, leaves in () if is_sound else inspection.read_leaf_tiles():
        start, stop = number * TILE_WIDTH, (number + 1) * TILE_WIDTH
        if scan.end < stop <= inspection.last_position():
            continue  # a service has appended to the store since
        if len(leaves) != TILE_WIDTH or not 0 <= start <= size:
            damage.append(IntegrityFault("damaged", "tile", details={"number": number}))
        elif leaves != stored[start:stop]:
            tiles[start], size = leaves, max(size, stop)
    recorded: list[bytes] | None = None
    if tiles or stored is not scan.computed_leaves:
        recorded = list(stored[:])
        for start, leaves in tiles.items():
            recorded[start : start + TILE_WIDTH] = leaves
    tree = scan.tree() if recorded is None else LeafTree(recorded)
    for level, number in tree.find_differing_subtrees(inspection.read_subtree_hashes()):
        damage.append(IntegrityFault("damaged", "subtree", details={"level": level, "number": number}))
    return recorded or stored


def _check_checkpoints(
    saved: SavedCheckpoints, scan: StoreScan, lists: Sequence[Sequence[bytes]], is_complete: bool
) -> tuple[int, Sequence[bytes], list[IntegrityFault]]:
    """How many events the checkpoints prove, the recorded leaf hashes, and the first contradiction.

    ``lists`` are leaf hashes from several places, the third from the store. The first list that gives the
    root of a checkpoint is what was recorded.
    """
    checkpoints, stored = [note.checkpoint for note in saved.notes], lists[2]
    tree = scan.tree()
    confirmed_sizes = [one.size for one in checkpoints if tree.root(one.size) == one.root]
    proven = max(confirmed_sizes, default=0)
    unconfirmed = next((one for one in checkpoints if tree.root(one.size) != one.root), None)
    if unconfirmed is None:
        is_computed = stored is scan.computed_leaves
        return proven, stored if is_computed else [*scan.computed_leaves[:proven], *stored[proven:]], []
    size = unconfirmed.size
    proven = max((one for one in confirmed_sizes if one < size), default=0)
    for leaves in lists:
        if len(leaves) >= size and root_of_leaves(leaves[:size]) == unconfirmed.root:
            return proven, [*leaves[:size], *stored[size:]], []
    if not is_complete and size > scan.end:
        return proven, stored, []
    return proven, stored, [_build_checkpoint_fault(unconfirmed, proven, scan.end)]


def _build_checkpoint_fault(checkpoint: Checkpoint, proven: int, event_count: int) -> IntegrityFault:
    """The fault of a contradicted checkpoint, if no list of leaf hashes tells by which event."""
    size = checkpoint.size
    parts = {"size": size, "has": event_count, "first": proven + 1, "last": size}
    if size > event_count:
        return IntegrityFault("removed", "too_few", details=parts)  # their places are unknown
    return IntegrityFault("rewritten", "between", proven + 1, details=parts)


def _has_matching_leaves(saved: SavedCheckpoints) -> bool:
    """Whether the saved leaf hashes give the root of a saved checkpoint, if they reach one."""
    leaves = saved.leaf_hashes
    checkpoints = [note.checkpoint for note in saved.notes if note.checkpoint.size <= len(leaves)]
    if not (leaves and checkpoints):
        return True
    tree = LeafTree(leaves)
    return any(tree.root(one.size) == one.root for one in checkpoints)


def _find_leaf_mismatches(
    scan: StoreScan, recorded: Sequence[bytes], inspection: Inspection
) -> Iterator[IntegrityFault]:
    """Events as recorded, by a tile or a checkpoint, whose own rows have another hash."""
    computed = scan.computed_leaves
    indices = (one for one in scan.differing_leaves if recorded[one : one + 1] == [computed[one]])
    for index in islice(indices, MAX_STORE_FAULTS):
        event = inspection.read_raw_event(index + 1)
        if event is not None:
            yield build_event_fault("changed", "leaf", event)


def _find_missing_events(scan: StoreScan, recorded: Sequence[bytes], proven: int) -> Iterator[IntegrityFault]:
    """Missing events, except for those that were recorded as missing."""
    tiled_size = len(recorded) // TILE_WIDTH * TILE_WIDTH
    for position in scan.missing_positions[:100]:
        is_recorded_absent = (
            position <= max(proven, tiled_size) and recorded[position - 1] == ABSENT_LEAF_HASH
        )
        if not is_recorded_absent:
            yield build_missing_row_fault(scan, position)


def _find_cut_off_events(end: int, recorded_head: int, last_assigned: int) -> Iterator[IntegrityFault]:
    """Events missing at the end, by the note next to the store and the database's own counter."""
    for code, last in (("noted", recorded_head), ("given", last_assigned)):
        if last > end:
            yield IntegrityFault("removed", code, end + 1, details={"last": last})


def _remove_duplicate_faults(faults: Iterable[IntegrityFault]) -> list[IntegrityFault]:
    """The faults, only the first at each place."""
    seen: dict[object, IntegrityFault] = {}
    for fault in faults:
        seen.setdefault(
            (fault.position, *([] if fault.position else [fault.code, *fault.details.items()])), fault
        )
    return list(seen.values())


MAX_DIAGNOSED_EVENTS: Final = 20
"""Anyone who changed more events has rewritten the record."""


class LeafDiagnosis:
    """Compares ``recorded`` leaf hashes with those of a scan; ``unnamed_count`` more differ."""

    def __init__(self, recorded: Sequence[bytes], scan: StoreScan, inspection: Inspection) -> None:
        self._recorded = recorded
        self._scan = scan
        self._inspection = inspection
        self.unnamed_count = 0

    def find_faults(self) -> Iterator[IntegrityFault]:
        """The faults from the first event on, up to the first removal or insertion between others."""
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
        if recorded_index == index:  # only its number differs
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
                if restored.compute_leaf_hash() == self._recorded[index]:
                    return build_event_fault("changed", "columns", event, names=name)
        return build_event_fault("changed", "contents", event)

    def _find_recorded_index(self, event: RawEvent, count: int) -> int | None:
        """The index at which the event was recorded, with whatever number; None if it was not."""
        leaves = (leaf for v in range(count + 2) for leaf in _leaf_hashes_as_version(event, v))
        return next((self._recorded_indexes[leaf] for leaf in leaves if leaf in self._recorded_indexes), None)

    def _is_still_present(self, leaf: bytes, stream: Sequence[RawEvent], version: int) -> bool:
        """Whether a recorded event is still there, perhaps in the stream with that number."""
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
"""What both the row and the contents have."""


def build_missing_row_fault(scan: StoreScan, position: int) -> IntegrityFault:
    """The fault of an event without a row; if one stream has the gaps, with its version there."""
    skipped, missing = scan.skipped_versions, scan.missing_positions
    is_known = len({stream for stream, _ in skipped}) == 1 and len(skipped) == len(missing)
    return IntegrityFault(
        "removed", "no_row", position, *(skipped[missing.index(position)] if is_known else ())
    )


def _leaf_hashes_as_version(event: RawEvent, version: int) -> Iterator[bytes]:
    """The leaf hashes that the event would have with that version, in the row alone or also in its
    contents."""
    renumbered = event._replace(version=version)
    yield renumbered.compute_leaf_hash()
    data = parse_event_object(event)
    if "seq" in data:
        yield renumbered._replace(body=orjson.dumps({**data, "seq": version})).compute_leaf_hash()


def parse_event_object(event: RawEvent) -> dict[str, object]:
    """The JSON object of an event; an empty one if it has none."""
    try:
        data = orjson.loads(event.body)
    except orjson.JSONDecodeError:
        return {}
    return data if isinstance(data, dict) else {}
