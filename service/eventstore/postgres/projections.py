"""Projections on PostgreSQL: see `service.eventstore.projection_interface`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol, TypeVar

from service.eventstore.postgres.connections import Connection, PostgresPool
from service.eventstore.postgres.tiles import select_head
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

_SELECT_STATE: Final = "SELECT maker, position, seal, former FROM projections WHERE name = %s"

# Of few rows each one's root is looked up: a plan made for a small table would read a large one whole.
_ROOT: Final = "(SELECT root FROM roots WHERE root_key = p.root_key)"
_PROJECTED: Final = f"SELECT {_ROOT}, p.place, p.body FROM projected AS p WHERE p.name = %(name)s"
_TAGGED_ROWS: Final = f"""
    SELECT {_ROOT}, p.place, p.body, ARRAY(
        SELECT t.tag FROM projected_tags AS t WHERE t.root_key = p.root_key AND t.name = p.name
    ) FROM projected AS p WHERE p.name = %(name)s"""
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

_INSERT_PROJECTION: Final = (
    "INSERT INTO projections (name, maker, seal) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
)
_IS_CLAIMABLE: Final = (
    "SELECT holder IS NULL OR holder = %s OR until <= now() FROM projections WHERE name = %s"
)
_SET_LEASE: Final = """
    UPDATE projections SET holder = %s, until = now() + %s * interval '1 second' WHERE name = %s"""
_UPDATE_STATE: Final = (
    "UPDATE projections SET maker = %s, position = %s, seal = %s, former = %s WHERE name = %s"
)
_MARK_PENDING: Final = "body = NULL, due = true, turn = p.turn + 1"
_MARK_ALL_PENDING: Final = f"UPDATE projected AS p SET {_MARK_PENDING} WHERE p.name = %s"
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
    RETURNING root_key"""
_DELETE_TAGS: Final = "DELETE FROM projected_tags WHERE name = %s AND root_key = %s"
_INSERT_TAGS: Final = "INSERT INTO projected_tags (name, tag, root_key) SELECT %s, unnest(%s::text[]), %s"

Outcome = TypeVar("Outcome")


class QueryRunner(Protocol):
    """What reads the tables, by a connection of its own."""

    def __call__(self, ask: Callable[[Connection], Outcome], /) -> Outcome:
        """What ``ask`` is told."""
        ...


class PostgresProjectionReader:
    """Projections as the tables tell them."""

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

    def read_tagged_rows(self, name: str, roots: Collection[str]) -> list[TaggedProjectionRow]:
        """See `ProjectionReader.read_tagged_rows`."""
        query, values = f"{_TAGGED_ROWS} AND {_OF_ROOTS}", {"name": name, "roots": list(roots)}
        rows = self._look(lambda connection: connection.execute(query.encode(), values).fetchall())
        return [TaggedProjectionRow(ProjectionRow._make(row), frozenset(tags)) for *row, tags in rows]

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
    """Projections in tables that may be written."""

    def __init__(self, run_read: QueryRunner, connections: PostgresPool) -> None:
        super().__init__(run_read)
        self._connections = connections

    def claim(
        self, name: str, builder: str, holder: str, lease_seconds: float, allow_superseded: bool = False
    ) -> ProjectionProgress | ClaimRefusal:
        """See `ProjectionStore.claim`."""
        with self._projection_transaction() as connection:
            connection.execute(_INSERT_PROJECTION, (name, builder, initial_state(name, builder).checksum))
            previous = _read_state(connection, name) or initial_state(name, builder)
            (is_free,) = connection.execute(_IS_CLAIMABLE, (holder, name)).fetchone() or (False,)
            claimed = claim_state(name, previous, select_head(connection), builder, is_free, allow_superseded)
            if isinstance(claimed, ClaimRefusal):
                return claimed
            connection.execute(_SET_LEASE, (holder, lease_seconds, name))
            if claimed != previous:
                connection.execute(_UPDATE_STATE, (*claimed, name))
            if claimed.builder != previous.builder:
                connection.execute(_MARK_ALL_PENDING.encode(), (name,))
            return ProjectionProgress(claimed.builder, claimed.position)

    def advance(
        self, name: str, after: int, position: int, roots: Iterable[str], tag: str | None = None
    ) -> bool:
        """See `ProjectionStore.advance`."""
        with self._projection_transaction() as connection:
            previous = _read_state(connection, name)
            if previous is None or previous.verified_progress(name, select_head(connection)) != (
                previous.builder,
                after,
            ):
                return False
            connection.execute(_UPDATE_STATE, (*advance_state(name, previous, position), name))
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

    def save_updates(self, name: str, updates: Sequence[ProjectionUpdate]) -> None:
        """See `ProjectionStore.save_updates`."""
        with self._projection_transaction() as connection:
            for (root, generation), sort_key, body, tags in updates:
                row = connection.execute(_SAVE_ROW, (sort_key, body, name, root, generation)).fetchone()
                if row is not None:
                    connection.execute(_DELETE_TAGS, (name, *row))
                    connection.execute(_INSERT_TAGS, (name, sorted(tags), *row))

    def rewind(self, name: str, position: int, builder: str) -> None:
        """See `ProjectionStore.rewind`."""
        with self._projection_transaction() as connection:
            if previous := _read_state(connection, name):
                connection.execute(
                    _UPDATE_STATE,
                    (*rewind_state(name, previous, select_head(connection), position, builder), name),
                )

    @contextmanager
    def _projection_transaction(self) -> Iterator[Connection]:
        """A connection in a transaction beside which nobody else changes a projection, or erases."""
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
    state = _read_state(connection, name)
    return None if state is None else state.verified_progress(name, select_head(connection))


def _read_state(connection: Connection, name: str) -> ProjectionState | None:
    row = connection.execute(_SELECT_STATE, (name,)).fetchone()
    return None if row is None else ProjectionState._make(row)
