"""Projections in a store file: see `service.eventstore.projection_interface`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final, TypeVar

from service.eventstore.projection_interface import (
    ChangedRoots,
    ClaimRefusal,
    PendingRoot,
    ProjectionProgress,
    ProjectionRow,
    ProjectionRows,
    ProjectionUpdate,
    TaggedProjectionRow,
)
from service.eventstore.projection_state import (
    ProjectionState,
    advance_state,
    claim_state,
    initial_state,
    rewind_state,
)
from service.eventstore.sqlite.connections import ReaderPool, sqlite3
from service.eventstore.sqlite.tiles import select_head

# Text is taken as bytes: what a disk made of it may be none, and is to be made again, not to end the reading.
_SELECT_STATE: Final = """
    SELECT CAST(maker AS BLOB), position, CAST(seal AS BLOB), CAST(former AS BLOB)
    FROM projections WHERE name = ?"""
_KEPT: Final = "r.root, CAST(p.place AS BLOB), p.body"
_PROJECTED: Final = f"SELECT {_KEPT} FROM projected AS p JOIN roots AS r USING (root_key) WHERE p.name = ?"
_TAGGED_ROWS: Final = f"""
    SELECT {_KEPT}, (
        SELECT group_concat(hex(t.tag)) FROM projected_tags AS t
        WHERE t.root_key = p.root_key AND t.name = p.name
    ) FROM projected AS p JOIN roots AS r USING (root_key) WHERE p.name = ?"""
_IN_SPAN: Final = "(p.place IS NULL OR p.place BETWEEN ? AND ?)"
_TAGGED: Final = "SELECT root_key FROM projected_tags WHERE name = ? AND tag = ?"
_WITH_TAG: Final = f"""
    p.root_key IN (
        {_TAGGED} UNION ALL SELECT root_key FROM projected WHERE name = ? AND body IS NULL
    )"""
_OF_ROOTS: Final = """
    p.root_key IN (
        SELECT root_key FROM roots WHERE root IN (SELECT value FROM json_each(?))
    )"""
_LAST: Final = "\U0010ffff"
_SELECT_SORT_KEYS: Final = """
    SELECT r.root, CAST(p.place AS BLOB)
    FROM projected AS p JOIN roots AS r USING (root_key) WHERE p.name = ?"""
_SELECT_CHANGED_ROOTS: Final = """
    SELECT r.root, coalesce((SELECT kind FROM streams AS s WHERE s.stream = r.root), '')
    FROM (SELECT DISTINCT root_key FROM events WHERE position > ? AND position <= ?) AS e
    CROSS JOIN roots AS r USING (root_key)"""

_INSERT_PROJECTION: Final = (
    "INSERT INTO projections (name, maker, seal) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
)
_IS_CLAIMABLE: Final = "SELECT holder IS NULL OR holder = ? OR until <= ? FROM projections WHERE name = ?"
_SET_LEASE: Final = "UPDATE projections SET holder = ?, until = ? WHERE name = ?"
_UPDATE_STATE: Final = "UPDATE projections SET maker = ?, position = ?, seal = ?, former = ? WHERE name = ?"
_MARK_PENDING: Final = "body = NULL, due = 1, turn = turn + 1"
_MARK_ALL_PENDING: Final = f"UPDATE projected SET {_MARK_PENDING} WHERE name = ?"
_MARK_ROOTS_PENDING: Final = f"""
    INSERT INTO projected (name, root_key, noted)
    SELECT ?1, r.root_key, ?2 FROM json_each(?3) AS wanted JOIN roots AS r ON r.root = wanted.value
    WHERE true ON CONFLICT DO UPDATE SET noted = excluded.noted, {_MARK_PENDING}"""
_MARK_TAGGED_PENDING: Final = f"""
    UPDATE projected SET noted = ?3, {_MARK_PENDING}
    WHERE name = ?1 AND (
        due OR root_key IN (SELECT root_key FROM projected_tags WHERE name = ?1 AND tag = ?2)
    )"""
_SELECT_PENDING: Final = """
    SELECT r.root, p.turn FROM projected AS p JOIN roots AS r USING (root_key)
    WHERE p.name = ? AND p.due AND p.noted <= ? ORDER BY p.noted DESC, p.root_key DESC LIMIT ?"""
_SAVE_ROW: Final = """
    UPDATE projected SET due = 0, place = ?4, body = ?5
    WHERE name = ?1 AND root_key = (SELECT root_key FROM roots WHERE root = ?2) AND turn = ?3 AND due
    RETURNING root_key"""
_DELETE_TAGS: Final = "DELETE FROM projected_tags WHERE name = ? AND root_key = ?"
_INSERT_TAGS: Final = "INSERT INTO projected_tags (name, tag, root_key) VALUES (?, ?, ?)"

Outcome = TypeVar("Outcome")
TransactionAction = Callable[[sqlite3.Connection], None]


class SqliteProjectionReader:
    """Projections as a file tells them."""

    def __init__(self, readers: ReaderPool) -> None:
        self._readers = readers

    def read_progress(self, name: str) -> ProjectionProgress | None:
        """See `ProjectionReader.read_progress`."""
        with self._readers.connection() as connection:
            return _read_progress(connection, name)

    def read_projection_rows(
        self,
        name: str,
        first: str | None = None,
        last: str | None = None,
        tag: str | None = None,
        roots: Collection[str] | None = None,
    ) -> ProjectionRows[ProjectionRow]:
        """See `ProjectionReader.read_projection_rows`."""
        query, values = _PROJECTED, [name]
        if first is not None or last is not None:
            query, values = f"{query} AND {_IN_SPAN}", [*values, first or "", last or _LAST]
        if tag is not None:
            query, values = f"{query} AND {_WITH_TAG}", [*values, name, tag, name]
        if roots is not None:
            query, values = f"{query} AND {_OF_ROOTS}", [*values, json.dumps(list(roots))]
        with self._readers.connection() as connection:
            progress = _read_progress(connection, name)
            return ProjectionRows(
                progress, [_parse_projection_row(*row) for row in connection.execute(query, values)]
            )

    def list_sort_keys(self, name: str) -> ProjectionRows[tuple[str, str | None]]:
        """See `ProjectionReader.list_sort_keys`."""
        with self._readers.connection() as connection:
            progress = _read_progress(connection, name)
            return ProjectionRows(
                progress, [(root, _text(at)) for root, at in connection.execute(_SELECT_SORT_KEYS, (name,))]
            )

    def read_tagged_rows(self, name: str, roots: Collection[str]) -> list[TaggedProjectionRow]:
        """See `ProjectionReader.read_tagged_rows`."""
        values = (name, json.dumps(list(roots)))
        with self._readers.connection() as connection:
            rows = connection.execute(f"{_TAGGED_ROWS} AND {_OF_ROOTS}", values).fetchall()
        return [TaggedProjectionRow(_parse_projection_row(*row), _parse_tags(tags)) for *row, tags in rows]

    def list_changed_roots(self, after: int, limit: int) -> ChangedRoots:
        """See `ProjectionReader.list_changed_roots`."""
        with self._readers.connection() as connection:
            up_to = max(after, min(after + limit, select_head(connection)))
            return ChangedRoots(up_to, dict(connection.execute(_SELECT_CHANGED_ROOTS, (after, up_to))))


class SqliteProjectionStore(SqliteProjectionReader):
    """Projections in a file that is open for writing; ``run_in_transaction`` does something in one
    transaction."""

    def __init__(self, readers: ReaderPool, run_in_transaction: Callable[[TransactionAction], None]) -> None:
        super().__init__(readers)
        self._change = run_in_transaction

    def claim(
        self, name: str, builder: str, holder: str, lease_seconds: float, allow_superseded: bool = False
    ) -> ProjectionProgress | ClaimRefusal:
        """See `ProjectionStore.claim`."""

        def claim(connection: sqlite3.Connection) -> ProjectionProgress | ClaimRefusal:
            connection.execute(_INSERT_PROJECTION, (name, builder, initial_state(name, builder).checksum))
            now, previous = time.time(), _read_state(connection, name) or initial_state(name, builder)
            (is_free,) = connection.execute(_IS_CLAIMABLE, (holder, now, name)).fetchone()
            claimed = claim_state(name, previous, select_head(connection), builder, is_free, allow_superseded)
            if isinstance(claimed, ClaimRefusal):
                return claimed
            connection.execute(_SET_LEASE, (holder, now + lease_seconds, name))
            if claimed != previous:
                connection.execute(_UPDATE_STATE, (*claimed, name))
            if claimed.builder != previous.builder:
                connection.execute(_MARK_ALL_PENDING, (name,))
            return ProjectionProgress(claimed.builder, claimed.position)

        return self._run_in_transaction(claim)

    def advance(
        self, name: str, after: int, position: int, roots: Iterable[str], tag: str | None = None
    ) -> bool:
        """See `ProjectionStore.advance`."""
        roots_json = json.dumps(list(roots))

        def mark_roots(connection: sqlite3.Connection) -> bool:
            previous = _read_state(connection, name)
            if previous is None or previous.verified_progress(name, select_head(connection)) != (
                previous.builder,
                after,
            ):
                return False
            connection.execute(_UPDATE_STATE, (*advance_state(name, previous, position), name))
            connection.execute(_MARK_ROOTS_PENDING, (name, position, roots_json))
            if tag is not None:
                connection.execute(_MARK_TAGGED_PENDING, (name, tag, position))
            return True

        return self._run_in_transaction(mark_roots)

    def list_pending_roots(self, name: str, up_to: int, limit: int) -> list[PendingRoot]:
        """See `ProjectionStore.list_pending_roots`."""
        with self._readers.connection() as connection:
            return [
                PendingRoot._make(row) for row in connection.execute(_SELECT_PENDING, (name, up_to, limit))
            ]

    def save_updates(self, name: str, updates: Sequence[ProjectionUpdate]) -> None:
        """See `ProjectionStore.save_updates`."""

        def save(connection: sqlite3.Connection) -> None:
            for (root, generation), sort_key, body, tags in updates:
                saved_keys = connection.execute(
                    _SAVE_ROW, (name, root, generation, sort_key, body)
                ).fetchone()
                if saved_keys is not None:
                    connection.execute(_DELETE_TAGS, (name, *saved_keys))
                    connection.executemany(_INSERT_TAGS, [(name, tag, *saved_keys) for tag in sorted(tags)])

        self._change(save)

    def rewind(self, name: str, position: int, builder: str) -> None:
        """See `ProjectionStore.rewind`."""

        def rewind(connection: sqlite3.Connection) -> None:
            if previous := _read_state(connection, name):
                connection.execute(
                    _UPDATE_STATE,
                    (*rewind_state(name, previous, select_head(connection), position, builder), name),
                )

        self._change(rewind)

    def _run_in_transaction(self, act: Callable[[sqlite3.Connection], Outcome]) -> Outcome:
        outcomes: list[Outcome] = []
        self._change(lambda connection: outcomes.append(act(connection)))
        return outcomes[0]


def _read_progress(connection: sqlite3.Connection, name: str) -> ProjectionProgress | None:
    state = _read_state(connection, name)
    return None if state is None else state.verified_progress(name, select_head(connection))


def _read_state(connection: sqlite3.Connection, name: str) -> ProjectionState | None:
    row = connection.execute(_SELECT_STATE, (name,)).fetchone()
    if row is None:
        return None
    builder, position, checksum, former_builders = row
    # Of another type it is damaged, and no number that its seal is of.
    return ProjectionState(
        _text(builder) or "",
        position if isinstance(position, int) else -1,
        _text(checksum) or "",
        _text(former_builders) or "",
    )


def _parse_projection_row(root: str, sort_key: bytes | None, body: Any) -> ProjectionRow:
    return ProjectionRow(root, _text(sort_key), body if isinstance(body, bytes) else None)


def _parse_tags(joined: str | None) -> frozenset[str]:
    return frozenset(
        bytes.fromhex(tag).decode("utf-8", "replace") for tag in (joined or "").split(",") if tag
    )


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")
