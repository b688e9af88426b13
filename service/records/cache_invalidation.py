"""What other processes did to the same store: a ruleset that they published, contents that they erased.

A process keeps in memory what it made of records, by their versions, and the club's rulesets. Both stay true
while it alone writes. On PostgreSQL others do, too; so each request first looks whether the log has grown.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from service.eventstore import EventReader, StoreError, UnknownStream
from service.eventstore.erasure_log import ERASURE_STREAM
from service.records.club_rules import ClubRules


class CacheInvalidator:
    """Looks after what is kept in memory beside one store; ``clear_caches`` lets go of what was made of
    records."""

    def __init__(self, store: EventReader, club_rules: ClubRules, clear_caches: Callable[[], object]) -> None:
        self._store, self._club_rules, self._clear_caches = store, club_rules, clear_caches
        self._head, self._erasures = 0, self._count_erasures()

    def refresh(self) -> None:
        """Take in what was done meanwhile. Where the store fails, the next look does."""
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
        """How many times something was erased."""
        try:
            return self._store.stream_version(ERASURE_STREAM)
        except UnknownStream:
            return 0
