"""Copying a store into another, of the same kind or another, while the original is written to.

The copy goes on where it ends: whoever is stopped begins again, and nothing is done twice. It ends where the
original did when it was last looked at, with the same root of the Merkle log: so every checkpoint of the
original proves the copy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import orjson

from service.eventstore import StoreDamaged, erasing
from service.eventstore.merkle.tiles import node_in
from service.eventstore.merkle.tree import root_hash
from service.eventstore.whole import Copy, NotACopy, Original, WholeEvent

BATCH: Final = 2000
"""So many events are read and written at once."""


class Copied(NamedTuple):
    """What a copy has come to: how many events are in it, how many of them are new, and its root."""

    size: int
    new: int
    root: bytes


def require_beginning(original: Original, copy: Copy) -> int:
    """How far the copy has come. An empty one is given the original's secret.

    Raises `NotACopy` where what is in it is not what the original begins with.
    """
    size = copy.head()
    if size == 0:
        copy.take_secret(original.secret())
    elif size > (has := original.head()):
        raise NotACopy(
            f"The copy has {size} events and the original {has}: it was written to by others, or the "
            f"original is an older one. Nothing was copied."
        )
    elif copy.secret() != original.secret() or root_of(original, size) != root_of(copy, size):
        raise NotACopy(
            f"The {size} events in the copy are not the first {size} of the original: it is no copy of it. "
            f"Nothing was copied; choose an empty store, or the one that was begun."
        )
    return size


def copy_on(original: Original, copy: Copy, told: Callable[[int], None] = lambda size: None) -> Copied:
    """Copy what the copy lacks, until it has all that the original has; ``told`` how far it is by now.

    Raises `NotACopy` as `require_beginning` does, or where others write to the copy; `StoreDamaged` where an
    event of the original is not as it was recorded, or a position has none: what stands before is copied.
    """
    began = size = require_beginning(original, copy)
    while batch := original.events(size, BATCH):
        _require_no_gap(batch, size)
        copy.add(batch, _erased_before(original, batch, size))
        size += len(batch)
        told(size)
    root = root_of(copy, size)
    if root != root_of(original, size):
        raise NotACopy(f"The copy of {size} events does not come to the root that the original comes to.")
    return Copied(size, size - began, root)


def root_of(log: Original | Copy, size: int) -> bytes:
    """The root over the first ``size`` leaves of a store."""
    return root_hash(node_in(log.tile), size)


def _require_no_gap(batch: Sequence[WholeEvent], after: int) -> None:
    for due, one in enumerate(batch, after + 1):
        if one.sealed.event.position != due:
            raise StoreDamaged(
                f"The original has no event at position {due}. What stands before it is copied; see with "
                f"spadille verify what else is missing."
            )


def _erased_before(original: Original, batch: Sequence[WholeEvent], size: int) -> list[WholeEvent]:
    """Events of which the batch records that they were erased, and which the copy has already."""
    positions = {
        standin.position
        for one in batch
        if one.sealed.event.stream == erasing.STREAM
        for standin in erasing.standins_in(orjson.loads(one.sealed.event.body))
        if standin.position <= size
    }
    return [one for one in original.at(sorted(positions)) if one.sealed.salt is None] if positions else []
