"""Naming: from the leaf hashes that were recorded and the rows that stand there now, what was done to which.

A hash does not say what it was made of. But an event that was only moved still leads to a recorded hash once
it is put back: under the number it had. By that a removal, an addition and a change are told apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Final

import orjson

from service.eventstore.inspection import Inspection, RawEvent
from service.transparency.faults import Fault
from service.transparency.walking import NO_LEAF, Walk, leaf_now

MOST_NAMED: Final = 20
"""So many events are named; who changed more has rewritten the record."""


class Naming:
    """Compares ``recorded`` leaf hashes with what the walk came to, and names the events that differ.

    ``more`` is how many more differ than ``faults`` has named.
    """

    def __init__(self, recorded: Sequence[bytes], walk: Walk, inspection: Inspection) -> None:
        self._recorded = recorded
        self._walk = walk
        self._inspection = inspection
        self.more = 0
        self._missing = {position: number for number, position in enumerate(walk.missing)}

    def faults(self) -> Iterator[Fault]:
        """What was done, from the first event on, until one was taken out or put in between others."""
        now = self._walk.now
        differing = (i for i, leaf in enumerate(self._recorded) if i >= len(now) or now[i] != leaf)
        for index in islice(differing, MOST_NAMED):
            fault = self._fault_at(index)
            yield fault
            if fault.kind != "changed" and fault.what not in ("no_row", "no_leaf"):
                return
        self.more = sum(1 for _ in differing)

    def _fault_at(self, index: int) -> Fault:
        if index >= len(self._walk.now):
            return Fault("removed", "at_the_end", index + 1)
        if index + 1 in self._missing:
            return no_row(self._walk, index + 1)
        event = self._inspection.at(index + 1)
        if event is None:
            return Fault("removed", "no_row", index + 1)
        return self._named(index, event, self._inspection.of_stream(event.stream))

    def _named(self, index: int, event: RawEvent, stream: Sequence[RawEvent]) -> Fault:
        if event.leaf == NO_LEAF == self._recorded[index]:
            return self._walk.fault("added", "no_leaf", event)
        before = self._recorded_place(event, len(stream))
        if before == index:  # only its number is another
            return self._walk.fault("changed", "columns", event, names="seq")
        is_kept = self._still_there(self._recorded[index], stream, event.version)
        if before is None:
            if is_kept:
                return self._walk.fault("added", "not_recorded", event)
            return self._changed(index, event)
        if is_kept:
            return self._walk.fault("reordered", "stood_at", event, was=before + 1)
        moved = self._walk.fault("removed", "closed_up", event, next=event.event_id)
        return moved._replace(event_id=None)

    def _changed(self, index: int, event: RawEvent) -> Fault:
        said = object_in(event)
        for column, name, kind in _COLUMNS:
            value = said.get(name)
            if isinstance(value, kind):
                restored = event._replace(**{column: value})  # type: ignore[arg-type]
                if leaf_now(restored) == self._recorded[index]:
                    return self._walk.fault("changed", "columns", event, names=name)
        return self._walk.fault("changed", "contents", event)

    def _recorded_place(self, event: RawEvent, count: int) -> int | None:
        """The index at which the event was recorded, whatever its number was then; None if it was not."""
        found = (self._places.get(leaf) for v in range(count + 2) for leaf in _as_number(event, v))
        return next((place for place in found if place is not None), None)

    def _still_there(self, leaf: bytes, stream: Sequence[RawEvent], version: int) -> bool:
        """Whether a recorded event still stands somewhere, or in the stream under that number."""
        return leaf in self._now or any(leaf in _as_number(event, version) for event in stream)

    @cached_property
    def _places(self) -> dict[bytes, int]:
        return {leaf: index for index, leaf in enumerate(self._recorded)}

    @cached_property
    def _now(self) -> set[bytes]:
        return set(self._walk.now)


_COLUMNS: Final = (("event_id", "id", str), ("version", "seq", int), ("stored_at", "stored_at", str))
"""What stands in the row and in the contents too."""


def no_row(walk: Walk, position: int) -> Fault:
    """The event that has no row any more; where one stream has gaps, they tell which events these were."""
    streams = {stream for stream, _ in walk.skipped}
    if len(streams) == 1 and len(walk.skipped) == len(walk.missing):
        return Fault("removed", "no_row", position, *walk.skipped[walk.missing.index(position)])
    return Fault("removed", "no_row", position)


def _as_number(event: RawEvent, version: int) -> Iterator[bytes]:
    """The leaf hashes that the event would have as another of its stream: its contents as they are, or
    with that number in them."""
    moved = event._replace(version=version)
    yield leaf_now(moved)
    said = object_in(event)
    if "seq" in said:
        yield leaf_now(moved._replace(body=orjson.dumps({**said, "seq": version})))


def object_in(event: RawEvent) -> dict[str, object]:
    """What an event says; nothing where that is no JSON object."""
    try:
        said = orjson.loads(event.body)
    except orjson.JSONDecodeError:
        return {}
    return said if isinstance(said, dict) else {}
