"""A standby beside the store: it answers what may be a moment old, and the store what it cannot answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Final, Protocol, Self, TypeVar

import structlog

from service.eventstore.errors import StandbyLagging, StoreClosed, StoreError, StoreUnavailable, UnknownStream
from service.eventstore.interface import (
    PAGE_SIZE,
    AppendResult,
    DiskUsage,
    EventReader,
    EventStore,
    SealedEvent,
    StoredEvent,
    StreamAppend,
    StreamInfo,
)
from service.eventstore.projection_interface import (
    ChangedRoots,
    ProjectionProgress,
    ProjectionRow,
    ProjectionRows,
    ProjectionStore,
)

if TYPE_CHECKING:
    from service.eventstore.postgres.store import PostgresReader

STANDBY_RETRY_SECONDS: Final = 0.5
"""Seconds between two looks whether a standby that was away is there again."""

Told = TypeVar("Told")
_log = structlog.get_logger()


class Standby:
    """A standby of a store. While it is away, nobody waits for it.

    ``open_reader`` opens it. Raises as that does, but for `StoreUnavailable`: it is tried again until
    `close`.
    """

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
        """The standby, which raises `StandbyLagging` where it lacks that position; None while it is away."""
        copy = self._copy
        return copy.with_min_position(min_position) if copy is not None and self._is_there.is_set() else None

    def mark_unavailable(self, error: StoreError) -> None:
        """Ask it no more until it answers again."""
        if self._is_there.is_set():
            self._is_there.clear()
            _log.warning("standby", said=str(error))

    def wait_until_available(self, timeout: float) -> bool:
        """Whether it is there, or comes within so many seconds."""
        return self._is_there.wait(timeout)

    def close(self) -> None:
        """Let go of it. Twice is harmless."""
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


class ReplicaFirstStore:
    """A store as one request reads it: from a standby as long as that will do, else from the store itself.

    What was once read from the store is not read from the standby after it, which may be older: so what is
    told does not go back. What proves events, and whatever is written, is the store's. An `EventStore`; made
    for one request, and not kept.
    """

    def __init__(self, store: EventStore, standby: Standby, min_position: int) -> None:
        self._store, self._standby = store, standby
        self._copy = standby.with_min_position(min_position)
        self.warning = store.warning

    def _run_read(self, query: Callable[[EventReader], Told]) -> Told:
        copy = self._copy
        if copy is not None:
            try:
                return query(copy)
            except (StandbyLagging, UnknownStream, StoreClosed):
                pass  # what it does not know yet may be there all the same
            except StoreUnavailable as error:
                self._standby.mark_unavailable(error)
            self._copy = None
        return query(self._store)

    # What a standby may answer

    def read_stream(self, stream: str, after: int = 0, limit: int = PAGE_SIZE) -> list[StoredEvent]:
        """See `EventReader.read_stream`."""
        return self._run_read(lambda one: one.read_stream(stream, after, limit))

    def stream_version(self, stream: str) -> int:
        """See `EventReader.stream_version`."""
        return self._run_read(lambda one: one.stream_version(stream))

    def stream_info(self, stream: str) -> StreamInfo:
        """See `EventReader.stream_info`."""
        return self._run_read(lambda one: one.stream_info(stream))

    def list_streams(
        self,
        root: str | None = None,
        kind: str | None = None,
        after: str | None = None,
        limit: int = PAGE_SIZE,
        *,
        newest_first: bool = False,
    ) -> list[StreamInfo]:
        """See `EventReader.list_streams`."""
        return self._run_read(
            lambda one: one.list_streams(root, kind, after, limit, newest_first=newest_first)
        )

    def list_branches(self, after: int = 0, limit: int = PAGE_SIZE) -> list[tuple[int, str]]:
        """See `EventReader.list_branches`."""
        return self._run_read(lambda one: one.list_branches(after, limit))

    def find_events(self, root: str, event_ids: Iterable[str]) -> dict[str, StoredEvent]:
        """See `EventReader.find_events`."""
        ids = list(event_ids)
        return self._run_read(lambda one: one.find_events(root, ids))

    def read_all(self, after: int = 0, limit: int = PAGE_SIZE) -> list[StoredEvent]:
        """See `EventReader.read_all`."""
        return self._run_read(lambda one: one.read_all(after, limit))

    def head(self) -> int:
        """See `EventReader.head`."""
        return self._run_read(lambda one: one.head())

    @property
    def projections(self) -> ProjectionStore:
        """See `EventReader.projections`: they are read where everything else is."""
        return _ReplicaFirstProjections(self._store, self._run_read)

    # What is the store's

    def read_sealed_events(self, stream: str, after: int = 0, limit: int = PAGE_SIZE) -> list[SealedEvent]:
        """See `EventReader.read_sealed_events`."""
        return self._store.read_sealed_events(stream, after, limit)

    def read_tile(self, level: int, number: int) -> list[bytes]:
        """See `EventReader.read_tile`."""
        return self._store.read_tile(level, number)

    def read_verified_leaves(self, after: int = 0, limit: int = PAGE_SIZE) -> list[tuple[int, bytes]]:
        """See `EventReader.read_verified_leaves`."""
        return self._store.read_verified_leaves(after, limit)

    def wait_for_events(self, after: int, timeout: float) -> int:
        """See `EventReader.wait_for_events`."""
        return self._store.wait_for_events(after, timeout)

    def wait_for_stream(self, stream: str, after: int, timeout: float) -> int:
        """See `EventReader.wait_for_stream`."""
        return self._store.wait_for_stream(stream, after, timeout)

    def disk_usage(self) -> DiskUsage | None:
        """See `EventReader.disk_usage`."""
        return self._store.disk_usage()

    def append(self, root: str, appends: Sequence[StreamAppend]) -> list[AppendResult]:
        """See `EventStore.append`."""
        return self._store.append(root, appends)

    def keyed_id(self, content: bytes) -> str:
        """See `EventStore.keyed_id`."""
        return self._store.keyed_id(content)

    def erase(self, root: str, replacements: Mapping[str, bytes]) -> None:
        """See `EventStore.erase`."""
        self._store.erase(root, replacements)

    def erase_in_roots(self, replacements: Mapping[str, Mapping[str, bytes]]) -> None:
        """See `EventStore.erase_in_roots`."""
        self._store.erase_in_roots(replacements)

    def close(self) -> None:
        """Nothing: whoever opened the store and the standby closes them."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _ReadRunner(Protocol):
    """What asks a standby, or else the store."""

    def __call__(self, ask: Callable[[EventReader], Told], /) -> Told:
        """What ``ask`` is told."""
        ...


class _ReplicaFirstProjections:
    """Projections as a standby has them; they are written to the store."""

    def __init__(self, store: EventStore, run_read: _ReadRunner) -> None:
        self._run_read = run_read
        writer = store.projections
        self.begin, self.advance, self.rewind = writer.begin, writer.advance, writer.rewind
        self.list_pending_roots, self.save_updates = writer.list_pending_roots, writer.save_updates

    def read_progress(self, name: str) -> ProjectionProgress | None:
        """See `ProjectionReader.read_progress`."""
        return self._run_read(lambda one: one.projections.read_progress(name))

    def read_projection_rows(
        self,
        name: str,
        first: str | None = None,
        last: str | None = None,
        tag: str | None = None,
        roots: Collection[str] | None = None,
    ) -> ProjectionRows[ProjectionRow]:
        """See `ProjectionReader.read_projection_rows`."""
        return self._run_read(lambda one: one.projections.read_projection_rows(name, first, last, tag, roots))

    def list_sort_keys(self, name: str) -> ProjectionRows[tuple[str, str | None]]:
        """See `ProjectionReader.list_sort_keys`."""
        return self._run_read(lambda one: one.projections.list_sort_keys(name))

    def list_changed_roots(self, after: int, limit: int) -> ChangedRoots:
        """See `ProjectionReader.list_changed_roots`."""
        return self._run_read(lambda one: one.projections.list_changed_roots(after, limit))
