"""Verifying a store file: against itself, and against checkpoints kept elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from service.eventstore import StoreError
from service.eventstore.inspection import Inspection
from service.eventstore.merkle.leaves import ABSENT_LEAF_HASH
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.merkle.tree import root_of_leaves
from service.transparency.checkpoint_file import SavedCheckpoints
from service.transparency.diagnosis import LeafDiagnosis, build_missing_row_fault
from service.transparency.integrity_faults import IntegrityFault
from service.transparency.quick_verification import has_matching_leaves, roots_at_sizes, verify_quickly
from service.transparency.scan import StoreScan
from service.transparency.segments import LogSegment
from service.transparency.signed_notes import Checkpoint
from service.transparency.verification_result import VerificationResult

MAX_STORE_FAULTS: Final = 50
"""So many faults are named."""


def verify_store(
    inspection: Inspection,
    trusted: SavedCheckpoints | None = None,
    local: SavedCheckpoints | None = None,
    segments: Iterable[LogSegment | None] = (),
) -> VerificationResult:
    """Verify a whole store file, and compare it with ``trusted`` checkpoints, kept elsewhere.

    ``local`` is what is stored next to the store. It proves nothing, as anyone who changed the store could
    change that too; but the store must agree with it, and its leaf hashes can show which event was changed.

    A store without faults is read once, a tile at a time; ``segments`` that were scanned elsewhere
    (`service.transparency.parallel`) are not read again. A store with a fault is read once more with all leaf
    hashes held, which takes some 100 bytes an event, to name the fault.
    """
    damage = list(_find_file_damage(inspection))
    if not damage and (sound := verify_quickly(inspection, trusted, local, segments)) is not None:
        return sound
    last_assigned = _read_last_assigned_position(inspection, damage)
    # Before the scan: a service that goes on appending meanwhile stores tiles of events that it did not see.
    tiles = _read_stored_tiles(inspection, damage)
    scan, scan_faults = _scan_store(inspection)
    damage += scan_faults
    proven: int | None = None
    named_faults: list[IntegrityFault] = []
    unnamed_count = 0
    try:
        recorded = _build_recorded_leaves(tiles, scan, damage)
        saved = trusted or local
        if saved is not None:
            lists = (saved.leaf_hashes, local.leaf_hashes if local else (), recorded, scan.stored_leaves)
            proven_size, recorded, checkpoint_faults = _check_checkpoints(
                saved, scan, lists, is_complete=not scan_faults
            )
            named_faults += checkpoint_faults
            proven = None if trusted is None else proven_size
        if trusted is not None and not has_matching_leaves(trusted):
            damage.append(IntegrityFault("checkpoint", "leaves_amiss"))
        if scan_faults:
            recorded = recorded[: len(scan.computed_leaves)]
        diagnosis = LeafDiagnosis(recorded, scan, inspection)
        named_faults += diagnosis.find_faults()
        unnamed_count = diagnosis.unnamed_count
        named_faults += _find_leaf_mismatches(scan, recorded, inspection)
        named_faults += _find_missing_events(scan, recorded, proven or 0)
        for what, last in (("noted", inspection.recorded_head), ("given", last_assigned)):
            if last > len(scan.computed_leaves) and not scan_faults:
                named_faults.append(
                    IntegrityFault("removed", what, len(scan.computed_leaves) + 1, details={"last": last})
                )
    except StoreError as error:
        damage.append(IntegrityFault("damaged", "file", details={"said": str(error)}))
    erasures = tuple(scan.placeholders.list_erased_events())
    placeholder_faults = () if scan_faults else scan.placeholders.find_faults()
    faults = (
        *_sort_by_position(_remove_duplicate_faults([*named_faults, *scan.faults, *placeholder_faults])),
        *_remove_duplicate_faults(damage),
    )
    unnamed_count += max(0, len(faults) - MAX_STORE_FAULTS)
    erased_count = sum(one.position <= (proven or 0) for one in erasures)
    return VerificationResult(
        scan.event_count,
        len(scan.stream_versions),
        faults[:MAX_STORE_FAULTS],
        None if proven is None else proven - erased_count,
        erased_events=erasures,
        unnamed_fault_count=unnamed_count,
        proven_position=proven,
    )


def _find_file_damage(inspection: Inspection) -> Iterator[IntegrityFault]:
    """What is amiss with the file, whatever stands in it."""
    try:
        for message in inspection.find_integrity_errors():
            yield IntegrityFault("damaged", "integrity", details={"said": message})
        for name in inspection.find_schema_differences():
            yield IntegrityFault("rule", "rule", details={"name": name})
        for unpositioned_event in inspection.find_unpositioned_events():
            yield IntegrityFault(
                "added",
                "stray",
                None,
                unpositioned_event.stream,
                unpositioned_event.version,
                unpositioned_event.event_id,
            )
    except StoreError as error:
        yield IntegrityFault("damaged", "file", details={"said": str(error)})


def _read_last_assigned_position(inspection: Inspection, damage: list[IntegrityFault]) -> int:
    """The last position that the database has given to an event."""
    try:
        return inspection.last_assigned_position()
    except StoreError as error:
        damage.append(IntegrityFault("damaged", "file", details={"said": str(error)}))
        return 0


def _scan_store(inspection: Inspection) -> tuple[StoreScan, list[IntegrityFault]]:
    """The scan, and why it ended before the end."""
    scan = StoreScan()
    try:
        for event in inspection.read_raw_events():
            if not scan.add_event(event):
                return scan, [scan.faults.pop()]
    except StoreError as error:
        return scan, [IntegrityFault("damaged", "file", details={"said": str(error)})]
    return scan, []


class _StoredTiles(NamedTuple):
    """The stored tiles of leaf hashes by number, and the stored hashes over tiles by level and number."""

    leaves: Sequence[tuple[int, list[bytes]]] = ()
    subtrees: Mapping[tuple[int, int], bytes] = {}


def _read_stored_tiles(inspection: Inspection, damage: list[IntegrityFault]) -> _StoredTiles:
    try:
        return _StoredTiles(list(inspection.read_leaf_tiles()), inspection.read_subtree_hashes())
    except StoreError as error:
        damage.append(IntegrityFault("damaged", "file", details={"said": str(error)}))
        return _StoredTiles()


def _build_recorded_leaves(tiles: _StoredTiles, scan: StoreScan, damage: list[IntegrityFault]) -> list[bytes]:
    """The leaf hashes that the store itself has: those of full tiles, and of the events behind them."""
    recorded = list(scan.stored_leaves)
    for number, leaves in tiles.leaves:
        if len(leaves) == TILE_WIDTH and 0 <= number * TILE_WIDTH <= len(recorded):
            recorded[number * TILE_WIDTH : (number + 1) * TILE_WIDTH] = leaves
        else:
            damage.append(IntegrityFault("damaged", "tile", details={"number": number}))
    hashes = recorded
    level = 1
    while len(hashes) >= TILE_WIDTH:
        starts = range(0, len(hashes) - TILE_WIDTH + 1, TILE_WIDTH)
        hashes = [root_of_leaves(hashes[start : start + TILE_WIDTH]) for start in starts]
        for number, value in enumerate(hashes):
            if tiles.subtrees.get((level, number), value) != value:
                damage.append(
                    IntegrityFault("damaged", "subtree", details={"level": level, "number": number})
                )
        level += 1
    return recorded


def _check_checkpoints(
    saved: SavedCheckpoints, scan: StoreScan, lists: Sequence[Sequence[bytes]], is_complete: bool
) -> tuple[int, list[bytes], list[IntegrityFault]]:
    """How much the checkpoints prove, the leaf hashes that were recorded, and which checkpoint is not met.

    ``lists`` are leaf hashes as they stand in several places, those of the store third; the first that lead
    to the root are what was recorded.
    """
    checkpoints, stored = [note.checkpoint for note in saved.notes], lists[2]
    roots = roots_at_sizes(scan.computed_leaves, [one.size for one in checkpoints])
    confirmed_sizes = [one.size for one in checkpoints if roots.get(one.size) == one.root]
    proven = max(confirmed_sizes, default=0)
    unconfirmed = next((one for one in checkpoints if roots.get(one.size) != one.root), None)
    if unconfirmed is None:
        return proven, [*scan.computed_leaves[:proven], *stored[proven:]], []
    proven = max((size for size in confirmed_sizes if size < unconfirmed.size), default=0)
    for leaves in lists:
        if len(leaves) >= unconfirmed.size and root_of_leaves(leaves[: unconfirmed.size]) == unconfirmed.root:
            return proven, [*leaves[: unconfirmed.size], *stored[unconfirmed.size :]], []
    if not is_complete and unconfirmed.size > len(scan.computed_leaves):
        return proven, list(stored), []
    return proven, list(stored), [_build_checkpoint_fault(unconfirmed, proven, scan)]


def _build_checkpoint_fault(checkpoint: Checkpoint, proven: int, scan: StoreScan) -> IntegrityFault:
    """That a checkpoint is not met, and no list of leaf hashes tells by which event."""
    parts = {
        "size": checkpoint.size,
        "has": len(scan.computed_leaves),
        "first": proven + 1,
        "last": checkpoint.size,
    }
    if checkpoint.size > len(scan.computed_leaves):
        return IntegrityFault("removed", "too_few", details=parts)  # where they stood, nothing tells
    return IntegrityFault("rewritten", "between", proven + 1, details=parts)


def _find_leaf_mismatches(
    scan: StoreScan, recorded: Sequence[bytes], inspection: Inspection
) -> Iterator[IntegrityFault]:
    """Events that say what was recorded, by a tile or a checkpoint, and whose own row has another hash."""
    rows = enumerate(zip(scan.stored_leaves, scan.computed_leaves, recorded, strict=False))
    places = (index for index, (stored, computed, expected) in rows if stored != computed == expected)
    for index in islice(places, MAX_STORE_FAULTS):
        event = inspection.read_raw_event(index + 1)
        if event is not None:
            yield scan.build_fault("changed", "leaf", event)


def _find_missing_events(scan: StoreScan, recorded: Sequence[bytes], proven: int) -> Iterator[IntegrityFault]:
    """Events that are gone; not what was known to be missing when it was recorded."""
    tiled_size = len(recorded) // TILE_WIDTH * TILE_WIDTH
    for position in scan.missing_positions[:100]:
        is_recorded_absent = (
            position <= max(proven, tiled_size) and recorded[position - 1] == ABSENT_LEAF_HASH
        )
        if not is_recorded_absent:
            yield build_missing_row_fault(scan, position)


def _remove_duplicate_faults(faults: Iterable[IntegrityFault]) -> list[IntegrityFault]:
    """The faults, of those at one place only the first."""
    seen: dict[object, IntegrityFault] = {}
    for fault in faults:
        seen.setdefault(
            (fault.position, *([] if fault.position else [fault.code, *fault.details.items()])), fault
        )
    return list(seen.values())


def _sort_by_position(faults: Iterable[IntegrityFault]) -> list[IntegrityFault]:
    """The faults by position; those without one behind them."""
    return sorted(faults, key=lambda fault: (fault.position is None, fault.position or 0))
