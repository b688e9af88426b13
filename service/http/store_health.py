"""Whether the store takes changes, and where damage of it was noticed since the service started."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from service.eventstore import EventStore, StoreUnavailable
from service.eventstore.errors import StoreDamaged

MAX_DAMAGED_PLACES: Final = 1000
"""The most places that are remembered: where there are more, the whole store has to be restored."""


class DamagedPlace(NamedTuple):
    """A place: a stream and the entry in it, or None for both where it is the file itself, or another."""

    stream: str | None
    seq: int | None


class DamageTracker:
    """The places at which damage was noticed, each once. All methods may be called from any thread."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._places: dict[DamagedPlace, None] = {}

    @property
    def places(self) -> tuple[DamagedPlace, ...]:
        """The places, in the order in which they were met."""
        with self._mutex:
            return tuple(self._places)

    def record(self, error: StoreDamaged) -> None:
        """Keep in mind where it was met."""
        with self._mutex:
            if len(self._places) < MAX_DAMAGED_PLACES:
                self._places[DamagedPlace(error.stream, error.seq)] = None

    def track_chunks(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The pieces of an answer, which meets damage when it has begun already."""
        try:
            yield from chunks
        except StoreDamaged as error:
            self.record(error)
            raise


MIN_FREE_BYTES: Final = 64 << 20
"""What has to be free on the store's disk: the write-ahead log may grow so large before it is merged."""


def require_ready(store: EventStore) -> None:
    """Take the store's turn to write and give it back, and look at the disk. Raises `StoreError`.

    That the tables are of this version was seen when the store was opened, which brings them up to date.
    """
    store.append("", [])
    usage = store.disk_usage()
    if usage is not None and usage.free is not None and usage.free < MIN_FREE_BYTES:
        raise StoreUnavailable(
            f"The disk that holds the store has {usage.free >> 20} MiB left, and {MIN_FREE_BYTES >> 20} MiB "
            "are needed. Make room on it; what is stored is safe."
        )
