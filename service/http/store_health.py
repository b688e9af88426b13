"""Whether the store accepts changes, and where damage was noticed since the service started."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from service.eventstore import EventStore, StoreUnavailable
from service.eventstore.errors import StoreDamaged

MAX_DAMAGED_PLACES: Final = 1000
"""The most places remembered; with more, the whole store has to be restored."""


class DamagedPlace(NamedTuple):
    """A stream and an entry in it; None for both where a file is damaged."""

    stream: str | None
    seq: int | None


class DamageTracker:
    """The places of damage, each once. Thread-safe."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._places: dict[DamagedPlace, None] = {}

    @property
    def places(self) -> tuple[DamagedPlace, ...]:
        """The places in the order in which they were noticed."""
        with self._mutex:
            return tuple(self._places)

    def record(self, error: StoreDamaged) -> None:
        """Remember the place of an error."""
        with self._mutex:
            if len(self._places) < MAX_DAMAGED_PLACES:
                self._places[DamagedPlace(error.stream, error.seq)] = None

    def track_chunks(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The chunks of an answer; damage met after its beginning is recorded."""
        try:
            yield from chunks
        except StoreDamaged as error:
            self.record(error)
            raise


MIN_FREE_BYTES: Final = 64 << 20
"""The least free bytes on the store's disk: the write-ahead log may grow by as much."""


def require_ready(store: EventStore) -> None:
    """Take and release the write lock of the store, and check the disk. Raises `StoreError`.

    The version of the tables was checked when the store was opened.
    """
    store.append("", [])
    usage = store.disk_usage()
    if usage is not None and usage.free is not None and usage.free < MIN_FREE_BYTES:
        raise StoreUnavailable(
            f"The disk that holds the store has {usage.free >> 20} MiB left, but {MIN_FREE_BYTES >> 20} "
            "MiB are needed. Free some space; the stored events are safe."
        )
