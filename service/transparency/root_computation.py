"""The root of a log as its events give it, and a check of the store's hashes against it.

A store keeps hashes so that a root is found without reading all events. A bit that flips in one of them
gives a false root. So before a root is signed, the part of the log behind the last signed checkpoint is
computed from the events themselves, and the part before has to lead to that checkpoint's root.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from service.eventstore import EventReader, StoreDamaged
from service.eventstore.merkle.leaves import ABSENT_LEAF_HASH
from service.eventstore.merkle.tiles import TILE_WIDTH, node_reader_from_tiles
from service.eventstore.merkle.tree import (
    IncrementalTree,
    NodeReader,
    consistency_proof,
    is_consistent,
    root_hash,
    root_of_leaves,
)
from service.transparency.signed_notes import Checkpoint

_PAGE: Final = 4 * TILE_WIDTH


def compute_root_from_events(store: EventReader, signed_checkpoint: Checkpoint | None, size: int) -> bytes:
    """The root of the first ``size`` leaves, which are no fewer than those of ``signed_checkpoint``.

    Reads the events behind ``signed_checkpoint``, and at most a tile before. Raises `StoreDamaged` where one
    of them, or a stored hash of them, is not as it was recorded, or ``signed_checkpoint`` is of another log.
    """
    node = node_reader_from_tiles(store.read_tile)
    first = 0 if signed_checkpoint is None else signed_checkpoint.size // TILE_WIDTH * TILE_WIDTH
    tree = IncrementalTree.from_node(node, first)
    if signed_checkpoint is not None and signed_checkpoint.size == first:
        _require_root(tree, signed_checkpoint)
    leaves = _compute_leaf_hashes(store, first, size)
    over_tiles: list[bytes] = []
    for number in range(first // TILE_WIDTH, (size + TILE_WIDTH - 1) // TILE_WIDTH):
        tile = list(islice(leaves, min(TILE_WIDTH, size - number * TILE_WIDTH)))
        for leaf in tile:
            tree.add(leaf)
            if signed_checkpoint is not None and tree.size == signed_checkpoint.size:
                _require_root(tree, signed_checkpoint)
        _require_equal_hashes(0, number * TILE_WIDTH, tile, store.read_tile(0, number)[: len(tile)])
        if len(tile) == TILE_WIDTH:
            over_tiles.append(root_of_leaves(tile))
    _require_equal_subtree_hashes(store, first // TILE_WIDTH, over_tiles)
    root = tree.root()
    if root_hash(node, size) != root:
        raise StoreDamaged(
            f"The stored hashes of the first {size} events do not lead to the root that the events "
            f"themselves have. {_WHAT_TO_DO}"
        )
    return root


_WHAT_TO_DO: Final = (
    "Keep a copy of the store as it is, see with spadille verify what is damaged, and restore it from a "
    "backup."
)


def build_other_log_error(size: int) -> StoreDamaged:
    """The error for a log that does not begin with the ``size`` events of a signed checkpoint."""
    return StoreDamaged(
        f"The first {size} events are not those of the checkpoint that was signed then. "
        f"Run spadille verify, and keep a copy of the store as it is."
    )


def _require_root(tree: IncrementalTree, signed_checkpoint: Checkpoint) -> None:
    if tree.root() != signed_checkpoint.root:
        raise build_other_log_error(signed_checkpoint.size)


def _compute_leaf_hashes(store: EventReader, start: int, stop: int) -> Iterator[bytes]:
    """The leaf hashes from index ``start`` up to ``stop``, computed from the events.

    At a position without an event stands `ABSENT_LEAF_HASH`, which only a whole tile can have
    (`_require_gap_recorded`).
    """
    next_position = start
    while next_position < stop:
        page = store.read_verified_leaves(next_position, min(_PAGE, stop - next_position))
        if not page:
            _require_gap_recorded(store, next_position, stop)
            yield from [ABSENT_LEAF_HASH] * (stop - next_position)
            return
        for position, leaf in page:
            here = min(position - 1, stop)
            if here > next_position:
                _require_gap_recorded(store, next_position, here)
                yield from [ABSENT_LEAF_HASH] * (here - next_position)
            if position > stop:
                return
            yield leaf
            next_position = position


def _require_gap_recorded(store: EventReader, start: int, stop: int) -> None:
    """Raise `StoreDamaged` where events are missing behind the last whole tile.

    Stores of early versions can have gaps; whole tiles record those, and are compared afterwards.
    """
    tiled_size = store.head() // TILE_WIDTH * TILE_WIDTH
    if stop > tiled_size:
        raise StoreDamaged(f"The event at position {max(start, tiled_size) + 1} is gone. {_WHAT_TO_DO}")


def _require_equal_hashes(level: int, first: int, computed: Sequence[bytes], stored: Sequence[bytes]) -> None:
    """Raise `StoreDamaged` where stored hashes are not those that follow from the events."""
    if list(computed) == list(stored):
        return
    pairs = enumerate(zip(computed, stored, strict=False))
    at = first + next((at for at, (one, other) in pairs if one != other), min(len(computed), len(stored)))
    what = f"The leaf hash of position {at + 1}" if level == 0 else f"Hash {at} of level {level}"
    raise StoreDamaged(
        f"{what}, as the store has it, is not the one that follows from the events. {_WHAT_TO_DO}"
    )


def _require_equal_subtree_hashes(store: EventReader, first: int, computed: Sequence[bytes]) -> None:
    """Hold the stored hashes over whole tiles, from number ``first`` on, and those above that are whole with
    them, to what the events give."""
    level = 1
    while computed:
        stop = first + len(computed)
        parent_hashes: list[bytes] = []
        for number in range(first // TILE_WIDTH, (stop + TILE_WIDTH - 1) // TILE_WIDTH):
            stored, start = store.read_tile(level, number), number * TILE_WIDTH
            begin, end = max(first, start), min(stop, start + TILE_WIDTH)
            _require_equal_hashes(
                level, begin, computed[begin - first : end - first], stored[begin - start : end - start]
            )
            if end == start + TILE_WIDTH:
                parent_hashes.append(root_of_leaves(stored))
        level, first, computed = level + 1, first // TILE_WIDTH, parent_hashes


def verified_earlier_root(node: NodeReader, size: int, signed_checkpoint: Checkpoint) -> bytes:
    """The root of fewer leaves than a signed checkpoint has.

    Raises `StoreDamaged` where the stored hashes do not show that the signed log begins with them.
    """
    root = root_hash(node, size)
    proof = consistency_proof(node, size, signed_checkpoint.size)
    if not is_consistent(size, root, signed_checkpoint.size, signed_checkpoint.root, proof):
        raise build_other_log_error(signed_checkpoint.size)
    return root
