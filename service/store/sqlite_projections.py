"""Projections in a store file: see `service.store.projecting`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, TypeVar

from service.store.connections import Readers, sqlite3
from service.store.projecting import FORMER, Changed, Due, Kept, Made, Progress, Projected
from service.store.sqlite_tiles import head

_PROGRESS: Final = "SELECT maker, position FROM projections WHERE name = ?"
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
_PLACES: Final = """
    SELECT r.root, p.place FROM projected AS p JOIN roots AS r USING (root_key) WHERE p.name = ?"""
_CHANGED: Final = """
    SELECT r.root, coalesce((SELECT kind FROM streams AS s WHERE s.stream = r.root), '')
    FROM (SELECT DISTINCT root_key FROM events WHERE position > ? AND position <= ?) AS e
    CROSS JOIN roots AS r USING (root_key)"""

_BEGIN: Final = "INSERT INTO projections (name, maker) VALUES (?, ?) ON CONFLICT DO NOTHING"
_CLAIM: Final = """
    UPDATE projections SET holder = ?2, until = ?4
    WHERE name = ?1 AND (holder IS NULL OR holder = ?2 OR until <= ?3) AND instr(former, ?5) = 0"""
_BY_ANOTHER: Final = """
    UPDATE projections SET maker = ?2, former = substr(former || ' ' || maker, -?3)
    WHERE name = ?1 AND maker <> ?2"""
_FALLS_DUE: Final = "body = NULL, due = 1, turn = turn + 1"
_ALL_DUE: Final = f"UPDATE projected SET {_FALLS_DUE} WHERE name = ?"
_GO_ON: Final = "UPDATE projections SET position = ?3 WHERE name = ?1 AND position = ?2"
_NOTE: Final = f"""
    INSERT INTO projected (name, root_key, noted)
    SELECT ?1, r.root_key, ?2 FROM json_each(?3) AS wanted JOIN roots AS r ON r.root = wanted.value
    WHERE true ON CONFLICT DO UPDATE SET noted = excluded.noted, {_FALLS_DUE}"""
_NOTE_TAGGED: Final = f"""
    UPDATE projected SET noted = ?3, {_FALLS_DUE}
    WHERE name = ?1 AND (
        due OR root_key IN (SELECT root_key FROM projected_tags WHERE name = ?1 AND tag = ?2)
    )"""
_DUE: Final = """
    SELECT r.root, p.turn FROM projected AS p JOIN roots AS r USING (root_key)
    WHERE p.name = ? AND p.due AND p.noted <= ? ORDER BY p.noted DESC, p.root_key DESC LIMIT ?"""
_KEEP: Final = """
    UPDATE projected SET due = 0, place = ?4, body = ?5
    WHERE name = ?1 AND root_key = (SELECT root_key FROM roots WHERE root = ?2) AND turn = ?3 AND due
    RETURNING root_key"""
_UNTAG: Final = "DELETE FROM projected_tags WHERE name = ? AND root_key = ?"
_TAG: Final = "INSERT INTO projected_tags (name, tag, root_key) VALUES (?, ?, ?)"
_REWIND: Final = "UPDATE projections SET position = min(position, ?2), former = '' WHERE name = ?1"

Outcome = TypeVar("Outcome")
Act = Callable[[sqlite3.Connection], None]


class SqliteProjectionReader:
    """Projections as a file tells them."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def progress(self, name: str) -> Progress | None:
        """See `ProjectionReader.progress`."""
        with self._readers.lend() as connection:
            return _progress(connection, name)

    def projected(
        self,
        name: str,
        first: str | None = None,
        last: str | None = None,
        tag: str | None = None,
        roots: Collection[str] | None = None,
    ) -> Kept[Projected]:
        """See `ProjectionReader.projected`."""
        query, values = _PROJECTED, [name]
        if first is not None or last is not None:
            query, values = f"{query} AND {_IN_SPAN}", [*values, first or "", last or _LAST]
        if tag is not None:
            query, values = f"{query} AND {_WITH_TAG}", [*values, name, tag, name]
        if roots is not None:
            query, values = f"{query} AND {_OF_ROOTS}", [*values, json.dumps(list(roots))]
        with self._readers.lend() as connection:
            progress = _progress(connection, name)
            return Kept(progress, [Projected._make(row) for row in connection.execute(query, values)])

    def places(self, name: str) -> Kept[tuple[str, str | None]]:
        """See `ProjectionReader.places`."""
        with self._readers.lend() as connection:
            return Kept(_progress(connection, name), connection.execute(_PLACES, (name,)).fetchall())

    def changed(self, after: int, limit: int) -> Changed:
        """See `ProjectionReader.changed`."""
        with self._readers.lend() as connection:
            upto = max(after, min(after + limit, head(connection)))
            return Changed(upto, dict(connection.execute(_CHANGED, (after, upto))))


class SqliteProjections(SqliteProjectionReader):
    """Projections in a file that is open for writing; ``change`` does something in one transaction."""

    def __init__(self, readers: Readers, change: Callable[[Act], None]) -> None:
        super().__init__(readers)
        self._change = change

    def claim(self, name: str, maker: str, holder: str, seconds: float) -> Progress | None:
        """See `Projections.claim`."""

        def claim(connection: sqlite3.Connection) -> Progress | None:
            connection.execute(_BEGIN, (name, maker))
            now = time.time()
            if not connection.execute(_CLAIM, (name, holder, now, now + seconds, maker)).rowcount:
                return None
            if connection.execute(_BY_ANOTHER, (name, maker, FORMER)).rowcount:
                connection.execute(_ALL_DUE, (name,))
            return _progress(connection, name)

        return self._changed(claim)

    def note(
        self, name: str, after: int, position: int, roots: Iterable[str], tag: str | None = None
    ) -> bool:
        """See `Projections.note`."""
        noted = json.dumps(list(roots))

        def note(connection: sqlite3.Connection) -> bool:
            if not connection.execute(_GO_ON, (name, after, position)).rowcount:
                return False
            connection.execute(_NOTE, (name, position, noted))
            if tag is not None:
                connection.execute(_NOTE_TAGGED, (name, tag, position))
            return True

        return self._changed(note)

    def due(self, name: str, upto: int, limit: int) -> list[Due]:
        """See `Projections.due`."""
        with self._readers.lend() as connection:
            return [Due._make(row) for row in connection.execute(_DUE, (name, upto, limit))]

    def keep(self, name: str, made: Sequence[Made]) -> None:
        """See `Projections.keep`."""

        def keep(connection: sqlite3.Connection) -> None:
            for (root, turn), place, body, tags in made:
                kept = connection.execute(_KEEP, (name, root, turn, place, body)).fetchone()
                if kept is not None:
                    connection.execute(_UNTAG, (name, *kept))
                    connection.executemany(_TAG, [(name, tag, *kept) for tag in sorted(tags)])

        self._change(keep)

    def rewind(self, name: str, position: int) -> None:
        """See `Projections.rewind`."""

        def rewind(connection: sqlite3.Connection) -> None:
            connection.execute(_REWIND, (name, position))

        self._change(rewind)

    def _changed(self, act: Callable[[sqlite3.Connection], Outcome]) -> Outcome:
        outcomes: list[Outcome] = []
        self._change(lambda connection: outcomes.append(act(connection)))
        return outcomes[0]


def _progress(connection: sqlite3.Connection, name: str) -> Progress | None:
    row = connection.execute(_PROGRESS, (name,)).fetchone()
    return None if row is None else Progress._make(row)
