"""Projections on PostgreSQL: see `service.eventstore.projecting`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol, TypeVar

from service.eventstore.postgres.connections import Connection, Connections
from service.eventstore.postgres.tiles import head
from service.eventstore.projecting import Changed, Due, Kept, Made, Progress, Projected, Refused, Tagged
from service.eventstore.projection_standing import Standing, begun, claimed, gone_on, rewound

_STANDING: Final = "SELECT maker, position, seal, former FROM projections WHERE name = %s"

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
_PLACES: Final = f"SELECT {_ROOT}, p.place FROM projected AS p WHERE p.name = %s"
_CHANGED: Final = """
    SELECT r.root, coalesce((SELECT kind FROM streams AS s WHERE s.stream = r.root), '')
    FROM (SELECT DISTINCT root_key FROM log WHERE position > %s AND position <= %s) AS l
    CROSS JOIN LATERAL (SELECT root FROM roots WHERE root_key = l.root_key OFFSET 0) AS r"""

_BEGIN: Final = "INSERT INTO projections (name, maker, seal) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
_FREE: Final = "SELECT holder IS NULL OR holder = %s OR until <= now() FROM projections WHERE name = %s"
_HOLD: Final = """
    UPDATE projections SET holder = %s, until = now() + %s * interval '1 second' WHERE name = %s"""
_STANDS: Final = "UPDATE projections SET maker = %s, position = %s, seal = %s, former = %s WHERE name = %s"
_FALLS_DUE: Final = "body = NULL, due = true, turn = p.turn + 1"
_ALL_DUE: Final = f"UPDATE projected AS p SET {_FALLS_DUE} WHERE p.name = %s"
_LOCK: Final = "LOCK TABLE projections IN SHARE ROW EXCLUSIVE MODE"
_NOTE: Final = f"""
    INSERT INTO projected AS p (name, root_key, noted)
    SELECT %s, r.root_key, %s FROM unnest(%s::text[]) AS wanted
    CROSS JOIN LATERAL (SELECT root_key FROM roots WHERE root = wanted OFFSET 0) AS r
    ON CONFLICT (name, root_key) DO UPDATE SET noted = excluded.noted, {_FALLS_DUE}"""
_NOTE_TAGGED: Final = f"""
    UPDATE projected AS p SET noted = %s, {_FALLS_DUE}
    WHERE p.name = %s AND (
        p.due OR p.root_key IN (SELECT root_key FROM projected_tags WHERE name = %s AND tag = %s)
    )"""
_DUE: Final = f"""
    SELECT {_ROOT}, p.turn FROM projected AS p
    WHERE p.name = %s AND p.due AND p.noted <= %s ORDER BY p.noted DESC, p.root_key DESC LIMIT %s"""
_KEEP: Final = """
    UPDATE projected SET due = false, place = %s, body = %s
    WHERE name = %s AND root_key = (SELECT root_key FROM roots WHERE root = %s) AND turn = %s AND due
    RETURNING root_key"""
_UNTAG: Final = "DELETE FROM projected_tags WHERE name = %s AND root_key = %s"
_TAG: Final = "INSERT INTO projected_tags (name, tag, root_key) SELECT %s, unnest(%s::text[]), %s"

Outcome = TypeVar("Outcome")


class Look(Protocol):
    """What reads the tables, by a connection of its own."""

    def __call__(self, ask: Callable[[Connection], Outcome], /) -> Outcome:
        """What ``ask`` is told."""
        ...


class PostgresProjectionReader:
    """Projections as the tables tell them."""

    def __init__(self, look: Look) -> None:
        self._look = look

    def progress(self, name: str) -> Progress | None:
        """See `ProjectionReader.progress`."""
        return self._look(lambda connection: _progress(connection, name))

    def projected(
        self,
        name: str,
        first: str | None = None,
        last: str | None = None,
        tag: str | None = None,
        roots: Collection[str] | None = None,
    ) -> Kept[Projected]:
        """See `ProjectionReader.projected`."""
        query = _PROJECTED
        if first is not None or last is not None:
            query += f" AND {_IN_SPAN}"
        if tag is not None:
            if "\0" in tag:
                return Kept(self.progress(name), [])
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
        progress, rows = self._kept(name, query, values)
        return Kept(progress, [Projected._make(row) for row in rows])

    def places(self, name: str) -> Kept[tuple[str, str | None]]:
        """See `ProjectionReader.places`."""
        return self._kept(name, _PLACES, (name,))

    def tagged(self, name: str, roots: Collection[str]) -> list[Tagged]:
        """See `ProjectionReader.tagged`."""
        query, values = f"{_TAGGED_ROWS} AND {_OF_ROOTS}", {"name": name, "roots": list(roots)}
        rows = self._look(lambda connection: connection.execute(query.encode(), values).fetchall())
        return [Tagged(Projected._make(kept), frozenset(tags)) for *kept, tags in rows]

    def changed(self, after: int, limit: int) -> Changed:
        """See `ProjectionReader.changed`."""

        def ask(connection: Connection) -> Changed:
            upto = max(after, min(after + limit, head(connection)))
            rows = connection.execute(_CHANGED.encode(), (after, upto)) if upto > after else ()
            return Changed(upto, dict(rows))

        return self._look(ask)

    def _kept(self, name: str, query: str, values: Any) -> Kept[Any]:
        """Rows, and how far their projection had come on the same server: another may not be so far."""

        def ask(connection: Connection) -> Kept[Any]:
            progress = _progress(connection, name)
            return Kept(progress, connection.execute(query.encode(), values).fetchall())

        return self._look(ask)


class PostgresProjections(PostgresProjectionReader):
    """Projections in tables that may be written."""

    def __init__(self, look: Look, connections: Connections) -> None:
        super().__init__(look)
        self._connections = connections

    def claim(
        self, name: str, maker: str, holder: str, seconds: float, again: bool = False
    ) -> Progress | Refused:
        """See `Projections.claim`."""
        with self._changing() as connection:
            connection.execute(_BEGIN, (name, maker, begun(name, maker).seal))
            was = _standing(connection, name) or begun(name, maker)
            (free,) = connection.execute(_FREE, (holder, name)).fetchone() or (False,)
            stands = claimed(name, was, head(connection), maker, free, again)
            if isinstance(stands, Refused):
                return stands
            connection.execute(_HOLD, (holder, seconds, name))
            if stands != was:
                connection.execute(_STANDS, (*stands, name))
            if stands.maker != was.maker:
                connection.execute(_ALL_DUE.encode(), (name,))
            return Progress(stands.maker, stands.position)

    def note(
        self, name: str, after: int, position: int, roots: Iterable[str], tag: str | None = None
    ) -> bool:
        """See `Projections.note`."""
        with self._changing() as connection:
            was = _standing(connection, name)
            if was is None or was.progress(name, head(connection)) != (was.maker, after):
                return False
            connection.execute(_STANDS, (*gone_on(name, was, position), name))
            connection.execute(_NOTE.encode(), (name, position, list(roots)))
            if tag is not None:
                connection.execute(_NOTE_TAGGED.encode(), (position, name, name, tag))
        return True

    def due(self, name: str, upto: int, limit: int) -> list[Due]:
        """See `Projections.due`."""
        found = self._look(
            lambda connection: connection.execute(_DUE.encode(), (name, upto, limit)).fetchall()
        )
        return [Due._make(row) for row in found]

    def keep(self, name: str, made: Sequence[Made]) -> None:
        """See `Projections.keep`."""
        with self._changing() as connection:
            for (root, turn), place, body, tags in made:
                row = connection.execute(_KEEP, (place, body, name, root, turn)).fetchone()
                if row is not None:
                    connection.execute(_UNTAG, (name, *row))
                    connection.execute(_TAG, (name, sorted(tags), *row))

    def rewind(self, name: str, position: int, maker: str) -> None:
        """See `Projections.rewind`."""
        with self._changing() as connection:
            if was := _standing(connection, name):
                connection.execute(_STANDS, (*rewound(name, was, head(connection), position, maker), name))

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        """A connection in a transaction beside which nobody else changes a projection, or erases."""
        with (
            self._connections.told("written"),
            self._connections.lend() as connection,
            connection.transaction(),
        ):
            # What a crash takes of it is made again; the log that it was made of was written before it.
            connection.execute("SET LOCAL synchronous_commit = off")
            connection.execute(_LOCK)
            yield connection


def _progress(connection: Connection, name: str) -> Progress | None:
    standing = _standing(connection, name)
    return None if standing is None else standing.progress(name, head(connection))


def _standing(connection: Connection, name: str) -> Standing | None:
    row = connection.execute(_STANDING, (name,)).fetchone()
    return None if row is None else Standing._make(row)
