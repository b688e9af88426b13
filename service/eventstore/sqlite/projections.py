"""Projections in a store file: see `service.eventstore.projection_interface`."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, TypeVar

from service.eventstore.projection_interface import (
    ChangedRoots,
    PendingRoot,
    ProjectionProgress,
    ProjectionRow,
    ProjectionRows,
    ProjectionUpdate,
)
from service.eventstore.sqlite.connections import ReaderPool, sqlite3
from service.eventstore.sqlite.tiles import select_head

_SELECT_PROGRESS: Final = "SELECT maker, position FROM projections WHERE name = ?"
_PROJECTED: Final = """
    SELECT r.root, p.place, p.body FROM projected AS p JOIN roots AS r USING (root_key) WHERE p.name = ?"""
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
    SELECT r.root, p.place FROM projected AS p JOIN roots AS r USING (root_key) WHERE p.name = ?"""
_SELECT_CHANGED_ROOTS: Final = """
    SELECT r.root, coalesce((SELECT kind FROM streams AS s WHERE s.stream = r.root), '')
    FROM (SELECT DISTINCT root_key FROM events WHERE position > ? AND position <= ?) AS e
    CROSS JOIN roots AS r USING (root_key)"""

_BEGIN: Final = """
    INSERT INTO projections (name, maker) VALUES (?1, ?2)
    ON CONFLICT DO UPDATE SET maker = ?2, position = 0 WHERE maker <> ?2"""
_MARK_PENDING: Final = "body = NULL, due = 1, turn = turn + 1"
_DROP_ROWS: Final = f"UPDATE projected SET place = NULL, {_MARK_PENDING} WHERE name = ?"
_ADVANCE: Final = "UPDATE projections SET position = ? WHERE name = ? AND maker = ? AND position = ?"
_REWIND: Final = "UPDATE projections SET position = min(position, ?) WHERE name = ?"
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
    AND EXISTS (SELECT 1 FROM projections WHERE name = ?1 AND maker = ?6)
    RETURNING root_key"""
_DELETE_TAGS: Final = "DELETE FROM projected_tags WHERE name = ? AND root_key = ?"
_DELETE_ALL_TAGS: Final = "DELETE FROM projected_tags WHERE name = ?"
_INSERT_TAGS: Final = "INSERT INTO projected_tags (name, tag, root_key) VALUES (?, ?, ?)"

Outcome = TypeVar("Outcome")
TransactionAction = Callable[[sqlite3.Connection], object]


class SqliteProjectionReader:
    """Reads projections from a store file."""

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
            rows = connection.execute(query, values).fetchall()
        return ProjectionRows(progress, [ProjectionRow._make(row) for row in rows])

    def list_sort_keys(self, name: str) -> ProjectionRows[tuple[str, str | None]]:
        """See `ProjectionReader.list_sort_keys`."""
        with self._readers.connection() as connection:
            progress = _read_progress(connection, name)
            return ProjectionRows(progress, connection.execute(_SELECT_SORT_KEYS, (name,)).fetchall())

    def list_changed_roots(self, after: int, limit: int) -> ChangedRoots:
        """See `ProjectionReader.list_changed_roots`."""
        with self._readers.connection() as connection:
            up_to = max(after, min(after + limit, select_head(connection)))
            return ChangedRoots(up_to, dict(connection.execute(_SELECT_CHANGED_ROOTS, (after, up_to))))


class SqliteProjectionStore(SqliteProjectionReader):
    """Reads and writes projections; ``run_in_transaction`` runs an action in one transaction."""

    def __init__(self, readers: ReaderPool, run_in_transaction: Callable[[TransactionAction], None]) -> None:
        super().__init__(readers)
        self._change = run_in_transaction

    def begin(self, name: str, version: int) -> int:
        """See `ProjectionStore.begin`."""

        def begin(connection: sqlite3.Connection) -> int:
            if connection.execute(_BEGIN, (name, str(version))).rowcount:
                connection.execute(_DROP_ROWS, (name,))
                connection.execute(_DELETE_ALL_TAGS, (name,))
            (_, position) = connection.execute(_SELECT_PROGRESS, (name,)).fetchone()
            return int(position)

        return self._run_in_transaction(begin)

    def advance(
        self,
        name: str,
        progress: ProjectionProgress,
        position: int,
        roots: Iterable[str],
        tag: str | None = None,
    ) -> bool:
        """See `ProjectionStore.advance`."""
        roots_json = json.dumps(list(roots))
        values = (position, name, str(progress.version), progress.position)

        def mark_roots(connection: sqlite3.Connection) -> bool:
            if not connection.execute(_ADVANCE, values).rowcount:
                return False
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

    def save_updates(self, name: str, version: int, updates: Sequence[ProjectionUpdate]) -> None:
        """See `ProjectionStore.save_updates`."""

        def save(connection: sqlite3.Connection) -> None:
            for (root, generation), sort_key, body, tags in updates:
                values = (name, root, generation, sort_key, body, str(version))
                keys = connection.execute(_SAVE_ROW, values).fetchone()
                if keys is not None:
                    connection.execute(_DELETE_TAGS, (name, *keys))
                    connection.executemany(_INSERT_TAGS, [(name, tag, *keys) for tag in sorted(tags)])

        self._change(save)

    def rewind(self, name: str, position: int) -> None:
        """See `ProjectionStore.rewind`."""
        self._change(lambda connection: connection.execute(_REWIND, (position, name)))

    def _run_in_transaction(self, act: Callable[[sqlite3.Connection], Outcome]) -> Outcome:
        outcomes: list[Outcome] = []
        self._change(lambda connection: outcomes.append(act(connection)))
        return outcomes[0]


def _read_progress(connection: sqlite3.Connection, name: str) -> ProjectionProgress | None:
    row = connection.execute(_SELECT_PROGRESS, (name,)).fetchone()
    return None if row is None else ProjectionProgress.from_row(*row)
