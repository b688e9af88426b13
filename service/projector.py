"""Keeps what every evening came to, in a thread beside the service: of tables at which nothing goes on.

Of several processes over one store one does it at a time. It may be stopped anywhere and goes on from there;
while it is behind, whoever wants figures is told what is so all the same (`service.evening_reading`).
"""

from __future__ import annotations

import threading
import time
from collections import deque
from contextlib import suppress
from typing import Final

import structlog

from service.club_rules import STREAM as RULESETS
from service.club_rules import ClubRules
from service.evenings_kept import NAME, OWN_RULES, made_of, maker
from service.ids import new_id
from service.operations.logs import places_of
from service.records import TABLE
from service.store import EventStore, StoreClosed, StoreDamaged, StoreError, UnknownStream
from service.store.projecting import Due, Made

EVERY_SECONDS: Final = 5.0
"""So often it is looked whether something was added."""
QUIET_SECONDS: Final = 30.0
"""So long nothing is to be added to a table before its evening is folded: while people play it changes."""
CLAIMED_SECONDS: Final = 30.0
"""So long another process waits for one that was killed."""
_PAUSE_SECONDS: Final = 0.5
_POSITIONS: Final = 50_000
_AT_ONCE: Final = 20

_log = structlog.get_logger()


class Projector:
    """Makes the projection of evenings of a store, by the rulesets that ``club_rules`` has.

    With ``quiet`` 0 it does not wait until nothing goes on at a table.
    """

    def __init__(self, store: EventStore, club_rules: ClubRules, quiet: float = QUIET_SECONDS) -> None:
        self._store, self._club_rules, self._quiet = store, club_rules, quiet
        self._kept = store.projections
        self._holder = new_id()
        self._reached: deque[tuple[float, int]] = deque()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._claimed = self._failing = False
        self.made = 0
        """So many evenings were folded."""

    def begin(self) -> None:
        """Do it from now on, in a thread, until `end`."""
        self._thread = threading.Thread(target=self._go_on, name="projector", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop, when what is being folded is done, and leave the rest to others. Twice is harmless."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        if self._claimed:
            self._claimed = False
            with suppress(StoreError):
                self._kept.claim(NAME, maker(), self._holder, 0)

    def catch_up(self) -> bool:
        """Fold all that is due; False where another process is at it, and still is after a while.

        Raises as the store does.
        """
        patience = time.monotonic() + CLAIMED_SECONDS + 1
        while self.step() or self._is_behind():
            if not self._claimed:
                if time.monotonic() > patience:
                    return False
                time.sleep(_PAUSE_SECONDS)
        return True

    def _is_behind(self) -> bool:
        progress = self._kept.progress(NAME)
        if progress is None or progress.maker != maker() or progress.position < self._store.head():
            return True
        return bool(self._kept.due(NAME, progress.position, 1))

    def step(self) -> bool:
        """Take in what was added, and fold some of what is due; whether there is more to be done at once.

        Raises as the store does.
        """
        progress = self._kept.progress(NAME)
        if progress is not None and progress.maker == maker():
            self._note_reached(progress.position)
            if progress.position >= self._store.head() and not self._due(1):
                return False
        claimed = self._kept.claim(NAME, maker(), self._holder, CLAIMED_SECONDS)
        self._claimed = claimed is not None
        if claimed is None or not self._took_in(claimed.position):
            return False
        self._club_rules.look_again()
        due = self._due(_AT_ONCE)
        for one in due:
            if self._ended.is_set():
                return False
            began = time.monotonic()
            self._kept.keep(NAME, [self._made(one)])
            self.made += 1
            if self._quiet:
                # As long again for those who wait for an answer of this process.
                self._ended.wait(time.monotonic() - began)
        return len(due) == _AT_ONCE

    def _took_in(self, position: int) -> bool:
        """Take in the log behind that position; False where another does so at the same time."""
        while not self._ended.is_set():
            changed = self._kept.changed(position, _POSITIONS)
            if changed.position == position:
                break
            tables = [root for root, kind in changed.kinds.items() if kind == TABLE]
            tag = OWN_RULES if RULESETS in changed.kinds else None
            if not self._kept.note(NAME, position, changed.position, tables, tag):
                return False
            position = changed.position
        self._note_reached(position)
        return True

    def _note_reached(self, position: int) -> None:
        self._reached.append((time.monotonic(), position))

    def _due(self, limit: int) -> list[Due]:
        """Tables that are due, at which nothing has gone on for a while."""
        before = time.monotonic() - self._quiet
        while len(self._reached) > 1 and self._reached[1][0] <= before:
            self._reached.popleft()
        if not self._reached or self._reached[0][0] > before:
            return []
        return self._kept.due(NAME, self._reached[0][1], limit)

    def _made(self, due: Due) -> Made:
        """What is to be kept of a table: nothing where it cannot be folded, so that whoever asks is told."""
        try:
            return made_of(self._store, self._club_rules.book, due)
        except (StoreDamaged, UnknownStream):
            return Made(due, None, None)
        except StoreError:
            raise
        except Exception as error:
            _log.warning("projector", table=due.root, trace=places_of(error.__traceback__))
            return Made(due, None, None)

    def _go_on(self) -> None:
        pause = 0.0
        while not self._ended.wait(pause):
            try:
                pause = 0.0 if self.step() else EVERY_SECONDS
                self._failing = False
            except StoreClosed:
                return
            except StoreError as error:
                pause = EVERY_SECONDS
                if not self._failing:
                    _log.warning("projector", said=str(error))
                self._failing = True
