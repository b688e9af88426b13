"""The tiles of the Merkle tree on PostgreSQL: leaves stand in the log, hashes over full tiles are kept."""

from __future__ import annotations

from typing import Final

from service.eventstore.merkle.leaves import ABSENT
from service.eventstore.merkle.tiles import WIDTH
from service.eventstore.merkle.tree import root_of
from service.eventstore.postgres.connections import Connection

_HEAD: Final = "SELECT coalesce(max(position), 0) FROM log"
_LEAVES: Final = "SELECT position, leaf FROM log WHERE position BETWEEN %s AND %s"
_SUBTREES: Final = "SELECT number, hash FROM subtrees WHERE level = %s AND number BETWEEN %s AND %s"
_STORED: Final = "SELECT coalesce(max(number) + 1, 0) FROM subtrees WHERE level = 1"
# Two processes may come to the same tile together, with the same hash.
_STORE: Final = "INSERT INTO subtrees VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"


def head(connection: Connection) -> int:
    """The position of the newest event, 0 where there is none."""
    (position,) = connection.execute(_HEAD).fetchone() or (0,)
    return int(position)


def read_tile(connection: Connection, level: int, number: int) -> list[bytes]:
    """A tile, as far as it is full. Raises psycopg's errors."""
    if level == 0:
        return _leaves(connection, number)
    first = number * WIDTH
    count = max(0, min(WIDTH, head(connection) // WIDTH**level - first))
    found = connection.execute(_SUBTREES, (level, first, first + count - 1), binary=True)
    stored: dict[int, bytes] = dict(found.fetchall())
    # The last ones may not have been stored yet.
    return [
        stored[one] if one in stored else root_of(read_tile(connection, level - 1, one))
        for one in range(first, first + count)
    ]


def _leaves(connection: Connection, number: int) -> list[bytes]:
    first = number * WIDTH + 1
    last = min(first + WIDTH - 1, head(connection))
    found = connection.execute(_LEAVES, (first, last), binary=True)
    leaves: dict[int, bytes] = dict(found.fetchall())
    return [leaves.get(position, ABSENT) for position in range(first, last + 1)]


def store_tiles(connection: Connection, reached: int) -> None:
    """Store the hash over every tile of leaves that is full up to that position, and those above them."""
    with connection.transaction():
        (stored,) = connection.execute(_STORED).fetchone() or (0,)
        for number in range(stored, reached // WIDTH):
            _store_above(connection, number)


def _store_above(connection: Connection, number: int) -> None:
    level = 1
    while True:
        hashed = root_of(read_tile(connection, level - 1, number))
        connection.execute(_STORE, (level, number, hashed))
        parent, rest = divmod(number + 1, WIDTH)
        if rest:
            return
        level, number = level + 1, parent - 1
