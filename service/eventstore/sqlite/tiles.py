"""The tiles of the Merkle tree in a store file: copies of the leaf hashes, and the hashes above them."""

from __future__ import annotations

from typing import Final

from service.eventstore.merkle.leaves import ABSENT_LEAF_HASH
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.merkle.tree import HASH_BYTES, root_of_leaves
from service.eventstore.sqlite.connections import sqlite3

_HEAD: Final = "SELECT coalesce(max(position), 0) FROM events"
_STORED: Final = "SELECT coalesce(max(number) + 1, 0) FROM leaf_tiles"
_LEAVES: Final = "SELECT position, leaf FROM events WHERE position BETWEEN ? AND ? ORDER BY position"
_SUBTREES: Final = """
    SELECT number, hash FROM subtrees WHERE level = ? AND number BETWEEN ? AND ? ORDER BY number"""


def select_head(connection: sqlite3.Connection) -> int:
    """The position of the newest event, 0 if there is none."""
    return int(connection.execute(_HEAD).fetchone()[0])


def select_tile(connection: sqlite3.Connection, level: int, number: int) -> list[bytes]:
    """A tile, as far as it is filled. Raises SQLite's errors."""
    return _select_leaves(connection, number) if level == 0 else _select_subtrees(connection, level, number)


def _select_leaves(connection: sqlite3.Connection, number: int) -> list[bytes]:
    row = connection.execute("SELECT hashes FROM leaf_tiles WHERE number = ?", (number,)).fetchone()
    if row is not None:
        return _split_hashes(row[0])
    first = number * TILE_WIDTH + 1
    leaves = dict(connection.execute(_LEAVES, (first, first + TILE_WIDTH - 1)).fetchall())
    last = min(first + TILE_WIDTH - 1, select_head(connection))
    return [leaves.get(position, ABSENT_LEAF_HASH) for position in range(first, last + 1)]


def _select_subtrees(connection: sqlite3.Connection, level: int, number: int) -> list[bytes]:
    first = number * TILE_WIDTH
    count = max(0, min(TILE_WIDTH, select_head(connection) // TILE_WIDTH**level - first))
    stored = dict(connection.execute(_SUBTREES, (level, first, first + count - 1)).fetchall())
    # The last ones may not be stored yet.
    return [
        stored[one] if one in stored else root_of_leaves(select_tile(connection, level - 1, one))
        for one in range(first, first + count)
    ]


def find_tile_errors(connection: sqlite3.Connection) -> list[str]:
    """A message on the first stored hash that does not match what is below it; empty if all match."""
    below: list[bytes] = []
    for number, hashes in connection.execute("SELECT number, hashes FROM leaf_tiles ORDER BY number"):
        if number != len(below):
            return [f"leaf tile {len(below)} is missing"]
        below.append(root_of_leaves(_split_hashes(hashes)))
    level, stored = 1, dict[tuple[int, int], bytes]()
    for at, number, value in connection.execute("SELECT level, number, hash FROM subtrees"):
        stored[at, number] = value
    while below:
        for number, value in enumerate(below):
            if stored.get((level, number)) != value:
                return [
                    f"hash {number} of level {level} of the Merkle log does not match the hashes below it"
                ]
        full_size = len(below) // TILE_WIDTH * TILE_WIDTH
        below = [
            root_of_leaves(below[first : first + TILE_WIDTH]) for first in range(0, full_size, TILE_WIDTH)
        ]
        level += 1
    return []


def _split_hashes(tile: bytes) -> list[bytes]:
    return [tile[start : start + HASH_BYTES] for start in range(0, len(tile), HASH_BYTES)]


class TileWriter:
    """Stores full tiles in the open transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._stored: int | None = None
        self._head: int | None = None

    @property
    def has_full_tile(self) -> bool:
        """Whether a full tile may be missing from the table."""
        return self._stored is None or self._head is None or self._head >= (self._stored + 1) * TILE_WIDTH

    @property
    def head(self) -> int:
        """The position of the last written event, 0 if unknown."""
        return self._head or 0

    def set_head(self, position: int) -> None:
        """Record that an event was written at this position."""
        self._head = position

    def reset(self) -> None:
        """Forget everything, because something was undone."""
        self._stored = self._head = None

    def store_full_tiles(self) -> None:
        """Store every full tile, and the hashes above it."""
        if not self.has_full_tile:
            return
        if self._stored is None:
            self._stored = int(self._connection.execute(_STORED).fetchone()[0])
        if self._head is None:
            self._head = select_head(self._connection)
        while self._head >= (self._stored + 1) * TILE_WIDTH:
            self._store_leaves(self._stored)
            self._stored += 1

    def _store_leaves(self, number: int) -> None:
        leaves = _select_leaves(self._connection, number)
        self._connection.execute("INSERT INTO leaf_tiles VALUES (?, ?)", (number, b"".join(leaves)))
        level = 1
        while True:
            hashes = (number, root_of_leaves(leaves))
            self._connection.execute("INSERT INTO subtrees VALUES (?, ?, ?)", (level, *hashes))
            number, rest = divmod(number + 1, TILE_WIDTH)
            if rest:
                return
            number -= 1
            leaves = _select_subtrees(self._connection, level, number)
            level += 1
