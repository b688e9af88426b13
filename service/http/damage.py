"""Damage that was noticed: where somebody met what is not as it was recorded, since the service started.

What is damaged is told to nobody, and whoever asked for it knows. Whoever runs the service asks for other
things: so it is kept in mind here, for readiness and for the metrics.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from service.eventstore.errors import StoreDamaged

MOST: Final = 1000
"""So many places are kept in mind; where there are more, all of it is to be restored."""


class Damaged(NamedTuple):
    """A place: a stream and the entry in it, or None for both where it is the file itself, or another."""

    stream: str | None
    seq: int | None


class Noticed:
    """The places at which damage was noticed, each once. All methods may be called from any thread."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._places: dict[Damaged, None] = {}

    @property
    def places(self) -> tuple[Damaged, ...]:
        """The places, in the order in which they were met."""
        with self._mutex:
            return tuple(self._places)

    def note(self, error: StoreDamaged) -> None:
        """Keep in mind where it was met."""
        with self._mutex:
            if len(self._places) < MOST:
                self._places[Damaged(error.stream, error.seq)] = None

    def watching(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The pieces of an answer, which meets damage when it has begun already."""
        try:
            yield from pieces
        except StoreDamaged as error:
            self.note(error)
            raise
