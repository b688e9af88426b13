"""The tiles of the Merkle tree on PostgreSQL: leaves are in the log, hashes of full tiles are stored."""

from __future__ import annotations

from typing import Final

from service.eventstore.merkle.leaves import ABSENT_LEAF_HASH
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.merkle.tree import root_of_leaves
from service.eventstore.postgres.connections import Connection

_HEAD: Final = "SELECT coalesce(max(position), 0) FROM log"
_LEAVES: Final = "SELECT position, leaf FROM log WHERE position BETWEEN %s AND %s"
_SUBTREES: Final = "SELECT number, hash FROM subtrees WHERE level = %s AND number BETWEEN %s AND %s"
_STORED: Final = "SELECT coalesce(max(number) + 1, 0) FROM subtrees WHERE level = 1"
# Two processes may complete the same tile at the same time, with the same hash.
_STORE: Final = "INSERT INTO subtrees VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"


def select_head(connection: Connection) -> int:
    """The position of the newest event, 0 if there is none."""
    (position,) = connection.execute(_HEAD).fetchone() or (0,)
    return int(position)


def select_tile(connection: Connection, level: int, number: int) -> list[bytes]:
    """A tile, as far as it is filled. Raises psycopg's errors."""
    if level == 0:
        return _select_leaves(connection, number)
    first = number * TILE_WIDTH
    count = max(0, min(TILE_WIDTH, select_head(connection) // TILE_WIDTH**level - first))
    found = connection.execute(_SUBTREES, (level, first, first + count - 1), binary=True)
    stored: dict[int, bytes] = dict(found.fetchall())
    # The last ones may not be stored yet.
    return [
        stored[one] if one in stored else root_of_leaves(select_tile(connection, level - 1, one))
        for one in range(first, first + count)
    ]


def _select_leaves(connection: Connection, number: int) -> list[bytes]:
    first = number * TILE_WIDTH + 1
    last = min(first + TILE_WIDTH - 1, select_head(connection))
    found = connection.execute(_LEAVES, (first, last), binary=True)
    leaves: dict[int, bytes] = dict(found.fetchall())
    return [leaves.get(position, ABSENT_LEAF_HASH) for position in range(first, last + 1)]


def store_full_tiles(connection: Connection, head_position: int) -> None:
    """Store the hash of every full tile of leaves up to that position, and the hashes above them."""
    with connection.transaction():
        (stored,) = connection.execute(_STORED).fetchone() or (0,)
        for number in range(stored, head_position // TILE_WIDTH):
            _store_subtrees_above(connection, number)


def _store_subtrees_above(connection: Connection, number: int) -> None:
    level = 1
    while True:
        hashed = root_of_leaves(select_tile(connection, level - 1, number))
        connection.execute(_STORE, (level, number, hashed))
        parent, rest = divmod(number + 1, TILE_WIDTH)
        if rest:
            return
        level, number = level + 1, parent - 1
