"""The interface of event stores. Each kind of store adds how it selects and writes rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import ClassVar, Self, TypeVar

from service.eventstore.append_plan import EventWithDigest
from service.eventstore.commit_notifier import CommitNotifier, poll_until_above
from service.eventstore.errors import CopyDiverged, StoreDamaged, UnknownStream
from service.eventstore.events import (
    PAGE_SIZE,
    AppendResult,
    DiskUsage,
    FullEvent,
    SealedEvent,
    StoredEvent,
    StreamAppend,
    StreamInfo,
    validate_limit,
)
from service.eventstore.ids import derive_keyed_id
from service.eventstore.inspection import Inspection
from service.eventstore.merkle_tables import MerkleTables
from service.eventstore.projections import ProjectionReader, ProjectionStore
from service.eventstore.sql_dialect import Connection, SqlDialect
from service.eventstore.verified_rows import (
    EventRow,
    parse_events,
    parse_full_event,
    parse_sealed_event,
    require_no_gap,
)

Outcome = TypeVar("Outcome")


class EventReader(ABC):
    """The reading half of a store. All methods may be called from any thread.

    Each raises `StoreClosed` after `close`, `StoreUnavailable` or `StoreDamaged` if the disk or file fails,
    and `ValueError` for a limit below 1.
    """

    warning: str | None = None
    """A sentence for the log if the store runs with reduced safety or speed, else None."""

    location: object
    """Where the store is, for display."""

    _dialect: ClassVar[SqlDialect]

    @property
    def projections(self) -> ProjectionReader:
        """The read models that are stored next to the events."""
        return ProjectionReader(self._dialect, self._run_read)

    def read_stream(self, stream: str, after: int = 0, limit: int = PAGE_SIZE) -> list[StoredEvent]:
        """The stream's events with a seq above `after`, in order, at most `limit`. Raises `UnknownStream`."""
        rows = self._select_stream_rows(stream, after, validate_limit(limit))
        events = parse_events(rows, self.location)
        require_no_gap(events, after, stream, self.location)
        return events

    def stream_version(self, stream: str) -> int:
        """The stream's number of events. Raises `UnknownStream`."""
        return self.stream_info(stream).version

    def stream_info(self, stream: str) -> StreamInfo:
        """The stream's root, kind and version. Raises `UnknownStream`."""
        found = self._run_read(lambda connection: self._select_stream(connection, stream))
        if found is None:
            raise UnknownStream(stream)
        return found

    def list_streams(
        self,
        root: str | None = None,
        kind: str | None = None,
        after: str | None = None,
        limit: int = PAGE_SIZE,
        *,
        newest_first: bool = False,
    ) -> list[StreamInfo]:
        """Streams in order of creation, at most `limit`, starting after stream `after`.

        With ``newest_first`` the order is reversed. `root` and `kind` filter the list. Raises `UnknownStream`
        if `after` is not in the store.
        """
        if after is not None:
            self.stream_info(after)
        validate_limit(limit)
        return self._run_read(
            lambda connection: self._select_streams(connection, root, kind, after, limit, newest_first)
        )

    def list_branches(self, after: int = 0, limit: int = PAGE_SIZE) -> list[tuple[int, str]]:
        """The streams whose first event contains `BRANCH_FIELD` and has a position above `after`, with that
        position, ordered by it, at most `limit`.

        They are found by an index, without reading other streams.
        """
        validate_limit(limit)
        return self._run_read(lambda connection: self._select_branches(connection, after, limit))

    def find_events(self, root: str, event_ids: Collection[str]) -> dict[str, StoredEvent]:
        """The events with these ids that are stored in `root`, by id. An unknown root has none."""
        stored = self._run_read(lambda connection: self._find_stored_events(connection, root, event_ids))
        events = {event_id: one.sealed_event.event for event_id, one in stored.items()}
        return {event_id: event for event_id, event in events.items() if event.position}

    def read_all(self, after: int = 0, limit: int = PAGE_SIZE) -> list[StoredEvent]:
        """Events of all streams with a position above `after`, in order of position, at most `limit`.

        A reader that continues from the last position never misses an event: none appears later at a lower
        position. Positions increase, with or without gaps.
        """
        return parse_events(self._select_log_rows(after, validate_limit(limit)), self.location)

    def head(self) -> int:
        """The position of the newest event, 0 in an empty store."""
        return self._run_read(lambda connection: self._merkle_tables(connection).head())

    def read_sealed_events(self, stream: str, after: int = 0, limit: int = PAGE_SIZE) -> list[SealedEvent]:
        """As `read_stream`, each event with its proof. Raises `UnknownStream`."""
        rows = self._select_stream_rows(stream, after, validate_limit(limit))
        sealed = [parse_sealed_event(row, self.location) for row in rows]
        require_no_gap([one.event for one in sealed], after, stream, self.location)
        return sealed

    def read_tile(self, level: int, number: int) -> list[bytes]:
        """Hashes of the Merkle log: of complete subtrees of `256**level` leaves, up to 256 from `number *
        256` on. See `service.eventstore.merkle.tiles`."""
        return self._run_read(lambda connection: self._merkle_tables(connection).read_tile(level, number))

    def read_verified_leaves(self, after: int = 0, limit: int = PAGE_SIZE) -> list[tuple[int, bytes]]:
        """The positions above `after` that have an event, in order, at most `limit`, with their leaf hashes.

        Each hash is computed from the event as it is now. Raises `StoreDamaged` if it differs from the stored
        one.
        """
        rows = self._select_log_rows(after, validate_limit(limit))
        sealed = [parse_sealed_event(row, self.location) for row in rows]
        return [(one.event.position, one.leaf_hash) for one in sealed]

    def read_full_events(self, after: int, limit: int) -> list[FullEvent]:
        """As `read_all`, each event with everything that a copy of the store needs."""
        return [parse_full_event(row, self.location) for row in self._select_full_rows(after, limit)]

    def read_full_events_at(self, positions: Sequence[int]) -> list[FullEvent]:
        """The events at these positions, as they are now, in order of position."""
        return [parse_full_event(row, self.location) for row in self._select_full_rows_at(positions)]

    def read_secret(self) -> bytes:
        """The 32-byte key of `keyed_id`. Raises `StoreDamaged` if it is missing."""
        row = self._run_read(lambda connection: connection.execute("SELECT secret FROM secrets").fetchone())
        if row is None:
            raise StoreDamaged(f"The store {self.location} has lost its secret.")
        return bytes(row[0])

    def keyed_id(self, content: bytes) -> str:
        """A UUID for ``content``: always the same in this store, different in every other store.

        Nobody can find or check the content with it, as it depends on a secret in the store.
        """
        return derive_keyed_id(self.read_secret(), content)

    @abstractmethod
    def inspection(self) -> Inspection:
        """Access to the raw store, to verify it."""

    def wait_for_events(self, after: int, timeout: float) -> int:
        """Block until some position is above `after`, at most `timeout` seconds; returns the head then."""
        return poll_until_above(self.head, after, timeout)

    @abstractmethod
    def disk_usage(self) -> DiskUsage | None:
        """The store's size and the free space; None if it is not on a disk."""

    @abstractmethod
    def close(self) -> None:
        """Release all resources and wake all waiters with `StoreClosed`. Closing twice is harmless."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def _run_read(self, query: Callable[[Connection], Outcome], /) -> Outcome:
        """The result of a query function, run with a connection."""

    @abstractmethod
    def _merkle_tables(self, connection: Connection) -> MerkleTables:
        """The tables of the Merkle log, over that connection."""

    @abstractmethod
    def _select_stream(self, connection: Connection, stream: str) -> StreamInfo | None:
        """The stream, None if there is none."""

    @abstractmethod
    def _select_streams(
        self,
        connection: Connection,
        root: str | None,
        kind: str | None,
        after: str | None,
        limit: int,
        newest_first: bool,
    ) -> list[StreamInfo]:
        """See `list_streams`; the stream ``after`` exists."""

    @abstractmethod
    def _select_branches(self, connection: Connection, after: int, limit: int) -> list[tuple[int, str]]:
        """See `list_branches`."""

    @abstractmethod
    def _find_stored_events(
        self, connection: Connection, root: str, event_ids: Collection[str]
    ) -> dict[str, EventWithDigest]:
        """See `find_events`; an event that has no position yet has position 0."""

    @abstractmethod
    def _select_stream_rows(self, stream: str, after: int, limit: int) -> Sequence[EventRow]:
        """The rows of a stream's events after a version, in order. Raises `UnknownStream`."""

    @abstractmethod
    def _select_log_rows(self, after: int, limit: int) -> Sequence[EventRow]:
        """The rows of the events after a position, in order."""

    @abstractmethod
    def _select_full_rows(self, after: int, limit: int) -> Sequence[EventRow]:
        """As `_select_log_rows`, for `parse_full_event`."""

    @abstractmethod
    def _select_full_rows_at(self, positions: Sequence[int]) -> Sequence[EventRow]:
        """The rows of the events at these positions, for `parse_full_event`."""


class CopyTarget(ABC):
    """A store that is written as an exact copy of another. Nobody else writes to it meanwhile."""

    def __init__(self, store: EventReader) -> None:
        self.store = store

    @abstractmethod
    def replace_secret(self, secret: bytes) -> None:
        """Replace the secret of an empty store by the original's."""

    @abstractmethod
    def add_events(self, events: Sequence[FullEvent], erased: Sequence[FullEvent]) -> None:
        """Atomically add events after the last one, at their original positions, and replace the contents of
        the ``erased`` ones that are already there.

        Raises `CopyDiverged` if others have written to the store.
        """

    def _build_changed_error(self) -> CopyDiverged:
        return CopyDiverged(
            f"Another program writes to the store {self.store.location} during the copy, so it is no "
            "longer a copy. Choose an empty store."
        )


class EventStore(EventReader):
    """A store that can be read and appended to."""

    has_other_writers: bool
    """Whether other processes may write to the store too."""

    _notifier: CommitNotifier

    @property
    def projections(self) -> ProjectionStore:
        """See `EventReader.projections`; these can also be written."""
        return ProjectionStore(self._dialect, self._run_read, self._run_in_transaction)

    @abstractmethod
    def append(self, root: str, appends: Sequence[StreamAppend]) -> list[AppendResult]:
        """Append to several streams of one root in one step: all of it is durable on return, or none is
        stored.

        Ids are checked before versions. An id that is stored with the same writer's body is a repeat: the
        stored event is returned and nothing is written. If only the first of `events` are stored, the rest is
        appended, provided that `expected_version` is the current version or the version before the batch.
        Results are in the order of `appends`.

        Raises `IdConflict` (an id that is stored with another body or in another stream, follows a new event,
        or is used twice), `UnknownStream` (the stream does not exist and no kind is given), `StreamMismatch`,
        `StaleVersion`, `StreamFull`; `StoreUnavailable` if the outcome is unknown, so that the same may be
        appended again; `ValueError` if a stream is named twice.
        """

    @abstractmethod
    def erase(self, replacements: Mapping[str, Mapping[str, bytes]]) -> None:
        """Replace the bodies of events, by root and id, permanently and in one step.

        Places, ids, times and leaf hashes stay, and so does every proof. The erased contents are no longer in
        the store; a repeat of such an event raises `IdConflict`. The caller ensures that a replacement has
        the same `id`, `seq` and `stored_at`, and that nothing in memory keeps the old body. The erasure is
        recorded as an event of the store itself (`service.eventstore.erasure_log`). Repeating an erasure with
        the same bodies changes and records nothing.

        Raises `UnknownEvent` if an id is not stored in its root; then nothing is erased.
        """

    @abstractmethod
    def open_copy_target(self) -> AbstractContextManager[CopyTarget]:
        """This store as the target of a copy (`service.transparency.copy_store`).

        Raises `StoreUnavailable` if others write to it.
        """

    @abstractmethod
    def _run_in_transaction(self, action: Callable[[Connection], Outcome], /) -> Outcome:
        """Run an action in a transaction during which nobody else changes a projection."""

    def wait_for_events(self, after: int, timeout: float) -> int:
        """See `EventReader.wait_for_events`."""
        return self._notifier.wait_until_above(self.head, after, timeout)
