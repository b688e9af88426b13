"""A thread that keeps the projections up to date while the service runs."""

from __future__ import annotations

import threading
from typing import Final

import structlog

from service.config.log_setup import format_trace_locations
from service.eventstore import EventStore, StoreClosed, StoreError
from service.projections.evenings_projection import EVENINGS_PROJECTION
from service.projections.facts_projection import FACTS_PROJECTION
from service.projections.projection import Projection
from service.projections.projector import Projector
from service.records.club_rules import ClubRules

ALL_PROJECTIONS: Final[tuple[Projection, ...]] = (EVENINGS_PROJECTION, FACTS_PROJECTION)
"""All projections that there are."""
CHECK_INTERVAL_SECONDS: Final = 10.0
"""Seconds between two looks at the log."""
QUIET_SECONDS: Final = 30.0
"""Seconds without a new event before a record is folded: while people play it changes all the time."""

_log = structlog.get_logger()


class ProjectionWorker:
    """Keeps all projections of a store up to date, by the rulesets of ``club_rules``."""

    def __init__(
        self, store: EventStore, club_rules: ClubRules, quiet_seconds: float = QUIET_SECONDS
    ) -> None:
        self._stop_event = threading.Event()
        self._projectors = [
            Projector(store, club_rules, one, quiet_seconds, self._stop_event) for one in ALL_PROJECTIONS
        ]
        self._thread: threading.Thread | None = None
        self._failing: set[Projector] = set()

    @property
    def folded_count(self) -> int:
        """How many rows were folded."""
        return sum(one.folded_count for one in self._projectors)

    def start(self) -> None:
        """Start a thread that runs until `stop`."""
        self._thread = threading.Thread(target=self._run, name="projector", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop when the row that is being folded is done. Stopping twice is harmless."""
        self._stop_event.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        pause = 0.0
        while not self._stop_event.wait(pause):
            try:
                # Evenings first: a season takes longer to fold than a search.
                pause = 0.0 if any(map(self._run_step, self._projectors)) else CHECK_INTERVAL_SECONDS
            except StoreClosed:
                return

    def _run_step(self, projector: Projector) -> bool:
        """Whether there may be more to fold. A projection that fails does not stop the others."""
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
