"""Tiles of 256 hashes, by which any node of the tree is found in a few rows.

Those of level 0 are leaves; a hash of level 1 is over a whole tile of level 0, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from service.eventstore.merkle.tree import NodeReader, node_hash

TILE_HEIGHT: Final = 8
"""Levels of the tree between those of two tiles."""
TILE_WIDTH: Final = 1 << TILE_HEIGHT

TileReader: TypeAlias = Callable[[int, int], Sequence[bytes]]
"""``tile(level, number)``: the hashes of complete subtrees of ``256**level`` leaves, as many as there are of
the 256 from ``number * 256`` on."""


def node_reader_from_tiles(tile: TileReader) -> NodeReader:
    """The nodes of the tree that is kept in these tiles. Each tile is asked for once."""
    read: dict[tuple[int, int], Sequence[bytes]] = {}
    nodes: dict[tuple[int, int], bytes] = {}

    def node(level: int, index: int) -> bytes:
        if level % TILE_HEIGHT == 0:
            place = (level // TILE_HEIGHT, index // TILE_WIDTH)
            if place not in read:
                read[place] = tile(*place)
            return read[place][index % TILE_WIDTH]
        if (level, index) not in nodes:
            nodes[level, index] = node_hash(node(level - 1, 2 * index), node(level - 1, 2 * index + 1))
        return nodes[level, index]

    return node
