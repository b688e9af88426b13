"""Summaries: a recorded deal or table in short, for lists, for its own address and for the pages."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from engine import audit
from engine.rulesets import PUBLISHED, Book
from engine.view import hands_open
from schemas.states import score_object, state_object
from schemas.writer import event_fields
from service.addresses import PREFIX
from service.records import DEAL, log_in
from service.store import PAGE, EventReader, StreamInfo
from service.tables import table_of

KEPT: Final = 2000
"""So many summaries are kept in memory: a log of the same version comes to the same."""

Summary = dict[str, Any]


class Summaries:
    """The summaries of what a store holds."""

    def __init__(self, store: EventReader, book: Book = PUBLISHED) -> None:
        self._store, self._book = store, book
        self._deal = lru_cache(KEPT)(self._make_deal)

    def deal(self, deal: StreamInfo) -> Summary:
        """A deal in short, as its log has it at that version."""
        return self._deal(deal)

    def deals(self, infos: Sequence[StreamInfo]) -> list[Summary]:
        """Several deals in short."""
        return [self.deal(info) for info in infos]

    def newest_deals(self, after: str | None, limit: int) -> tuple[list[Summary], bool]:
        """Deals in short, the latest first, behind deal ``after``; and whether there are older ones."""
        infos = list(self._all_deals())[::-1]
        places = [info.stream for info in infos]
        start = places.index(after) + 1 if after in places else 0
        return self.deals(infos[start : start + limit]), start + limit < len(infos)

    def table(self, table: StreamInfo) -> Summary:
        """A table in short, as its log has it at that version."""
        log = log_in(self._store, table.stream, table.version)
        now = table_of(log, self._book)
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
            "opened_at": log[0].record.stored_at,
            "changed_at": log[-1].record.stored_at,
            "links": {
                "self": base,
                "events": f"{base}/events",
                "deals": f"{PREFIX}/deals?table={table.stream}",
                "ledger": f"{base}/ledger",
                "text": f"{base}/events.deal",
                "export": f"{base}/export.jsonl",
                "slips": f"{base}/slips.csv",
            },
        }

    def _all_deals(self) -> Iterator[StreamInfo]:
        after = None
        while infos := self._store.streams(kind=DEAL, after=after, limit=PAGE):
            yield from infos
            after = infos[-1].stream

    def _make_deal(self, deal: StreamInfo) -> Summary:
        log = log_in(self._store, deal.stream, deal.version)
        judged = audit(log, self._book)
        state = state_object(judged.state)
        opened = judged.state.opening.opened
        base = f"{PREFIX}/deals/{deal.stream}"
        at_table = deal.root != deal.stream
        points = ("events", "state", "legal", "score", "findings", "replay")
        return {
            "id": deal.stream,
            "table": deal.root if at_table else None,
            "number": opened.number if opened else None,
            "title": opened.title if opened else None,
            "source": opened.source if opened else None,
            **{name: state[name] for name in ("players", "ruleset", "revision")},
            "version": deal.version,
            "phase": state["phase"],
            "closed": hands_open(log),
            "trump": state["trump"],
            "ok": judged.ok,
            "score": score_object(judged.score),
            "opened_at": log[0].record.stored_at,
            "changed_at": log[-1].record.stored_at,
            "links": {
                "self": base,
                **({"table": f"{PREFIX}/tables/{deal.root}"} if at_table else {}),
                **{point: f"{base}/{point}" for point in points},
                "drawing": f"{base}/state.svg",
                "picture": f"{base}/state.png",
                "log": f"{base}/events.jsonl",
                "text": f"{base}/events.deal",
                "page": f"/deals/{deal.stream}",
            },
        }
