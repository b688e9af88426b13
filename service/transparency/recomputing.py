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
from service.eventstore.merkle.leaves import ABSENT
from service.eventstore.merkle.tiles import WIDTH, node_in
from service.eventstore.merkle.tree import (
    Growing,
    Node,
    consistency_proof,
    is_consistent,
    root_hash,
    root_of,
)
from service.transparency.notes import Checkpoint

_PAGE: Final = 4 * WIDTH


def root_from_events(store: EventReader, signed: Checkpoint | None, size: int) -> bytes:
    """The root of the first ``size`` leaves, which are no fewer than those of ``signed``.

    Reads the events behind ``signed``, and at most a tile before. Raises `StoreDamaged` where one of them,
    or a stored hash of them, is not as it was recorded, or ``signed`` is of another log.
    """
    node = node_in(store.tile)
    first = 0 if signed is None else signed.size // WIDTH * WIDTH
    tree = Growing.from_node(node, first)
    if signed is not None and signed.size == first:
        _require_root(tree, signed)
    leaves = _leaves(store, first, size)
    over_tiles: list[bytes] = []
    for number in range(first // WIDTH, (size + WIDTH - 1) // WIDTH):
        tile = list(islice(leaves, min(WIDTH, size - number * WIDTH)))
        for leaf in tile:
            tree.add(leaf)
            if signed is not None and tree.size == signed.size:
                _require_root(tree, signed)
        _require_same(0, number * WIDTH, tile, store.tile(0, number)[: len(tile)])
        if len(tile) == WIDTH:
            over_tiles.append(root_of(tile))
    _require_hashes_above(store, first // WIDTH, over_tiles)
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


def other_log(size: int) -> StoreDamaged:
    """The error for a log that does not begin with the ``size`` events of a signed checkpoint."""
    return StoreDamaged(
        f"The first {size} events are not those of the checkpoint that was signed then. "
        f"Run spadille verify, and keep a copy of the store as it is."
    )


def _require_root(tree: Growing, signed: Checkpoint) -> None:
    if tree.root() != signed.root:
        raise other_log(signed.size)


def _leaves(store: EventReader, start: int, stop: int) -> Iterator[bytes]:
    """The leaf hashes from index ``start`` up to ``stop``, computed from the events.

    At a position without an event stands `ABSENT`, which only a whole tile can have (`_require_gap_known`).
    """
    reached = start
    while reached < stop:
        page = store.checked_leaves(reached, min(_PAGE, stop - reached))
        if not page:
            _require_gap_known(store, reached, stop)
            yield from [ABSENT] * (stop - reached)
            return
        for position, leaf in page:
            here = min(position - 1, stop)
            if here > reached:
                _require_gap_known(store, reached, here)
                yield from [ABSENT] * (here - reached)
            if position > stop:
                return
            yield leaf
            reached = position


def _require_gap_known(store: EventReader, start: int, stop: int) -> None:
    """Raise `StoreDamaged` where events are missing behind the last whole tile.

    Stores of early versions can have gaps; whole tiles record those, and are compared afterwards.
    """
    whole = store.head() // WIDTH * WIDTH
    if stop > whole:
        raise StoreDamaged(f"The event at position {max(start, whole) + 1} is gone. {_WHAT_TO_DO}")


def _require_same(level: int, first: int, computed: Sequence[bytes], stored: Sequence[bytes]) -> None:
    """Raise `StoreDamaged` where stored hashes are not those that follow from the events."""
    if list(computed) == list(stored):
        return
    pairs = enumerate(zip(computed, stored, strict=False))
    at = first + next((at for at, (one, other) in pairs if one != other), min(len(computed), len(stored)))
    what = f"The leaf hash of position {at + 1}" if level == 0 else f"Hash {at} of level {level}"
    raise StoreDamaged(
        f"{what}, as the store has it, is not the one that follows from the events. {_WHAT_TO_DO}"
    )


def _require_hashes_above(store: EventReader, first: int, computed: Sequence[bytes]) -> None:
    """Hold the stored hashes over whole tiles, from number ``first`` on, and those above that are whole with
    them, to what the events give."""
    level = 1
    while computed:
        stop = first + len(computed)
        above: list[bytes] = []
        for number in range(first // WIDTH, (stop + WIDTH - 1) // WIDTH):
            stored, start = store.tile(level, number), number * WIDTH
            begin, end = max(first, start), min(stop, start + WIDTH)
            _require_same(
                level, begin, computed[begin - first : end - first], stored[begin - start : end - start]
            )
            if end == start + WIDTH:
                above.append(root_of(stored))
        level, first, computed = level + 1, first // WIDTH, above


def root_before(node: Node, size: int, signed: Checkpoint) -> bytes:
    """The root of fewer leaves than a signed checkpoint has.

    Raises `StoreDamaged` where the stored hashes do not show that the signed log begins with them.
    """
    root = root_hash(node, size)
    proof = consistency_proof(node, size, signed.size)
    if not is_consistent(size, root, signed.size, signed.root, proof):
        raise other_log(signed.size)
    return root
