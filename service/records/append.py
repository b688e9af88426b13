"""Check the events that a client sends, append them, and audit them."""

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from engine import FULL_VIEWER, Finding, Viewer, audit, view
from engine.core.events import DealSettled, IrregularityNoted, NoteAdded, RulingMade
from engine.core.log import seq_key
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from service.eventstore import AppendResult, EventStore, StoreDamaged, StreamInfo
from service.eventstore.events import ExpectedVersion
from service.records.fold_cache import audit_incrementally
from service.records.record_streams import (
    DEAL_KIND,
    TABLE_KIND,
    SubmittedEvent,
    assign_event_ids,
    submitted_event_id,
)
from service.records.repository import AppendValidator, append_to_record, read_log
from service.records.strict_mode import audit_as_actors, require_no_violations
from service.records.variations import LogExpander

VERSION_INDEPENDENT: Final = (NoteAdded, IrregularityNoted, RulingMade, DealSettled)
"""Events that mean the same whatever was stored in the meantime: they may be appended at any version."""


class DealAppendResult(NamedTuple):
    """The events as stored, and the findings at them."""

    append_result: AppendResult
    findings: tuple[Finding, ...]

    @property
    def has_new_events(self) -> bool:
        """Whether anything was stored that was not stored before."""
        return self.append_result.repeated_count < len(self.append_result.events)

    @property
    def version(self) -> int:
        """The current version of the record; after a repeat it may be later than the events."""
        return self.append_result.version


def are_version_independent(submitted_events: Sequence[SubmittedEvent]) -> bool:
    """Whether all of the events may be appended at any version."""
    return all(isinstance(one.reading.event, VERSION_INDEPENDENT) for one in submitted_events)


def open_deal(
    store: EventStore,
    submitted_events: Sequence[SubmittedEvent],
    *,
    strict: bool,
    book: RulesetBook = PUBLISHED_RULESETS,
    expand_log: LogExpander | None = None,
) -> DealAppendResult:
    """Record a new deal that belongs to no table. Raises as `append_to_deal`."""
    identified_events = assign_event_ids(submitted_events)
    new = _new_record(identified_events[0], DEAL_KIND)
    return append_to_deal(store, new, 0, identified_events, strict=strict, book=book, expand_log=expand_log)


def append_to_deal(
    store: EventStore,
    deal: StreamInfo,
    expected_version: ExpectedVersion,
    submitted_events: Sequence[SubmittedEvent],
    *,
    strict: bool,
    book: RulesetBook = PUBLISHED_RULESETS,
    viewer: Viewer = FULL_VIEWER,
    expand_log: LogExpander | None = None,
    notes_only_grant: str | None = None,
) -> DealAppendResult:
    """Append to a deal, with the findings that ``viewer`` may know.

    ``expand_log`` puts the beginning of a variation before its log; it is None for other deals.
    ``notes_only_grant`` is the grant of a caller who may add notes and nothing else. Raises `MisplacedEvent`,
    `StrictModeViolation`, `NoteQuotaExceeded`, or as the store does.
    """
    validators: list[AppendValidator] = (
        [partial(require_no_violations, book=book, expand_log=expand_log)] if strict else []
    )
    append_result = append_to_record(
        store, deal, expected_version, submitted_events, notes_only_grant, validators
    )
    if strict:
        found = _audit_appended_as_actors(store, append_result, book, expand_log)
        return DealAppendResult(append_result, found)
    try:
        found = audit_appended_events(store, append_result, book, viewer, expand_log)
    except StoreDamaged:
        found = ()  # The events are stored; who reads the record learns of the damage.
    return DealAppendResult(append_result, found)


def open_table(store: EventStore, submitted_event: SubmittedEvent) -> AppendResult:
    """Open a table. Raises `MisplacedEvent`, or as the store does."""
    identified_events = assign_event_ids([submitted_event])
    return append_to_record(store, _new_record(identified_events[0], TABLE_KIND), 0, identified_events)


def _new_record(opening: SubmittedEvent, kind: str) -> StreamInfo:
    event_id = submitted_event_id(opening)
    return StreamInfo(event_id, event_id, kind, 0)


def audit_appended_events(
    store: EventStore,
    append_result: AppendResult,
    book: RulesetBook = PUBLISHED_RULESETS,
    viewer: Viewer = FULL_VIEWER,
    expand_log: LogExpander | None = None,
) -> tuple[Finding, ...]:
    """The findings at the events, and at earlier ones because of them, as ``viewer`` may know them.

    The log counts up to the last of the events; the whole log decides what the viewer may know.
    """
    seqs = {event.seq for event in append_result.events}
    found = (
        audit_incrementally(store, append_result, book)
        if viewer.sees_everything and expand_log is None
        else None
    )
    if found is None:
        log = view(read_log(store, append_result.stream), viewer)[: max(seqs)]
        found = audit(expand_log(log, FULL_VIEWER) if expand_log else log, book).findings
    return tuple(
        finding
        for finding in found
        if any(seq_key(seq)[0] in seqs for seq in (finding.seq, *finding.evidence))
    )


def _audit_appended_as_actors(
    store: EventStore, append_result: AppendResult, book: RulesetBook, expand_log: LogExpander | None
) -> tuple[Finding, ...]:
    """The findings at the events that the acting seats may know: strict mode reveals no more to anyone."""
    # Others may have written in between.
    appended_seqs = {event.seq for event in append_result.events}
    log, before = read_log(store, append_result.stream, up_to=max(appended_seqs)), min(appended_seqs) - 1
    found = audit_as_actors(log[:before], log[before:], book, expand_log)
    return tuple(one for one in found if seq_key(one.seq)[0] in appended_seqs)
