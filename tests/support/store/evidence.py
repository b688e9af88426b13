"""The tree of a store, built anew."""

from service.eventstore import EventReader, Sealed
from service.eventstore.merkle.tiles import WIDTH, node_in
from service.eventstore.merkle.tree import root_hash, root_of


def all_sealed(store: EventReader) -> list[Sealed]:
    """Every event of a store, in order of position."""
    found = [
        one for info in store.streams(limit=10_000) for one in store.sealed(info.stream, limit=1_000_000)
    ]
    return sorted(found, key=lambda one: one.event.position)


def require_whole_tree(store: EventReader) -> None:
    """The tiles are those of a tree that is built here anew."""
    leaves = [one.leaf for one in all_sealed(store)]
    level, hashes = 0, leaves
    while hashes:
        for number in range(len(hashes) // WIDTH + 1):
            assert store.tile(level, number) == hashes[number * WIDTH : (number + 1) * WIDTH]
        full = [hashes[n : n + WIDTH] for n in range(0, len(hashes) - WIDTH + 1, WIDTH)]
        hashes = [root_of(one) for one in full]
        level += 1
    assert store.tile(level, 0) == []
    node = node_in(store.tile)
    for size in {0, 1, 2, 3, len(leaves) // 2, WIDTH, WIDTH + 1, len(leaves)}:
        if size <= len(leaves):
            assert root_hash(node, size) == root_of(leaves[:size])
