"""Makes a projection: takes in the log, and folds what is due of records to which nothing is being added.

Of several processes over one store one does it at a time. It may be stopped anywhere and goes on from there;
while it is behind, whoever asks is told what is so all the same (`service.projections.projection_queries`).
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

import structlog

from service.config.log_setup import format_trace_locations
from service.eventstore import EventStore, StoreDamaged, StoreError, UnknownStream
from service.eventstore.ids import new_id
from service.eventstore.projection_interface import (
    ClaimRefusal,
    PendingRoot,
    ProjectionProgress,
    ProjectionUpdate,
)
from service.projections.projection import CLUB_RULES_TAG, Projection, builder_version
from service.records.club_rules import RULESETS_STREAM as RULESETS
from service.records.club_rules import ClubRules

LEASE_SECONDS: Final = 30.0
"""So long another process waits for one that was killed."""
ABANDONED_SECONDS: Final = 600.0
"""Another version that has not taken in for so long what was added is not there any more."""
_PAUSE_SECONDS: Final = 0.5
_POSITIONS_PER_PAGE: Final = 50_000
_BATCH_SIZE: Final = 20
_BATCH_SECONDS: Final = 2.0

_log = structlog.get_logger()


class Projector:
    """Makes a projection of a store, by the rulesets that ``club_rules`` has. For one thread.

    What is due is folded when nothing was added to it for ``quiet_seconds`` seconds, and then no more than
    half the time; ``stop_event`` breaks that off.
    """

    def __init__(
        self,
        store: EventStore,
        club_rules: ClubRules,
        projection: Projection,
        quiet_seconds: float = 0,
        stop_event: threading.Event | None = None,
    ) -> None:
        self._store, self._club_rules, self._projection, self._quiet_seconds = (
            store,
            club_rules,
            projection,
            quiet_seconds,
        )
        self._stop_event = stop_event or threading.Event()
        self._projections, self._name = store.projections, projection.name
        self._holder = new_id()
        self._position_times: deque[tuple[float, int]] = deque()
        self._foreign_progress: tuple[ProjectionProgress | None, float] | None = None
        self.refusal: ClaimRefusal | None = ClaimRefusal.BUSY
        """Why it is not ours to make; None while it is."""
        self.folded_count = 0
        """Of so many roots it was folded what is kept."""

    def catch_up(self) -> bool:
        """Fold all that is due; False where another process is at it, and still is after a while, or another
        version (``refusal``).

        Raises as the store does.
        """
        deadline = time.monotonic() + LEASE_SECONDS + 1
        while self.step() or self._is_behind():
            if self.refusal is not None:
                if self.refusal is ClaimRefusal.SUPERSEDED or time.monotonic() > deadline:
                    return False
                time.sleep(_PAUSE_SECONDS)
        return True

    def catch_up_and_release(self, position: int | None = None) -> bool:
        """`catch_up`, from a position on where one is named, and then `release`."""
        if position is not None:
            self._projections.rewind(self._name, position, builder_version())
        try:
            return self.catch_up()
        finally:
            self.release()

    def step(self) -> bool:
        """Take in what was added, and fold some of what is due; whether there is more to be done at once.

        Raises as the store does.
        """
        progress, head = self._projections.read_progress(self._name), self._store.head()
        if progress is not None and progress.builder == builder_version():
            self._note_reached(progress.position)
            if progress.position >= head and not self._list_pending_roots(1):
                return False
        position = self._claim(allow_superseded=self._is_abandoned(progress, head))
        if position is None or not self._advance(position):
            return False
        self._club_rules.refresh()
        pending_roots = self._list_pending_roots(_BATCH_SIZE)
        updates = list(self._fold_batch(pending_roots))
        self._projections.save_updates(self._name, updates)
        self.folded_count += len(updates)
        return bool(updates) and (len(updates) < len(pending_roots) or len(pending_roots) == _BATCH_SIZE)

    def _fold_batch(self, pending_roots: Sequence[PendingRoot]) -> Iterator[ProjectionUpdate]:
        """What is to be kept, one after the other, for a little while."""
        batch_started = time.monotonic()
        for one in pending_roots:
            started = time.monotonic()
            if self._stop_event.is_set() or started - batch_started > _BATCH_SECONDS:
                return
            yield self._fold_root(one)
            if self._quiet_seconds:
                # As long again for those who wait for an answer of this process.
                self._stop_event.wait(time.monotonic() - started)

    def _claim(self, allow_superseded: bool) -> int | None:
        """How far it has come where it is for us to go on, else None."""
        claimed = self._projections.claim(
            self._name, builder_version(), self._holder, LEASE_SECONDS, allow_superseded
        )
        if isinstance(claimed, ClaimRefusal):
            if claimed is ClaimRefusal.SUPERSEDED and self.refusal is not claimed:
                _log.warning("projector", projection=self._name, said="another version keeps it")
            self.refusal = claimed
            return None
        self.refusal = None
        return claimed.position

    def _is_abandoned(self, progress: ProjectionProgress | None, head: int) -> bool:
        """Whether another version makes it, and has not taken in for long what was added, or is damaged."""
        if progress is not None and (progress.builder == builder_version() or progress.position >= head):
            self._foreign_progress = None
            return False
        if self._foreign_progress is None or self._foreign_progress[0] != progress:
            self._foreign_progress = progress, time.monotonic()
        return time.monotonic() - self._foreign_progress[1] >= ABANDONED_SECONDS

    def release(self) -> None:
        """Leave what is still to be done to others, who need not wait. Twice is harmless."""
        if self.refusal is None:
            self.refusal = ClaimRefusal.BUSY
            with suppress(StoreError):
                self._projections.claim(self._name, builder_version(), self._holder, 0)

    def _is_behind(self) -> bool:
        progress = self._projections.read_progress(self._name)
        if (
            progress is None
            or progress.builder != builder_version()
            or progress.position < self._store.head()
        ):
            return True
        return bool(self._projections.list_pending_roots(self._name, progress.position, 1))

    def _advance(self, position: int) -> bool:
        """Take in the log behind that position; False where another does so at the same time."""
        while not self._stop_event.is_set():
            changed = self._projections.list_changed_roots(position, _POSITIONS_PER_PAGE)
            if changed.position == position:
                break
            roots = [root for root, kind in changed.kinds.items() if kind in self._projection.kinds]
            tag = CLUB_RULES_TAG if RULESETS in changed.kinds else None
            if not self._projections.advance(self._name, position, changed.position, roots, tag):
                return False
            position = changed.position
        self._note_reached(position)
        return True

    def _note_reached(self, position: int) -> None:
        self._position_times.append((time.monotonic(), position))

    def _list_pending_roots(self, limit: int) -> list[PendingRoot]:
        """Roots that are due, to which nothing was added for a while."""
        before = time.monotonic() - self._quiet_seconds
        while len(self._position_times) > 1 and self._position_times[1][0] <= before:
            self._position_times.popleft()
        if not self._position_times or self._position_times[0][0] > before:
            return []
        return self._projections.list_pending_roots(self._name, self._position_times[0][1], limit)

    def _fold_root(self, pending_root: PendingRoot) -> ProjectionUpdate:
        """What is to be kept: nothing where it cannot be folded, so that whoever asks for it is told."""
        try:
            return self._projection.build(self._store, self._club_rules.book, pending_root)
        except (StoreDamaged, UnknownStream):
            return ProjectionUpdate(pending_root, None, None)
        except StoreError:
            raise
        except Exception as error:
            _log.warning(
                "projector", root=pending_root.root, trace=format_trace_locations(error.__traceback__)
            )
            return ProjectionUpdate(pending_root, None, None)
