"""A deal at a point of its log, as somebody may know it."""

from functools import cached_property
from typing import Final

from engine import (
    FULL_VIEWER,
    PUBLIC_VIEWER,
    Audit,
    Log,
    Score,
    State,
    Viewer,
    effective,
    initial_state,
    score,
    seat_viewer,
)
from engine.audit import audit_history
from engine.audit_report import AuditReport, build_audit_report
from engine.branching import first_own_entries, has_entry, own_entry_count
from engine.core.cards import SEAT_NAMES, SEATS
from engine.core.field_types import Seq
from engine.core.log import inherited_count, seq_key
from engine.diagnosis.explanations import explain_findings, filter_for_director
from engine.diagnosis.mistakes import Mistake
from engine.fold import fold_all
from engine.play.history import History
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from schemas.logs.deal_size import require_displayable

VIEWERS_BY_NAME: Final[dict[str, Viewer]] = {
    "all": FULL_VIEWER,
    "public": PUBLIC_VIEWER,
    **{SEAT_NAMES[seat]: seat_viewer(seat) for seat in SEATS},
}
"""Viewers by their names in requests."""


class UnknownPoint(LookupError):
    """The log has no such point; the text says which it has."""


def first_known_entries(log: Log, known: int | None) -> Log:
    """The first ``known`` entries of a log. Raises `UnknownPoint` if there are fewer."""
    if known is None:
        return log
    if known > own_entry_count(log):
        raise UnknownPoint(f"The log has only {own_entry_count(log)} entries, not {known}.")
    return first_own_entries(log, known)


class DealPoint:
    """A log up to and including the entry ``at``, folded and judged only when needed.

    ``log`` has the entries that are known at that point, ``book`` the rulesets.
    """

    def __init__(self, log: Log, at: Seq | None, history: History, book: RulesetBook) -> None:
        self.log = log
        self.at = at
        self._history = history
        self.book = book

    @cached_property
    def report(self) -> AuditReport:
        """The report for a director. Raises `DealTooLarge`."""
        self.require_size()
        return build_audit_report(self._entries_up_to_point, self.book, self.audit)

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The input slips that may explain the findings, or may have been made instead.

        They are looked for only if there are findings for a director.
        """
        if not filter_for_director(self.audit.findings):
            return ()
        explained = explain_findings(self._entries_up_to_point, self.audit, self.book)
        return (
            *explained.mistakes,
            *(one.mistake for one in explained.find_alternatives(self._entries_up_to_point)),
        )

    @property
    def _entries_up_to_point(self) -> Log:
        """The entries of the log up to the point."""
        at = None if self.at is None else seq_key(self.at)
        return tuple(entry for entry in self.log if at is None or seq_key(entry.seq) <= at)

    def require_size(self) -> None:
        """Raise `DealTooLarge` if the deal is too long for answers that look at every entry."""
        require_displayable(self._history)

    @property
    def entries(self) -> Log:
        """The entries of the effective history up to the point."""
        return self._history.entries

    @cached_property
    def state(self) -> State:
        """The state at the point."""
        return fold_all(self._history.entries, initial_state(self.book))

    @cached_property
    def score(self) -> Score:
        """The score at the point."""
        return score(self.state)

    @cached_property
    def audit(self) -> Audit:
        """The entries up to the point, with all findings at them."""
        return audit_history(self._history, () if self.at is not None else self.log, self.book)


def build_deal_point(
    log: Log, at: Seq | None, known: int | None = None, book: RulesetBook = PUBLISHED_RULESETS
) -> DealPoint:
    """The point of a log, as somebody may know it, up to and with the entry ``at``. Raises `UnknownPoint`.

    ``known`` leaves out what was recorded later. At a point before the end, what is found is what was known
    to be wrong there; that the record goes on is no fault of it.
    """
    known_log = first_known_entries(log, known)
    history = effective(known_log)
    if at is not None:
        if not has_entry(known_log, at):
            raise UnknownPoint(
                f"The log has no entry {at}. Its entries are {_format_entry_range(known_log)}."
            )
        faults = tuple(fault for fault in history.faults if seq_key(fault.seq) <= seq_key(at))
        history = history._replace(entries=history.entries_up_to(at), faults=faults)
    return DealPoint(known_log, at, history, book)


def _format_entry_range(log: Log) -> str:
    own_range = f"1 to {own_entry_count(log)}"
    return (
        f"{own_range}, and 1.1 to 1.{inherited_count(log)} of the deal that it branches from"
        if inherited_count(log)
        else own_range
    )
