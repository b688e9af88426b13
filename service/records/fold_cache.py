"""Folds kept from one append to the next: what comes behind a log is judged without reading it all again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from engine import Entry, Finding, Log, State, evolve, judge, start
from engine.audit import gathered, review
from engine.core.events import ActionWithdrawn, CorrectionMade
from engine.inference.afterwards import found_afterwards
from engine.rulesets import Book
from engine.scoring.score import brief_score
from service.eventstore import Appended, EventStore
from service.records.records import entry_in, log_in

KEPT: Final = 500
"""So many folds are kept, those of the deals that were appended to last."""

REACHING_BACK: Final = (CorrectionMade, ActionWithdrawn)
"""Events that change what came before them: a log that has one is folded from its beginning."""


class Fold(NamedTuple):
    """A log as it stands, folded, with what its entries break."""

    log: Log
    state: State
    findings: tuple[Finding, ...]


class Folds:
    """The folds of one store's deals, by stream and version."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._mutex = threading.Lock()
        self._kept: OrderedDict[tuple[str, int], Fold] = OrderedDict()

    def behind(self, store: EventStore, appended: Appended) -> Fold | None:
        """The deal up to and with the latest of the events; None where it has to be judged as a whole."""
        seqs = [event.seq for event in appended.events]
        first, last = min(seqs), max(seqs)
        with self._mutex:
            fold = self._kept.pop((appended.stream, first - 1), None)
        if fold is None or seqs != list(range(first, last + 1)):
            # From the beginning; also where others wrote between what was there before and what is new, or
            # where what was there before is sent in another order.
            log = log_in(store, appended.stream, upto=last)
            fold, new = Fold((), start(self.book), ()), log
        else:
            new = tuple(entry_in(event) for event in appended.events)
        if any(isinstance(entry.event, REACHING_BACK) for entry in new):
            return None
        fold = _continued(fold, new)
        with self._mutex:
            self._kept[appended.stream, last] = fold
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return fold


def _continued(fold: Fold, new: Iterable[Entry]) -> Fold:
    log, state, findings = fold
    added: list[Finding] = []
    for entry in new:
        added += judge(state, entry)
        state = evolve(state, entry)
    return Fold((*log, *new), state, (*findings, *added))


_FOLDS: Final[WeakKeyDictionary[EventStore, Folds]] = WeakKeyDictionary()


def forget(store: EventStore) -> None:
    """Keep nothing in memory of the store's deals: something has been erased in it."""
    _FOLDS.pop(store, None)


def findings_so_far(store: EventStore, appended: Appended, book: Book) -> tuple[Finding, ...] | None:
    """All that is found in the deal up to and with the events, as ``audit`` finds it.

    None where the log has corrections or withdrawals, which ``audit`` has to take in.
    """
    folds = _FOLDS.get(store)
    if folds is None or folds.book is not book:
        folds = _FOLDS[store] = Folds(book)
    fold = folds.behind(store, appended)
    if fold is None:
        return None
    looked_back = review(fold.state, brief_score(fold.state), fold.log)
    afterwards = found_afterwards(fold.log, fold.state, fold.findings)
    return gathered((*fold.findings, *afterwards, *looked_back))
