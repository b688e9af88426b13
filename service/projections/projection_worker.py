"""What is kept is made in a thread beside the service, as long as that runs."""

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
"""All that is kept."""
CHECK_INTERVAL_SECONDS: Final = 10.0
"""So often it is looked whether something was added."""
QUIET_SECONDS: Final = 30.0
"""So long nothing is to be added to a record before it is folded: while people play it changes."""

_log = structlog.get_logger()


class ProjectionWorker:
    """Makes all projections of a store, by the rulesets that ``club_rules`` has."""

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
        """How many times something was folded."""
        return sum(one.folded_count for one in self._projectors)

    def start(self) -> None:
        """Do it from now on, in a thread, until `stop`."""
        self._thread = threading.Thread(target=self._run, name="projector", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop, when what is being folded is done, and leave the rest to others. Twice is harmless."""
        self._stop_event.set()
        if self._thread is not None:
            self._thread.join()
        for one in self._projectors:
            one.release()

    def _run(self) -> None:
        pause = 0.0
        while not self._stop_event.wait(pause):
            try:
                # The first before the second: who opens a season waits longer than who searches.
                pause = 0.0 if any(map(self._run_step, self._projectors)) else CHECK_INTERVAL_SECONDS
            except StoreClosed:
                return

    def _run_step(self, projector: Projector) -> bool:
        """Whether there is more to be done at once. One that fails keeps no other from its turn."""
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
        except Exception as error:  # whatever it is, who wants figures is better served by the next try
            _log.warning("projector", trace=format_trace_locations(error.__traceback__))
        return False
