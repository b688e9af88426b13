"""The first look at a store: one pass over its events, of which only a tile of leaf hashes is held at a time.

It tells that all is as it should be, or nothing: which event is not, and what was done to it, is for
`service.transparency.store_verification` to say, which holds all leaf hashes for that. What grows here with
the store is the number of each record's events, and a hash for each tile. The first segments may be looked
at elsewhere (`service.transparency.parallel`); here they are put together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from service.eventstore import StoreError
from service.eventstore.inspection import Inspection
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.merkle.tree import IncrementalTree, root_of_leaves
from service.transparency.checkpoint_file import SavedCheckpoints
from service.transparency.scan import StoreScan
from service.transparency.segments import LogSegment
from service.transparency.verification_result import VerificationResult


def verify_quickly(
    inspection: Inspection,
    trusted: SavedCheckpoints | None,
    local: SavedCheckpoints | None,
    segments: Iterable[LogSegment | None] = (),
) -> VerificationResult | None:
    """The verdict on a store without faults; else None.

    Checkpoints are compared as in `service.transparency.store_verification.verify_store`. ``segments`` are
    those of the first events that were scanned elsewhere, None for one with a fault.
    """
    if trusted is not None and not has_matching_leaves(trusted):
        return None
    saved = trusted or local
    sizes = [] if saved is None else [note.checkpoint.size for note in saved.notes]
    try:
        quick_scan = _QuickScan(inspection, sizes)
        quick_scan.run(segments)
    except (StoreError, _FaultFound):
        return None
    for note in saved.notes if saved else ():
        if quick_scan.roots.get(note.checkpoint.size) != note.checkpoint.root:
            return None
    scan, proven_position = quick_scan.scan, None if trusted is None else max(sizes, default=0)
    erasures = tuple(scan.placeholders.list_erased_events())
    erased_count = sum(one.position <= (proven_position or 0) for one in erasures)
    proven_count = None if proven_position is None else proven_position - erased_count
    return VerificationResult(
        scan.event_count,
        len(scan.stream_versions),
        (),
        proven_count,
        erased_events=erasures,
        proven_position=proven_position,
    )


class _FaultFound(Exception):
    """Something is not as it should be."""


class _QuickScan:
    """A scan that releases each tile after comparing it with what is stored of it.

    ``roots`` are those of the trees of ``sizes``, as far as the scan has come.
    """

    def __init__(self, inspection: Inspection, sizes: Iterable[int]) -> None:
        self.scan = StoreScan()
        self.roots: dict[int, bytes] = {}
        self._inspection = inspection
        self._pending_sizes = sorted(set(sizes), reverse=True)
        self._tree = IncrementalTree()
        self._partial_tiles: list[list[bytes]] = []
        # What is stored is read before the scan: a service may go on appending behind it.
        self._min_position = max(inspection.last_assigned_position(), inspection.recorded_head)
        self._stored_subtrees = inspection.read_subtree_hashes()
        self._stored_tiles = iter(()) if inspection.reports_leaf_mismatch else inspection.read_leaf_tiles()
        self._next_stored_tile = next(self._stored_tiles, None)

    def run(self, segments: Iterable[LogSegment | None]) -> None:
        """Take the segments, and all events after them. Raises `_FaultFound`, and as the inspection
        does."""
        for segment in segments:
            if segment is None:
                raise _FaultFound
            self._add_segment(segment)
        scan = self.scan
        for event in self._inspection.read_raw_events(scan.released_count):
            if not scan.add_event(event):
                raise _FaultFound
            if len(scan.computed_leaves) >= TILE_WIDTH:
                self._finish_tile()
        self._finish_tile()
        if (
            self._min_position > scan.released_count
            or self._next_stored_tile is not None
            or any(scan.placeholders.find_faults())
        ):
            raise _FaultFound

    def _add_segment(self, segment: LogSegment) -> None:
        scan, number = self.scan, self.scan.released_count // TILE_WIDTH
        if segment.after != scan.released_count:
            raise _FaultFound
        for stream, (first, last) in segment.version_ranges.items():
            if scan.stream_versions.get(stream, 0) + 1 != first:
                raise _FaultFound
            scan.stream_versions[stream] = last
        scan.placeholders.merge(segment.placeholders)
        for leaves, root in segment.iterate_tiles():
            self._check_tile(number, leaves, root)
            number += 1
            scan.released_count += len(leaves)
        scan.event_count = scan.released_count

    def _finish_tile(self) -> None:
        scan = self.scan
        if not scan.is_intact():
            raise _FaultFound
        number = scan.released_count // TILE_WIDTH
        leaves = scan.release_leaves()
        if len(leaves) == TILE_WIDTH:
            self._check_tile(number, leaves, root_of_leaves(leaves))
        else:
            self._extend_tree(leaves)

    def _check_tile(self, number: int, leaves: list[bytes], root: bytes) -> None:
        """Take a whole tile, and hold it to what is stored of it."""
        self._extend_tree(leaves)
        if self._next_stored_tile is not None and self._next_stored_tile[0] <= number:
            if self._next_stored_tile != (number, leaves):
                raise _FaultFound
            self._next_stored_tile = next(self._stored_tiles, None)
        self._check_subtrees(1, number, root)

    def _extend_tree(self, leaves: Sequence[bytes]) -> None:
        """Take leaves into the tree, with a stop at each size whose root is asked for."""
        at = 0
        while self._pending_sizes and self._pending_sizes[-1] <= self._tree.size + len(leaves) - at:
            size = self._pending_sizes.pop()
            for leaf in leaves[at : at + size - self._tree.size]:
                self._tree.add(leaf)
                at += 1
            self.roots[size] = self._tree.root()
        if self._pending_sizes:
            for leaf in leaves[at:]:
                self._tree.add(leaf)

    def _check_subtrees(self, level: int, number: int, value: bytes) -> None:
        """Hold the hash over a tile to the one that is stored, and those above that are whole with it."""
        while True:
            if self._stored_subtrees.get((level, number), value) != value:
                raise _FaultFound
            while len(self._partial_tiles) < level:
                self._partial_tiles.append([])
            here = self._partial_tiles[level - 1]
            here.append(value)
            if len(here) < TILE_WIDTH:
                return
            value, self._partial_tiles[level - 1] = root_of_leaves(here), []
            level, number = level + 1, number // TILE_WIDTH


def has_matching_leaves(saved: SavedCheckpoints) -> bool:
    """Whether the leaf hashes that were kept lead to the root of a checkpoint that was kept, if there are so
    many."""
    checkpoints = [note.checkpoint for note in saved.notes if note.checkpoint.size <= len(saved.leaf_hashes)]
    roots = roots_at_sizes(saved.leaf_hashes, [one.size for one in checkpoints])
    return not (saved.leaf_hashes and checkpoints) or any(roots[one.size] == one.root for one in checkpoints)


def roots_at_sizes(leaves: Sequence[bytes], sizes: Iterable[int]) -> dict[int, bytes]:
    """The roots of the trees of these sizes, as far as there are so many leaves."""
    tree, roots = IncrementalTree(), dict[int, bytes]()
    for previous_size, size in pairwise([0, *sorted(size for size in sizes if size <= len(leaves))]):
        for leaf in leaves[previous_size:size]:
            tree.add(leaf)
        roots[size] = tree.root()
    return roots
