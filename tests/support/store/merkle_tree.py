"""The tree of a store, built anew."""

from service.eventstore import EventReader, SealedEvent
from service.eventstore.merkle.tiles import TILE_WIDTH, node_reader_from_tiles
from service.eventstore.merkle.tree import root_hash, root_of_leaves


def all_sealed(store: EventReader) -> list[SealedEvent]:
    """Every event of a store, in order of position."""
    streams = [info.stream for info in store.list_streams(limit=10_000)]
    found = [one for stream in streams for one in store.read_sealed_events(stream, limit=1_000_000)]
    return sorted(found, key=lambda one: one.event.position)


def require_whole_tree(store: EventReader) -> None:
    """The tiles are those of a tree that is built here anew."""
    leaves = [one.leaf_hash for one in all_sealed(store)]
    level, hashes = 0, leaves
    while hashes:
        for number in range(len(hashes) // TILE_WIDTH + 1):
            assert store.read_tile(level, number) == hashes[number * TILE_WIDTH : (number + 1) * TILE_WIDTH]
        full = [hashes[n : n + TILE_WIDTH] for n in range(0, len(hashes) - TILE_WIDTH + 1, TILE_WIDTH)]
        hashes = [root_of_leaves(one) for one in full]
        level += 1
    assert store.read_tile(level, 0) == []
    node = node_reader_from_tiles(store.read_tile)
    for size in {0, 1, 2, 3, len(leaves) // 2, TILE_WIDTH, TILE_WIDTH + 1, len(leaves)}:
        if size <= len(leaves):
            assert root_hash(node, size) == root_of_leaves(leaves[:size])
