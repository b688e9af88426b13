"""Points of a deal: a log as somebody may know it, as far as somebody asks (DESIGN 4, 5)."""

from functools import cached_property
from typing import Final

from engine import (
    EVERYTHING,
    PUBLIC,
    Audit,
    Log,
    Score,
    State,
    Viewer,
    effective,
    in_seat,
    score,
    start,
    view,
)
from engine.audit import gathered, judged, review
from engine.branching import first_entries, has_entry, own_length
from engine.core.cards import SEAT_NAMES, SEATS
from engine.core.log import begun, place
from engine.core.vocabulary import Seq
from engine.diagnosis.explanations import explaining, for_a_director
from engine.diagnosis.mistakes import Mistake
from engine.fold import fold_all
from engine.inference.afterwards import found_afterwards
from engine.play.history import History
from engine.report import Report, report
from engine.rulesets import PUBLISHED, Book
from schemas.logs.deal_size import require_size

VIEWERS: Final[dict[str, Viewer]] = {
    "all": EVERYTHING,
    "public": PUBLIC,
    **{SEAT_NAMES[seat]: in_seat(seat) for seat in SEATS},
}
"""Who may look, by the word that asks for it."""


class UnknownPoint(LookupError):
    """A point that the log does not have; the text says what it has."""


def known_part(log: Log, known: int | None) -> Log:
    """The first ``known`` entries of a log. Raises `UnknownPoint` where there are not so many."""
    if known is None:
        return log
    if known > own_length(log):
        raise UnknownPoint(f"The log has {own_length(log)} entries, and known={known} asks for more.")
    return first_entries(log, known)


def audited(log: Log, viewer: str, at: Seq | None, known: int | None = None, book: Book = PUBLISHED) -> Audit:
    """The audit of ``log`` as ``viewer`` may know it, up to and with the entry ``at``.

    ``known`` leaves out what was recorded later. What the viewer may know is decided by the whole
    log all the same: a correction hides a card also where it is not yet taken into account.

    At a point before the end, what is found is what was known to be wrong there; that the record
    goes on is no fault of it. Raises `UnknownPoint`.
    """
    return point_of(view(log, VIEWERS[viewer]), at, known, book).audit


class Point:
    """A log at a point: folded when its state is asked for, and judged only when what it breaks is.

    ``log`` is as much of it as is known there, ``at`` the entry up to which it goes, ``book`` its rulesets.
    """

    def __init__(self, log: Log, at: Seq | None, history: History, book: Book) -> None:
        self.log = log
        self.at = at
        self._history = history
        self.book = book

    @cached_property
    def report(self) -> Report:
        """What was known there, for whoever has to judge it. Raises `DealTooLarge`."""
        self.require_size()
        return report(self._there, self.book, self.audit)

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes of the pen that may explain what was known there, or may have been instead of it.

        They are looked for only where something is found that matters to whoever judges the deal.
        """
        if not for_a_director(self.audit.findings):
            return ()
        explained = explaining(self._there, self.audit, self.book)
        return (*explained.mistakes, *(one.mistake for one in explained.may_be_instead(self._there)))

    @property
    def _there(self) -> Log:
        """The entries of the log up to there."""
        at = None if self.at is None else place(self.at)
        return tuple(entry for entry in self.log if at is None or place(entry.seq) <= at)

    def require_size(self) -> None:
        """Raises `DealTooLarge` where the deal there is too long for what looks at every entry of it."""
        require_size(self._history)

    @property
    def entries(self) -> Log:
        """The entries of the effective history up to there."""
        return self._history.entries

    @cached_property
    def state(self) -> State:
        """How the deal stands there."""
        return fold_all(self._history.entries, start(self.book))

    @cached_property
    def score(self) -> Score:
        """What the deal pays as it stands there."""
        return score(self.state)

    @cached_property
    def audit(self) -> Audit:
        """What was known there, with all that it breaks."""
        state, findings = judged(self._history, start(self.book))
        due = score(state)
        findings += found_afterwards(self._history.entries, state, findings)
        looked_back = review(state, due, () if self.at is not None else self.log)
        return Audit(self._history, state, gathered((*findings, *looked_back, *self._history.faults)), due)


def point_of(log: Log, at: Seq | None, known: int | None = None, book: Book = PUBLISHED) -> Point:
    """The same of a log that was cut already for whoever looks, not judged yet. Raises `UnknownPoint`."""
    seen = known_part(log, known)
    history = effective(seen)
    if at is not None:
        if not has_entry(seen, at):
            raise UnknownPoint(f"The log has no entry {at}. Its entries are {_entries_of(seen)}.")
        faults = tuple(fault for fault in history.faults if place(fault.seq) <= place(at))
        history = history._replace(entries=history.up_to(at), faults=faults)
    return Point(seen, at, history, book)


def _entries_of(log: Log) -> str:
    """Which entries a log has."""
    own = f"1 to {own_length(log)}"
    return f"{own}, and those of the deal that it leaves 1.1 to 1.{begun(log)}" if begun(log) else own
