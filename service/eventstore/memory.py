"""A store that lives and dies with its process: the plainest form of the interface, for tests and trials."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self

from service.eventstore import append_plan
from service.eventstore.clock import utc_now
from service.eventstore.erasure_log import ERASURE_STREAM, build_erasure_append
from service.eventstore.errors import StoreClosed, UnknownEvent, UnknownStream
from service.eventstore.ids import derive_keyed_id, new_secret
from service.eventstore.interface import (
    BRANCH_FIELD,
    PAGE_SIZE,
    AppendResult,
    Clock,
    DiskUsage,
    SealedEvent,
    StoredEvent,
    StreamAppend,
    StreamInfo,
    validate_limit,
)
from service.eventstore.memory_projections import MemoryProjectionStore
from service.eventstore.merkle.leaves import compute_commitment
from service.eventstore.merkle.tiles import TILE_WIDTH
from service.eventstore.merkle.tree import root_of_leaves
from service.eventstore.stream_notifier import StreamNotifier


class MemoryStore:
    """Streams in dictionaries under one lock."""

    def __init__(self, clock: Clock = utc_now) -> None:
        self.warning: str | None = "Events are kept in memory only: they are gone when the program stops."
        self._clock = clock
        self._secret = new_secret()
        self._mutex = threading.RLock()
        self._log: list[StoredEvent] = []
        self._sealed_events: list[SealedEvent] = []
        self._subtrees: dict[tuple[int, int], bytes] = {}
        self._streams: dict[str, list[StoredEvent]] = {}
        self._labels: dict[str, tuple[str, str]] = {}
        self._events_by_id: dict[str, dict[str, append_plan.EventWithDigest]] = {}
        self._notifier = StreamNotifier()
        self._closed = False
        self.projections = MemoryProjectionStore(self._mutex, self._log, self._labels, self._require_open)

    def append(self, root: str, appends: Sequence[StreamAppend]) -> list[AppendResult]:
        """See `EventStore.append`."""
        append_plan.collect_event_ids(appends)
        with self._mutex:
            self._require_open()
            streams = {a.stream: self.stream_info(a.stream) for a in appends if a.stream in self._labels}
            plans = append_plan.plan_appends(
                root, appends, streams, self._events_by_id.get(root, {}), self._clock()
            )
            results = [self._write_plan(root, plan) for plan in plans]
        self._notifier.notify([plan.append.stream for plan in plans if plan.new_events])
        return results

    def _write_plan(self, root: str, plan: append_plan.AppendPlan) -> AppendResult:
        stream = plan.append.stream
        for entry in plan.new_events:
            if stream not in self._labels:
                self._labels[stream] = (root, plan.append.kind or "")
                self._streams[stream] = []
            position = len(self._log) + 1
            event = StoredEvent(
                position, root, stream, entry.seq, entry.event_id, entry.stored_at, entry.body
            )
            self._log.append(event)
            self._sealed_events.append(
                SealedEvent(event, entry.leaf_hash, compute_commitment(entry.salt, entry.body), entry.salt)
            )
            self._streams[stream].append(event)
            self._events_by_id.setdefault(root, {})[entry.event_id] = append_plan.EventWithDigest(
                event, entry.digest
            )
        events = self._streams.get(stream, [])
        return AppendResult(
            stream,
            len(events),
            (*plan.repeated_events, *events[plan.base_version :]),
            len(plan.repeated_events),
        )

    def keyed_id(self, content: bytes) -> str:
        """See `EventStore.keyed_id`."""
        return derive_keyed_id(self._secret, content)

    def read_stream(self, stream: str, after: int = 0, limit: int = PAGE_SIZE) -> list[StoredEvent]:
        """See `EventReader.read_stream`."""
        validate_limit(limit)
        with self._mutex:
            start = max(0, after)
            return self._stream_events(stream)[start : start + limit]

    def stream_version(self, stream: str) -> int:
        """See `EventReader.stream_version`."""
        with self._mutex:
            return len(self._stream_events(stream))

    def stream_info(self, stream: str) -> StreamInfo:
        """See `EventReader.stream_info`."""
        with self._mutex:
            version = self.stream_version(stream)
            root, kind = self._labels[stream]
            return StreamInfo(stream, root, kind, version)

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
        validate_limit(limit)
        with self._mutex:
            self._require_open()
            names = list(self._streams)[:: -1 if newest_first else 1]
            if after is not None:
                self._stream_events(after)
                names = names[names.index(after) + 1 :]
            found = [self.stream_info(name) for name in names]
            matching = [s for s in found if root in (None, s.root) and kind in (None, s.kind)]
            return matching[:limit]

    def list_branches(self, after: int = 0, limit: int = PAGE_SIZE) -> list[tuple[int, str]]:
        """See `EventReader.list_branches`."""
        validate_limit(limit)
        with self._mutex:
            self._require_open()
            first_events = [events[0] for events in self._streams.values() if events]
            found = [one for one in first_events if one.position > after and BRANCH_FIELD in one.body]
            return sorted((one.position, one.stream) for one in found)[:limit]

    def find_events(self, root: str, event_ids: Iterable[str]) -> dict[str, StoredEvent]:
        """See `EventReader.find_events`."""
        with self._mutex:
            self._require_open()
            known = self._events_by_id.get(root, {})
            return {event_id: known[event_id].event for event_id in event_ids if event_id in known}

    def read_all(self, after: int = 0, limit: int = PAGE_SIZE) -> list[StoredEvent]:
        """See `EventReader.read_all`."""
        validate_limit(limit)
        with self._mutex:
            self._require_open()
            start = max(0, after)
            return self._log[start : start + limit]

    def head(self) -> int:
        """See `EventReader.head`."""
        with self._mutex:
            self._require_open()
            return len(self._log)

    def erase(self, root: str, replacements: Mapping[str, bytes]) -> None:
        """See `EventStore.erase`."""
        self.erase_in_roots({root: replacements})

    def erase_in_roots(self, replacements: Mapping[str, Mapping[str, bytes]]) -> None:
        """See `EventStore.erase_in_roots`."""
        with self._mutex:
            self._require_open()
            for root, bodies in replacements.items():
                known = self._events_by_id.get(root, {})
                if missing := next((event_id for event_id in bodies if event_id not in known), None):
                    raise UnknownEvent(root, missing)
            erased = [
                one
                for root, bodies in replacements.items()
                for one in self._erase(self._events_by_id.get(root, {}), bodies)
            ]
            for root in {one.root for one in erased}:
                self.projections.discard_root(root)
            if erased:
                self.append(ERASURE_STREAM, [build_erasure_append(erased)])

    def _erase(
        self, known: dict[str, append_plan.EventWithDigest], bodies: Mapping[str, bytes]
    ) -> Iterator[StoredEvent]:
        for event_id, body in bodies.items():
            event = known[event_id].event._replace(body=body)
            index = event.position - 1
            if self._sealed_events[index].salt is None and self._log[index] == event:
                continue
            known[event_id] = append_plan.EventWithDigest(event, b"")
            self._log[index] = self._streams[event.stream][event.seq - 1] = event
            self._sealed_events[index] = self._sealed_events[index]._replace(event=event, salt=None)
            yield event

    def read_sealed_events(self, stream: str, after: int = 0, limit: int = PAGE_SIZE) -> list[SealedEvent]:
        """See `EventReader.read_sealed_events`."""
        with self._mutex:
            return [
                self._sealed_events[event.position - 1] for event in self.read_stream(stream, after, limit)
            ]

    def read_tile(self, level: int, number: int) -> list[bytes]:
        """See `EventReader.read_tile`."""
        with self._mutex:
            self._require_open()
            first = number * TILE_WIDTH
            if level == 0:
                return [sealed.leaf_hash for sealed in self._sealed_events[first : first + TILE_WIDTH]]
            last = min(first + TILE_WIDTH, len(self._sealed_events) // TILE_WIDTH**level)
            return [self._subtree(level, one) for one in range(first, last)]

    def _subtree(self, level: int, number: int) -> bytes:
        """The hash over a full tile, made when it is first asked for."""
        if (level, number) not in self._subtrees:
            self._subtrees[level, number] = root_of_leaves(self.read_tile(level - 1, number))
        return self._subtrees[level, number]

    def read_verified_leaves(self, after: int = 0, limit: int = PAGE_SIZE) -> list[tuple[int, bytes]]:
        """See `EventReader.read_verified_leaves`. In memory nothing is damaged: the stored hashes are
        right."""
        validate_limit(limit)
        with self._mutex:
            self._require_open()
            start = max(0, after)
            return [
                (sealed.event.position, sealed.leaf_hash)
                for sealed in self._sealed_events[start : start + limit]
            ]

    def wait_for_events(self, after: int, timeout: float) -> int:
        """See `EventReader.wait_for_events`."""
        return self._notifier.wait_until_above(None, self.head, after, timeout)

    def wait_for_stream(self, stream: str, after: int, timeout: float) -> int:
        """See `EventReader.wait_for_stream`."""
        return self._notifier.wait_until_above(stream, lambda: self.stream_version(stream), after, timeout)

    def disk_usage(self) -> DiskUsage | None:
        """See `EventReader.disk_usage`."""
        with self._mutex:
            self._require_open()
            return None

    def close(self) -> None:
        """See `EventReader.close`."""
        self._closed = True
        self._notifier.notify_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _stream_events(self, stream: str) -> list[StoredEvent]:
        self._require_open()
        try:
            return self._streams[stream]
        except KeyError:
            raise UnknownStream(stream) from None

    def _require_open(self) -> None:
        if self._closed:
            raise StoreClosed("This store is closed.")
