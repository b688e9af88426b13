"""Projections on PostgreSQL: see `service.eventstore.projection_interface`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol, TypeVar

from service.eventstore.postgres.connections import Connection, PostgresPool
from service.eventstore.postgres.tiles import select_head
from service.eventstore.projection_interface import (
    ChangedRoots,
    PendingRoot,
    ProjectionProgress,
    ProjectionRow,
    ProjectionRows,
    ProjectionUpdate,
)

_SELECT_PROGRESS: Final = "SELECT maker, position FROM projections WHERE name = %s"

# Of few rows each one's root is looked up: a plan made for a small table would read a large one whole.
_ROOT: Final = "(SELECT root FROM roots WHERE root_key = p.root_key)"
_PROJECTED: Final = f"SELECT {_ROOT}, p.place, p.body FROM projected AS p WHERE p.name = %(name)s"
_IN_SPAN: Final = "(p.place IS NULL OR p.place BETWEEN %(first)s AND %(last)s)"
_WITH_TAG: Final = """
    p.root_key IN (
        SELECT root_key FROM projected_tags WHERE name = %(name)s AND tag = %(tag)s
        UNION ALL SELECT root_key FROM projected WHERE name = %(name)s AND body IS NULL
    )"""
_OF_ROOTS: Final = """
    p.root_key IN (
        SELECT r.root_key FROM unnest(%(roots)s::text[]) AS wanted
        CROSS JOIN LATERAL (SELECT root_key FROM roots WHERE root = wanted OFFSET 0) AS r
    )"""
_LAST: Final = "\U0010ffff"
_SELECT_SORT_KEYS: Final = f"SELECT {_ROOT}, p.place FROM projected AS p WHERE p.name = %s"
_SELECT_CHANGED_ROOTS: Final = """
    SELECT r.root, coalesce((SELECT kind FROM streams AS s WHERE s.stream = r.root), '')
    FROM (SELECT DISTINCT root_key FROM log WHERE position > %s AND position <= %s) AS l
    CROSS JOIN LATERAL (SELECT root FROM roots WHERE root_key = l.root_key OFFSET 0) AS r"""

_BEGIN: Final = """
    INSERT INTO projections AS p (name, maker) VALUES (%s, %s)
    ON CONFLICT (name) DO UPDATE SET maker = excluded.maker, position = 0 WHERE p.maker <> excluded.maker"""
_MARK_PENDING: Final = "body = NULL, due = true, turn = p.turn + 1"
_DROP_ROWS: Final = f"UPDATE projected AS p SET place = NULL, {_MARK_PENDING} WHERE p.name = %s"
_ADVANCE: Final = "UPDATE projections SET position = %s WHERE name = %s AND maker = %s AND position = %s"
_REWIND: Final = "UPDATE projections SET position = least(position, %s) WHERE name = %s"
_LOCK: Final = "LOCK TABLE projections IN SHARE ROW EXCLUSIVE MODE"
_MARK_ROOTS_PENDING: Final = f"""
    INSERT INTO projected AS p (name, root_key, noted)
    SELECT %s, r.root_key, %s FROM unnest(%s::text[]) AS wanted
    CROSS JOIN LATERAL (SELECT root_key FROM roots WHERE root = wanted OFFSET 0) AS r
    ON CONFLICT (name, root_key) DO UPDATE SET noted = excluded.noted, {_MARK_PENDING}"""
_MARK_TAGGED_PENDING: Final = f"""
    UPDATE projected AS p SET noted = %s, {_MARK_PENDING}
    WHERE p.name = %s AND (
        p.due OR p.root_key IN (SELECT root_key FROM projected_tags WHERE name = %s AND tag = %s)
    )"""
_SELECT_PENDING: Final = f"""
    SELECT {_ROOT}, p.turn FROM projected AS p
    WHERE p.name = %s AND p.due AND p.noted <= %s ORDER BY p.noted DESC, p.root_key DESC LIMIT %s"""
_SAVE_ROW: Final = """
    UPDATE projected SET due = false, place = %s, body = %s
    WHERE name = %s AND root_key = (SELECT root_key FROM roots WHERE root = %s) AND turn = %s AND due
    AND EXISTS (SELECT FROM projections AS v WHERE v.name = projected.name AND v.maker = %s)
    RETURNING root_key"""
_DELETE_TAGS: Final = "DELETE FROM projected_tags WHERE name = %s AND root_key = %s"
_DELETE_ALL_TAGS: Final = "DELETE FROM projected_tags WHERE name = %s"
_INSERT_TAGS: Final = "INSERT INTO projected_tags (name, tag, root_key) SELECT %s, unnest(%s::text[]), %s"

Outcome = TypeVar("Outcome")


class QueryRunner(Protocol):
    """What reads the tables, by a connection of its own."""

    def __call__(self, ask: Callable[[Connection], Outcome], /) -> Outcome:
        """What ``ask`` is told."""
        ...


class PostgresProjectionReader:
    """Reads projections from the tables."""

    def __init__(self, run_read: QueryRunner) -> None:
        self._look = run_read

    def read_progress(self, name: str) -> ProjectionProgress | None:
        """See `ProjectionReader.read_progress`."""
        return self._look(lambda connection: _read_progress(connection, name))

    def read_projection_rows(
        self,
        name: str,
        first: str | None = None,
        last: str | None = None,
        tag: str | None = None,
        roots: Collection[str] | None = None,
    ) -> ProjectionRows[ProjectionRow]:
        """See `ProjectionReader.read_projection_rows`."""
        query = _PROJECTED
        if first is not None or last is not None:
            query += f" AND {_IN_SPAN}"
        if tag is not None:
            if "\0" in tag:
                return ProjectionRows(self.read_progress(name), [])
            query += f" AND {_WITH_TAG}"
        if roots is not None:
            query += f" AND {_OF_ROOTS}"
        values = {
            "roots": list(roots or ()),
            "name": name,
            "first": first or "",
            "last": last or _LAST,
            "tag": tag,
        }
        progress, rows = self._read_rows(name, query, values)
        return ProjectionRows(progress, [ProjectionRow._make(row) for row in rows])

    def list_sort_keys(self, name: str) -> ProjectionRows[tuple[str, str | None]]:
        """See `ProjectionReader.list_sort_keys`."""
        return self._read_rows(name, _SELECT_SORT_KEYS, (name,))

    def list_changed_roots(self, after: int, limit: int) -> ChangedRoots:
        """See `ProjectionReader.list_changed_roots`."""

        def ask(connection: Connection) -> ChangedRoots:
            up_to = max(after, min(after + limit, select_head(connection)))
            rows = connection.execute(_SELECT_CHANGED_ROOTS.encode(), (after, up_to)) if up_to > after else ()
            return ChangedRoots(up_to, dict(rows))

        return self._look(ask)

    def _read_rows(self, name: str, query: str, values: Any) -> ProjectionRows[Any]:
        """Rows, and how far their projection had come on the same server: another may not be so far."""

        def ask(connection: Connection) -> ProjectionRows[Any]:
            progress = _read_progress(connection, name)
            return ProjectionRows(progress, connection.execute(query.encode(), values).fetchall())

        return self._look(ask)


class PostgresProjectionStore(PostgresProjectionReader):
    """Reads and writes projections."""

    def __init__(self, run_read: QueryRunner, connections: PostgresPool) -> None:
        super().__init__(run_read)
        self._connections = connections

    def begin(self, name: str, version: int) -> int:
        """See `ProjectionStore.begin`."""
        with self._projection_transaction() as connection:
            if connection.execute(_BEGIN, (name, str(version))).rowcount:
                connection.execute(_DROP_ROWS.encode(), (name,))
                connection.execute(_DELETE_ALL_TAGS, (name,))
            progress = _read_progress(connection, name)
        return progress.position if progress else 0

    def advance(
        self,
        name: str,
        progress: ProjectionProgress,
        position: int,
        roots: Iterable[str],
        tag: str | None = None,
    ) -> bool:
        """See `ProjectionStore.advance`."""
        values = (position, name, str(progress.version), progress.position)
        with self._projection_transaction() as connection:
            if not connection.execute(_ADVANCE, values).rowcount:
                return False
            connection.execute(_MARK_ROOTS_PENDING.encode(), (name, position, list(roots)))
            if tag is not None:
                connection.execute(_MARK_TAGGED_PENDING.encode(), (position, name, name, tag))
        return True

    def list_pending_roots(self, name: str, up_to: int, limit: int) -> list[PendingRoot]:
        """See `ProjectionStore.list_pending_roots`."""
        found = self._look(
            lambda connection: connection.execute(_SELECT_PENDING.encode(), (name, up_to, limit)).fetchall()
        )
        return [PendingRoot._make(row) for row in found]

    def save_updates(self, name: str, version: int, updates: Sequence[ProjectionUpdate]) -> None:
        """See `ProjectionStore.save_updates`."""
        with self._projection_transaction() as connection:
            for (root, generation), sort_key, body, tags in updates:
                values = (sort_key, body, name, root, generation, str(version))
                row = connection.execute(_SAVE_ROW, values).fetchone()
                if row is not None:
                    connection.execute(_DELETE_TAGS, (name, *row))
                    connection.execute(_INSERT_TAGS, (name, sorted(tags), *row))

    def rewind(self, name: str, position: int) -> None:
        """See `ProjectionStore.rewind`."""
        with self._projection_transaction() as connection:
            connection.execute(_REWIND, (position, name))

    @contextmanager
    def _projection_transaction(self) -> Iterator[Connection]:
        """A connection in a transaction during which nobody else changes a projection, or erases."""
        with (
            self._connections.translate_errors("written"),
            self._connections.connection() as connection,
            connection.transaction(),
        ):
            # What a crash takes of it is made again; the log that it was made of was written before it.
            connection.execute("SET LOCAL synchronous_commit = off")
            connection.execute(_LOCK)
            yield connection


def _read_progress(connection: Connection, name: str) -> ProjectionProgress | None:
    row = connection.execute(_SELECT_PROGRESS, (name,)).fetchone()
    return None if row is None else ProjectionProgress.from_row(*row)
