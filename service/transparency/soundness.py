"""The first look at a store: one pass over its events, of which only a tile of leaf hashes is held at a time.

It tells that all is as it should be, or nothing: which event is not, and what was done to it, is for
`service.transparency.verifying` to say, which holds all leaf hashes for that. What grows here with the store
is the number of each record's events, and a hash for each tile. The first stretches may be looked at
elsewhere (`service.transparency.side_by_side`); here they are put together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from service.eventstore import StoreError
from service.eventstore.inspection import Inspection
from service.eventstore.merkle.tiles import WIDTH
from service.eventstore.merkle.tree import Growing, root_of
from service.transparency.kept import Kept
from service.transparency.stretches import Stretch
from service.transparency.verdict import Verdict
from service.transparency.walking import Walk


def sound_verdict(
    inspection: Inspection, kept: Kept | None, own: Kept | None, stretches: Iterable[Stretch | None] = ()
) -> Verdict | None:
    """The verdict on a store with nothing amiss, held to checkpoints as by `verify_store`; else None.

    ``stretches`` are those of the first events that were looked at elsewhere, None for one with anything
    amiss.
    """
    if kept is not None and not leads_anywhere(kept):
        return None
    held_to = kept or own
    sizes = [] if held_to is None else [note.checkpoint.size for note in held_to.notes]
    try:
        passing = _Pass(inspection, sizes)
        passing.go(stretches)
    except (StoreError, _Amiss):
        return None
    for note in held_to.notes if held_to else ():
        if passing.roots.get(note.checkpoint.size) != note.checkpoint.root:
            return None
    walk, reach = passing.walk, None if kept is None else max(sizes, default=0)
    erasures = tuple(walk.standins.erasures())
    gone = sum(one.position <= (reach or 0) for one in erasures)
    proven = None if reach is None else reach - gone
    return Verdict(walk.events, len(walk.versions), (), proven, erasures=erasures, reach=reach)


class _Amiss(Exception):
    """Something is not as it should be."""


class _Pass:
    """A walk that lets go of each tile when that was held to what is stored of it.

    ``roots`` are those of the trees of ``sizes``, as far as the walk has come.
    """

    def __init__(self, inspection: Inspection, sizes: Iterable[int]) -> None:
        self.walk = Walk()
        self.roots: dict[int, bytes] = {}
        self._inspection = inspection
        self._sizes = sorted(set(sizes), reverse=True)
        self._tree = Growing()
        self._levels: list[list[bytes]] = []
        # What is stored is read before the walk: a service may go on appending behind it.
        self._least = max(inspection.given(), inspection.noted)
        self._above = inspection.subtrees()
        self._tiles = iter(()) if inspection.leaves_kept_twice else inspection.leaf_tiles()
        self._tile = next(self._tiles, None)

    def go(self, stretches: Iterable[Stretch | None]) -> None:
        """Take the stretches, and all events behind them. Raises `_Amiss`, and as the inspection does."""
        for stretch in stretches:
            if stretch is None:
                raise _Amiss
            self._take(stretch)
        walk = self.walk
        for event in self._inspection.events(walk.passed):
            if not walk.step(event):
                raise _Amiss
            if len(walk.now) >= WIDTH:
                self._pass()
        self._pass()
        if self._least > walk.passed or self._tile is not None or any(walk.standins.faults()):
            raise _Amiss

    def _take(self, stretch: Stretch) -> None:
        walk, number = self.walk, self.walk.passed // WIDTH
        if stretch.after != walk.passed:
            raise _Amiss
        for stream, (first, last) in stretch.streams.items():
            if walk.versions.get(stream, 0) + 1 != first:
                raise _Amiss
            walk.versions[stream] = last
        walk.standins.go_on(stretch.standins)
        for leaves, root in stretch.tiles():
            self._hold(number, leaves, root)
            number += 1
            walk.passed += len(leaves)
        walk.events = walk.passed

    def _pass(self) -> None:
        walk = self.walk
        if not walk.is_sound():
            raise _Amiss
        number = walk.passed // WIDTH
        leaves = walk.let_go()
        if len(leaves) == WIDTH:
            self._hold(number, leaves, root_of(leaves))
        else:
            self._grow(leaves)

    def _hold(self, number: int, leaves: list[bytes], root: bytes) -> None:
        """Take a whole tile, and hold it to what is stored of it."""
        self._grow(leaves)
        if self._tile is not None and self._tile[0] <= number:
            if self._tile != (number, leaves):
                raise _Amiss
            self._tile = next(self._tiles, None)
        self._hold_above(1, number, root)

    def _grow(self, leaves: Sequence[bytes]) -> None:
        """Take leaves into the tree, with a stop at each size whose root is asked for."""
        at = 0
        while self._sizes and self._sizes[-1] <= self._tree.size + len(leaves) - at:
            size = self._sizes.pop()
            for leaf in leaves[at : at + size - self._tree.size]:
                self._tree.add(leaf)
                at += 1
            self.roots[size] = self._tree.root()
        if self._sizes:
            for leaf in leaves[at:]:
                self._tree.add(leaf)

    def _hold_above(self, level: int, number: int, value: bytes) -> None:
        """Hold the hash over a tile to the one that is stored, and those above that are whole with it."""
        while True:
            if self._above.get((level, number), value) != value:
                raise _Amiss
            while len(self._levels) < level:
                self._levels.append([])
            here = self._levels[level - 1]
            here.append(value)
            if len(here) < WIDTH:
                return
            value, self._levels[level - 1] = root_of(here), []
            level, number = level + 1, number // WIDTH


def leads_anywhere(kept: Kept) -> bool:
    """Whether the leaf hashes that were kept lead to the root of a checkpoint that was kept, if there are so
    many."""
    checkpoints = [note.checkpoint for note in kept.notes if note.checkpoint.size <= len(kept.leaves)]
    roots = roots_of(kept.leaves, [one.size for one in checkpoints])
    return not (kept.leaves and checkpoints) or any(roots[one.size] == one.root for one in checkpoints)


def roots_of(leaves: Sequence[bytes], sizes: Iterable[int]) -> dict[int, bytes]:
    """The roots of the trees of these sizes, as far as there are so many leaves."""
    tree, roots = Growing(), dict[int, bytes]()
    for before, size in pairwise([0, *sorted(size for size in sizes if size <= len(leaves))]):
        for leaf in leaves[before:size]:
            tree.add(leaf)
        roots[size] = tree.root()
    return roots
