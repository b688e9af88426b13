"""What one caller may read of the records. `service.application.commands` writes to them.

Every log that leaves here was cut by `engine.view` for a viewer that the caller may be, and everything
told of it is computed from the cut log.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from engine import EVERYTHING, PUBLIC, Finding, Log, Viewer, view
from engine.core.cards import SEATS
from engine.core.events import DealOpened
from engine.rulesets import Book
from engine.tables import Ahead, Ledger
from engine.tables.report import TableReport
from engine.tables.rescoring import Other, Rescoring
from engine.view import hands_open
from schemas.spreadsheet.from_logs import Told, slips_from
from schemas.wire.writer import entry_bytes
from service.application.record_view import Page, RecordView
from service.application.uncut_logs import UncutLogs
from service.auth.caller import NotAllowed
from service.auth.calling import called_among
from service.auth.grants import Scope
from service.auth.register import Register
from service.auth.standing import Standing
from service.eventstore import PAGE, Appended, EventStore, StoreDamaged, StreamInfo
from service.projections.summaries import Summaries, Summary, players_in
from service.records import append, slip_batches, tables
from service.records.club_rules import ClubRules
from service.records.exporting import lines_of_all
from service.records.live import Following
from service.records.points import VIEWERS
from service.records.records import DEAL, TABLE, UnknownRecord, described, described_at, stored_events
from service.records.variations import Variations
from service.transparency.knowing import open_to
from service.transparency.notes import Note
from service.transparency.proofs import Proof, proof_of


class Queries:
    """The records of ``store`` as a caller may read them. Made for one request."""

    def __init__(
        self,
        store: EventStore,
        standing: Standing,
        register: Register,
        summaries: Summaries,
        club_rules: ClubRules,
        variations: Variations,
    ) -> None:
        self.caller = standing.caller
        self._standing = standing
        self.register = register
        self._store, self._summaries, self._club_rules = store, summaries, club_rules
        self._variations = variations
        self._uncut = UncutLogs(store)

    @property
    def book(self) -> Book:
        """The rulesets that deals may be played by."""
        return self._club_rules.book

    # Finding

    def deal(self, deal: str) -> StreamInfo:
        """A deal that the caller may read. Raises `UnknownRecord`, `NotAllowed`."""
        return self._found(DEAL, deal)

    def table(self, table: str) -> StreamInfo:
        """A table that the caller may read. Raises `UnknownRecord`, `NotAllowed`."""
        return self._found(TABLE, table)

    def _found(self, kind: str, stream: str) -> StreamInfo:
        try:
            info = described(self._store, kind, stream)
        except UnknownRecord:
            self._require_known()
            raise
        if not self.caller.reads(info) or not self._knows_beginning(info):
            self._require_known()
            # Whoever may not read it is not told that it is there.
            raise UnknownRecord(kind, stream)
        return info

    def _require_known(self) -> None:
        if not self.caller.known and not self.caller.may("see_public"):
            raise NotAllowed("That takes a link to this record: ask whoever keeps the table.", known=False)

    def place_of(self, scope: Scope) -> StreamInfo | None:
        """The record that a scope names, None for everything. Raises `UnknownRecord`, `NotAllowed`."""
        return None if scope.id is None else self._found(scope.kind, scope.id)

    def overlap(self, one: Scope, other: Scope) -> bool:
        """Whether some record lies within both scopes, whoever may read it."""
        if one.id is None or other.id is None or one == other:
            return True
        ids = {one.kind: one.id, other.kind: other.id}
        if len(ids) == 1:
            return False
        try:
            return described(self._store, DEAL, ids[DEAL]).root == ids[TABLE]
        except UnknownRecord:
            return False

    def records(self, kind: str, table: str | None, after: str | None, limit: int) -> Page:
        """A page of the deals, or tables, that the caller may read, behind the one called ``after``.

        ``table`` leaves out the deals of others. Raises `UnknownRecord`, `NotAllowed`.
        """
        if table:
            self.table(table)
        if after:
            self._found(kind, after)
        if self.caller.may("see_public"):
            found = list(islice(self.listed(table, kind, after, limit + 1), limit + 1))
        else:
            reached = self.all_records(kind, table)
            names = [info.stream for info in reached]
            first = names.index(after) + 1 if after in names else 0
            found = reached[first : first + limit + 1]
        return Page(found[:limit], len(found) > limit)

    def newest(self, kind: str, after: str | None, limit: int) -> Page:
        """A page of the deals, or tables, that the caller may read, the latest first."""
        if self.caller.may("see_public"):
            behind = after if after and self._knows(kind, after) else None
            found = list(islice(self.listed(None, kind, behind, limit + 1, backwards=True), limit + 1))
            return Page(found[:limit], len(found) > limit)
        reached = self.all_records(kind, None)[::-1]
        names = [info.stream for info in reached]
        first = names.index(after) + 1 if after in names else 0
        return Page(reached[first : first + limit], first + limit < len(reached))

    def all_records(self, kind: str, table: str | None) -> list[StreamInfo]:
        """Return all records of a kind that the caller may read: in order of making, or else of ids."""
        if self.caller.may("see_public"):
            return list(self.listed(table, kind, None))
        reached: dict[str, StreamInfo] = {}
        for scope in {grant.terms.scope for grant in self.caller.grants}:
            if scope.kind == TABLE and kind == DEAL and table in (None, scope.id):
                reached |= {info.stream: info for info in self.listed(scope.id, DEAL, None)}
            elif scope.kind == kind and scope.id is not None:
                try:
                    info = described(self._store, kind, scope.id)
                except UnknownRecord:
                    continue
                if table in (None, info.root) and self._may_list(info):
                    reached[info.stream] = info
        return [reached[name] for name in sorted(reached)]

    def listed(
        self, root: str | None, kind: str, after: str | None, page: int = PAGE, *, backwards: bool = False
    ) -> Iterator[StreamInfo]:
        """Yield the records after ``after``, except variations hidden from the caller; reads in pages."""
        while infos := self._store.streams(root, kind, after, page, backwards=backwards):
            yield from filter(self._may_list, infos)
            after = infos[-1].stream

    # Variations

    def _knows_beginning(self, info: StreamInfo) -> bool:
        """Whether he may know all of the deals that a deal leaves, one after another.

        A variation is made by somebody who knows all hands: what is played in it, and that there is one at
        that point, tells of them. So nobody else is told of it while they do not lie open.
        """
        if info.kind != DEAL or self.caller.may("see_all"):
            return True
        line = self._variations.line(self._variations.branch(info.stream))
        recorded = (left.recorded for left in line if left.recorded)
        return all(
            self.caller.may("see_all", left)
            or hands_open(self._uncut.log(described(self._store, DEAL, left.stream)))
            for left in recorded
        )

    def _may_list(self, info: StreamInfo) -> bool:
        """Whether a list tells him of a record: not where damage hides what it begins in."""
        try:
            return self._knows_beginning(info)
        except StoreDamaged:
            return False

    def knows_of(self, scope: Scope) -> bool:
        """Whether he may know that there is the record that a scope names."""
        return scope.id is None or self._knows(scope.kind, scope.id)

    def _knows(self, kind: str, name: str) -> bool:
        try:
            self._found(kind, name)
        except (UnknownRecord, NotAllowed, StoreDamaged):
            return False
        return True

    def variations(self, left: str, after: str | None, limit: int) -> Page:
        """A page of the variations that leave a deal, or one of the library, and that he may read.

        Raises `UnknownRecord` where ``after`` is none of them.
        """
        infos = (described(self._store, DEAL, deal) for deal in self._variations.leaving(left))
        found = [info for info in infos if self.caller.reads(info) and self._may_list(info)]
        names = [info.stream for info in found]
        if after is not None and after not in names:
            raise UnknownRecord(DEAL, after)
        first = names.index(after) + 1 if after is not None else 0
        return Page(found[first : first + limit], first + limit < len(found))

    def course(self, stream: StreamInfo, asked: str | None = None) -> RecordView:
        """The deal as `sight` has it, behind its beginning where it is a variation of another.

        Who may read it knows all of that; he may ask to see it as somebody else would.
        """
        sight = self.sight(stream, asked)
        if self._variations.branch(stream.stream) is None:
            return sight
        viewer = EVERYTHING if asked is None else VIEWERS[asked]
        return sight._replace(log=self._variations.course(sight.log, viewer))

    # Reading

    def viewer(self, stream: StreamInfo, asked: str | None = None) -> Viewer:
        """The viewer whom ``asked`` names, by default the one who sees the most that the caller may.

        Raises `NotAllowed` for one who sees more.
        """
        most = self.caller.viewer(stream, lambda: self._uncut.log(stream))
        return self.caller.viewer_asked(asked, most)

    def sight(self, stream: StreamInfo, asked: str | None = None) -> RecordView:
        """The record's log as the caller may know it, at the version of ``stream``."""
        viewer = self.viewer(stream, asked)
        return RecordView(stream, viewer, view(self._uncut.log(stream), viewer))

    def bodies(
        self, stream: StreamInfo, after: int, last: int, asked: str | None = None
    ) -> tuple[Iterator[bytes], Viewer]:
        """The entries behind ``after``, up to ``last``, as JSON; and for which viewer they were cut.

        What is stored is read as it is taken, a page at a time.
        """
        viewer = self.viewer(stream, asked)
        if viewer.everything:
            return (event.body for event in stored_events(self._store, stream.stream, after, last)), viewer
        cut = view(self._uncut.log(stream), viewer)[after:last]
        return (entry_bytes(entry) for entry in cut), viewer

    def was_erased(self, stream: StreamInfo) -> bool:
        """Whether something of the record was erased: of one version it is no longer what it was then.

        Of a variation that is so too where it was erased from a deal that it leaves.
        """
        return any(map(self._has_gaps, (stream, *self.beginning_of(stream))))

    def is_open_to_all(self, deal: StreamInfo) -> bool:
        """Whether a deal was published and nothing of it is cut for anybody, as it stands now.

        Of a variation it is not told: it lies as open as every deal that it leaves.
        """
        if not self.caller.is_published(deal) or self._variations.branch(deal.stream) is not None:
            return False
        log = self._uncut.log(deal)
        return view(log, PUBLIC) == log

    def beginning_of(self, stream: StreamInfo) -> list[StreamInfo]:
        """The recorded deals in which a variation begins, the nearest first; none for any other record."""
        branch = self._variations.branch(stream.stream) if stream.kind == DEAL else None
        return [left.recorded for left in self._variations.line(branch) if left.recorded]

    def _has_gaps(self, stream: StreamInfo) -> bool:
        after = 0
        while page := self._store.sealed(stream.stream, after):
            if any(one.salt is None for one in page):
                return True
            after = page[-1].event.seq
        return False

    def following(
        self, stream: StreamInfo, asked: str | None = None, *, with_deals: bool = False
    ) -> Following:
        """The record as the caller may follow it, with ``with_deals`` a table and its deals, while he may.

        Raises `NotAllowed`.
        """
        caller = self.caller
        self.viewer(stream, asked)

        def viewer_of(name: str, log: Callable[[], Log]) -> Viewer:
            kind = stream.kind if name == stream.stream else DEAL
            most = caller.viewer(StreamInfo(name, stream.root, kind, 0), log)
            # Who sat where may be corrected: what he may see now is no more than he may see then.
            return most if asked is None else most.asking_for(VIEWERS[asked])

        # A token is of one grant for good; what a browser holds changes with each link that it opens.
        as_ever = caller.known and caller.session is None

        def holds() -> bool:
            return self._standing.holds() and self._knows_beginning(stream)

        left = tuple(deal.stream for deal in self.beginning_of(stream))
        return Following(stream, with_deals, viewer_of, holds, as_ever, self._standing.left, left)

    def deals_of(self, table: StreamInfo) -> list[StreamInfo]:
        """The deals that a table started, each once and in that order; one without a record is left out."""
        now = tables.table_of(self._uncut.log(table), self.book)
        found = []
        for deal in dict.fromkeys(started.deal for started in now.deals):
            with suppress(UnknownRecord):
                found.append(described_at(self._store, table.root, deal))
        return found

    def proof(self, streams: Sequence[StreamInfo], note: Note, asked: str | None = None) -> Proof:
        """The proof of records by a checkpoint.

        Of what the caller may not know the commitment alone is in it, and no salt. Raises `NotAllowed`.
        """
        known = {one.stream: open_to(self._uncut.log(one), self.viewer(one, asked)) for one in streams}
        versions = {one.stream: one.version for one in streams}
        return proof_of(
            self._store, note, versions, lambda sealed: sealed.event.seq in known[sealed.event.stream]
        )

    def slips(self, table: StreamInfo) -> Told | None:
        """A table as a sheet of slips, from what the caller may know."""
        logs = {deal.stream: self.course(deal).log for deal in self.deals_of(table)}
        return slips_from(self.sight(table).log, logs, self.book)

    def version(self, stream: StreamInfo) -> int:
        """Return the version that a record has now."""
        return self._store.version(stream.stream)

    def findings_at(self, appended: Appended) -> tuple[Finding, ...]:
        """Return what is found at events that were appended, by what the caller may know."""
        stream = self._store.describe(appended.stream)
        return append.findings_at(self._store, appended, self.book, self.viewer(stream))

    def everything(self) -> Iterator[bytes]:
        """Yield all that is recorded, as `service.records.exporting` writes it. Raises `NotAllowed`."""
        self.caller.require("oversee")
        return lines_of_all(self._store)

    def ahead(self, table: StreamInfo) -> Ahead:
        """Return the evening of a table, to be continued, from what the caller may know."""

        def log_of_deal(deal: str) -> Log:
            return self.course(described_at(self._store, table.root, deal)).log

        return slip_batches.ahead_of(self.sight(table).log, log_of_deal, self.book)

    def ledger(self, table: StreamInfo) -> Ledger:
        """The ledger of a table, from what the caller may know of its log and of its deals."""
        log = self.sight(table).log

        def log_of_deal(deal: str) -> Log:
            return self.course(described_at(self._store, table.root, deal)).log

        return tables.ledger_of(log, log_of_deal, self.book)

    def table_report(
        self, table: StreamInfo, other: Other | None = None
    ) -> tuple[TableReport, Rescoring | None]:
        """The report on a table, from what the caller may know; and the evening by ``other`` rules."""
        log = self.sight(table).log
        known = {deal.stream: self.course(deal).log for deal in self.deals_of(table)}
        return tables.report_of(log, known, other, self.book)

    def summary(self, stream: StreamInfo) -> Summary:
        """A deal or a table in short, with the names of the members in it."""
        if stream.kind == DEAL:
            viewer = self.viewer(stream)
            found = self._summaries.deal(stream, viewer, lambda: self.course(stream).log, self.book)
        else:
            found = self._summaries.table(stream, self.sight(stream).log, self.book)
        return {**found, "names": self.names(stream, players_in(found))}

    def names_in(self, sight: RecordView) -> dict[str, str | None]:
        """The members among the players of a deal, by their ids."""
        seats = (entry.event.players for entry in sight.log if isinstance(entry.event, DealOpened))
        players = [name for one in seats for name in (*map(one.at, SEATS), *one.sitting_out)]
        return self.names(sight.stream, players)

    def names(self, stream: StreamInfo, players: Iterable[str]) -> dict[str, str | None]:
        """The members among the players of a record, by id: how each is called there, None if forgotten.

        That is brief, and tells each from the others at that table; whole names only where nothing else
        does, and only to whoever does not read it just because it is published.
        """
        return called_among(self.register, players, frozenset(), known=self.caller.knows_names(stream))

    def whole_names(self, stream: StreamInfo, players: Iterable[str]) -> dict[str, str]:
        """The whole names of the members among the players, by id, as far as the caller may know them."""
        if not self.caller.knows_names(stream):
            return {}
        members = self.register.members_among(list(players)).values()
        return {one.id: one.name for one in members if not one.forgotten_at}
