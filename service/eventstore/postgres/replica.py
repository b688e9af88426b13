"""A standby beside the store: it answers what may be a moment old, and the store what it cannot answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Final, Protocol, Self, TypeVar

import structlog

from service.eventstore.errors import Behind, StoreClosed, StoreError, StoreUnavailable, UnknownStream
from service.eventstore.interface import (
    PAGE,
    Append,
    Appended,
    EventReader,
    EventStore,
    Room,
    Sealed,
    StoredEvent,
    StreamInfo,
)
from service.eventstore.projecting import (
    Changed,
    Due,
    Kept,
    Made,
    Progress,
    Projected,
    Projections,
    Refused,
    Tagged,
)

if TYPE_CHECKING:
    from service.eventstore.postgres.store import PostgresReader

LOOKS_EVERY: Final = 0.5
"""Seconds between two looks whether a standby that was away is there again."""

Told = TypeVar("Told")
_log = structlog.get_logger()


class Standby:
    """A copy of a store that a standby has. While it is away, nobody waits for it.

    ``open_copy`` opens it. Raises as that does, but for `StoreUnavailable`: it is tried again until `close`.
    """

    def __init__(self, open_copy: Callable[[], PostgresReader]) -> None:
        self._open_copy = open_copy
        self._copy: PostgresReader | None = None
        self._is_there = threading.Event()
        self._ended = threading.Event()
        try:
            self._look()
        except StoreUnavailable as error:
            _log.warning("standby", said=str(error))
        self._thread = threading.Thread(target=self._look_after, name="standby", daemon=True)
        self._thread.start()

    def reaching(self, position: int) -> EventReader | None:
        """The copy, which raises `Behind` where it lacks that position; None while it is away."""
        copy = self._copy
        return copy.reaching(position) if copy is not None and self._is_there.is_set() else None

    def went_away(self, error: StoreError) -> None:
        """Ask it no more until it answers again."""
        if self._is_there.is_set():
            self._is_there.clear()
            _log.warning("standby", said=str(error))

    def wait(self, timeout: float) -> bool:
        """Whether it is there, or comes within so many seconds."""
        return self._is_there.wait(timeout)

    def close(self) -> None:
        """Let go of it. Twice is harmless."""
        self._ended.set()
        self._thread.join()
        if self._copy is not None:
            self._copy.close()

    def _look(self) -> None:
        if self._copy is None:
            self._copy = self._open_copy()
        self._copy.head()
        self._is_there.set()

    def _look_after(self) -> None:
        while not self._ended.wait(LOOKS_EVERY):
            if not self._is_there.is_set():
                try:
                    self._look()
                except StoreError:
                    continue


class BesideStandby:
    """A store as one request reads it: from a standby as long as that will do, else from the store itself.

    What was once read from the store is not read from the standby after it, which may be older: so what is
    told does not go back. What proves events, and whatever is written, is the store's. An `EventStore`; made
    for one request, and not kept.
    """

    def __init__(self, store: EventStore, standby: Standby, position: int) -> None:
        self._store, self._standby = store, standby
        self._copy = standby.reaching(position)
        self.notice = store.notice

    def _asked(self, ask: Callable[[EventReader], Told]) -> Told:
        copy = self._copy
        if copy is not None:
            try:
                return ask(copy)
            except (Behind, UnknownStream, StoreClosed):
                pass  # what it does not know yet may be there all the same
            except StoreUnavailable as error:
                self._standby.went_away(error)
            self._copy = None
        return ask(self._store)

    # What a standby may answer

    def read(self, stream: str, after: int = 0, limit: int = PAGE) -> list[StoredEvent]:
        """See `EventReader.read`."""
        return self._asked(lambda one: one.read(stream, after, limit))

    def version(self, stream: str) -> int:
        """See `EventReader.version`."""
        return self._asked(lambda one: one.version(stream))

    def describe(self, stream: str) -> StreamInfo:
        """See `EventReader.describe`."""
        return self._asked(lambda one: one.describe(stream))

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
        return self._asked(lambda one: one.streams(root, kind, after, limit, backwards=backwards))

    def branches(self, after: int = 0, limit: int = PAGE) -> list[tuple[int, str]]:
        """See `EventReader.branches`."""
        return self._asked(lambda one: one.branches(after, limit))

    def find(self, root: str, event_ids: Iterable[str]) -> dict[str, StoredEvent]:
        """See `EventReader.find`."""
        wanted = list(event_ids)
        return self._asked(lambda one: one.find(root, wanted))

    def follow(self, after: int = 0, limit: int = PAGE) -> list[StoredEvent]:
        """See `EventReader.follow`."""
        return self._asked(lambda one: one.follow(after, limit))

    def head(self) -> int:
        """See `EventReader.head`."""
        return self._asked(lambda one: one.head())

    @property
    def projections(self) -> Projections:
        """See `EventReader.projections`: they are read where everything else is."""
        return _ProjectionsBeside(self._store, self._asked)

    # What is the store's

    def sealed(self, stream: str, after: int = 0, limit: int = PAGE) -> list[Sealed]:
        """See `EventReader.sealed`."""
        return self._store.sealed(stream, after, limit)

    def tile(self, level: int, number: int) -> list[bytes]:
        """See `EventReader.tile`."""
        return self._store.tile(level, number)

    def checked_leaves(self, after: int = 0, limit: int = PAGE) -> list[tuple[int, bytes]]:
        """See `EventReader.checked_leaves`."""
        return self._store.checked_leaves(after, limit)

    def wait(self, after: int, timeout: float) -> int:
        """See `EventReader.wait`."""
        return self._store.wait(after, timeout)

    def wait_for(self, stream: str, after: int, timeout: float) -> int:
        """See `EventReader.wait_for`."""
        return self._store.wait_for(stream, after, timeout)

    def room(self) -> Room | None:
        """See `EventReader.room`."""
        return self._store.room()

    def append(self, root: str, appends: Sequence[Append]) -> list[Appended]:
        """See `EventStore.append`."""
        return self._store.append(root, appends)

    def derived_id(self, said: bytes) -> str:
        """See `EventStore.derived_id`."""
        return self._store.derived_id(said)

    def erase(self, root: str, bodies: Mapping[str, bytes]) -> None:
        """See `EventStore.erase`."""
        self._store.erase(root, bodies)

    def erase_all(self, bodies: Mapping[str, Mapping[str, bytes]]) -> None:
        """See `EventStore.erase_all`."""
        self._store.erase_all(bodies)

    def close(self) -> None:
        """Nothing: whoever opened the store and the standby closes them."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Asked(Protocol):
    """What asks a standby, or else the store."""

    def __call__(self, ask: Callable[[EventReader], Told], /) -> Told:
        """What ``ask`` is told."""
        ...


class _ProjectionsBeside:
    """Projections as a standby tells them, and as the store keeps them."""

    def __init__(self, store: EventStore, asked: _Asked) -> None:
        self._store, self._asked = store, asked

    def progress(self, name: str) -> Progress | None:
        """See `ProjectionReader.progress`."""
        return self._asked(lambda one: one.projections.progress(name))

    def projected(
        self,
        name: str,
        first: str | None = None,
        last: str | None = None,
        tag: str | None = None,
        roots: Collection[str] | None = None,
    ) -> Kept[Projected]:
        """See `ProjectionReader.projected`."""
        return self._asked(lambda one: one.projections.projected(name, first, last, tag, roots))

    def places(self, name: str) -> Kept[tuple[str, str | None]]:
        """See `ProjectionReader.places`."""
        return self._asked(lambda one: one.projections.places(name))

    def changed(self, after: int, limit: int) -> Changed:
        """See `ProjectionReader.changed`."""
        return self._asked(lambda one: one.projections.changed(after, limit))

    def tagged(self, name: str, roots: Collection[str]) -> list[Tagged]:
        """See `ProjectionReader.tagged`."""
        return self._asked(lambda one: one.projections.tagged(name, roots))

    def claim(
        self, name: str, maker: str, holder: str, seconds: float, again: bool = False
    ) -> Progress | Refused:
        """See `Projections.claim`."""
        return self._store.projections.claim(name, maker, holder, seconds, again)

    def note(
        self, name: str, after: int, position: int, roots: Iterable[str], tag: str | None = None
    ) -> bool:
        """See `Projections.note`."""
        return self._store.projections.note(name, after, position, roots, tag)

    def due(self, name: str, upto: int, limit: int) -> list[Due]:
        """See `Projections.due`."""
        return self._store.projections.due(name, upto, limit)

    def keep(self, name: str, made: Sequence[Made]) -> None:
        """See `Projections.keep`."""
        self._store.projections.keep(name, made)

    def rewind(self, name: str, position: int, maker: str) -> None:
        """See `Projections.rewind`."""
        self._store.projections.rewind(name, position, maker)
