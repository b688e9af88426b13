"""Copying a store into another, of the same or another kind, while the original is written to.

A copy that was stopped continues where it ends. It has the same root of the Merkle log, so every checkpoint
of the original proves it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import orjson

from service.eventstore import EventReader, StoreDamaged, erasure_log
from service.eventstore.errors import CopyDiverged
from service.eventstore.events import FullEvent
from service.eventstore.interface import CopyTarget
from service.eventstore.merkle.tiles import node_reader_from_tiles
from service.eventstore.merkle.tree import root_hash

COPY_BATCH_SIZE: Final = 2000


class CopyResult(NamedTuple):
    """The number of events in a copy, how many of them are new, and its root."""

    size: int
    new_count: int
    root: bytes


def prepare_copy_target(source: EventReader, target: CopyTarget) -> int:
    """The number of events in the copy. An empty one is given the original's secret.

    Raises `CopyDiverged` if the original does not begin with the events of the copy.
    """
    copy = target.store
    size = copy.head()
    if size == 0:
        target.replace_secret(source.read_secret())
    elif size > (source_size := source.head()):
        raise CopyDiverged(
            f"The copy has {size} events, but the original only {source_size}: another program wrote to "
            "the copy, or the original is an older one. Nothing was copied."
        )
    elif target.store.read_secret() != source.read_secret() or log_root(source, size) != log_root(
        target.store, size
    ):
        raise CopyDiverged(
            f"The {size} events in the copy are not the first {size} of the original. Nothing was copied. "
            "Choose an empty store, or the copy that was begun."
        )
    return size


def copy_missing_events(
    source: EventReader, target: CopyTarget, on_progress: Callable[[int], None] = lambda size: None
) -> CopyResult:
    """Copy the missing events; ``on_progress`` is called with the size of the copy.

    Raises `CopyDiverged` as `prepare_copy_target` does, or if others write to the copy; `StoreDamaged` if an
    event of the original is damaged or missing: those before it are copied.
    """
    start_size = size = prepare_copy_target(source, target)
    while batch := source.read_full_events(size, COPY_BATCH_SIZE):
        _require_no_gap(batch, size)
        target.add_events(batch, _read_newly_erased(source, batch, size))
        size += len(batch)
        on_progress(size)
    root = log_root(target.store, size)
    if root != log_root(source, size):
        raise CopyDiverged(f"The copy of {size} events does not have the same root as the original.")
    return CopyResult(size, size - start_size, root)


def log_root(log: EventReader, size: int) -> bytes:
    """The root over the first ``size`` leaves of a store."""
    return root_hash(node_reader_from_tiles(log.read_tile), size)


def _require_no_gap(batch: Sequence[FullEvent], after: int) -> None:
    for expected, one in enumerate(batch, after + 1):
        if one.sealed_event.event.position != expected:
            raise StoreDamaged(
                f"The original has no event at position {expected}. The events before it are copied; run "
                "spadille verify to see what else is missing."
            )


def _read_newly_erased(source: EventReader, batch: Sequence[FullEvent], size: int) -> list[FullEvent]:
    """Erased events that the batch records and the copy already has."""
    positions = {
        placeholder.position
        for one in batch
        if one.sealed_event.event.stream == erasure_log.ERASURE_STREAM
        for placeholder in erasure_log.parse_placeholders(orjson.loads(one.sealed_event.event.body))
        if placeholder.position <= size
    }
    events = source.read_full_events_at(sorted(positions)) if positions else []
    return [one for one in events if one.sealed_event.salt is None]
