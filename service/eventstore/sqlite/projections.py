"""Projections in a store file: see `service.eventstore.projecting`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final, TypeVar

from service.eventstore.projecting import Changed, Due, Kept, Made, Progress, Projected, Refused, Tagged
from service.eventstore.projection_standing import Standing, begun, claimed, gone_on, rewound
from service.eventstore.sqlite.connections import Readers, sqlite3
from service.eventstore.sqlite.tiles import head

# Text is taken as bytes: what a disk made of it may be none, and is to be made again, not to end the reading.
_STANDING: Final = """
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
_PLACES: Final = """
    SELECT r.root, CAST(p.place AS BLOB)
    FROM projected AS p JOIN roots AS r USING (root_key) WHERE p.name = ?"""
_CHANGED: Final = """
    SELECT r.root, coalesce((SELECT kind FROM streams AS s WHERE s.stream = r.root), '')
    FROM (SELECT DISTINCT root_key FROM events WHERE position > ? AND position <= ?) AS e
    CROSS JOIN roots AS r USING (root_key)"""

_BEGIN: Final = "INSERT INTO projections (name, maker, seal) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_FREE: Final = "SELECT holder IS NULL OR holder = ? OR until <= ? FROM projections WHERE name = ?"
_HOLD: Final = "UPDATE projections SET holder = ?, until = ? WHERE name = ?"
_STANDS: Final = "UPDATE projections SET maker = ?, position = ?, seal = ?, former = ? WHERE name = ?"
_FALLS_DUE: Final = "body = NULL, due = 1, turn = turn + 1"
_ALL_DUE: Final = f"UPDATE projected SET {_FALLS_DUE} WHERE name = ?"
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
            return Kept(progress, [_projected(*row) for row in connection.execute(query, values)])

    def places(self, name: str) -> Kept[tuple[str, str | None]]:
        """See `ProjectionReader.places`."""
        with self._readers.lend() as connection:
            progress = _progress(connection, name)
            return Kept(progress, [(root, _text(at)) for root, at in connection.execute(_PLACES, (name,))])

    def tagged(self, name: str, roots: Collection[str]) -> list[Tagged]:
        """See `ProjectionReader.tagged`."""
        asked = (name, json.dumps(list(roots)))
        with self._readers.lend() as connection:
            rows = connection.execute(f"{_TAGGED_ROWS} AND {_OF_ROOTS}", asked).fetchall()
        return [Tagged(_projected(*kept), _tags(tags)) for *kept, tags in rows]

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

    def claim(
        self, name: str, maker: str, holder: str, seconds: float, again: bool = False
    ) -> Progress | Refused:
        """See `Projections.claim`."""

        def claim(connection: sqlite3.Connection) -> Progress | Refused:
            connection.execute(_BEGIN, (name, maker, begun(name, maker).seal))
            now, was = time.time(), _standing(connection, name) or begun(name, maker)
            (free,) = connection.execute(_FREE, (holder, now, name)).fetchone()
            stands = claimed(name, was, head(connection), maker, free, again)
            if isinstance(stands, Refused):
                return stands
            connection.execute(_HOLD, (holder, now + seconds, name))
            if stands != was:
                connection.execute(_STANDS, (*stands, name))
            if stands.maker != was.maker:
                connection.execute(_ALL_DUE, (name,))
            return Progress(stands.maker, stands.position)

        return self._changed(claim)

    def note(
        self, name: str, after: int, position: int, roots: Iterable[str], tag: str | None = None
    ) -> bool:
        """See `Projections.note`."""
        noted = json.dumps(list(roots))

        def note(connection: sqlite3.Connection) -> bool:
            was = _standing(connection, name)
            if was is None or was.progress(name, head(connection)) != (was.maker, after):
                return False
            connection.execute(_STANDS, (*gone_on(name, was, position), name))
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

    def rewind(self, name: str, position: int, maker: str) -> None:
        """See `Projections.rewind`."""

        def rewind(connection: sqlite3.Connection) -> None:
            if was := _standing(connection, name):
                connection.execute(_STANDS, (*rewound(name, was, head(connection), position, maker), name))

        self._change(rewind)

    def _changed(self, act: Callable[[sqlite3.Connection], Outcome]) -> Outcome:
        outcomes: list[Outcome] = []
        self._change(lambda connection: outcomes.append(act(connection)))
        return outcomes[0]


def _progress(connection: sqlite3.Connection, name: str) -> Progress | None:
    standing = _standing(connection, name)
    return None if standing is None else standing.progress(name, head(connection))


def _standing(connection: sqlite3.Connection, name: str) -> Standing | None:
    row = connection.execute(_STANDING, (name,)).fetchone()
    if row is None:
        return None
    maker, position, seal, former = row
    # Of another type it is damaged, and no number that its seal is of.
    return Standing(
        _text(maker) or "",
        position if isinstance(position, int) else -1,
        _text(seal) or "",
        _text(former) or "",
    )


def _projected(root: str, place: bytes | None, body: Any) -> Projected:
    return Projected(root, _text(place), body if isinstance(body, bytes) else None)


def _tags(joined: str | None) -> frozenset[str]:
    return frozenset(
        bytes.fromhex(tag).decode("utf-8", "replace") for tag in (joined or "").split(",") if tag
    )


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")
