"""Verifying a store file: against itself, and against checkpoints kept elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from service.evidence.faults import Fault
from service.evidence.kept import Kept
from service.evidence.leaves import ABSENT
from service.evidence.merkle import Growing, root_of
from service.evidence.naming import Naming, no_row
from service.evidence.notes import Checkpoint
from service.evidence.tiles import WIDTH
from service.evidence.walking import Walk
from service.store import StoreError
from service.store.inspection import Inspection


class Verdict(NamedTuple):
    """What was looked at and what was found: the first event that differs stands first.

    ``proven`` is how many events a checkpoint kept elsewhere proves, None where none was asked for;
    ``hidden`` how many were looked at by their hash alone, ``erased`` how many have lost their contents.
    """

    events: int
    streams: int
    faults: tuple[Fault, ...]
    proven: int | None = None
    hidden: int = 0
    erased: int = 0


def verify_store(inspection: Inspection, kept: Kept | None = None) -> Verdict:
    """Look at a store file as a whole, and hold it to the checkpoints."""
    damage = list(_damage(inspection))
    walk, broken = _walked(inspection)
    damage += broken
    proven: int | None = None
    named: list[Fault] = []
    try:
        recorded = _recorded(inspection, walk, damage)
        if kept is not None:
            proven, recorded, unmet = _held_to(kept, walk, recorded, whole=not broken)
            named += unmet
        if broken:
            recorded = recorded[: len(walk.now)]
        named += Naming(recorded, walk, inspection).faults()
        named += _missing(walk, recorded, proven or 0)
    except StoreError as error:
        damage.append(Fault("damaged", "file", parts={"said": str(error)}))
    faults = (*_sorted(_each_once([*named, *walk.faults])), *_each_once(damage))
    return Verdict(walk.events, len(walk.versions), faults, proven, erased=walk.erased)


def _damage(inspection: Inspection) -> Iterator[Fault]:
    """What is amiss with the file, whatever stands in it."""
    try:
        for said in inspection.integrity():
            yield Fault("damaged", "integrity", parts={"said": said})
        for name in inspection.rules_amiss():
            yield Fault("rule", "rule", parts={"name": name})
    except StoreError as error:
        yield Fault("damaged", "file", parts={"said": str(error)})


def _walked(inspection: Inspection) -> tuple[Walk, list[Fault]]:
    """The walk, and why it ended before the end."""
    walk = Walk()
    try:
        for event in inspection.events():
            if not walk.step(event):
                return walk, [walk.faults.pop()]
    except StoreError as error:
        return walk, [Fault("damaged", "file", parts={"said": str(error)})]
    return walk, []


def _recorded(inspection: Inspection, walk: Walk, damage: list[Fault]) -> list[bytes]:
    """The leaf hashes that the store itself has: those of full tiles, and of the events behind them."""
    recorded = list(walk.written)
    for number, leaves in inspection.leaf_tiles():
        if len(leaves) == WIDTH and 0 <= number * WIDTH <= len(recorded):
            recorded[number * WIDTH : (number + 1) * WIDTH] = leaves
        else:
            damage.append(Fault("damaged", "tile", parts={"number": number}))
    below = recorded
    level, stored = 1, inspection.subtrees()
    while len(below) >= WIDTH:
        starts = range(0, len(below) - WIDTH + 1, WIDTH)
        below = [root_of(below[start : start + WIDTH]) for start in starts]
        for number, value in enumerate(below):
            if stored.get((level, number), value) != value:
                damage.append(Fault("damaged", "subtree", parts={"level": level, "number": number}))
        level += 1
    return recorded


def _held_to(
    kept: Kept, walk: Walk, stored: list[bytes], whole: bool
) -> tuple[int, list[bytes], list[Fault]]:
    """How much the checkpoints prove, the leaf hashes that were recorded, and which checkpoint is not met."""
    checkpoints = [note.checkpoint for note in kept.notes]
    roots = _roots(walk.now, [one.size for one in checkpoints])
    met = [one.size for one in checkpoints if roots.get(one.size) == one.root]
    proven = max(met, default=0)
    unmet = next((one for one in checkpoints if roots.get(one.size) != one.root), None)
    if unmet is None:
        return proven, [*walk.now[:proven], *stored[proven:]], []
    proven = max((size for size in met if size < unmet.size), default=0)
    for leaves in (kept.leaves, stored, walk.written):
        if len(leaves) >= unmet.size and root_of(leaves[: unmet.size]) == unmet.root:
            return proven, [*leaves[: unmet.size], *stored[unmet.size :]], []
    if not whole and unmet.size > len(walk.now):
        return proven, stored, []
    return proven, stored, [_unmet(unmet, proven, walk, kept)]


def _unmet(unmet: Checkpoint, proven: int, walk: Walk, kept: Kept) -> Fault:
    """That a checkpoint is not met, and no list of leaf hashes tells by which event."""
    parts = {"size": unmet.size, "has": len(walk.now), "first": proven + 1, "last": unmet.size}
    if len(kept.leaves) >= unmet.size:
        return Fault("checkpoint", "leaves_amiss", parts=parts)
    if unmet.size > len(walk.now):
        return Fault("removed", "too_few", proven + 1, parts=parts)
    return Fault("rewritten", "between", proven + 1, parts=parts)


def _roots(leaves: Sequence[bytes], sizes: Iterable[int]) -> dict[int, bytes]:
    """The roots of the trees of these sizes, as far as there are so many leaves."""
    tree, roots = Growing(), dict[int, bytes]()
    for before, size in pairwise([0, *sorted(size for size in sizes if size <= len(leaves))]):
        for leaf in leaves[before:size]:
            tree.add(leaf)
        roots[size] = tree.root()
    return roots


def _missing(walk: Walk, recorded: Sequence[bytes], proven: int) -> Iterator[Fault]:
    """Events that are gone; not what was known to be missing when it was recorded."""
    tiled = len(recorded) // WIDTH * WIDTH
    for position in walk.missing[:100]:
        known = position <= max(proven, tiled) and recorded[position - 1] == ABSENT
        if not known:
            yield no_row(walk, position)


def _each_once(faults: Iterable[Fault]) -> list[Fault]:
    """The faults, of those at one place only the first."""
    seen: dict[object, Fault] = {}
    for fault in faults:
        seen.setdefault(
            (fault.position, *([] if fault.position else [fault.what, *fault.parts.items()])), fault
        )
    return list(seen.values())


def _sorted(faults: Iterable[Fault]) -> list[Fault]:
    """The faults by position; those without one behind them."""
    return sorted(faults, key=lambda fault: (fault.position is None, fault.position or 0))
