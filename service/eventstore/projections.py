"""Projections: read models that are folded from the events of each root and stored next to them.

A projection has a *position*: all events up to it are included. A root with a later event, or whose row is
*pending*, has no current row, and its answer is folded from the events. So rows contain nothing that the log
does not, and can be dropped at any time. The store does not interpret them; the program that folds them has a
version, and rows of another version are dropped.

When contents are erased, what was folded from them is erased in the same transaction.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, Protocol, Self, TypeVar

from service.eventstore.sql_dialect import Connection, SqlDialect

Row = TypeVar("Row")
Outcome = TypeVar("Outcome")


class ProjectionProgress(NamedTuple):
    """The version of the program that folds a projection, and the position up to which it has read events."""

    version: int
    position: int

    @classmethod
    def from_row(cls, maker: str, position: int) -> Self:
        """Read a row of a store's table: before versions were numbers, ``maker`` was a digest."""
        return cls(int(maker) if maker.isdecimal() else 0, position)


class ProjectionRow(NamedTuple):
    """The row of a root: ``sort_key`` orders and finds it, such as a day.

    ``body`` is None if the row is pending or cannot be folded. Then ``sort_key`` is its last one, if any.
    """

    root: str
    sort_key: str | None
    body: bytes | None


class ProjectionRows(NamedTuple, Generic[Row]):
    """Rows of a projection, and its progress when they were read, or before, on the same server."""

    progress: ProjectionProgress | None
    rows: list[Row]


class PendingRoot(NamedTuple):
    """A root whose row must be folded. ``generation`` changes whenever the row becomes pending again."""

    root: str
    generation: int


class ProjectionUpdate(NamedTuple):
    """The row that was folded for a pending root; it can be found by any of its ``tags``."""

    pending_root: PendingRoot
    sort_key: str | None
    body: bytes | None
    tags: frozenset[str] = frozenset()


class ChangedRoots(NamedTuple):
    """Roots with new events, the kinds of the streams with the same names ("" if there is none), and the
    position up to which events were read."""

    position: int
    kinds: Mapping[str, str]


class RunQueries(Protocol):
    """Lends a connection for the duration of a call."""

    def __call__(self, action: Callable[[Connection], Outcome], /) -> Outcome:
        """Run the action and return its result."""
        ...


_SELECT_HEAD: Final = "SELECT coalesce(max(position), 0) FROM {log}"
_SELECT_PROGRESS: Final = "SELECT maker, position FROM projections WHERE name = :name"

# Few rows: look up the root of each. A plan made for a small table would read a large one completely.
_ROOT: Final = "(SELECT root FROM roots WHERE root_key = p.root_key)"
_WANTED_KEYS: Final = (
    "SELECT (SELECT root_key FROM roots WHERE root = wanted.value) AS root_key FROM {wanted}"
)
_SELECT_ROWS: Final = f"SELECT {_ROOT}, p.place, p.body FROM projected AS p WHERE p.name = :name"
_IN_SPAN: Final = " AND (p.place IS NULL OR p.place BETWEEN :first AND :last)"
_WITH_TAG: Final = """
    AND p.root_key IN (
        SELECT root_key FROM projected_tags WHERE name = :name AND tag = :tag
        UNION ALL SELECT root_key FROM projected WHERE name = :name AND body IS NULL
    )"""
_OF_ROOTS: Final = f" AND p.root_key IN ({_WANTED_KEYS})"
_LAST: Final = "\U0010ffff"
_SELECT_SORT_KEYS: Final = f"SELECT {_ROOT}, p.place FROM projected AS p WHERE p.name = :name"
_SELECT_CHANGED_ROOTS: Final = f"""
    SELECT c.root, coalesce((SELECT kind FROM streams AS s WHERE s.stream = c.root), '')
    FROM (
        SELECT {_ROOT} AS root
        FROM (SELECT DISTINCT root_key FROM {{log}} WHERE position > :after AND position <= :up_to) AS p
    ) AS c"""

_BEGIN: Final = """
    INSERT INTO projections AS p (name, maker) VALUES (:name, :version)
    ON CONFLICT (name) DO UPDATE SET maker = excluded.maker, position = 0 WHERE p.maker <> excluded.maker"""
_MARK_PENDING: Final = "body = NULL, due = true, turn = p.turn + 1"
_DROP_ROWS: Final = f"UPDATE projected AS p SET place = NULL, {_MARK_PENDING} WHERE p.name = :name"
_ADVANCE: Final = """
    UPDATE projections SET position = :position
    WHERE name = :name AND maker = :version AND position = :expected"""
_REWIND: Final = "UPDATE projections SET position = :position WHERE name = :name AND position > :position"
_MARK_ROOTS_PENDING: Final = f"""
    INSERT INTO projected AS p (name, root_key, noted)
    SELECT :name, k.root_key, :position FROM ({_WANTED_KEYS}) AS k WHERE k.root_key IS NOT NULL
    ON CONFLICT (name, root_key) DO UPDATE SET noted = excluded.noted, {_MARK_PENDING}"""
_MARK_TAGGED_PENDING: Final = f"""
    UPDATE projected AS p SET noted = :position, {_MARK_PENDING}
    WHERE p.name = :name AND (
        p.due OR p.root_key IN (SELECT root_key FROM projected_tags WHERE name = :name AND tag = :tag)
    )"""
_SELECT_PENDING: Final = f"""
    SELECT {_ROOT}, p.turn FROM projected AS p
    WHERE p.name = :name AND p.due AND p.noted <= :up_to
    ORDER BY p.noted DESC, p.root_key DESC LIMIT :limit"""
_SAVE_ROW: Final = """
    UPDATE projected SET due = false, place = :sort_key, body = :body
    WHERE name = :name AND root_key = (SELECT root_key FROM roots WHERE root = :root)
        AND turn = :generation AND due
        AND EXISTS (SELECT 1 FROM projections AS v WHERE v.name = :name AND v.maker = :version)
    RETURNING root_key"""
_DELETE_TAGS: Final = "DELETE FROM projected_tags WHERE name = :name AND root_key = :root_key"
_DELETE_ALL_TAGS: Final = "DELETE FROM projected_tags WHERE name = :name"
_INSERT_TAG: Final = "INSERT INTO projected_tags (name, tag, root_key) VALUES (:name, :tag, :root_key)"


class ProjectionReader:
    """Reads projections, by ``run_read``. Raises as `EventReader` does."""

    def __init__(self, dialect: SqlDialect, run_read: RunQueries) -> None:
        self._dialect = dialect
        self._run_read = run_read

    def read_progress(self, name: str) -> ProjectionProgress | None:
        """The progress of a projection; None if it was never started."""
        return self._run_read(lambda connection: self._select_progress(connection, name))

    def read_projection_rows(
        self,
        name: str,
        first: str | None = None,
        last: str | None = None,
        tag: str | None = None,
        roots: Collection[str] | None = None,
    ) -> ProjectionRows[ProjectionRow]:
        """Rows with a sort key from ``first`` to ``last``, with that tag, of these roots. All conditions are
        optional.

        Rows that may match are included: those without a sort key and, if a tag is given, those without a
        body.
        """
        if tag is not None and "\0" in tag:  # PostgreSQL stores no such text
            return ProjectionRows(self.read_progress(name), [])
        is_span = first is not None or last is not None
        query = "".join(
            (
                _SELECT_ROWS,
                _IN_SPAN if is_span else "",
                "" if tag is None else _WITH_TAG,
                "" if roots is None else _OF_ROOTS,
            )
        )
        values = {"first": first or "", "last": last or _LAST, "tag": tag, "roots": _to_json(roots or ())}
        progress, rows = self._read_rows(query, name, **values)
        return ProjectionRows(progress, [ProjectionRow._make(row) for row in rows])

    def list_sort_keys(self, name: str) -> ProjectionRows[tuple[str, str | None]]:
        """Every root of the projection with its sort key."""
        return self._read_rows(_SELECT_SORT_KEYS, name)

    def list_changed_roots(self, after: int, limit: int) -> ChangedRoots:
        """The roots of the events at the next ``limit`` positions after ``after``."""

        def select(connection: Connection) -> ChangedRoots:
            (head,) = self._execute(connection, _SELECT_HEAD).fetchone()
            up_to = max(after, min(after + limit, head))
            rows = self._execute(connection, _SELECT_CHANGED_ROOTS, after=after, up_to=up_to)
            return ChangedRoots(up_to, dict(rows))

        return self._run_read(select)

    def _read_rows(self, query: str, name: str, **values: object) -> ProjectionRows[Any]:
        """Rows, and the progress of their projection from the same server: another one may lag."""

        def select(connection: Connection) -> ProjectionRows[Any]:
            progress = self._select_progress(connection, name)
            return ProjectionRows(progress, self._execute(connection, query, name=name, **values).fetchall())

        return self._run_read(select)

    def _select_progress(self, connection: Connection, name: str) -> ProjectionProgress | None:
        row = self._execute(connection, _SELECT_PROGRESS, name=name).fetchone()
        return None if row is None else ProjectionProgress.from_row(*row)

    def _execute(self, connection: Connection, query: str, **values: object) -> Any:
        return self._dialect.execute(connection, query, **values)


class ProjectionStore(ProjectionReader):
    """Reads and writes projections. A row that two processes write at the same time is written once.

    ``run_in_transaction`` lends a connection in a transaction, in which nobody else changes a projection.
    """

    def __init__(self, dialect: SqlDialect, run_read: RunQueries, run_in_transaction: RunQueries) -> None:
        super().__init__(dialect, run_read)
        self._run_in_transaction = run_in_transaction

    def begin(self, name: str, version: int) -> int:
        """Start or continue a projection; returns its position. Rows of another version are dropped."""

        def begin(connection: Connection) -> int:
            if self._execute(connection, _BEGIN, name=name, version=str(version)).rowcount:
                self._execute(connection, _DROP_ROWS, name=name)
                self._execute(connection, _DELETE_ALL_TAGS, name=name)
            progress = self._select_progress(connection, name)
            return progress.position if progress else 0

        return self._run_in_transaction(begin)

    def advance(
        self,
        name: str,
        progress: ProjectionProgress,
        position: int,
        roots: Iterable[str],
        tag: str | None = None,
    ) -> bool:
        """Include the events up to ``position``: these roots become pending, and those with that tag.

        With a tag, roots that are pending already become so again: whether they have the tag is unknown.
        Returns False and does nothing unless the projection has that ``progress``.
        """
        values = {"name": name, "position": position}

        def mark_pending(connection: Connection) -> bool:
            expected = {"version": str(progress.version), "expected": progress.position}
            if not self._execute(connection, _ADVANCE, **values, **expected).rowcount:
                return False
            self._execute(connection, _MARK_ROOTS_PENDING, **values, roots=_to_json(roots))
            if tag is not None:
                self._execute(connection, _MARK_TAGGED_PENDING, **values, tag=tag)
            return True

        return self._run_in_transaction(mark_pending)

    def list_pending_roots(self, name: str, up_to: int, limit: int) -> list[PendingRoot]:
        """Roots that have been pending since a position of at most ``up_to``, the latest first."""
        rows = self._run_read(
            lambda connection: self._execute(
                connection, _SELECT_PENDING, name=name, up_to=up_to, limit=limit
            ).fetchall()
        )
        return [PendingRoot._make(row) for row in rows]

    def save_updates(self, name: str, version: int, updates: Sequence[ProjectionUpdate]) -> None:
        """Store rows, except those of roots that became pending again meanwhile, or if the version
        differs."""

        def save(connection: Connection) -> None:
            for (root, generation), sort_key, body, tags in updates:
                values = {"root": root, "generation": generation, "sort_key": sort_key, "body": body}
                row = self._execute(
                    connection, _SAVE_ROW, name=name, version=str(version), **values
                ).fetchone()
                if row is not None:
                    self._execute(connection, _DELETE_TAGS, name=name, root_key=row[0])
                    for tag in sorted(tags):
                        self._execute(connection, _INSERT_TAG, name=name, tag=tag, root_key=row[0])

        self._run_in_transaction(save)

    def rewind(self, name: str, position: int) -> None:
        """Set a projection back to an earlier position. Its rows stay until they are folded again."""
        self._run_in_transaction(
            lambda connection: self._execute(connection, _REWIND, name=name, position=position)
        )


def _to_json(roots: Iterable[str]) -> str:
    return json.dumps(list(roots))
