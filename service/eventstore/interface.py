"""What every event store does. The kinds of stores add how they select and write the rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

from service.eventstore.errors import CopyDiverged
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
from service.eventstore.projections import ProjectionReader, ProjectionStore
from service.eventstore.stream_notifier import StreamNotifier, poll_until_above
from service.eventstore.verified_rows import (
    EventRow,
    parse_events,
    parse_full_event,
    parse_sealed_event,
    require_no_gap,
)


class EventReader(ABC):
    """The reading half of a store. All methods may be called from any thread.

    Each raises `StoreClosed` after `close`, `StoreUnavailable` or `StoreDamaged` where the disk or file
    fails, and `ValueError` for a limit below 1.
    """

    warning: str | None = None
    """One sentence for the log where the store runs in a lesser way than it could, else None."""

    location: object
    """What people are told of where the store is."""

    @property
    @abstractmethod
    def projections(self) -> ProjectionReader:
        """What was made of the events and is kept beside them."""

    def read_stream(self, stream: str, after: int = 0, limit: int = PAGE_SIZE) -> list[StoredEvent]:
        """The stream's events with a seq above `after`, in order, at most `limit`. Raises `UnknownStream`."""
        rows = self._select_stream_rows(stream, after, validate_limit(limit))
        events = parse_events(rows, self.location)
        require_no_gap(events, after, stream, self.location)
        return events

    def stream_version(self, stream: str) -> int:
        """The stream's number of events. Raises `UnknownStream`."""
        return self.stream_info(stream).version

    @abstractmethod
    def stream_info(self, stream: str) -> StreamInfo:
        """The stream's root, kind and version. Raises `UnknownStream`."""

    @abstractmethod
    def list_streams(
        self,
        root: str | None = None,
        kind: str | None = None,
        after: str | None = None,
        limit: int = PAGE_SIZE,
        *,
        newest_first: bool = False,
    ) -> list[StreamInfo]:
        """Streams in the order they were made, at most `limit`, from the one after stream `after` on.

        ``newest_first`` the latest is the first, and ``after`` the one that was made later. Only those of
        `root` and of `kind`, where given. Raises `UnknownStream` where `after` is not in the store.
        """

    @abstractmethod
    def list_branches(self, after: int = 0, limit: int = PAGE_SIZE) -> list[tuple[int, str]]:
        """Streams whose first event has `BRANCH_FIELD` in its body and a position above `after`, with that
        position and in its order, at most `limit`.

        They are found without reading the others: of millions of records few leave another.
        """

    @abstractmethod
    def find_events(self, root: str, event_ids: Collection[str]) -> dict[str, StoredEvent]:
        """Those of the ids that are stored in `root`, each with its event. An unknown root has none."""

    def read_all(self, after: int = 0, limit: int = PAGE_SIZE) -> list[StoredEvent]:
        """Events of all streams with a position above `after`, in order of position, at most `limit`.

        Who goes on from the last position never misses an event: none appears later at a lower position.
        Positions grow, with or without gaps.
        """
        return parse_events(self._select_log_rows(after, validate_limit(limit)), self.location)

    @abstractmethod
    def head(self) -> int:
        """The position of the newest event, 0 in an empty store."""

    def read_sealed_events(self, stream: str, after: int = 0, limit: int = PAGE_SIZE) -> list[SealedEvent]:
        """As `read_stream`, each event with what proves it. Raises `UnknownStream`."""
        rows = self._select_stream_rows(stream, after, validate_limit(limit))
        sealed = [parse_sealed_event(row, self.location) for row in rows]
        require_no_gap([one.event for one in sealed], after, stream, self.location)
        return sealed

    @abstractmethod
    def read_tile(self, level: int, number: int) -> list[bytes]:
        """Hashes of the Merkle log: of the complete subtrees of `256**level` leaves those from
        `number * 256` on, as many as there are, 256 at most. See `service.eventstore.merkle.tiles`.
        """

    def read_verified_leaves(self, after: int = 0, limit: int = PAGE_SIZE) -> list[tuple[int, bytes]]:
        """The positions above `after` that have an event, in order, at most `limit`, with their leaf hashes.

        Each hash is computed from what the event says now. Raises `StoreDamaged` where it is another than
        the stored one.
        """
        rows = self._select_log_rows(after, validate_limit(limit))
        sealed = [parse_sealed_event(row, self.location) for row in rows]
        return [(one.event.position, one.leaf_hash) for one in sealed]

    def read_full_events(self, after: int, limit: int) -> list[FullEvent]:
        """As `read_all`, each event with all that a copy of the store needs of it."""
        return [parse_full_event(row, self.location) for row in self._select_full_rows(after, limit)]

    def read_full_events_at(self, positions: Sequence[int]) -> list[FullEvent]:
        """The events at these positions, as they are now, in order."""
        return [parse_full_event(row, self.location) for row in self._select_full_rows_at(positions)]

    @abstractmethod
    def read_secret(self) -> bytes:
        """The 32 bytes by which `keyed_id` is derived. Raises `StoreDamaged` where they are lost."""

    def keyed_id(self, content: bytes) -> str:
        """A UUID that this store gives to ``content``, the same every time, and no other store.

        What was said cannot be found or checked by it: it depends on a secret that the store keeps.
        """
        return derive_keyed_id(self.read_secret(), content)

    @abstractmethod
    def inspection(self) -> Inspection:
        """A look at the store without trust, to verify it."""

    def wait_for_events(self, after: int, timeout: float) -> int:
        """Block until some position is above `after`, at most `timeout` seconds; the head then."""
        return poll_until_above(self.head, after, timeout)

    def wait_for_stream(self, stream: str, after: int, timeout: float) -> int:
        """Block until the stream's version is above `after`, at most `timeout` seconds; the version then.

        Raises `UnknownStream`.
        """
        return poll_until_above(lambda: self.stream_version(stream), after, timeout)

    @abstractmethod
    def disk_usage(self) -> DiskUsage | None:
        """What the store takes and what is left for it; None where it is not on a disk."""

    @abstractmethod
    def close(self) -> None:
        """Let go of everything; whoever waits is woken with `StoreClosed`. Closing twice is harmless."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def _select_stream_rows(self, stream: str, after: int, limit: int) -> Sequence[EventRow]:
        """The rows of a stream's events behind a version, in order. Raises `UnknownStream`."""

    @abstractmethod
    def _select_log_rows(self, after: int, limit: int) -> Sequence[EventRow]:
        """The rows of the events behind a position, in order."""

    @abstractmethod
    def _select_full_rows(self, after: int, limit: int) -> Sequence[EventRow]:
        """As `_select_log_rows`, for `parse_full_event`."""

    @abstractmethod
    def _select_full_rows_at(self, positions: Sequence[int]) -> Sequence[EventRow]:
        """The rows of the events at these positions, for `parse_full_event`."""


class CopyTarget(ABC):
    """A store that is written as a copy of another, to the byte. Nobody else writes to it meanwhile."""

    def __init__(self, store: EventReader) -> None:
        self.store = store

    @abstractmethod
    def replace_secret(self, secret: bytes) -> None:
        """Keep the original's secret instead of one's own, as an empty store may."""

    @abstractmethod
    def add_events(self, events: Sequence[FullEvent], erased: Sequence[FullEvent]) -> None:
        """Add the events behind the last one, at their positions, all of them or none; and put what stands in
        the place of ``erased`` ones, which are there already, in their place.

        Raises `CopyDiverged` where others have written to it.
        """

    def _build_changed_error(self) -> CopyDiverged:
        return CopyDiverged(
            f"Others write to the store {self.store.location}, into which is copied: it is no copy any more. "
            f"Choose an empty one."
        )


class EventStore(EventReader):
    """A store that can be read and appended to."""

    _notifier: StreamNotifier

    @property
    @abstractmethod
    def projections(self) -> ProjectionStore:
        """See `EventReader.projections`; here they can be made, too."""

    @abstractmethod
    def append(self, root: str, appends: Sequence[StreamAppend]) -> list[AppendResult]:
        """Append to several streams of one root in one step: all of it is durable on return, or none is
        stored.

        Ids are looked at before versions. An id that is stored with the same writer's body is a repeat: the
        stored event is returned and nothing written. Where only the beginning of `events` is stored the
        rest is appended, if `expected_version` is the current version or the one from which the batch began.
        Answers come in the order of `appends`.

        Raises `IdConflict` (an id stored with another body, in another stream, behind an event that is new,
        or used twice), `UnknownStream` (to be made without a kind), `StreamMismatch`, `StaleVersion`,
        `StreamFull`; `StoreUnavailable` where the outcome is unknown, so that the same may be appended again;
        `ValueError` where a stream is named twice.
        """

    def erase(self, root: str, replacements: Mapping[str, bytes]) -> None:
        """Put other bodies in the place of those of events of `root`, by their ids, for good.

        Where they stand, their ids, their moments and their leaf hashes stay, and so every proof. What was
        erased is not in the store any more; a repeat of such an event is met as an `IdConflict`. The caller
        sees to it that a body that is put in has the same `id`, `seq` and `stored_at`, and that nothing in
        memory keeps the old one. The erasure is recorded as an event of the store's own
        (`service.eventstore.erasure_log`); the same bodies once more change nothing, and are not recorded.

        Raises `UnknownEvent` where an id is not stored in the root; then nothing is erased.
        """
        self.erase_in_roots({root: replacements})

    @abstractmethod
    def erase_in_roots(self, replacements: Mapping[str, Mapping[str, bytes]]) -> None:
        """As `erase`, in several roots in one step: ``replacements`` has for each root what it has there."""

    @abstractmethod
    def open_copy_target(self) -> AbstractContextManager[CopyTarget]:
        """The store as one into which another is copied (`service.transparency.copy_store`).

        Raises `StoreUnavailable` where others write to it.
        """

    def wait_for_events(self, after: int, timeout: float) -> int:
        """See `EventReader.wait_for_events`."""
        return self._notifier.wait_until_above(None, self.head, after, timeout)

    def wait_for_stream(self, stream: str, after: int, timeout: float) -> int:
        """See `EventReader.wait_for_stream`."""
        return self._notifier.wait_until_above(stream, lambda: self.stream_version(stream), after, timeout)
