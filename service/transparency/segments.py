"""A segment of a store's events scanned on its own, so that several can be scanned at once.

A segment cannot know how many events its streams had before it: it reports which it saw first and last of
each, and `service.transparency.quick_verification`, which joins the segments, checks that they continue.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from service.eventstore.inspection import Inspection, RawEvent
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.merkle.tree import HASH_BYTES, root_of_leaves
from service.transparency.placeholders import PlaceholderTracker
from service.transparency.scan import StoreScan

SEGMENT_SIZE: Final = 64 * TILE_WIDTH
"""So many events are looked at in one piece: enough that it counts, few enough that the last one to end is
not waited for."""


class LogSegment(NamedTuple):
    """What whole tiles of events come to, those behind ``after``, where nothing in them is amiss.

    ``leaf_hashes`` are theirs in one piece, and ``tile_roots`` those over each tile. ``version_ranges`` says
    which version of a stream is the first among them and which the last, with none left out between;
    ``placeholders`` which of them have lost their contents, and what is recorded of that.
    """

    after: int
    leaf_hashes: bytes
    tile_roots: list[bytes]
    version_ranges: dict[str, tuple[int, int]]
    placeholders: PlaceholderTracker

    def iterate_tiles(self) -> Iterator[tuple[list[bytes], bytes]]:
        """The leaf hashes of each tile, and the root over them."""
        leaves = [
            self.leaf_hashes[at : at + HASH_BYTES] for at in range(0, len(self.leaf_hashes), HASH_BYTES)
        ]
        for number, root in enumerate(self.tile_roots):
            yield leaves[number * TILE_WIDTH : (number + 1) * TILE_WIDTH], root


def scan_segment(inspection: Inspection, after: int, up_to: int) -> LogSegment | None:
    """The segment behind one position and up to the other, each a number of whole tiles; None where anything
    in it is amiss. Raises as the inspection does."""
    scan = _SegmentScan(after)
    for event in inspection.read_raw_events(after, up_to):
        if not scan.add_event(event):
            return None
    if not scan.is_intact() or len(scan.computed_leaves) != up_to - after:
        return None
    leaves = scan.release_leaves()
    streams = {stream: (scan.first_versions[stream], last) for stream, last in scan.stream_versions.items()}
    roots = [root_of_leaves(leaves[at : at + TILE_WIDTH]) for at in range(0, len(leaves), TILE_WIDTH)]
    return LogSegment(after, b"".join(leaves), roots, streams, scan.placeholders)


class _SegmentScan(StoreScan):
    """A scan that begins in the middle: the first event that it sees of a stream may have any version."""

    def __init__(self, released_count: int) -> None:
        super().__init__(released_count)
        self.first_versions: dict[str, int] = {}

    def add_event(self, event: RawEvent) -> bool:
        if event.stream not in self.first_versions:
            self.first_versions[event.stream] = event.version
            self.stream_versions[event.stream] = event.version - 1
        return super().add_event(event)
