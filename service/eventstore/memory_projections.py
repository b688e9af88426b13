"""Projections of a store in memory: see `service.eventstore.projection_interface`."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from service.eventstore.interface import StoredEvent
from service.eventstore.projection_interface import (
    ChangedRoots,
    ClaimRefusal,
    PendingRoot,
    ProjectionProgress,
    ProjectionRow,
    ProjectionRows,
    ProjectionUpdate,
    TaggedProjectionRow,
)
from service.eventstore.projection_state import (
    ProjectionState,
    advance_state,
    claim_state,
    initial_state,
    rewind_state,
)

StreamLabels = Mapping[str, tuple[str, str]]
"""The root and the kind of each stream."""


@dataclass
class _Row:
    noted_position: int
    generation: int = -1
    is_pending: bool = True
    sort_key: str | None = None
    body: bytes | None = None
    tags: frozenset[str] = frozenset()

    def mark_pending(self) -> None:
        self.generation += 1
        self.is_pending, self.body = True, None


@dataclass
class _Projection:
    state: ProjectionState
    holder: str | None = None
    lease_until: float = 0.0
    rows: dict[str, _Row] = field(default_factory=dict)


class MemoryProjectionStore:
    """Projections in dictionaries, under the lock of the store whose ``log`` and ``stream_labels`` these are.

    ``require_open`` raises where the store is closed.
    """

    def __init__(
        self,
        mutex: AbstractContextManager[object],
        log: Sequence[StoredEvent],
        stream_labels: StreamLabels,
        require_open: Callable[[], None],
    ) -> None:
        self._mutex, self._log, self._labels, self._require_open = mutex, log, stream_labels, require_open
        self._all: dict[str, _Projection] = {}

    def read_progress(self, name: str) -> ProjectionProgress | None:
        """See `ProjectionReader.read_progress`."""
        with self._lock_open_store():
            found = self._all.get(name)
            return found.state.verified_progress(name, len(self._log)) if found else None

    def read_projection_rows(
        self,
        name: str,
        first: str | None = None,
        last: str | None = None,
        tag: str | None = None,
        roots: Collection[str] | None = None,
    ) -> ProjectionRows[ProjectionRow]:
        """See `ProjectionReader.read_projection_rows`."""

        def matches(row: _Row) -> bool:
            is_in_range = row.sort_key is None or (
                (first or "") <= row.sort_key and (last is None or row.sort_key <= last)
            )
            return is_in_range and (tag is None or row.body is None or tag in row.tags)

        with self._lock_open_store():
            rows = self._rows(name).items()
            found = [(root, row) for root, row in rows if roots is None or root in roots]
            matching_rows = [
                ProjectionRow(root, row.sort_key, row.body) for root, row in found if matches(row)
            ]
            return ProjectionRows(self.read_progress(name), matching_rows)

    def list_sort_keys(self, name: str) -> ProjectionRows[tuple[str, str | None]]:
        """See `ProjectionReader.list_sort_keys`."""
        with self._lock_open_store():
            return ProjectionRows(
                self.read_progress(name), [(root, row.sort_key) for root, row in self._rows(name).items()]
            )

    def read_tagged_rows(self, name: str, roots: Collection[str]) -> list[TaggedProjectionRow]:
        """See `ProjectionReader.read_tagged_rows`."""
        with self._lock_open_store():
            found = [(root, row) for root, row in self._rows(name).items() if root in roots]
            return [
                TaggedProjectionRow(ProjectionRow(root, row.sort_key, row.body), row.tags)
                for root, row in found
            ]

    def list_changed_roots(self, after: int, limit: int) -> ChangedRoots:
        """See `ProjectionReader.list_changed_roots`."""
        with self._lock_open_store():
            up_to = min(after + limit, len(self._log))
            roots = dict.fromkeys(event.root for event in self._log[after:up_to])
            return ChangedRoots(
                max(after, up_to), {root: self._labels.get(root, ("", ""))[1] for root in roots}
            )

    def claim(
        self, name: str, builder: str, holder: str, lease_seconds: float, allow_superseded: bool = False
    ) -> ProjectionProgress | ClaimRefusal:
        """See `ProjectionStore.claim`."""
        with self._lock_open_store():
            projection = self._all.setdefault(name, _Projection(initial_state(name, builder)))
            previous, now = projection.state, time.monotonic()
            is_free = projection.holder in (None, holder) or projection.lease_until <= now
            claimed = claim_state(name, previous, len(self._log), builder, is_free, allow_superseded)
            if isinstance(claimed, ClaimRefusal):
                return claimed
            projection.state, projection.holder, projection.lease_until = claimed, holder, now + lease_seconds
            if claimed.builder != previous.builder:
                for row in projection.rows.values():
                    row.mark_pending()
            return ProjectionProgress(claimed.builder, claimed.position)

    def advance(
        self, name: str, after: int, position: int, roots: Iterable[str], tag: str | None = None
    ) -> bool:
        """See `ProjectionStore.advance`."""
        with self._lock_open_store():
            projection = self._all.get(name)
            if projection is None or projection.state.position != after:
                return False
            projection.state = advance_state(name, projection.state, position)
            tagged = [
                root
                for root, row in projection.rows.items()
                if tag is not None and (row.is_pending or tag in row.tags)
            ]
            for root in (*roots, *tagged):
                row = projection.rows.setdefault(root, _Row(position))
                row.noted_position = position
                row.mark_pending()
            return True

    def list_pending_roots(self, name: str, up_to: int, limit: int) -> list[PendingRoot]:
        """See `ProjectionStore.list_pending_roots`."""
        with self._lock_open_store():
            found = [
                (row.noted_position, root, row.generation)
                for root, row in self._rows(name).items()
                if row.is_pending
            ]
            latest = sorted((one for one in found if one[0] <= up_to), reverse=True)
            return [PendingRoot(root, generation) for _, root, generation in latest[:limit]]

    def save_updates(self, name: str, updates: Sequence[ProjectionUpdate]) -> None:
        """See `ProjectionStore.save_updates`."""
        with self._lock_open_store():
            rows = self._rows(name)
            for (root, generation), sort_key, body, tags in updates:
                row = rows.get(root)
                if row is not None and row.is_pending and row.generation == generation:
                    row.is_pending, row.sort_key, row.body, row.tags = False, sort_key, body, tags

    def rewind(self, name: str, position: int, builder: str) -> None:
        """See `ProjectionStore.rewind`."""
        with self._lock_open_store():
            if projection := self._all.get(name):
                projection.state = rewind_state(name, projection.state, len(self._log), position, builder)

    def discard_root(self, root: str) -> None:
        """Keep nothing of a root any more: some of it has been erased."""
        for one in self._all.values():
            if row := one.rows.get(root):
                row.mark_pending()
                row.tags = frozenset()

    def _rows(self, name: str) -> dict[str, _Row]:
        one = self._all.get(name)
        return one.rows if one else {}

    @contextmanager
    def _lock_open_store(self) -> Iterator[None]:
        with self._mutex:
            self._require_open()
            yield
