"""Tiles of 256 hashes: any node of the tree is found in a few rows.

Tiles of level 0 are leaves; a hash of level 1 covers a whole tile of level 0, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from service.eventstore.merkle.tree import NodeReader, node_hash

TILE_HEIGHT: Final = 8
"""Levels of the tree between two levels of tiles."""
TILE_WIDTH: Final = 1 << TILE_HEIGHT

TileReader: TypeAlias = Callable[[int, int], Sequence[bytes]]
"""``tile(level, number)``: hashes of complete subtrees of ``256**level`` leaves, up to 256 from ``number *
256`` on."""


def node_reader_from_tiles(tile: TileReader) -> NodeReader:
    """A reader of the nodes of the tree in these tiles. It requests each tile once."""
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
