"""Reads a store file without trusting it: its rows as they are, even if they break the store's own rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from sqlite_utils import Database

from service.eventstore.inspection import Inspection, RawEvent
from service.eventstore.merkle.leaf_tree import LeafHashes, LeafTree
from service.eventstore.merkle.tree import root_of_leaves
from service.eventstore.sqlite import migrations
from service.eventstore.sqlite.connections import ReaderPool, sqlite3

_PAGE: Final = 1000
_MESSAGES: Final = 20
_LEAST: Final = -(1 << 63)
_MOST: Final = (1 << 63) - 1

# Text is read as bytes: invalid UTF-8 must be shown, not stop the reading.
_EVENT: Final = """
    SELECT e.position, CAST(r.root AS BLOB), CAST(s.stream AS BLOB), e.version,
           CAST(e.event_id AS BLOB), CAST(e.stored_at AS BLOB), CAST(e.body AS BLOB),
           e.salt, e.leaf, x.commitment, CAST(s.kind AS BLOB),
           CASE WHEN e.salt IS NULL THEN e.digest END, CAST(x.erased_at AS BLOB)
    FROM events AS e LEFT JOIN streams AS s ON s.stream_key = e.stream_key
    LEFT JOIN roots AS r ON r.root_key = s.root_key LEFT JOIN erasures AS x ON x.position = e.position"""
_EVENTS: Final = f"{_EVENT} WHERE e.position > ? AND e.position <= ? ORDER BY e.position LIMIT ?"
_NEXT_LEAF_TILE: Final = """
    SELECT number, coalesce(CAST(hashes AS BLOB), x'') FROM leaf_tiles
    WHERE number > ? ORDER BY number LIMIT 1"""
_OF_STREAM: Final = f"{_EVENT} WHERE s.stream = ? ORDER BY e.version"


class SqliteInspection(Inspection):
    """Inspects a store file. SQLite's errors are raised as `StoreError`.

    ``recorded_head`` is the position in the file next to the store when it was opened.
    """

    def __init__(self, readers: ReaderPool, recorded_head: int = 0) -> None:
        self._readers = readers
        self.recorded_head = recorded_head

    def find_integrity_errors(self) -> list[str]:
        """Errors that SQLite itself finds in the file, about twenty messages at most."""
        rows = self._readers.fetch_all(f"PRAGMA integrity_check({_MESSAGES})")
        return [str(row[0]) for row in rows if row[0] != "ok"]

    def find_tile_errors(self) -> list[str]:
        """A message for each stored hash of the Merkle log that does not match what is below it."""
        tile_roots: list[bytes] = []
        for number, hashes in self.read_leaf_tiles():
            if number != len(tile_roots):
                return [f"leaf tile {len(tile_roots)} is missing"]
            tile_roots.append(root_of_leaves(hashes))
        differing = LeafTree((), tile_roots).find_differing_subtrees(self.read_subtree_hashes())
        return [
            f"hash {number} of level {level} of the Merkle log does not match the hashes below it"
            for level, number in differing
        ]

    def last_assigned_position(self) -> int:
        """The last position that SQLite has assigned, of which it keeps count; 0 if unknown."""
        ((position,),) = self._readers.fetch_all("SELECT max(seq) FROM sqlite_sequence WHERE name = 'events'")
        return _integer(position)

    def find_schema_differences(self) -> list[str]:
        """The names of tables, indices and triggers that differ from those that the store creates, sorted."""
        fresh_database = Database(memory=True)
        migrations.migrate(fresh_database)
        expected = list_schema_objects(fresh_database.conn)
        return sorted({name for name, _ in expected ^ self._readers.run_read(list_schema_objects)})

    def last_position(self) -> int:
        """See `Inspection.last_position`."""
        ((position,),) = self._readers.fetch_all("SELECT max(position) FROM events")
        return _integer(position)

    def read_raw_events(self, after: int = 0, up_to: int | None = None) -> Iterator[RawEvent]:
        """See `Inspection.read_raw_events`."""
        position, last = after or _LEAST, _MOST if up_to is None else up_to
        while True:
            rows = self._readers.fetch_all(_EVENTS, (position, last, _PAGE))
            yield from map(_parse_raw_event, rows)
            if len(rows) < _PAGE:
                return
            position = rows[-1][0]

    def read_raw_stream(self, stream: str) -> list[RawEvent]:
        """The events of a stream, by version."""
        return list(map(_parse_raw_event, self._readers.fetch_all(_OF_STREAM, (stream,))))

    def read_leaf_tiles(self) -> Iterator[tuple[int, list[bytes]]]:
        """The stored tiles of leaves by number."""
        after = _LEAST
        while rows := self._readers.fetch_all(_NEXT_LEAF_TILE, (after,)):
            ((after, hashes),) = rows
            yield after, LeafHashes(hashes)[:]

    def read_subtree_hashes(self) -> dict[tuple[int, int], bytes]:
        """The stored hashes of whole tiles, by level and number."""
        rows = self._readers.fetch_all("SELECT level, number, hash FROM subtrees")
        return {(level, number): value for level, number, value in rows}


def list_schema_objects(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """The schema objects of a database, by name and text; without SQLite's own."""
    rows = connection.execute(
        "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'"
    )
    return {(str(name), str(sql)) for name, sql in rows}


def _integer(value: object) -> int:
    return value if isinstance(value, int) else 0


def _bytes(value: object) -> bytes | None:
    return value if isinstance(value, bytes) else None


def _body(value: object) -> bytes:
    return value if isinstance(value, bytes) else b""


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


_COLUMN_READERS: Final[tuple[Callable[[object], Any], ...]] = (
    _integer, _text, _text, _integer, _text, _text, _body, _bytes, _bytes, _bytes, _text, _bytes, _text,
)  # fmt: skip
"""Converts each column of `RawEvent`, whatever value it has."""


def _parse_raw_event(row: tuple[Any, ...]) -> RawEvent:
    return RawEvent._make(read(value) for read, value in zip(_COLUMN_READERS, row, strict=True))
