"""Strict mode: which entries are refused before they are stored.

An entry is refused for findings at itself, judged by what the acting seat may know: a refusal must not reveal
what the other players hold.
"""

from collections.abc import Iterator, Sequence

from engine import PUBLIC_VIEWER, Entry, Finding, Log, Viewer, audit, effective, seat_viewer
from engine.core.events import CorrectionMade, Event
from engine.core.field_types import Seq
from engine.core.log import seq_key
from engine.rulesets import RulesetBook
from engine.view import are_hands_open, redact_event
from service.records.record_streams import SubmittedEvent, build_entries_after
from service.records.variations import LogExpander

REFUSED_SEVERITIES = ("impossible", "error")


class StrictModeViolation(Exception):
    """Events that break rules in strict mode. Nothing was stored.

    ``pointers`` has for each finding the place of its event in the request.
    """

    def __init__(self, findings: Sequence[Finding], pointers: Sequence[str]) -> None:
        super().__init__(findings[0].message)
        self.findings = tuple(findings)
        self.pointers = tuple(pointers)


def require_no_violations(
    log: Log,
    submitted_events: Sequence[SubmittedEvent],
    book: RulesetBook,
    expand_log: LogExpander | None = None,
) -> None:
    """Raise `StrictModeViolation` if new events break a rule after the log."""
    version = len(log)
    found = [
        one
        for one in audit_as_actors(log, build_entries_after(version, submitted_events), book, expand_log)
        if one.severity in REFUSED_SEVERITIES
    ]
    if found:
        pointers = [submitted_events[seq_key(one.seq)[0] - version - 1].pointer for one in found]
        raise StrictModeViolation(found, pointers)


def audit_as_actors(
    log: Log,
    new_entries: Sequence[Entry],
    book: RulesetBook,
    expand_log: LogExpander | None,
) -> list[Finding]:
    """The findings at ``new_entries`` after ``log``; at each act those that its own seat may know.

    ``expand_log`` puts the beginning of a variation before its log, as that seat may know it.
    """
    acts = [act for entry in new_entries for act in _list_acts(entry.seq, entry.event)]
    found = []
    for viewer in dict.fromkeys(actor for _, actor in acts):
        own_seqs = {seq for seq, actor in acts if actor == viewer}
        known = _as_known(log, new_entries, viewer)
        if expand_log is not None:
            known = expand_log(known, viewer)
        found += [one for one in audit(known, book).findings if one.seq in own_seqs]
    return sorted(found, key=lambda one: seq_key(one.seq))


def _list_acts(seq: Seq, event: Event) -> Iterator[tuple[Seq, Viewer]]:
    """The acts of an entry, each with its actor; the parts of a correction are acts of their own seats."""
    yield seq, _actor(event)
    if isinstance(event, CorrectionMade):
        for number, part in enumerate(event.with_, 1):
            yield from _list_acts(f"{seq}.{number}", part)


def _as_known(log: Log, new_entries: Sequence[Entry], viewer: Viewer) -> Log:
    """The log with the new entries, redacted for ``viewer`` as before they are stored."""
    extended_log = (*log, *new_entries)
    if are_hands_open(log):
        return extended_log
    # Not by ``view``: a deal_closed among the new entries opens no hands before it is stored.
    replaced = effective(extended_log).replaced_seqs
    return tuple(
        Entry(seq, redact_event(event, viewer, seq, replaced), record) for seq, event, record in extended_log
    )


def _actor(event: Event) -> Viewer:
    """The actor: the seat that the event names, or else the public."""
    seat = getattr(event, "seat", None)
    return PUBLIC_VIEWER if seat is None else seat_viewer(seat)
