"""Readiness: whether a change that is sent now would be stored."""

from __future__ import annotations

from typing import Final

from service.eventstore import EventStore, StoreUnavailable

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
