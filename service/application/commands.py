"""What one caller may write to the records. `service.application.queries` reads them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.core.events import DealOpened
from engine.rulesets import Ruleset, RulesetBook
from service.application.queries import Queries
from service.application.record_view import UnredactedLogs
from service.eventstore import AppendResult, EventStore, IdConflict, StreamInfo
from service.eventstore.events import ExpectedVersion
from service.records import append, deal_starts, tables
from service.records.append import DealAppendResult
from service.records.club_rules import ClubRules, PublishedRevision, pin_ruleset_revision
from service.records.log_grouping import One, is_table_log
from service.records.log_import import ImportResult, import_logs
from service.records.record_streams import (
    SubmittedEvent,
    assign_event_ids,
    require_no_table,
    set_recorded_by,
    submitted_event_id,
)
from service.records.repository import append_to_record, parse_stored_entry
from service.records.variations import Variations


class Commands:
    """The records of ``store`` as the caller of ``queries`` may write them, for one request."""

    def __init__(
        self, queries: Queries, store: EventStore, club_rules: ClubRules, variations: Variations
    ) -> None:
        self.caller = queries.caller
        self._queries, self._store = queries, store
        self._club_rules, self._variations = club_rules, variations
        self._unredacted_logs = UnredactedLogs(store)

    @property
    def _book(self) -> RulesetBook:
        return self._club_rules.book

    def open_deal(self, submitted_events: Sequence[SubmittedEvent], *, strict: bool) -> DealAppendResult:
        """Record a deal without a table. Raises `PermissionDenied`, `MisplacedEvent`, or as `append` does."""
        self.caller.require_permission("open_deals")
        require_no_table(submitted_events[0])
        signed = set_recorded_by(self.caller.author_grant_id("open_deals"), submitted_events)
        opening = self._variations.complete_opening(signed[0])
        event = opening.reading.event
        branches = isinstance(event, DealOpened) and event.branch is not None
        return append.open_deal(
            self._store,
            [self._pin_ruleset_revision(opening), *signed[1:]],
            strict=strict,
            book=self._book,
            expand_log=self._variations.expand_log if branches else None,
        )

    def _pin_ruleset_revision(self, opening: SubmittedEvent) -> SubmittedEvent:
        """The first entry of a table or a deal without one, with the revision of its ruleset."""
        return pin_ruleset_revision(self._store, opening.reading.metadata.id or "", opening, self._book)

    def require_any_write_access(self, stream: StreamInfo) -> None:
        """Raise `PermissionDenied` if the caller may write nothing into the record."""
        if not self.caller.has_permission("note", stream):
            self.caller.require_permission("write", stream)

    def append_to_deal(
        self,
        deal: StreamInfo,
        expected_version: ExpectedVersion,
        submitted_events: Sequence[SubmittedEvent],
        *,
        mode: str | None,
    ) -> DealAppendResult:
        """Append to a deal. Raises `PermissionDenied`, or as `append` does."""
        signed_events = self._authorize_and_sign(deal, submitted_events)
        self._variations.require_same_branch(deal.stream, signed_events)
        return append.append_to_deal(
            self._store,
            deal,
            expected_version,
            signed_events,
            strict=self._is_strict(mode, None if deal.root == deal.stream else deal.root),
            book=self._book,
            viewer=self._queries.resolve_viewer(deal),
            expand_log=self._variations.expand_log if self._variations.find_branch(deal.stream) else None,
            notes_only_grant=self._notes_only_grant(deal, signed_events),
        )

    def _is_strict(self, requested_mode: str | None, table: str | None) -> bool:
        """Whether to refuse events that break a rule: as the request asks, or else as the table does."""
        if requested_mode is None and table is not None:
            requested_mode = tables.read_table(self._store, table, self._book).opening_event.mode
        return requested_mode == "strict"

    def open_table(self, submitted_event: SubmittedEvent) -> AppendResult:
        """Open a table. Raises `PermissionDenied`, or as `append` does."""
        self.caller.require_permission("open_tables")
        (signed,) = set_recorded_by(self.caller.author_grant_id("open_tables"), [submitted_event])
        return append.open_table(self._store, self._pin_ruleset_revision(signed))

    def append_to_table(
        self, table: StreamInfo, expected_version: ExpectedVersion, submitted_events: Sequence[SubmittedEvent]
    ) -> AppendResult:
        """Append to a table's log. Raises `PermissionDenied`, or as `append` does."""
        signed_events = self._authorize_and_sign(table, submitted_events)
        return append_to_record(
            self._store, table, expected_version, signed_events, self._notes_only_grant(table, signed_events)
        )

    def _notes_only_grant(self, stream: StreamInfo, submitted_events: Sequence[SubmittedEvent]) -> str | None:
        """The grant by which the caller adds these notes, if it allows nothing else."""
        return (
            None
            if self.caller.has_permission("write", stream)
            else submitted_events[0].reading.metadata.recorded_by
        )

    def _authorize_and_sign(
        self, stream: StreamInfo, submitted_events: Sequence[SubmittedEvent]
    ) -> list[SubmittedEvent]:
        """The events, signed by the caller, if they may be appended.

        Without the permission to write, repeating another author's event is a conflict: otherwise guesses
        would show what it says. Raises `PermissionDenied`, `IdConflict`.
        """
        self.caller.require_append_permission(stream, [one.reading.event for one in submitted_events])
        if self.caller.has_permission("write", stream):
            return [self._sign_event(stream, one) for one in submitted_events]
        identified_events = assign_event_ids(submitted_events)
        own_grant_ids = self.caller.all_author_grant_ids(stream)
        ids = list(map(submitted_event_id, identified_events))
        for stored in self._store.find_events(stream.root, ids).values():
            author = parse_stored_entry(stored).metadata.recorded_by
            if stored.stream == stream.stream and author not in own_grant_ids:
                why = f"is stored as event {stored.seq} with other contents."
                raise IdConflict(stored.event_id, stored.stream, stored.seq, why)
        return [self._sign_event(stream, one) for one in identified_events]

    def _sign_event(self, stream: StreamInfo, submitted_event: SubmittedEvent) -> SubmittedEvent:
        author = self.caller.event_author_grant_id(
            submitted_event.reading.event, stream, lambda: self._unredacted_logs.read_log(stream)
        )
        return set_recorded_by(author, [submitted_event])[0]

    def complete_deals(
        self,
        table: StreamInfo,
        deals_json: Sequence[Sequence[Mapping[str, Any]]],
        read_deal: deal_starts.DealReader,
    ) -> list[list[SubmittedEvent]]:
        """Return deals as they are to be started at a table. Raises as `deal_starts` does."""
        self.caller.require_permission("write", table)
        return deal_starts.complete_deals(self._store, table, deals_json, read_deal, self._book)

    def start_deals(
        self,
        table: StreamInfo,
        expected_version: ExpectedVersion,
        deals: Sequence[Sequence[SubmittedEvent]],
        *,
        mode: str | None,
    ) -> deal_starts.DealStartResult:
        """Start deals at a table in one step. Raises `PermissionDenied`, or as `deal_starts`."""
        self.caller.require_permission("write", table)
        author = self.caller.author_grant_id("write", table)
        signed = [set_recorded_by(author, one) for one in deals]
        strict = self._is_strict(mode, table.stream)
        return deal_starts.start_deals(
            self._store, table, expected_version, signed, strict=strict, book=self._book
        )

    def import_logs(self, logs: Iterable[One]) -> Iterator[ImportResult[One]]:
        """Import logs, recorded by the caller, or by the authors that an owner's file names.

        Raises `PermissionDenied`.
        """
        self.caller.require_permission("open_deals")
        imported_logs = list(logs)
        if any(is_table_log(one.log) for one in imported_logs):
            self.caller.require_permission("open_tables")
        return import_logs(
            self._store,
            imported_logs,
            self._book,
            self._variations,
            self.caller.author_grant_id("open_deals"),
            trust_stated_author=self.caller.has_permission("oversee"),
        )

    def publish_ruleset(self, ruleset: Ruleset) -> PublishedRevision:
        """Publish a revision of a club's ruleset. Raises `PermissionDenied`, or as `ClubRules`."""
        self.caller.require_permission("publish_rules")
        return self._club_rules.publish_revision(ruleset)
