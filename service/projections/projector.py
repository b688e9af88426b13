"""Makes a projection: takes in the log, and folds what is due of records to which nothing is being added.

Of several processes over one store one does it at a time. It may be stopped anywhere and goes on from there;
while it is behind, whoever asks is told what is so all the same (`service.projections.reading`).
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

import structlog

from service.config.logging import places_of
from service.eventstore import EventStore, StoreDamaged, StoreError, UnknownStream
from service.eventstore.ids import new_id
from service.eventstore.projecting import Due, Made, Progress, Refused
from service.projections.making import OWN_RULES, Projection, maker
from service.records.club_rules import STREAM as RULESETS
from service.records.club_rules import ClubRules

CLAIMED_SECONDS: Final = 30.0
"""So long another process waits for one that was killed."""
ABANDONED_SECONDS: Final = 600.0
"""Another version that has not taken in for so long what was added is not there any more."""
_PAUSE_SECONDS: Final = 0.5
_POSITIONS: Final = 50_000
_AT_ONCE: Final = 20
_AT_ONCE_SECONDS: Final = 2.0

_log = structlog.get_logger()


class Projector:
    """Makes a projection of a store, by the rulesets that ``club_rules`` has. For one thread.

    What is due is folded when nothing was added to it for ``quiet`` seconds, and then no more than half the
    time; ``ended`` breaks that off.
    """

    def __init__(
        self,
        store: EventStore,
        club_rules: ClubRules,
        projection: Projection,
        quiet: float = 0,
        ended: threading.Event | None = None,
    ) -> None:
        self._store, self._club_rules, self._projection, self._quiet = store, club_rules, projection, quiet
        self._ended = ended or threading.Event()
        self._kept, self._name = store.projections, projection.name
        self._holder = new_id()
        self._reached: deque[tuple[float, int]] = deque()
        self._elsewhere: tuple[Progress | None, float] | None = None
        self.refused: Refused | None = Refused.BUSY
        """Why it is not ours to make; None while it is."""
        self.made = 0
        """Of so many roots it was folded what is kept."""

    def catch_up(self) -> bool:
        """Fold all that is due; False where another process is at it, and still is after a while, or another
        version (``refused``).

        Raises as the store does.
        """
        patience = time.monotonic() + CLAIMED_SECONDS + 1
        while self.step() or self._is_behind():
            if self.refused is not None:
                if self.refused is Refused.SUPERSEDED or time.monotonic() > patience:
                    return False
                time.sleep(_PAUSE_SECONDS)
        return True

    def caught_up(self, position: int | None = None) -> bool:
        """`catch_up`, from a position on where one is named, and then `let_go`."""
        if position is not None:
            self._kept.rewind(self._name, position, maker())
        try:
            return self.catch_up()
        finally:
            self.let_go()

    def step(self) -> bool:
        """Take in what was added, and fold some of what is due; whether there is more to be done at once.

        Raises as the store does.
        """
        progress, head = self._kept.progress(self._name), self._store.head()
        if progress is not None and progress.maker == maker():
            self._note_reached(progress.position)
            if progress.position >= head and not self._due(1):
                return False
        position = self._claim(again=self._is_abandoned(progress, head))
        if position is None or not self._took_in(position):
            return False
        self._club_rules.look_again()
        due = self._due(_AT_ONCE)
        made = list(self._folded(due))
        self._kept.keep(self._name, made)
        self.made += len(made)
        return bool(made) and (len(made) < len(due) or len(due) == _AT_ONCE)

    def _folded(self, due: Sequence[Due]) -> Iterator[Made]:
        """What is to be kept, one after the other, for a little while."""
        began = time.monotonic()
        for one in due:
            started = time.monotonic()
            if self._ended.is_set() or started - began > _AT_ONCE_SECONDS:
                return
            yield self._made(one)
            if self._quiet:
                # As long again for those who wait for an answer of this process.
                self._ended.wait(time.monotonic() - started)

    def _claim(self, again: bool) -> int | None:
        """How far it has come where it is for us to go on, else None."""
        claimed = self._kept.claim(self._name, maker(), self._holder, CLAIMED_SECONDS, again)
        if isinstance(claimed, Refused):
            if claimed is Refused.SUPERSEDED and self.refused is not claimed:
                _log.warning("projector", projection=self._name, said="another version keeps it")
            self.refused = claimed
            return None
        self.refused = None
        return claimed.position

    def _is_abandoned(self, progress: Progress | None, head: int) -> bool:
        """Whether another version makes it, and has not taken in for long what was added, or is damaged."""
        if progress is not None and (progress.maker == maker() or progress.position >= head):
            self._elsewhere = None
            return False
        if self._elsewhere is None or self._elsewhere[0] != progress:
            self._elsewhere = progress, time.monotonic()
        return time.monotonic() - self._elsewhere[1] >= ABANDONED_SECONDS

    def let_go(self) -> None:
        """Leave what is still to be done to others, who need not wait. Twice is harmless."""
        if self.refused is None:
            self.refused = Refused.BUSY
            with suppress(StoreError):
                self._kept.claim(self._name, maker(), self._holder, 0)

    def _is_behind(self) -> bool:
        progress = self._kept.progress(self._name)
        if progress is None or progress.maker != maker() or progress.position < self._store.head():
            return True
        return bool(self._kept.due(self._name, progress.position, 1))

    def _took_in(self, position: int) -> bool:
        """Take in the log behind that position; False where another does so at the same time."""
        while not self._ended.is_set():
            changed = self._kept.changed(position, _POSITIONS)
            if changed.position == position:
                break
            roots = [root for root, kind in changed.kinds.items() if kind in self._projection.kinds]
            tag = OWN_RULES if RULESETS in changed.kinds else None
            if not self._kept.note(self._name, position, changed.position, roots, tag):
                return False
            position = changed.position
        self._note_reached(position)
        return True

    def _note_reached(self, position: int) -> None:
        self._reached.append((time.monotonic(), position))

    def _due(self, limit: int) -> list[Due]:
        """Roots that are due, to which nothing was added for a while."""
        before = time.monotonic() - self._quiet
        while len(self._reached) > 1 and self._reached[1][0] <= before:
            self._reached.popleft()
        if not self._reached or self._reached[0][0] > before:
            return []
        return self._kept.due(self._name, self._reached[0][1], limit)

    def _made(self, due: Due) -> Made:
        """What is to be kept: nothing where it cannot be folded, so that whoever asks for it is told."""
        try:
            return self._projection.make(self._store, self._club_rules.book, due)
        except (StoreDamaged, UnknownStream):
            return Made(due, None, None)
        except StoreError:
            raise
        except Exception as error:
            _log.warning("projector", root=due.root, trace=places_of(error.__traceback__))
            return Made(due, None, None)
