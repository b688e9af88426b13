"""The tiles of the Merkle tree in a database: leaf hashes by position, and the hashes over full tiles."""

from __future__ import annotations

from typing import Final

from service.eventstore.merkle.leaves import ABSENT_LEAF_HASH
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.merkle.tree import root_of_leaves
from service.eventstore.sql_dialect import Connection, SqlDialect

_HEAD: Final = "SELECT coalesce(max(position), 0) FROM {log}"
_STORED: Final = "SELECT coalesce(max(number) + 1, 0) FROM subtrees WHERE level = 1"
_LEAVES: Final = "SELECT position, leaf FROM {log} WHERE position BETWEEN :first AND :last"
_SUBTREES: Final = (
    "SELECT number, hash FROM subtrees WHERE level = :level AND number BETWEEN :first AND :last"
)
# Two processes may complete the same tile at the same time, with the same hash.
_STORE: Final = "INSERT INTO subtrees VALUES (:level, :number, :hash) ON CONFLICT DO NOTHING"


class MerkleTables:
    """Reads the tiles over one connection, and stores full ones in its open transaction.

    Raises the database's errors.
    """

    def __init__(self, dialect: SqlDialect, connection: Connection) -> None:
        self._dialect = dialect
        self._connection = connection

    def head(self) -> int:
        """The position of the newest event, 0 if there is none."""
        return self._select_integer(_HEAD)

    def read_tile(self, level: int, number: int) -> list[bytes]:
        """A tile, as far as it is filled."""
        first = number * TILE_WIDTH
        count = max(0, min(TILE_WIDTH, self.head() // TILE_WIDTH**level - first))
        if level == 0:
            leaves = self._select_leaves(first + 1, first + count)
            return [leaves.get(first + at, ABSENT_LEAF_HASH) for at in range(1, count + 1)]
        values = {"level": level, "first": first, "last": first + count - 1}
        stored = dict(self._dialect.execute(self._connection, _SUBTREES, **values).fetchall())
        # The last ones may not be stored yet.
        return [
            stored[one] if one in stored else root_of_leaves(self.read_tile(level - 1, one))
            for one in range(first, first + count)
        ]

    def store_full_tiles(self) -> int:
        """Store the hash of every full tile of leaves, and the hashes above them; returns the head."""
        head = self.head()
        for tile in range(self._select_integer(_STORED), head // TILE_WIDTH):
            level, number, is_full = 0, tile, True
            while is_full:
                self._store_tile(level, number, self.read_tile(level, number))
                is_full = (number + 1) % TILE_WIDTH == 0
                level, number = level + 1, number // TILE_WIDTH
        return head

    def _select_integer(self, query: str) -> int:
        (found,) = self._dialect.execute(self._connection, query).fetchone()
        return int(found)

    def _select_leaves(self, first: int, last: int) -> dict[int, bytes]:
        """The leaf hashes from one position to another, all in one tile, by position."""
        values = {"first": first, "last": last}
        return dict(self._dialect.execute(self._connection, _LEAVES, **values).fetchall())

    def _store_tile(self, level: int, number: int, hashes: list[bytes]) -> None:
        values = {"level": level + 1, "number": number, "hash": root_of_leaves(hashes)}
        self._dialect.execute(self._connection, _STORE, **values)
