"""Projections of a store in memory: see `service.eventstore.projecting`."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from service.eventstore.interface import StoredEvent
from service.eventstore.projecting import Changed, Due, Kept, Made, Progress, Projected, Refused, Tagged
from service.eventstore.projection_standing import Standing, begun, claimed, gone_on, rewound

Labels = Mapping[str, tuple[str, str]]
"""The root and the kind of each stream."""


@dataclass
class _Row:
    noted: int
    turn: int = -1
    due: bool = True
    place: str | None = None
    body: bytes | None = None
    tags: frozenset[str] = frozenset()

    def fall_due(self) -> None:
        self.turn += 1
        self.due, self.body = True, None


@dataclass
class _Projection:
    stands: Standing
    holder: str | None = None
    until: float = 0.0
    rows: dict[str, _Row] = field(default_factory=dict)


class MemoryProjections:
    """Projections in dictionaries, under the lock of the store whose ``log`` and ``labels`` these are.

    ``require_open`` raises where the store is closed.
    """

    def __init__(
        self,
        mutex: AbstractContextManager[object],
        log: Sequence[StoredEvent],
        labels: Labels,
        require_open: Callable[[], None],
    ) -> None:
        self._mutex, self._log, self._labels, self._require_open = mutex, log, labels, require_open
        self._all: dict[str, _Projection] = {}

    def progress(self, name: str) -> Progress | None:
        """See `ProjectionReader.progress`."""
        with self._opened():
            found = self._all.get(name)
            return found.stands.progress(name, len(self._log)) if found else None

    def projected(
        self,
        name: str,
        first: str | None = None,
        last: str | None = None,
        tag: str | None = None,
        roots: Collection[str] | None = None,
    ) -> Kept[Projected]:
        """See `ProjectionReader.projected`."""

        def fits(row: _Row) -> bool:
            placed = row.place is None or ((first or "") <= row.place and (last is None or row.place <= last))
            return placed and (tag is None or row.body is None or tag in row.tags)

        with self._opened():
            rows = self._rows(name).items()
            found = [(root, row) for root, row in rows if roots is None or root in roots]
            told = [Projected(root, row.place, row.body) for root, row in found if fits(row)]
            return Kept(self.progress(name), told)

    def places(self, name: str) -> Kept[tuple[str, str | None]]:
        """See `ProjectionReader.places`."""
        with self._opened():
            return Kept(self.progress(name), [(root, row.place) for root, row in self._rows(name).items()])

    def tagged(self, name: str, roots: Collection[str]) -> list[Tagged]:
        """See `ProjectionReader.tagged`."""
        with self._opened():
            found = [(root, row) for root, row in self._rows(name).items() if root in roots]
            return [Tagged(Projected(root, row.place, row.body), row.tags) for root, row in found]

    def changed(self, after: int, limit: int) -> Changed:
        """See `ProjectionReader.changed`."""
        with self._opened():
            upto = min(after + limit, len(self._log))
            roots = dict.fromkeys(event.root for event in self._log[after:upto])
            return Changed(max(after, upto), {root: self._labels.get(root, ("", ""))[1] for root in roots})

    def claim(
        self, name: str, maker: str, holder: str, seconds: float, again: bool = False
    ) -> Progress | Refused:
        """See `Projections.claim`."""
        with self._opened():
            one = self._all.setdefault(name, _Projection(begun(name, maker)))
            was, now = one.stands, time.monotonic()
            free = one.holder in (None, holder) or one.until <= now
            stands = claimed(name, was, len(self._log), maker, free, again)
            if isinstance(stands, Refused):
                return stands
            one.stands, one.holder, one.until = stands, holder, now + seconds
            if stands.maker != was.maker:
                for row in one.rows.values():
                    row.fall_due()
            return Progress(stands.maker, stands.position)

    def note(
        self, name: str, after: int, position: int, roots: Iterable[str], tag: str | None = None
    ) -> bool:
        """See `Projections.note`."""
        with self._opened():
            one = self._all.get(name)
            if one is None or one.stands.position != after:
                return False
            one.stands = gone_on(name, one.stands, position)
            tagged = [
                root for root, row in one.rows.items() if tag is not None and (row.due or tag in row.tags)
            ]
            for root in (*roots, *tagged):
                row = one.rows.setdefault(root, _Row(position))
                row.noted = position
                row.fall_due()
            return True

    def due(self, name: str, upto: int, limit: int) -> list[Due]:
        """See `Projections.due`."""
        with self._opened():
            found = [(row.noted, root, row.turn) for root, row in self._rows(name).items() if row.due]
            latest = sorted((one for one in found if one[0] <= upto), reverse=True)
            return [Due(root, turn) for _, root, turn in latest[:limit]]

    def keep(self, name: str, made: Sequence[Made]) -> None:
        """See `Projections.keep`."""
        with self._opened():
            rows = self._rows(name)
            for (root, turn), place, body, tags in made:
                row = rows.get(root)
                if row is not None and row.due and row.turn == turn:
                    row.due, row.place, row.body, row.tags = False, place, body, tags

    def rewind(self, name: str, position: int, maker: str) -> None:
        """See `Projections.rewind`."""
        with self._opened():
            if one := self._all.get(name):
                one.stands = rewound(name, one.stands, len(self._log), position, maker)

    def erased(self, root: str) -> None:
        """Keep nothing of a root any more: some of it has been erased."""
        for one in self._all.values():
            if row := one.rows.get(root):
                row.fall_due()
                row.tags = frozenset()

    def _rows(self, name: str) -> dict[str, _Row]:
        one = self._all.get(name)
        return one.rows if one else {}

    @contextmanager
    def _opened(self) -> Iterator[None]:
        with self._mutex:
            self._require_open()
            yield
