"""What one caller may read of the records. `service.application.commands` writes to them.

`engine.view` redacts every log that leaves here for a viewer that the caller may be, and all answers are
computed from the redacted log.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice

from engine import FULL_VIEWER, PUBLIC_VIEWER, Finding, Log, Viewer, view
from engine.core.cards import SEATS
from engine.core.events import DealOpened
from engine.rulesets import RulesetBook
from engine.tables import EveningPreview, Ledger
from engine.tables.rescoring import EveningRescoring, OtherRules
from engine.tables.table_report import TableReport
from engine.view import are_hands_open
from schemas.spreadsheet.slip_logs import TableSlips, build_slips
from schemas.wire.event_writer import entry_bytes
from service.application.record_view import RecordPage, RecordView, UnredactedLogs
from service.auth.access_register import AccessRegister
from service.auth.caller import PermissionDenied
from service.auth.display_names import member_display_names, unambiguous_names
from service.auth.grants import Scope
from service.auth.request_identity import RequestIdentity
from service.eventstore import PAGE_SIZE, AppendResult, EventStore, StoreDamaged, StreamInfo
from service.projections.summaries import RecordSummary, SummaryCache, list_summary_players
from service.records import append, slip_batches, tables
from service.records.club_rules import ClubRules
from service.records.deal_points import VIEWERS_BY_NAME
from service.records.live import Subscription
from service.records.log_export import export_store_lines
from service.records.record_streams import DEAL_KIND, TABLE_KIND
from service.records.repository import (
    UnknownRecord,
    iterate_streams,
    read_stored_events,
    record_info,
    table_deal_info,
)
from service.records.variations import Variations
from service.transparency.disclosure import fully_visible_seqs
from service.transparency.proof_files import InclusionProof, build_inclusion_proof
from service.transparency.signed_notes import SignedNote


class Queries:
    """The records of ``store`` as a caller may read them, for one request."""

    def __init__(
        self,
        store: EventStore,
        request_identity: RequestIdentity,
        register: AccessRegister,
        summaries: SummaryCache,
        club_rules: ClubRules,
        variations: Variations,
    ) -> None:
        self.caller = request_identity.caller
        self._request_identity = request_identity
        self.register = register
        self._store, self._summaries, self._club_rules = store, summaries, club_rules
        self._variations = variations
        self._unredacted_logs = UnredactedLogs(store)

    @property
    def book(self) -> RulesetBook:
        """The rulesets that deals may be played by."""
        return self._club_rules.book

    def find_deal(self, deal: str) -> StreamInfo:
        """A deal that the caller may read. Raises `UnknownRecord`, `PermissionDenied`."""
        return self._find_readable(DEAL_KIND, deal)

    def find_table(self, table: str) -> StreamInfo:
        """A table that the caller may read. Raises `UnknownRecord`, `PermissionDenied`."""
        return self._find_readable(TABLE_KIND, table)

    def _find_readable(self, kind: str, stream: str) -> StreamInfo:
        try:
            info = record_info(self._store, kind, stream)
        except UnknownRecord:
            self._require_identified()
            raise
        if not self.caller.can_read(info) or not self._knows_beginning(info):
            self._require_identified()
            # Callers without permission must not learn that it exists.
            raise UnknownRecord(kind, stream)
        return info

    def _require_identified(self) -> None:
        if not self.caller.is_authenticated and not self.caller.has_permission("see_public"):
            raise PermissionDenied(
                "This needs a link to this record: ask the keeper of the table.", is_authenticated=False
            )

    def find_scope_record(self, scope: Scope) -> StreamInfo | None:
        """The record that a scope names, None for everything. Raises `UnknownRecord`, `PermissionDenied`."""
        return None if scope.id is None else self._find_readable(scope.kind, scope.id)

    def do_scopes_overlap(self, one: Scope, other: Scope) -> bool:
        """Whether some record lies within both scopes, regardless of who may read it."""
        if one.id is None or other.id is None or one == other:
            return True
        ids = {one.kind: one.id, other.kind: other.id}
        if len(ids) == 1:
            return False
        try:
            return record_info(self._store, DEAL_KIND, ids[DEAL_KIND]).root == ids[TABLE_KIND]
        except UnknownRecord:
            return False

    def list_records(self, kind: str, table: str | None, after: str | None, limit: int) -> RecordPage:
        """A page of the deals, or tables, that the caller may read, from the one after ``after``.

        ``table`` restricts deals to its own. Raises `UnknownRecord`, `PermissionDenied`.
        """
        if table:
            self.find_table(table)
        if after:
            self._find_readable(kind, after)
        return self._list_page(kind, table, after, limit)

    def list_newest_records(self, kind: str, after: str | None, limit: int) -> RecordPage:
        """A page of the deals, or tables, that the caller may read, the newest first."""
        known_after = after if after and self._can_find(kind, after) else None
        return self._list_page(kind, None, known_after, limit, newest_first=True)

    def _list_page(
        self, kind: str, table: str | None, after: str | None, limit: int, *, newest_first: bool = False
    ) -> RecordPage:
        if self.caller.has_permission("see_public"):
            records = self.iterate_records(table, kind, after, limit + 1, newest_first=newest_first)
            found = list(islice(records, limit + 1))
            return RecordPage(found[:limit], len(found) > limit)
        return _page_of(self.list_all_records(kind, table)[:: -1 if newest_first else 1], after, limit)

    def list_all_records(self, kind: str, table: str | None) -> list[StreamInfo]:
        """Return all records of a kind that the caller may read: in order of making, or else of ids."""
        if self.caller.has_permission("see_public"):
            return list(self.iterate_records(table, kind, None))
        found: dict[str, StreamInfo] = {}
        for scope in {grant.terms.scope for grant in self.caller.grants}:
            if scope.kind == TABLE_KIND and kind == DEAL_KIND and table in (None, scope.id):
                found |= {info.stream: info for info in self.iterate_records(scope.id, DEAL_KIND, None)}
            elif scope.kind == kind and scope.id is not None:
                try:
                    info = record_info(self._store, kind, scope.id)
                except UnknownRecord:
                    continue
                if table in (None, info.root) and self._may_list(info):
                    found[info.stream] = info
        return [found[name] for name in sorted(found)]

    def iterate_records(
        self,
        root: str | None,
        kind: str,
        after: str | None,
        page_size: int = PAGE_SIZE,
        *,
        newest_first: bool = False,
    ) -> Iterator[StreamInfo]:
        """The records after ``after``, except variations hidden from the caller; reads in pages."""
        streams = iterate_streams(self._store, root, kind, after, page_size, newest_first=newest_first)
        return filter(self._may_list, streams)

    # Variations

    def _knows_beginning(self, info: StreamInfo) -> bool:
        """Whether the caller may know all hands of the deals in which a variation begins.

        The author of a variation knows all hands, so its plays, and even its branch point, reveal them.
        """
        if info.kind != DEAL_KIND or self.caller.has_permission("see_all"):
            return True
        ancestors = self._variations.list_ancestors(self._variations.find_branch(info.stream))
        recorded_parents = (parent.record for parent in ancestors if parent.record)
        return all(
            self.caller.has_permission("see_all", parent)
            or are_hands_open(
                self._unredacted_logs.read_log(record_info(self._store, DEAL_KIND, parent.stream))
            )
            for parent in recorded_parents
        )

    def _may_list(self, info: StreamInfo) -> bool:
        """Whether a list may show a record: not if damage hides the deals in which it begins."""
        try:
            return self._knows_beginning(info)
        except StoreDamaged:
            return False

    def can_know_of(self, scope: Scope) -> bool:
        """Whether the caller may know of the record that a scope names."""
        return scope.id is None or self._can_find(scope.kind, scope.id)

    def _can_find(self, kind: str, name: str) -> bool:
        try:
            self._find_readable(kind, name)
        except (UnknownRecord, PermissionDenied, StoreDamaged):
            return False
        return True

    def list_variations(self, parent: str, after: str | None, limit: int) -> RecordPage:
        """A page of the readable variations of a deal, or of one of the library.

        Raises `UnknownRecord` if ``after`` is none of them.
        """
        infos = (
            record_info(self._store, DEAL_KIND, deal) for deal in self._variations.list_variations(parent)
        )
        found = [info for info in infos if self.caller.can_read(info) and self._may_list(info)]
        if after is not None and all(info.stream != after for info in found):
            raise UnknownRecord(DEAL_KIND, after)
        return _page_of(found, after, limit)

    def expanded_record_view(self, stream: StreamInfo, viewer_name: str | None = None) -> RecordView:
        """The deal as `record_view` returns it; a variation after its beginning, for the viewer asked for."""
        record_view = self.record_view(stream, viewer_name)
        if self._variations.find_branch(stream.stream) is None:
            return record_view
        viewer = FULL_VIEWER if viewer_name is None else VIEWERS_BY_NAME[viewer_name]
        return record_view._replace(log=self._variations.expand_log(record_view.log, viewer))

    # Reading

    def resolve_viewer(self, stream: StreamInfo, viewer_name: str | None = None) -> Viewer:
        """The viewer of that name, by default the widest allowed one. Raises `PermissionDenied`."""
        widest_viewer = self.caller.widest_viewer(stream, lambda: self._unredacted_logs.read_log(stream))
        return self.caller.resolve_requested_viewer(viewer_name, widest_viewer)

    def record_view(self, stream: StreamInfo, viewer_name: str | None = None) -> RecordView:
        """The record's log as the caller may know it, at the version of ``stream``."""
        viewer = self.resolve_viewer(stream, viewer_name)
        return RecordView(stream, viewer, view(self._unredacted_logs.read_log(stream), viewer))

    def read_event_bodies(
        self, stream: StreamInfo, after: int, last: int, viewer_name: str | None = None
    ) -> tuple[Iterator[bytes], Viewer]:
        """The entries after ``after``, up to ``last``, as JSON; and the viewer for whom they are redacted."""
        viewer = self.resolve_viewer(stream, viewer_name)
        if viewer.sees_everything:
            stored = read_stored_events(self._store, stream.stream, after, last)
            return (event.body for event in stored), viewer
        redacted = view(self._unredacted_logs.read_log(stream), viewer)[after:last]
        return map(entry_bytes, redacted), viewer

    def has_erased_events(self, stream: StreamInfo) -> bool:
        """Whether something of the record, or of a deal in which it begins, was erased."""
        return any(map(self._has_erased_salt, (stream, *self.list_recorded_ancestors(stream))))

    def is_fully_public(self, deal: StreamInfo) -> bool:
        """Whether a deal was published and the public may see all of it now; False for a variation."""
        if not self.caller.is_public_record(deal) or self._variations.find_branch(deal.stream) is not None:
            return False
        log = self._unredacted_logs.read_log(deal)
        return view(log, PUBLIC_VIEWER) == log

    def list_recorded_ancestors(self, stream: StreamInfo) -> list[StreamInfo]:
        """The recorded deals in which a variation begins, the nearest first; none for any other record."""
        branch = self._variations.find_branch(stream.stream) if stream.kind == DEAL_KIND else None
        return [parent.record for parent in self._variations.list_ancestors(branch) if parent.record]

    def _has_erased_salt(self, stream: StreamInfo) -> bool:
        after = 0
        while page := self._store.read_sealed_events(stream.stream, after):
            if any(one.salt is None for one in page):
                return True
            after = page[-1].event.seq
        return False

    def build_subscription(
        self, stream: StreamInfo, viewer_name: str | None = None, *, with_deals: bool = False
    ) -> Subscription:
        """The record, or a table ``with_deals``, as the caller may follow it. Raises `PermissionDenied`."""
        caller = self.caller
        self.resolve_viewer(stream, viewer_name)

        def resolve_viewer(name: str, log: Callable[[], Log]) -> Viewer:
            kind = stream.kind if name == stream.stream else DEAL_KIND
            widest_viewer = caller.widest_viewer(StreamInfo(name, stream.root, kind, 0), log)
            # A correction of the seats may change what the caller may see.
            return (
                widest_viewer if viewer_name is None else widest_viewer.restrict(VIEWERS_BY_NAME[viewer_name])
            )

        # The grant of a token is fixed; those of a browser change with each link that it opens.
        stable_viewer = caller.is_authenticated and caller.session is None

        def is_allowed() -> bool:
            return self._request_identity.is_still_valid() and self._knows_beginning(stream)

        ancestor_streams = tuple(deal.stream for deal in self.list_recorded_ancestors(stream))
        return Subscription(
            stream,
            with_deals,
            resolve_viewer,
            is_allowed,
            stable_viewer,
            self._request_identity.seconds_left,
            ancestor_streams,
        )

    def list_table_deals(self, table: StreamInfo) -> list[StreamInfo]:
        """The recorded deals that a table started, each once and in that order."""
        table_state = tables.table_from_log(self._unredacted_logs.read_log(table), self.book)
        found = []
        for deal in dict.fromkeys(started.deal for started in table_state.deals):
            with suppress(UnknownRecord):
                found.append(table_deal_info(self._store, table.root, deal))
        return found

    def build_proof(
        self, streams: Sequence[StreamInfo], note: SignedNote, viewer_name: str | None = None
    ) -> InclusionProof:
        """The proof of records by a checkpoint; of hidden entries it has only the commitment, without salt.

        Raises `PermissionDenied`.
        """
        visible_seqs = {
            one.stream: fully_visible_seqs(
                self._unredacted_logs.read_log(one), self.resolve_viewer(one, viewer_name)
            )
            for one in streams
        }
        versions = {one.stream: one.version for one in streams}
        return build_inclusion_proof(
            self._store, note, versions, lambda sealed: sealed.event.seq in visible_seqs[sealed.event.stream]
        )

    def build_slip_sheet(self, table: StreamInfo) -> TableSlips | None:
        """A table as a sheet of slips with the names of members, from what the caller may know."""
        found = build_slips(self.record_view(table).log, self._read_deal_logs(table), self.book)
        if found is None:
            return None
        players = found.table.players
        names = {**self.member_names(table, players), **self.full_member_names(table, players)}
        return found._replace(table=found.table.rename_players(unambiguous_names(names, players)))

    def _read_deal_logs(self, table: StreamInfo) -> dict[str, Log]:
        """The logs of a table's deals, from what the caller may know."""
        return {deal.stream: self.expanded_record_view(deal).log for deal in self.list_table_deals(table)}

    def _read_deal_log(self, table: StreamInfo, deal: str) -> Log:
        return self.expanded_record_view(table_deal_info(self._store, table.root, deal)).log

    def current_version(self, stream: StreamInfo) -> int:
        """Return the version that a record has now."""
        return self._store.stream_version(stream.stream)

    def audit_appended_events(self, append_result: AppendResult) -> tuple[Finding, ...]:
        """Return the findings of appended events, from what the caller may know."""
        stream = self._store.stream_info(append_result.stream)
        return append.audit_appended_events(
            self._store, append_result, self.book, self.resolve_viewer(stream)
        )

    def export_everything(self) -> Iterator[bytes]:
        """Yield all records as `service.records.log_export` writes them. Raises `PermissionDenied`."""
        self.caller.require_permission("oversee")
        return export_store_lines(self._store)

    def build_table_continuation(self, table: StreamInfo) -> EveningPreview:
        """Return the evening of a table, to be continued, from what the caller may know."""
        log = self.record_view(table).log
        return slip_batches.build_table_continuation(log, partial(self._read_deal_log, table), self.book)

    def ledger(self, table: StreamInfo) -> Ledger:
        """The ledger of a table, from what the caller may know of its log and of its deals."""
        log = self.record_view(table).log
        return tables.build_ledger(log, partial(self._read_deal_log, table), self.book)

    def table_report(
        self, table: StreamInfo, other_rules: OtherRules | None = None
    ) -> tuple[TableReport, EveningRescoring | None]:
        """The report on a table, from what the caller may know; and the evening by ``other_rules``."""
        log = self.record_view(table).log
        return tables.build_table_report(log, self._read_deal_logs(table), other_rules, self.book)

    def summary(self, stream: StreamInfo) -> RecordSummary:
        """A summary of a deal or table, with the names of its members."""
        if stream.kind == DEAL_KIND:
            viewer = self.resolve_viewer(stream)
            found = self._summaries.deal_summary(
                stream, viewer, lambda: self.expanded_record_view(stream).log, self.book
            )
        else:
            found = self._summaries.table_summary(stream, self.record_view(stream).log, self.book)
        return {**found, "names": self.member_names(stream, list_summary_players(found))}

    def deal_member_names(self, record_view: RecordView) -> dict[str, str | None]:
        """The names of the members among the players of a deal, by id."""
        seats = (entry.event.players for entry in record_view.log if isinstance(entry.event, DealOpened))
        players = [name for one in seats for name in (*map(one.at, SEATS), *one.sitting_out)]
        return self.member_names(record_view.stream, players)

    def member_names(self, stream: StreamInfo, players: Iterable[str]) -> dict[str, str | None]:
        """The display names of the members among the players of a record, by id; None for a forgotten one.

        Short ones, unless only full ones are unambiguous; readers of a published record get no full names.
        """
        return member_display_names(
            self.register, players, frozenset(), can_see_full_names=self.caller.can_see_full_names(stream)
        )

    def full_member_names(self, stream: StreamInfo, players: Iterable[str]) -> dict[str, str]:
        """The full names of the members among the players, by id, if the caller may know them."""
        if not self.caller.can_see_full_names(stream):
            return {}
        members = self.register.find_members_by_id(list(players)).values()
        return {one.id: one.name for one in members if not one.forgotten_at}


def _page_of(records: list[StreamInfo], after: str | None, limit: int) -> RecordPage:
    """A page of a list from the record after ``after``, or from the first if that is not in it."""
    streams = [info.stream for info in records]
    first = streams.index(after) + 1 if after in streams else 0
    return RecordPage(records[first : first + limit], first + limit < len(records))
