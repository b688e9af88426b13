"""Verifying a store file: against itself, and against checkpoints kept elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from service.eventstore import StoreError
from service.eventstore.inspection import Inspection
from service.eventstore.merkle.leaves import ABSENT
from service.eventstore.merkle.tiles import WIDTH
from service.eventstore.merkle.tree import root_of
from service.transparency.faults import Fault
from service.transparency.kept import Kept
from service.transparency.naming import Naming, no_row
from service.transparency.notes import Checkpoint
from service.transparency.soundness import leads_anywhere, roots_of, sound_verdict
from service.transparency.stretches import Stretch
from service.transparency.verdict import Verdict
from service.transparency.walking import Walk

MOST_NAMED: Final = 50
"""So many faults are named."""


def verify_store(
    inspection: Inspection,
    kept: Kept | None = None,
    own: Kept | None = None,
    stretches: Iterable[Stretch | None] = (),
) -> Verdict:
    """Look at a store file as a whole, and hold it to checkpoints that were ``kept`` elsewhere.

    ``own`` is what lies beside the store. It proves nothing, as whoever changed the store could change that
    too; but the store has to fit it, and its leaf hashes can tell which event was changed.

    A store in which all is as it should be is read once, a tile at a time; of ``stretches`` that were looked
    at elsewhere (`service.transparency.side_by_side`) not even that. Where something is not, it is read
    once more with all leaf hashes held, which takes some 100 bytes an event, to name what that is.
    """
    damage = list(_damage(inspection))
    if not damage and (sound := sound_verdict(inspection, kept, own, stretches)) is not None:
        return sound
    given = _given(inspection, damage)
    # Before the walk: a service that goes on appending meanwhile stores tiles of events that it did not see.
    tiles = _tiles(inspection, damage)
    walk, broken = _walked(inspection)
    damage += broken
    proven: int | None = None
    named: list[Fault] = []
    more = 0
    try:
        recorded = _recorded(tiles, walk, damage)
        held_to = kept or own
        if held_to is not None:
            lists = (held_to.leaves, own.leaves if own else (), recorded, walk.written)
            met, recorded, unmet = _held_to(held_to, walk, lists, whole=not broken)
            named += unmet
            proven = None if kept is None else met
        if kept is not None and not leads_anywhere(kept):
            damage.append(Fault("checkpoint", "leaves_amiss"))
        if broken:
            recorded = recorded[: len(walk.now)]
        naming = Naming(recorded, walk, inspection)
        named += naming.faults()
        more = naming.more
        named += _hashes_amiss(walk, recorded, inspection)
        named += _missing(walk, recorded, proven or 0)
        for what, last in (("noted", inspection.noted), ("given", given)):
            if last > len(walk.now) and not broken:
                named.append(Fault("removed", what, len(walk.now) + 1, parts={"last": last}))
    except StoreError as error:
        damage.append(Fault("damaged", "file", parts={"said": str(error)}))
    erasures = tuple(walk.standins.erasures())
    pretended = () if broken else walk.standins.faults()
    faults = (*_sorted(_each_once([*named, *walk.faults, *pretended])), *_each_once(damage))
    more += max(0, len(faults) - MOST_NAMED)
    gone = sum(one.position <= (proven or 0) for one in erasures)
    return Verdict(
        walk.events,
        len(walk.versions),
        faults[:MOST_NAMED],
        None if proven is None else proven - gone,
        erasures=erasures,
        more=more,
        reach=proven,
    )


def _damage(inspection: Inspection) -> Iterator[Fault]:
    """What is amiss with the file, whatever stands in it."""
    try:
        for said in inspection.integrity():
            yield Fault("damaged", "integrity", parts={"said": said})
        for name in inspection.rules_amiss():
            yield Fault("rule", "rule", parts={"name": name})
        for stray in inspection.strays():
            yield Fault("added", "stray", None, stray.stream, stray.version, stray.event_id)
    except StoreError as error:
        yield Fault("damaged", "file", parts={"said": str(error)})


def _given(inspection: Inspection, damage: list[Fault]) -> int:
    """The last position that the database has given to an event."""
    try:
        return inspection.given()
    except StoreError as error:
        damage.append(Fault("damaged", "file", parts={"said": str(error)}))
        return 0


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


class _Tiles(NamedTuple):
    """The stored tiles of leaf hashes by number, and the stored hashes over tiles by level and number."""

    leaves: Sequence[tuple[int, list[bytes]]] = ()
    above: Mapping[tuple[int, int], bytes] = {}


def _tiles(inspection: Inspection, damage: list[Fault]) -> _Tiles:
    try:
        return _Tiles(list(inspection.leaf_tiles()), inspection.subtrees())
    except StoreError as error:
        damage.append(Fault("damaged", "file", parts={"said": str(error)}))
        return _Tiles()


def _recorded(tiles: _Tiles, walk: Walk, damage: list[Fault]) -> list[bytes]:
    """The leaf hashes that the store itself has: those of full tiles, and of the events behind them."""
    recorded = list(walk.written)
    for number, leaves in tiles.leaves:
        if len(leaves) == WIDTH and 0 <= number * WIDTH <= len(recorded):
            recorded[number * WIDTH : (number + 1) * WIDTH] = leaves
        else:
            damage.append(Fault("damaged", "tile", parts={"number": number}))
    below = recorded
    level = 1
    while len(below) >= WIDTH:
        starts = range(0, len(below) - WIDTH + 1, WIDTH)
        below = [root_of(below[start : start + WIDTH]) for start in starts]
        for number, value in enumerate(below):
            if tiles.above.get((level, number), value) != value:
                damage.append(Fault("damaged", "subtree", parts={"level": level, "number": number}))
        level += 1
    return recorded


def _held_to(
    kept: Kept, walk: Walk, lists: Sequence[Sequence[bytes]], whole: bool
) -> tuple[int, list[bytes], list[Fault]]:
    """How much the checkpoints prove, the leaf hashes that were recorded, and which checkpoint is not met.

    ``lists`` are leaf hashes as they stand in several places, those of the store third; the first that lead
    to the root are what was recorded.
    """
    checkpoints, stored = [note.checkpoint for note in kept.notes], lists[2]
    roots = roots_of(walk.now, [one.size for one in checkpoints])
    met = [one.size for one in checkpoints if roots.get(one.size) == one.root]
    proven = max(met, default=0)
    unmet = next((one for one in checkpoints if roots.get(one.size) != one.root), None)
    if unmet is None:
        return proven, [*walk.now[:proven], *stored[proven:]], []
    proven = max((size for size in met if size < unmet.size), default=0)
    for leaves in lists:
        if len(leaves) >= unmet.size and root_of(leaves[: unmet.size]) == unmet.root:
            return proven, [*leaves[: unmet.size], *stored[unmet.size :]], []
    if not whole and unmet.size > len(walk.now):
        return proven, list(stored), []
    return proven, list(stored), [_unmet(unmet, proven, walk)]


def _unmet(unmet: Checkpoint, proven: int, walk: Walk) -> Fault:
    """That a checkpoint is not met, and no list of leaf hashes tells by which event."""
    parts = {"size": unmet.size, "has": len(walk.now), "first": proven + 1, "last": unmet.size}
    if unmet.size > len(walk.now):
        return Fault("removed", "too_few", parts=parts)  # where they stood, nothing tells
    return Fault("rewritten", "between", proven + 1, parts=parts)


def _hashes_amiss(walk: Walk, recorded: Sequence[bytes], inspection: Inspection) -> Iterator[Fault]:
    """Events that say what was recorded, by a tile or a checkpoint, and whose own row has another hash."""
    rows = enumerate(zip(walk.written, walk.now, recorded, strict=False))
    places = (index for index, (written, now, due) in rows if written != now == due)
    for index in islice(places, MOST_NAMED):
        event = inspection.at(index + 1)
        if event is not None:
            yield walk.fault("changed", "leaf", event)


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
