"""Summaries of recorded deals and tables, for lists, their own addresses and pages."""

from collections import OrderedDict
from collections.abc import Callable
from datetime import date
from typing import Any, Final, TypeVar

from engine import Log, Viewer, audit
from engine.branching import branch_of, own_entry_count
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.view import are_hands_open
from schemas.answers.deal_reports import branch_object
from schemas.answers.states import score_object, state_object
from schemas.wire.event_writer import event_object
from service.config.urls import API_PREFIX, deal_url
from service.eventstore import StreamInfo
from service.projections.library_search import SearchFacts, build_search_facts
from service.projections.seasons import EveningResult, first_day
from service.records.demo_evening import is_demo_evening
from service.records.tables import table_from_log

MAX_CACHED_SUMMARIES: Final = 2000
MAX_CACHED_EVENINGS: Final = 10_000
"""Some 10 kB each."""
MAX_CACHED_DAYS: Final = 200_000
"""Some 60 MB."""

Key = TypeVar("Key")
Value = TypeVar("Value")
RecordSummary = dict[str, Any]
ViewedRecord = tuple[StreamInfo, Viewer]
"""A record at its version, and the viewer."""


def opening_date(record: RecordSummary) -> date:
    """The day of a record, as its opening states it; else when that was recorded or stored, the earlier."""
    if record["date"] is not None:
        return first_day(record["date"])
    return date.fromisoformat(min(record["recorded_at"] or record["opened_at"], record["opened_at"])[:10])


class _BoundedCache(OrderedDict[Key, Value]):
    """Drops its oldest entry when it has more than ``max_size``."""

    def __init__(self, max_size: int) -> None:
        super().__init__()
        self._max_size = max_size

    def get_or_build(self, key: Key, build: Callable[[], Value]) -> Value:
        """The value of a key, built if there is none."""
        found = self.get(key)
        if found is None:
            found = self[key] = build()
            if len(self) > self._max_size:
                self.popitem(last=False)
        return found


class SummaryCache:
    """The summaries of a store's records, cached by the record's version and the viewer."""

    def __init__(self) -> None:
        self._book: RulesetBook = PUBLISHED_RULESETS
        self._summaries = _BoundedCache[ViewedRecord, RecordSummary](MAX_CACHED_SUMMARIES)
        self._evenings = _BoundedCache[tuple[ViewedRecord, ...], EveningResult](MAX_CACHED_EVENINGS)
        self._facts = _BoundedCache[ViewedRecord, SearchFacts](MAX_CACHED_SUMMARIES)
        self._days = _BoundedCache[ViewedRecord, date | None](MAX_CACHED_DAYS)

    def clear(self) -> None:
        """Drop everything: some of it was erased from the store."""
        for cache in (self._summaries, self._evenings, self._facts, self._days):
            cache.clear()

    def _clear_if_book_changed(self, book: RulesetBook) -> None:
        """Drop what was judged by other rulesets: a new one may apply to it."""
        if book is not self._book:
            self.clear()
            self._book = book

    def table_day(self, table: ViewedRecord, build: Callable[[], date | None]) -> date | None:
        """The day of a table, None where it counts nowhere."""
        return self._days.get_or_build(table, build)

    def evening_result(
        self, viewed_records: tuple[ViewedRecord, ...], build: Callable[[], EveningResult], book: RulesetBook
    ) -> EveningResult:
        """The result of a table, cached by the versions of all its records and their viewers."""
        self._clear_if_book_changed(book)
        return self._evenings.get_or_build(viewed_records, build)

    def deal_summary(
        self,
        deal: StreamInfo,
        viewer: Viewer,
        read_log: Callable[[], Log],
        book: RulesetBook = PUBLISHED_RULESETS,
    ) -> RecordSummary:
        """The summary of a deal; ``read_log`` gives its log as ``viewer`` may know it."""
        self._clear_if_book_changed(book)
        return self._summaries.get_or_build(
            (deal, viewer), lambda: _build_deal_summary(deal, read_log(), book)
        )

    def search_facts(
        self, deal: StreamInfo, viewer: Viewer, read_log: Callable[[], Log], book: RulesetBook
    ) -> SearchFacts:
        """The search facts of a deal; ``read_log`` gives its log as ``viewer`` may know it."""
        self._clear_if_book_changed(book)
        return self._facts.get_or_build((deal, viewer), lambda: build_search_facts(read_log(), book))

    def table_summary(
        self, table: StreamInfo, log: Log, book: RulesetBook = PUBLISHED_RULESETS
    ) -> RecordSummary:
        """The summary of a table; ``log`` is its log as the reader may know it."""
        now = table_from_log(log, book)
        own = event_object(now.opening_event)
        base = f"{API_PREFIX}/tables/{table.stream}"
        return {
            "id": table.stream,
            "title": now.opening_event.title,
            "date": now.opening_event.date,
            "ruleset": now.opening_event.ruleset,
            "revision": now.opening_event.revision,
            "switches": own.get("switches", {}),
            "mode": now.opening_event.mode,
            "players": list(now.players),
            "version": table.version,
            "deals": len(now.deals),
            "next_number": now.next_number,
            "closed": now.is_closed,
            "voided": now.voided,
            "made_up": is_demo_evening(now.opening_event),
            "recorded_at": log[0].metadata.recorded_at,
            "opened_at": log[0].metadata.stored_at,
            "changed_at": log[-1].metadata.stored_at,
            "links": {
                "self": base,
                "events": f"{base}/events",
                "deals": f"{API_PREFIX}/deals?table={table.stream}",
                "ledger": f"{base}/ledger",
                "audit": f"{base}/audit",
                "log": f"{base}/events.jsonl",
                "text": f"{base}/events.deal",
                "export": f"{base}/export.jsonl",
                "slips": f"{base}/slips.csv",
            },
        }


def _build_deal_summary(deal: StreamInfo, log: Log, book: RulesetBook) -> RecordSummary:
    judged = audit(log, book)
    state = state_object(judged.state)
    opened = judged.state.opening.event
    base = f"{API_PREFIX}/deals/{deal.stream}"
    at_table = deal.root != deal.stream
    points = ("events", "state", "legal", "score", "findings", "replay", "audit")
    branch = branch_of((log[0],))
    return {
        "id": deal.stream,
        "table": deal.root if at_table else None,
        "number": opened.number if opened else None,
        "title": opened.title if opened else None,
        "date": opened.date if opened else None,
        "source": opened.source if opened else None,
        "basis": log[0].metadata.basis,
        "branch": branch_object(branch),
        **{name: state[name] for name in ("players", "ruleset", "revision")},
        "version": deal.version,
        "phase": state["phase"],
        "closed": are_hands_open(log),
        "trump": state["trump"],
        "ok": judged.ok,
        "score": score_object(judged.score),
        "recorded_at": log[0].metadata.recorded_at,
        "opened_at": log[0].metadata.stored_at,
        "changed_at": (log[0] if own_entry_count(log) == 1 else log[-1]).metadata.stored_at,
        "links": {
            "self": base,
            **({"leaves": deal_url(branch.deal)} if branch else {}),
            **({"table": f"{API_PREFIX}/tables/{deal.root}"} if at_table else {}),
            **{point: f"{base}/{point}" for point in points},
            "variations": f"{base}/variations",
            "drawing": f"{base}/state.svg",
            "picture": f"{base}/state.png",
            "log": f"{base}/events.jsonl",
            "text": f"{base}/events.deal",
            "page": f"/deals/{deal.stream}",
        },
    }


def list_summary_players(summary: RecordSummary) -> list[str]:
    """The players in a summary."""
    players = summary["players"]
    if isinstance(players, list):
        return players
    return [name for part in players.values() for name in ([part] if isinstance(part, str) else part or [])]
