"""Changes by other processes to the same store: rulesets that they published, contents that they erased.

A process caches results by the versions of records, and the club's rulesets. Where other processes write too,
each request first checks whether the log has grown.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from service.eventstore import EventStore, StoreError, UnknownStream
from service.eventstore.erasure_log import ERASURE_STREAM
from service.records.club_rules import ClubRules


class CacheInvalidator:
    """Keeps the caches of one store up to date; ``clear_caches`` drops what was computed from records."""

    def __init__(self, store: EventStore, club_rules: ClubRules, clear_caches: Callable[[], object]) -> None:
        self._store, self._club_rules, self._clear_caches = store, club_rules, clear_caches
        self._head, self._erasures = 0, self._count_erasures()

    def refresh(self) -> None:
        """Take in what has changed. If the store fails, the next call does."""
        if not self._store.has_other_writers:
            return
        with suppress(StoreError):
            head = self._store.head()
            if head == self._head:
                return
            self._club_rules.refresh()
            erasures = self._count_erasures()
            if erasures != self._erasures:
                self._clear_caches()
            self._head, self._erasures = head, erasures

    def _count_erasures(self) -> int:
        try:
            return self._store.stream_version(ERASURE_STREAM)
        except UnknownStream:
            return 0
