"""A standby of the store: it answers reads that may be slightly out of date; the store answers the rest."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, cast

import structlog

from service.eventstore.errors import StandbyLagging, StoreClosed, StoreError, StoreUnavailable, UnknownStream
from service.eventstore.interface import EventReader, EventStore

if TYPE_CHECKING:
    from service.eventstore.postgres.store import PostgresReader

STANDBY_RETRY_SECONDS: Final = 0.5
"""Seconds between two checks whether an unavailable standby is back."""

_log = structlog.get_logger()


class Standby:
    """A standby of a store. While it is unavailable nobody waits for it, and it is reopened in the
    background."""

    def __init__(self, open_reader: Callable[[], PostgresReader]) -> None:
        self._open_copy = open_reader
        self._copy: PostgresReader | None = None
        self._is_there = threading.Event()
        self._ended = threading.Event()
        try:
            self._connect()
        except StoreUnavailable as error:
            _log.warning("standby", said=str(error))
        self._thread = threading.Thread(target=self._reconnect_while_away, name="standby", daemon=True)
        self._thread.start()

    def with_min_position(self, min_position: int) -> EventReader | None:
        """The standby, which raises `StandbyLagging` if it lacks that position; None while it is
        unavailable."""
        copy = self._copy
        return copy.with_min_position(min_position) if copy is not None and self._is_there.is_set() else None

    def mark_unavailable(self, error: StoreError) -> None:
        """Do not use it until it answers again."""
        if self._is_there.is_set():
            self._is_there.clear()
            _log.warning("standby", said=str(error))

    def wait_until_available(self, timeout: float) -> bool:
        """Whether it is available, or becomes so within this many seconds."""
        return self._is_there.wait(timeout)

    def close(self) -> None:
        """Close it. Closing twice is harmless."""
        self._ended.set()
        self._thread.join()
        if self._copy is not None:
            self._copy.close()

    def _connect(self) -> None:
        if self._copy is None:
            self._copy = self._open_copy()
        self._copy.head()
        self._is_there.set()

    def _reconnect_while_away(self) -> None:
        while not self._ended.wait(STANDBY_RETRY_SECONDS):
            if not self._is_there.is_set():
                try:
                    self._connect()
                except StoreError:
                    continue


def read_standby_first(store: EventStore, standby: Standby, min_position: int) -> EventStore:
    """The store as one request reads it: from a standby if possible, else from the store itself.

    After the first answer from the store, none is from the standby, so the request never sees older data
    again. Proofs and writes always use the store.
    """
    return cast(EventStore, _StandbyFirst(store, standby, min_position))


_STANDBY_READS: Final = frozenset(
    {
        "read_stream", "stream_version", "stream_info", "list_streams", "list_branches", "find_events",
        "read_all", "head", "projections.read_progress", "projections.read_projection_rows",
        "projections.list_sort_keys", "projections.list_changed_roots",
    }
)  # fmt: skip
"""The methods of `EventStore` that a standby may answer."""


class _StandbyFirst:
    def __init__(self, store: EventStore, standby: Standby, min_position: int) -> None:
        self._store, self._standby = store, standby
        self._copy = standby.with_min_position(min_position)

    @property
    def projections(self) -> _StandbyFirstProjections:
        return _StandbyFirstProjections(self)

    def __getattr__(self, name: str) -> Any:
        """The attribute of the store, or a method that tries the standby first."""
        method = attrgetter(name)
        return partial(self._run_read, method) if name in _STANDBY_READS else method(self._store)

    def _run_read(self, method: Callable[[EventReader], Any], *arguments: Any, **options: Any) -> Any:
        copy = self._copy
        if copy is not None:
            try:
                return method(copy)(*arguments, **options)
            except (StandbyLagging, UnknownStream, StoreClosed):
                pass  # the store may already have what the standby does not know yet
            except StoreUnavailable as error:
                self._standby.mark_unavailable(error)
            self._copy = None
        return method(self._store)(*arguments, **options)


class _StandbyFirstProjections:
    def __init__(self, store: _StandbyFirst) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return self._store.__getattr__(f"projections.{name}")
