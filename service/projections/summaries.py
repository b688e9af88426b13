"""Summaries: a recorded deal or table in short, for lists, for its own address and for the pages."""

from collections import OrderedDict
from collections.abc import Callable
from datetime import date
from typing import Any, Final

from engine import Log, Viewer, audit
from engine.branching import branch_of, own_length
from engine.rulesets import PUBLISHED, Book
from engine.view import hands_open
from schemas.answers.reports import branch_object
from schemas.answers.states import score_object, state_object
from schemas.wire.writer import event_fields
from service.config.urls import PREFIX, address_of
from service.eventstore import StreamInfo
from service.projections.library_search import Facts, facts_in
from service.projections.seasons import Evening
from service.records.tables import table_of

KEPT: Final = 2000
"""So many summaries are kept in memory: a log of the same version comes to the same."""

EVENINGS_KEPT: Final = 10_000
"""So many evenings are kept in figures, some 10 kB each with what they were made of."""

DAYS_KEPT: Final = 200_000
"""Of so many tables the day is kept in memory, in some 60 MB."""

Summary = dict[str, Any]
Seen = tuple[StreamInfo, Viewer]
"""A record at its version, as somebody may know it."""


def opened_on(record: Summary) -> date:
    """The day on which a record was opened: when it was written down, or stored, whichever was earlier."""
    return date.fromisoformat(min(record["recorded_at"] or record["opened_at"], record["opened_at"])[:10])


class Summaries:
    """The summaries of what a store holds.

    Each is made of a log that was cut for a viewer, and kept by the record's version and that viewer.
    """

    def __init__(self) -> None:
        self._book: Book = PUBLISHED
        self._kept: OrderedDict[tuple[StreamInfo, Viewer], Summary] = OrderedDict()
        self._evenings: OrderedDict[tuple[Seen, ...], Evening] = OrderedDict()
        self._facts: OrderedDict[Seen, Facts] = OrderedDict()
        self._days: dict[Seen, date] = {}

    def forget(self) -> None:
        """Keep nothing of what was read before: some of it has been erased."""
        self._kept.clear()
        self._evenings.clear()
        self._facts.clear()
        self._days.clear()

    def _go_by(self, book: Book) -> None:
        """Keeps nothing that was made by other rules: a deal may be judged now by one that was added."""
        if book is not self._book:
            self.forget()
            self._book = book

    def day(self, opening: Seen, make: Callable[[], date]) -> date:
        """The day of a table, kept by its opening and by who sees that: whatever is added changes no day."""
        found = self._days.get(opening)
        if found is None:
            found = make()
            # Once it is full nothing is dropped for another: a season goes through all tables in one order.
            if len(self._days) < DAYS_KEPT:
                self._days[opening] = found
        return found

    def evening(self, seen: tuple[Seen, ...], make: Callable[[], Evening], book: Book) -> Evening:
        """What a table came to, kept by the versions of all its records and by who sees them."""
        self._go_by(book)
        found = self._evenings.get(seen)
        if found is None:
            found = self._evenings[seen] = make()
            if len(self._evenings) > EVENINGS_KEPT:
                self._evenings.popitem(last=False)
        return found

    def deal(
        self, deal: StreamInfo, viewer: Viewer, log: Callable[[], Log], book: Book = PUBLISHED
    ) -> Summary:
        """A deal in short, by the rules of ``book``; ``log`` gives its log as ``viewer`` may know it."""
        self._go_by(book)
        key = (deal, viewer)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = _deal_in_short(deal, log(), book)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def facts(self, deal: StreamInfo, viewer: Viewer, log: Callable[[], Log], book: Book) -> Facts:
        """What a deal can be found by, as ``viewer`` may know it; as `deal` otherwise."""
        self._go_by(book)
        key = (deal, viewer)
        found = self._facts.get(key)
        if found is None:
            found = self._facts[key] = facts_in(log(), book)
            if len(self._facts) > KEPT:
                self._facts.popitem(last=False)
        return found

    def table(self, table: StreamInfo, log: Log, book: Book = PUBLISHED) -> Summary:
        """A table in short, by the rules of ``book``; ``log`` is its log as whoever asks may know it."""
        now = table_of(log, book)
        own = event_fields(now.opened)
        base = f"{PREFIX}/tables/{table.stream}"
        return {
            "id": table.stream,
            "title": now.opened.title,
            "ruleset": now.opened.ruleset,
            "revision": now.opened.revision,
            "switches": own.get("switches", {}),
            "mode": now.opened.mode,
            "players": list(now.players),
            "version": table.version,
            "deals": len(now.deals),
            "next_number": now.next_number,
            "closed": now.closed,
            "recorded_at": log[0].record.recorded_at,
            "opened_at": log[0].record.stored_at,
            "changed_at": log[-1].record.stored_at,
            "links": {
                "self": base,
                "events": f"{base}/events",
                "deals": f"{PREFIX}/deals?table={table.stream}",
                "ledger": f"{base}/ledger",
                "audit": f"{base}/audit",
                "log": f"{base}/events.jsonl",
                "text": f"{base}/events.deal",
                "export": f"{base}/export.jsonl",
                "slips": f"{base}/slips.csv",
            },
        }


def _deal_in_short(deal: StreamInfo, log: Log, book: Book) -> Summary:
    judged = audit(log, book)
    state = state_object(judged.state)
    opened = judged.state.opening.opened
    base = f"{PREFIX}/deals/{deal.stream}"
    at_table = deal.root != deal.stream
    points = ("events", "state", "legal", "score", "findings", "replay", "audit")
    branch = branch_of((log[0],))
    return {
        "id": deal.stream,
        "table": deal.root if at_table else None,
        "number": opened.number if opened else None,
        "title": opened.title if opened else None,
        "source": opened.source if opened else None,
        "branch": branch_object(branch),
        **{name: state[name] for name in ("players", "ruleset", "revision")},
        "version": deal.version,
        "phase": state["phase"],
        "closed": hands_open(log),
        "trump": state["trump"],
        "ok": judged.ok,
        "score": score_object(judged.score),
        "recorded_at": log[0].record.recorded_at,
        "opened_at": log[0].record.stored_at,
        "changed_at": (log[0] if own_length(log) == 1 else log[-1]).record.stored_at,
        "links": {
            "self": base,
            **({"leaves": address_of(branch.deal)} if branch else {}),
            **({"table": f"{PREFIX}/tables/{deal.root}"} if at_table else {}),
            **{point: f"{base}/{point}" for point in points},
            "variations": f"{base}/variations",
            "drawing": f"{base}/state.svg",
            "picture": f"{base}/state.png",
            "log": f"{base}/events.jsonl",
            "text": f"{base}/events.deal",
            "page": f"/deals/{deal.stream}",
        },
    }


def players_in(summary: Summary) -> list[str]:
    """The players that a summary names."""
    players = summary["players"]
    if isinstance(players, list):
        return players
    return [name for part in players.values() for name in ([part] if isinstance(part, str) else part or [])]
