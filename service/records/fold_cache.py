"""Cached folds of deals, so that new entries are judged without reading the whole log again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from engine import Entry, Finding, Log, State, evolve, initial_state, judge
from engine.audit import merge_findings, review_record
from engine.core.events import ActionWithdrawn, CorrectionMade
from engine.inference.hidden_card_findings import judge_hidden_cards
from engine.rulesets import RulesetBook
from engine.scoring.score import brief_score
from service.eventstore import AppendResult, EventStore
from service.records.repository import parse_stored_entry, read_log

MAX_CACHED_FOLDS: Final = 500
"""Folds in memory, of the deals to which something was appended last."""

RETROACTIVE_EVENTS: Final = (CorrectionMade, ActionWithdrawn)
"""Events that change the history before them: logs with one are folded from the beginning."""


class FoldedDeal(NamedTuple):
    """A log, its fold, and the findings at its entries."""

    log: Log
    state: State
    findings: tuple[Finding, ...]


class FoldCache:
    """The folds of one store's deals, by stream and version."""

    def __init__(self, book: RulesetBook) -> None:
        self.book = book
        self._mutex = threading.Lock()
        self._folds: OrderedDict[tuple[str, int], FoldedDeal] = OrderedDict()

    def advance(self, store: EventStore, append_result: AppendResult) -> FoldedDeal | None:
        """The deal including the latest of the events; None if it has to be judged as a whole."""
        seqs = [event.seq for event in append_result.events]
        first, last = min(seqs), max(seqs)
        fold = self._take(append_result.stream, first - 1)
        if fold is None or seqs != list(range(first, last + 1)):
            # From the beginning, also if others wrote in between or a repeat has another order.
            log = read_log(store, append_result.stream, up_to=last)
            fold, new = self._empty_fold(), log
        else:
            new = tuple(parse_stored_entry(event) for event in append_result.events)
        if any(isinstance(entry.event, RETROACTIVE_EVENTS) for entry in new):
            return None
        fold = _extend_fold(fold, new)
        with self._mutex:
            self._folds[append_result.stream, last] = fold
            if len(self._folds) > MAX_CACHED_FOLDS:
                self._folds.popitem(last=False)
        return fold

    def _take(self, stream: str, version: int) -> FoldedDeal | None:
        """The fold of the deal at that version, which the caller extends."""
        if version == 0:
            return self._empty_fold()
        with self._mutex:
            return self._folds.pop((stream, version), None)

    def _empty_fold(self) -> FoldedDeal:
        return FoldedDeal((), initial_state(self.book), ())


def _extend_fold(fold: FoldedDeal, new: Iterable[Entry]) -> FoldedDeal:
    log, state, findings = fold
    added: list[Finding] = []
    for entry in new:
        added += judge(state, entry)
        state = evolve(state, entry)
    return FoldedDeal((*log, *new), state, (*findings, *added))


_CACHES: Final[WeakKeyDictionary[EventStore, FoldCache]] = WeakKeyDictionary()


def discard_cached_folds(store: EventStore) -> None:
    """Drop the folds of a store from which something was erased."""
    _CACHES.pop(store, None)


def audit_incrementally(
    store: EventStore, append_result: AppendResult, book: RulesetBook
) -> tuple[Finding, ...] | None:
    """All findings of the deal including the events, as `engine.audit` finds them.

    None if the log has corrections or withdrawals: then `engine.audit` is needed.
    """
    folds = _CACHES.get(store)
    if folds is None or folds.book is not book:
        folds = _CACHES[store] = FoldCache(book)
    fold = folds.advance(store, append_result)
    if fold is None:
        return None
    record_findings = review_record(fold.state, brief_score(fold.state), fold.log)
    hidden_card_findings = judge_hidden_cards(fold.log, fold.state, fold.findings)
    return merge_findings((*fold.findings, *hidden_card_findings, *record_findings))
