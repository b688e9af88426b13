"""What one caller may write to the records. `service.application.queries` reads them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.core.events import DealOpened
from engine.core.table_events import TableOpened
from engine.rulesets import Book, Ruleset
from service.application.queries import Queries
from service.application.uncut_logs import UncutLogs
from service.eventstore import Appended, EventStore, IdConflict, StreamInfo
from service.eventstore.interface import Expected
from service.records import append, slip_batch_start, tables
from service.records.append import Recorded
from service.records.club_rules import ClubRules, Kept, with_revision
from service.records.gather_logs import One
from service.records.importing import Imported, import_logs, signed_by
from service.records.records import Posted, entry_in, id_of, in_name_of, with_ids
from service.records.variations import Course, Variations


class Commands:
    """The records of ``store`` as the caller of ``queries`` may write them. Made for one request."""

    def __init__(
        self, queries: Queries, store: EventStore, club_rules: ClubRules, variations: Variations
    ) -> None:
        self.caller = queries.caller
        self._queries, self._store = queries, store
        self._club_rules, self._variations = club_rules, variations
        self._uncut = UncutLogs(store)

    @property
    def _book(self) -> Book:
        return self._club_rules.book

    def open_deal(self, sent: Sequence[Posted], *, strict: bool) -> Recorded:
        """Records a deal alone. Raises `NotAllowed`, `Misplaced`, or as `service.records.append` does."""
        self.caller.require("open_deals")
        tables.require_no_table(sent[0])
        signed = in_name_of(self.caller.author("open_deals"), sent)
        opening = self._variations.opened(signed[0])
        event = opening.reading.event
        branches = isinstance(event, DealOpened) and event.branch is not None
        return append.open_deal(
            self._store,
            [self._with_revision(opening), *signed[1:]],
            strict=strict,
            book=self._book,
            course=self._variations.course if branches else None,
        )

    def _with_revision(self, opening: Posted) -> Posted:
        """The first entry of a record that is a root of its own, naming the revision that it is played by."""
        return with_revision(self._store, opening.reading.record.id or "", opening, self._book)

    def require_hand(self, stream: StreamInfo) -> None:
        """Raises `NotAllowed` where the caller may write nothing at all into the record."""
        if not self.caller.may("note", stream):
            self.caller.require("write", stream)

    def continue_deal(
        self, deal: StreamInfo, expected: Expected, sent: Sequence[Posted], *, mode: str | None
    ) -> Recorded:
        """Appends to a deal. Raises `NotAllowed`, or as `service.records.append` does."""
        posted = self._in_own_name(deal, sent)
        self._variations.require_same(deal.stream, posted)
        return append.continue_deal(
            self._store,
            deal,
            expected,
            posted,
            strict=self._is_strict(mode, deal),
            book=self._book,
            viewer=self._queries.viewer(deal),
            course=self._course_of(deal),
            noting_as=self._noting_as(deal, posted),
        )

    def _course_of(self, deal: StreamInfo) -> Course | None:
        return None if self._variations.branch(deal.stream) is None else self._variations.course

    def _is_strict(self, asked: str | None, deal: StreamInfo) -> bool:
        """Whether events that break a rule are refused: as the request says, or else the deal's table."""
        if asked is not None or deal.root == deal.stream:
            return asked == "strict"
        return tables.table_in(self._store, deal.root, self._book).opened.mode == "strict"

    def open_table(self, sent: Posted) -> Appended:
        """Opens a table. Raises `NotAllowed`, or as `service.records.append` does."""
        self.caller.require("open_tables")
        (signed,) = in_name_of(self.caller.author("open_tables"), [sent])
        return append.open_table(self._store, self._with_revision(signed))

    def continue_table(self, table: StreamInfo, expected: Expected, sent: Sequence[Posted]) -> Appended:
        """Appends to a table's log. Raises `NotAllowed`, or as `service.records.append` does."""
        posted = self._in_own_name(table, sent)
        return append.continue_table(self._store, table, expected, posted, self._noting_as(table, posted))

    def _noting_as(self, stream: StreamInfo, posted: Sequence[Posted]) -> str | None:
        """The grant by which the caller adds these notes, where he may add nothing else."""
        return None if self.caller.may("write", stream) else posted[0].reading.record.recorded_by

    def _in_own_name(self, stream: StreamInfo, sent: Sequence[Posted]) -> list[Posted]:
        """What is sent, in the caller's name, if he may append it.

        Who may only add what is his own cannot send again what another wrote either: else he could try out
        what that says. Raises `NotAllowed`, `IdConflict`.
        """
        self.caller.require_append(stream, [one.reading.event for one in sent])
        if self.caller.may("write", stream):
            return [self._signed(stream, one) for one in sent]
        posted, own = with_ids(sent), self.caller.writing_as(stream)
        for stored in self._store.find(stream.root, map(id_of, posted)).values():
            if stored.stream == stream.stream and entry_in(stored).record.recorded_by not in own:
                why = f"is stored as event {stored.seq} with other contents."
                raise IdConflict(stored.event_id, stored.stream, stored.seq, why)
        return [self._signed(stream, one) for one in posted]

    def _signed(self, stream: StreamInfo, posted: Posted) -> Posted:
        author = self.caller.author_of(posted.reading.event, stream, lambda: self._uncut.log(stream))
        return in_name_of(author, [posted])[0]

    def opening_at(self, table: StreamInfo, sent: Mapping[str, Any]) -> dict[str, Any]:
        """The opening of a deal at a table: what was sent, and for the rest what the table says."""
        self.caller.require("write", table)
        return tables.opening_at(self._store, table, sent, self._book)

    def start_deal(self, table: StreamInfo, expected: Expected, opening: Posted) -> tables.Started:
        """Starts a deal at a table. Raises `NotAllowed`, or as `service.records.tables` does."""
        self.caller.require("write", table)
        (signed,) = in_name_of(self.caller.author("write", table), [opening])
        return tables.start_deal(self._store, table, expected, signed)

    def pile_at(
        self, table: StreamInfo, sent: Sequence[Sequence[Mapping[str, Any]]], read: slip_batch_start.ReadDeal
    ) -> list[list[Posted]]:
        """Return deals as they are to be started at a table. Raises as `slip_batch_start` does."""
        self.caller.require("write", table)
        return slip_batch_start.pile_at(self._store, table, sent, read, self._book)

    def start_pile(
        self, table: StreamInfo, expected: Expected, deals: Sequence[Sequence[Posted]], *, mode: str | None
    ) -> slip_batch_start.StartedPile:
        """Start several deals at a table in one step. Raises `NotAllowed`, or as `slip_batch_start`."""
        self.caller.require("write", table)
        author = self.caller.author("write", table)
        own = tables.table_in(self._store, table.stream, self._book).opened.mode
        strict = (mode if mode is not None else own) == "strict"
        signed = [in_name_of(author, one) for one in deals]
        return slip_batch_start.start_pile(
            self._store, table, expected, signed, strict=strict, book=self._book
        )

    def import_logs(self, logs: Iterable[One]) -> Iterator[Imported[One]]:
        """Makes records of logs, recorded by the caller.

        Of an owner's file it is believed whom it names; he has the whole of the club, and brings it along.
        Raises `NotAllowed`.
        """
        self.caller.require("open_deals")
        read = list(logs)
        if any(isinstance(one.log[0].event, TableOpened) for one in read):
            self.caller.require("open_tables")
        signing = signed_by(self.caller.author("open_deals"), believed=self.caller.may("oversee"))
        return import_logs(self._store, read, self._book, self._variations, signing)

    def publish_rules(self, ruleset: Ruleset) -> Kept:
        """Publishes a revision of a ruleset of the club's own. Raises `NotAllowed`, or as `ClubRules`."""
        self.caller.require("publish_rules")
        return self._club_rules.keep(ruleset)
