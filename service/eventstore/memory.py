"""A store that lives and dies with its process: the plainest form of the interface, for tests and trials."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self

from service.eventstore import appending
from service.eventstore.clock import utc_now
from service.eventstore.erasing import STREAM, entries_of
from service.eventstore.errors import StoreClosed, UnknownEvent, UnknownStream
from service.eventstore.ids import new_secret, secret_id
from service.eventstore.interface import (
    BRANCH,
    PAGE,
    Append,
    Appended,
    Clock,
    Room,
    Sealed,
    StoredEvent,
    StreamInfo,
    checked_limit,
)
from service.eventstore.memory_projections import MemoryProjections
from service.eventstore.merkle.leaves import commitment
from service.eventstore.merkle.tiles import WIDTH
from service.eventstore.merkle.tree import root_of
from service.eventstore.waiting import Wakeups


class MemoryStore:
    """Streams in dictionaries under one lock."""

    def __init__(self, clock: Clock = utc_now) -> None:
        self.notice: str | None = "Events are kept in memory only: they are gone when the program stops."
        self._clock = clock
        self._secret = new_secret()
        self._mutex = threading.RLock()
        self._log: list[StoredEvent] = []
        self._seals: list[Sealed] = []
        self._subtrees: dict[tuple[int, int], bytes] = {}
        self._streams: dict[str, list[StoredEvent]] = {}
        self._labels: dict[str, tuple[str, str]] = {}
        self._remembered: dict[str, dict[str, appending.Remembered]] = {}
        self._wakeups = Wakeups()
        self._closed = False
        self.projections = MemoryProjections(self._mutex, self._log, self._labels, self._require_open)

    def append(self, root: str, appends: Sequence[Append]) -> list[Appended]:
        """See `EventStore.append`."""
        appending.event_ids(appends)
        with self._mutex:
            self._require_open()
            known = {a.stream: self.describe(a.stream) for a in appends if a.stream in self._labels}
            plans = appending.plan(root, appends, known, self._remembered.get(root, {}), self._clock())
            answers = [self._write(root, plan) for plan in plans]
        self._wakeups.announce([plan.append.stream for plan in plans if plan.entries])
        return answers

    def _write(self, root: str, plan: appending.Plan) -> Appended:
        stream = plan.append.stream
        for entry in plan.entries:
            if stream not in self._labels:
                self._labels[stream] = (root, plan.append.kind or "")
                self._streams[stream] = []
            position = len(self._log) + 1
            event = StoredEvent(
                position, root, stream, entry.seq, entry.event_id, entry.stored_at, entry.body
            )
            self._log.append(event)
            self._seals.append(Sealed(event, entry.leaf, commitment(entry.salt, entry.body), entry.salt))
            self._streams[stream].append(event)
            self._remembered.setdefault(root, {})[entry.event_id] = appending.Remembered(event, entry.digest)
        events = self._streams.get(stream, [])
        return Appended(stream, len(events), (*plan.stored, *events[plan.version :]), len(plan.stored))

    def derived_id(self, said: bytes) -> str:
        """See `EventStore.derived_id`."""
        return secret_id(self._secret, said)

    def read(self, stream: str, after: int = 0, limit: int = PAGE) -> list[StoredEvent]:
        """See `EventReader.read`."""
        checked_limit(limit)
        with self._mutex:
            start = max(0, after)
            return self._events(stream)[start : start + limit]

    def version(self, stream: str) -> int:
        """See `EventReader.version`."""
        with self._mutex:
            return len(self._events(stream))

    def describe(self, stream: str) -> StreamInfo:
        """See `EventReader.describe`."""
        with self._mutex:
            version = self.version(stream)
            root, kind = self._labels[stream]
            return StreamInfo(stream, root, kind, version)

    def streams(
        self,
        root: str | None = None,
        kind: str | None = None,
        after: str | None = None,
        limit: int = PAGE,
        *,
        backwards: bool = False,
    ) -> list[StreamInfo]:
        """See `EventReader.streams`."""
        checked_limit(limit)
        with self._mutex:
            self._require_open()
            names = list(self._streams)[:: -1 if backwards else 1]
            if after is not None:
                self._events(after)
                names = names[names.index(after) + 1 :]
            found = [self.describe(name) for name in names]
            fitting = [s for s in found if root in (None, s.root) and kind in (None, s.kind)]
            return fitting[:limit]

    def branches(self, after: int = 0, limit: int = PAGE) -> list[tuple[int, str]]:
        """See `EventReader.branches`."""
        checked_limit(limit)
        with self._mutex:
            self._require_open()
            beginnings = [events[0] for events in self._streams.values() if events]
            found = [one for one in beginnings if one.position > after and BRANCH in one.body]
            return sorted((one.position, one.stream) for one in found)[:limit]

    def find(self, root: str, event_ids: Iterable[str]) -> dict[str, StoredEvent]:
        """See `EventReader.find`."""
        with self._mutex:
            self._require_open()
            known = self._remembered.get(root, {})
            return {event_id: known[event_id].event for event_id in event_ids if event_id in known}

    def follow(self, after: int = 0, limit: int = PAGE) -> list[StoredEvent]:
        """See `EventReader.follow`."""
        checked_limit(limit)
        with self._mutex:
            self._require_open()
            start = max(0, after)
            return self._log[start : start + limit]

    def head(self) -> int:
        """See `EventReader.head`."""
        with self._mutex:
            self._require_open()
            return len(self._log)

    def erase(self, root: str, bodies: Mapping[str, bytes]) -> None:
        """See `EventStore.erase`."""
        self.erase_all({root: bodies})

    def erase_all(self, bodies: Mapping[str, Mapping[str, bytes]]) -> None:
        """See `EventStore.erase_all`."""
        with self._mutex:
            self._require_open()
            for root, here in bodies.items():
                known = self._remembered.get(root, {})
                if missing := next((event_id for event_id in here if event_id not in known), None):
                    raise UnknownEvent(root, missing)
            erased = [
                one
                for root, here in bodies.items()
                for one in self._erase(self._remembered.get(root, {}), here)
            ]
            for root in {one.root for one in erased}:
                self.projections.erased(root)
            if erased:
                self.append(STREAM, [entries_of(erased)])

    def _erase(
        self, known: dict[str, appending.Remembered], bodies: Mapping[str, bytes]
    ) -> Iterator[StoredEvent]:
        for event_id, body in bodies.items():
            event = known[event_id].event._replace(body=body)
            place = event.position - 1
            if self._seals[place].salt is None and self._log[place] == event:
                continue
            known[event_id] = appending.Remembered(event, b"")
            self._log[place] = self._streams[event.stream][event.seq - 1] = event
            self._seals[place] = self._seals[place]._replace(event=event, salt=None)
            yield event

    def sealed(self, stream: str, after: int = 0, limit: int = PAGE) -> list[Sealed]:
        """See `EventReader.sealed`."""
        with self._mutex:
            return [self._seals[event.position - 1] for event in self.read(stream, after, limit)]

    def tile(self, level: int, number: int) -> list[bytes]:
        """See `EventReader.tile`."""
        with self._mutex:
            self._require_open()
            first = number * WIDTH
            if level == 0:
                return [seal.leaf for seal in self._seals[first : first + WIDTH]]
            last = min(first + WIDTH, len(self._seals) // WIDTH**level)
            return [self._subtree(level, one) for one in range(first, last)]

    def _subtree(self, level: int, number: int) -> bytes:
        """The hash over a full tile, made when it is first asked for."""
        if (level, number) not in self._subtrees:
            self._subtrees[level, number] = root_of(self.tile(level - 1, number))
        return self._subtrees[level, number]

    def checked_leaves(self, after: int = 0, limit: int = PAGE) -> list[tuple[int, bytes]]:
        """See `EventReader.checked_leaves`. In memory nothing is damaged: the stored hashes are right."""
        checked_limit(limit)
        with self._mutex:
            self._require_open()
            start = max(0, after)
            return [(seal.event.position, seal.leaf) for seal in self._seals[start : start + limit]]

    def wait(self, after: int, timeout: float) -> int:
        """See `EventReader.wait`."""
        return self._wakeups.until(None, self.head, after, timeout)

    def wait_for(self, stream: str, after: int, timeout: float) -> int:
        """See `EventReader.wait_for`."""
        return self._wakeups.until(stream, lambda: self.version(stream), after, timeout)

    def room(self) -> Room | None:
        """See `EventReader.room`."""
        with self._mutex:
            self._require_open()
            return None

    def close(self) -> None:
        """See `EventReader.close`."""
        self._closed = True
        self._wakeups.announce_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _events(self, stream: str) -> list[StoredEvent]:
        self._require_open()
        try:
            return self._streams[stream]
        except KeyError:
            raise UnknownStream(stream) from None

    def _require_open(self) -> None:
        if self._closed:
            raise StoreClosed("This store is closed.")
