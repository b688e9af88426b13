"""The tiles of the Merkle tree in a store file, where full tiles of leaves are stored whole too."""

from __future__ import annotations

from service.eventstore.merkle.leaf_tree import LeafHashes
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.merkle_tables import MerkleTables
from service.eventstore.sql_dialect import SQLITE_DIALECT
from service.eventstore.sqlite.connections import sqlite3


class SqliteMerkleTables(MerkleTables):
    """See `MerkleTables`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(SQLITE_DIALECT, connection)

    def _select_leaves(self, first: int, last: int) -> dict[int, bytes]:
        query = "SELECT hashes FROM leaf_tiles WHERE number = ?"
        row = self._connection.execute(query, (first // TILE_WIDTH,)).fetchone()
        return dict(enumerate(LeafHashes(row[0]), first)) if row else super()._select_leaves(first, last)

    def _store_tile(self, level: int, number: int, hashes: list[bytes]) -> None:
        if level == 0:
            self._connection.execute("INSERT INTO leaf_tiles VALUES (?, ?)", (number, b"".join(hashes)))
        super()._store_tile(level, number, hashes)


def select_head(connection: sqlite3.Connection) -> int:
    """The position of the newest event, 0 if there is none."""
    return SqliteMerkleTables(connection).head()
