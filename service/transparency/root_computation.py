"""The root of a log, with the store's hashes held to what the events say.

A store keeps hashes so that a root is found without reading all events. A bit that flips in one of them
gives a false root. So before a root is signed, the hashes behind the last signed checkpoint are compared
with the events themselves, and those before have to lead to that checkpoint's root.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from service.eventstore import EventReader, StoreDamaged
from service.eventstore.merkle.leaves import ABSENT_LEAF_HASH
from service.eventstore.merkle.tiles import TILE_WIDTH, node_reader_from_tiles
from service.eventstore.merkle.tree import (
    EMPTY_ROOT,
    consistency_proof,
    is_consistent,
    root_hash,
    root_of_leaves,
)
from service.transparency.signed_notes import Checkpoint

_PAGE: Final = 4 * TILE_WIDTH
_WHAT_TO_DO: Final = (
    "Keep a copy of the store as it is, see with spadille verify what is damaged, and restore it from a "
    "backup."
)


def compute_verified_root(store: EventReader, signed_checkpoint: Checkpoint | None, size: int) -> bytes:
    """The root of the first ``size`` leaves.

    Where these are more than ``signed_checkpoint`` has, the events behind it are read, and at most a tile
    before. Raises `StoreDamaged` where one of them, or a stored hash of them, is not as it was recorded, or
    ``signed_checkpoint`` is of another log.
    """
    node = node_reader_from_tiles(store.read_tile)
    signed_size, signed_root = signed_checkpoint[1:] if signed_checkpoint else (0, EMPTY_ROOT)
    if size >= signed_size:
        _require_true_hashes(store, signed_size // TILE_WIDTH, size)
        root = root_hash(node, size)
        is_same_log = root_hash(node, signed_size) == signed_root
    else:
        root = root_hash(node, size)
        proof = consistency_proof(node, size, signed_size)
        is_same_log = is_consistent(size, root, signed_size, signed_root, proof)
    if not is_same_log:
        raise StoreDamaged(
            f"The first {signed_size} events are not those of the checkpoint that was signed then. "
            f"Run spadille verify, and keep a copy of the store as it is."
        )
    return root


def _require_true_hashes(store: EventReader, first_tile: int, size: int) -> None:
    """Raise `StoreDamaged` where stored hashes, from that tile on, are not those that the events come to."""
    level, first = 0, first_tile * TILE_WIDTH
    hashes = _compute_leaf_hashes(store, first, size)
    while True:
        number, offset = divmod(first, TILE_WIDTH)
        parents: list[bytes] = []
        while computed := list(islice(hashes, TILE_WIDTH - offset)):
            end = offset + len(computed)
            stored = store.read_tile(level, number)
            _require_equal_hashes(level, number * TILE_WIDTH + offset, computed, stored[offset:end])
            if end == TILE_WIDTH:
                parents.append(root_of_leaves(stored))
            number, offset = number + 1, 0
        if not parents:
            return
        level, first, hashes = level + 1, first // TILE_WIDTH, iter(parents)


def _compute_leaf_hashes(store: EventReader, start: int, stop: int) -> Iterator[bytes]:
    """The leaf hashes from index ``start`` up to ``stop``, computed from the events.

    Stores of early versions can have positions without an event, where `ABSENT_LEAF_HASH` stands. Whole tiles
    record those; behind them an event is gone.
    """
    index = start
    while index < stop:
        page = store.read_verified_leaves(index, min(_PAGE, stop - index)) or [(stop + 1, b"")]
        for position, leaf in page:
            gap_end = min(position - 1, stop)
            if index < gap_end:
                tiled_size = store.head() // TILE_WIDTH * TILE_WIDTH
                if gap_end > tiled_size:
                    raise StoreDamaged(
                        f"The event at position {max(index, tiled_size) + 1} is gone. {_WHAT_TO_DO}"
                    )
                yield from [ABSENT_LEAF_HASH] * (gap_end - index)
            if position > stop:
                return
            yield leaf
            index = position


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
