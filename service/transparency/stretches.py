"""A stretch of a store's events looked at by itself, so that several can be looked at at once.

What a stretch cannot know is how many events its streams had before it: it says which it saw first and last
of each, and whoever puts the stretches together (`service.transparency.soundness`) sees whether they go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from service.eventstore.inspection import Inspection, RawEvent
from service.eventstore.merkle.tiles import WIDTH
from service.eventstore.merkle.tree import HASH_BYTES, root_of
from service.transparency.standins import Standins
from service.transparency.walking import Walk

STRETCH: Final = 64 * WIDTH
"""So many events are looked at in one piece: enough that it counts, few enough that the last one to end is
not waited for."""


class Stretch(NamedTuple):
    """What whole tiles of events come to, those behind ``after``, where nothing in them is amiss.

    ``leaves`` are their leaf hashes in one piece, and ``roots`` those over each tile. ``streams`` says which
    version of a stream is the first among them and which the last, with none left out between; ``standins``
    which of them have lost their contents, and what is recorded of that.
    """

    after: int
    leaves: bytes
    roots: list[bytes]
    streams: dict[str, tuple[int, int]]
    standins: Standins

    def tiles(self) -> Iterator[tuple[list[bytes], bytes]]:
        """The leaf hashes of each tile, and the root over them."""
        leaves = [self.leaves[at : at + HASH_BYTES] for at in range(0, len(self.leaves), HASH_BYTES)]
        for number, root in enumerate(self.roots):
            yield leaves[number * WIDTH : (number + 1) * WIDTH], root


def stretch_of(inspection: Inspection, after: int, upto: int) -> Stretch | None:
    """The stretch behind one position and up to the other, each a number of whole tiles; None where anything
    in it is amiss. Raises as the inspection does."""
    walk = _FromAnywhere(after)
    for event in inspection.events(after, upto):
        if not walk.step(event):
            return None
    if not walk.is_sound() or len(walk.now) != upto - after:
        return None
    leaves = walk.let_go()
    streams = {stream: (walk.first[stream], last) for stream, last in walk.versions.items()}
    roots = [root_of(leaves[at : at + WIDTH]) for at in range(0, len(leaves), WIDTH)]
    return Stretch(after, b"".join(leaves), roots, streams, walk.standins)


class _FromAnywhere(Walk):
    """A walk that begins in the middle: the first event that it sees of a stream may have any version."""

    def __init__(self, passed: int) -> None:
        super().__init__(passed)
        self.first: dict[str, int] = {}

    def step(self, event: RawEvent) -> bool:
        if event.stream not in self.first:
            self.first[event.stream] = event.version
            self.versions[event.stream] = event.version - 1
        return super().step(event)
