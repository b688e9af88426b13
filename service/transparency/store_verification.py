"""Verifying a store: against itself, and against checkpoints kept elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Final

from service.eventstore import StoreError
from service.eventstore.inspection import Inspection
from service.eventstore.merkle.leaves import ABSENT_LEAF_HASH
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.merkle.tree import root_of_leaves
from service.transparency.checkpoint_file import SavedCheckpoints
from service.transparency.diagnosis import LeafDiagnosis, build_missing_row_fault
from service.transparency.integrity_faults import IntegrityFault
from service.transparency.leaf_tree import LeafTree
from service.transparency.scan import StoreScan, build_event_fault
from service.transparency.signed_notes import Checkpoint
from service.transparency.verification_result import VerificationResult

MAX_STORE_FAULTS: Final = 50
"""So many faults are named."""


def verify_store(
    inspection: Inspection,
    trusted: SavedCheckpoints | None = None,
    local: SavedCheckpoints | None = None,
    segments: Iterable[StoreScan | None] = (),
) -> VerificationResult:
    """Verify a whole store, and compare it with ``trusted`` checkpoints, kept elsewhere.

    ``local`` is what is stored next to the store. It proves nothing, as anyone who changed the store could
    change that too; but the store must agree with it, and its leaf hashes can show which event was changed.

    Events are read once: the ``segments`` that were scanned elsewhere (`service.transparency.parallel`), and
    what is behind them. Their leaf hashes are held, 32 bytes an event, and more where a fault is to be named.
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
    """Ends the block where the database refuses something, and notes what it says."""
    try:
        yield
    except StoreError as error:
        damage.append(IntegrityFault("damaged", "file", details={"said": str(error)}))


def _check_file(inspection: Inspection, damage: list[IntegrityFault]) -> None:
    """Note what is amiss with the file, whatever stands in it."""
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
    """The scan, and why it ended before the end."""
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
    """The leaf hashes that the store itself has: those of full tiles, and of the rows behind them."""
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
    """How much the checkpoints prove, the leaf hashes that were recorded, and which checkpoint is not met.

    ``lists`` are leaf hashes as they stand in several places, those of the store third; the first that lead
    to the root are what was recorded.
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
    """That a checkpoint is not met, and no list of leaf hashes tells by which event."""
    size = checkpoint.size
    parts = {"size": size, "has": event_count, "first": proven + 1, "last": size}
    if size > event_count:
        return IntegrityFault("removed", "too_few", details=parts)  # where they stood, nothing tells
    return IntegrityFault("rewritten", "between", proven + 1, details=parts)


def _has_matching_leaves(saved: SavedCheckpoints) -> bool:
    """Whether the leaf hashes that were kept lead to the root of a checkpoint that was kept, if there are so
    many."""
    leaves = saved.leaf_hashes
    checkpoints = [note.checkpoint for note in saved.notes if note.checkpoint.size <= len(leaves)]
    if not (leaves and checkpoints):
        return True
    tree = LeafTree(leaves)
    return any(tree.root(one.size) == one.root for one in checkpoints)


def _find_leaf_mismatches(
    scan: StoreScan, recorded: Sequence[bytes], inspection: Inspection
) -> Iterator[IntegrityFault]:
    """Events that say what was recorded, by a tile or a checkpoint, and whose own row has another hash."""
    computed = scan.computed_leaves
    indices = (one for one in scan.differing_leaves if recorded[one : one + 1] == [computed[one]])
    for index in islice(indices, MAX_STORE_FAULTS):
        event = inspection.read_raw_event(index + 1)
        if event is not None:
            yield build_event_fault("changed", "leaf", event)


def _find_missing_events(scan: StoreScan, recorded: Sequence[bytes], proven: int) -> Iterator[IntegrityFault]:
    """Events that are gone; not what was known to be missing when it was recorded."""
    tiled_size = len(recorded) // TILE_WIDTH * TILE_WIDTH
    for position in scan.missing_positions[:100]:
        is_recorded_absent = (
            position <= max(proven, tiled_size) and recorded[position - 1] == ABSENT_LEAF_HASH
        )
        if not is_recorded_absent:
            yield build_missing_row_fault(scan, position)


def _find_cut_off_events(end: int, recorded_head: int, last_assigned: int) -> Iterator[IntegrityFault]:
    """Events that are gone at the end, by what the note beside the store and the database say of it."""
    for code, last in (("noted", recorded_head), ("given", last_assigned)):
        if last > end:
            yield IntegrityFault("removed", code, end + 1, details={"last": last})


def _remove_duplicate_faults(faults: Iterable[IntegrityFault]) -> list[IntegrityFault]:
    """The faults, of those at one place only the first."""
    seen: dict[object, IntegrityFault] = {}
    for fault in faults:
        seen.setdefault(
            (fault.position, *([] if fault.position else [fault.code, *fault.details.items()])), fault
        )
    return list(seen.values())
