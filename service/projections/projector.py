"""Keeps projections up to date: reads the log, and folds the rows that are pending.

It can be stopped anywhere and continues from there. Until a row is up to date, callers fold what they need.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Final

import structlog

from service.config.log_setup import format_trace_locations
from service.eventstore import EventStore, StoreClosed, StoreDamaged, StoreError, UnknownStream
from service.eventstore.projections import PendingRoot, ProjectionProgress, ProjectionUpdate
from service.projections.evenings_projection import EVENINGS_PROJECTION
from service.projections.facts_projection import FACTS_PROJECTION
from service.projections.projection import CLUB_RULES_TAG, POSITIONS_PER_PAGE, PROJECTION_VERSION, Projection
from service.records.club_rules import RULESETS_STREAM, ClubRules

ALL_PROJECTIONS: Final[tuple[Projection, ...]] = (EVENINGS_PROJECTION, FACTS_PROJECTION)
"""Evenings first, as a season takes longer to fold than a search."""
CHECK_INTERVAL_SECONDS: Final = 10.0
"""Seconds between two checks of the log."""
QUIET_SECONDS: Final = 30.0
"""Seconds without a new event before a record is folded: during play it changes all the time."""
_BATCH_SIZE: Final = 20

_log = structlog.get_logger()


class Projector:
    """Folds a projection of a store, for one thread, until ``stop_event`` is set.

    Folds a root when nothing was added to it for ``quiet_seconds``, and at most half of the time.
    """

    def __init__(
        self,
        store: EventStore,
        club_rules: ClubRules,
        projection: Projection,
        quiet_seconds: float = 0,
        stop_event: threading.Event | None = None,
    ) -> None:
        self._store, self._club_rules, self._projection = store, club_rules, projection
        self._projections, self._name = store.projections, projection.name
        self._quiet_seconds = quiet_seconds
        self._stop_event = stop_event or threading.Event()
        self._position_times: deque[tuple[float, int]] = deque()
        self.folded_count = 0
        """How many rows were folded."""

    def catch_up(self, position: int | None = None) -> int:
        """Fold all pending rows, perhaps again those since a position; the number of folded rows."""
        if position is not None:
            self._projections.rewind(self._name, position)
        while self.step():
            pass
        return self.folded_count

    def step(self) -> bool:
        """Read what was added, and fold some pending rows; whether there may be more."""
        self._position_times.append((time.monotonic(), self._advance()))
        pending_roots = self._projections.list_pending_roots(self._name, self._quiet_position(), _BATCH_SIZE)
        if not pending_roots:
            return False
        self._club_rules.refresh()
        updates: list[ProjectionUpdate] = []
        for one in pending_roots:
            started = time.monotonic()
            if self._stop_event.is_set():
                break
            updates.append(self._fold_root(one))
            if self._quiet_seconds:
                # Leave as much time to the requests that this process serves.
                self._stop_event.wait(time.monotonic() - started)
        self._projections.save_updates(self._name, PROJECTION_VERSION, updates)
        self.folded_count += len(updates)
        return bool(updates)

    def _advance(self) -> int:
        """Read the rest of the log; the position that was reached."""
        position = self._projections.begin(self._name, PROJECTION_VERSION)
        while not self._stop_event.is_set():
            changed = self._projections.list_changed_roots(position, POSITIONS_PER_PAGE)
            if changed.position == position:
                break
            roots = [root for root, kind in changed.kinds.items() if kind in self._projection.kinds]
            tag = CLUB_RULES_TAG if RULESETS_STREAM in changed.kinds else None
            progress = ProjectionProgress(PROJECTION_VERSION, position)
            if not self._projections.advance(self._name, progress, changed.position, roots, tag):
                break  # another process has done it
            position = changed.position
        return position

    def _quiet_position(self) -> int:
        """The last position that was reached at least ``quiet_seconds`` ago, or 0."""
        before = time.monotonic() - self._quiet_seconds
        while len(self._position_times) > 1 and self._position_times[1][0] <= before:
            self._position_times.popleft()
        reached_at, position = self._position_times[0]
        return position if reached_at <= before else 0

    def _fold_root(self, pending_root: PendingRoot) -> ProjectionUpdate:
        """The row of a root; without a body if it cannot be folded, so that callers learn why."""
        try:
            return self._projection.build(self._store, self._club_rules.book, pending_root)
        except (StoreDamaged, UnknownStream):
            pass
        except StoreError:
            raise
        except Exception as error:
            _log.warning(
                "projector", root=pending_root.root, trace=format_trace_locations(error.__traceback__)
            )
        return ProjectionUpdate(pending_root, None, None)


class ProjectionWorker:
    """A thread that keeps all projections of a store up to date while the service runs."""

    def __init__(
        self, store: EventStore, club_rules: ClubRules, quiet_seconds: float = QUIET_SECONDS
    ) -> None:
        self._stop_event = threading.Event()
        self._projectors = [
            Projector(store, club_rules, one, quiet_seconds, self._stop_event) for one in ALL_PROJECTIONS
        ]
        self._thread = threading.Thread(target=self._run, name="projector", daemon=True)
        self._failing: set[Projector] = set()

    @property
    def folded_count(self) -> int:
        """How many rows were folded."""
        return sum(one.folded_count for one in self._projectors)

    def start(self) -> None:
        """Start the thread, which runs until `stop`."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current row. Stopping twice is harmless."""
        self._stop_event.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        pause = 0.0
        while not self._stop_event.wait(pause):
            try:
                pause = 0.0 if any(map(self._run_step, self._projectors)) else CHECK_INTERVAL_SECONDS
            except StoreClosed:
                return

    def _run_step(self, projector: Projector) -> bool:
        """Whether there may be more to fold. A failing projection does not stop the others."""
        try:
            more = projector.step()
            self._failing.discard(projector)
            return more
        except StoreClosed:
            raise
        except StoreError as error:
            if projector not in self._failing:
                _log.warning("projector", said=str(error))
            self._failing.add(projector)
        except Exception as error:  # whatever it is, the next try may succeed
            _log.warning("projector", trace=format_trace_locations(error.__traceback__))
        return False
