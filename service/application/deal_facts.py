"""What a caller may find deals by."""

from collections.abc import Sequence

from service.application.queries import Queries
from service.auth.calling import called_among
from service.eventstore import EventStore, StreamInfo
from service.projections.facts import FACTS, Kept, read
from service.projections.library_search import Facts
from service.projections.making import opened
from service.projections.reading import changed_roots, read_rows, visible_row
from service.projections.summaries import Summaries


class DealFacts:
    """What the caller of ``queries`` may find the deals of a store by."""

    def __init__(self, queries: Queries, store: EventStore, summaries: Summaries) -> None:
        self._queries, self._store, self._summaries = queries, store, summaries

    def kept_facts(self, deals: Sequence[StreamInfo]) -> dict[str, Facts]:
        """What some of these deals can be found by, as far as it is kept as the caller may know it."""
        if not deals:
            return {}
        roots = {deal.root for deal in deals}
        progress, rows = read_rows(
            self._store, lambda projections: projections.projected(FACTS.name, roots=roots)
        )
        changed = changed_roots(self._store, FACTS, progress)
        if changed is None:
            return {}
        kept = dict[str, Kept]()
        for one in rows:
            if one.root not in changed and (said := opened(FACTS, one)) is not None:
                kept |= read(said)
        found = {
            one.stream: visible_row(self._queries.caller, one, *kept[one.stream])
            for one in deals
            if one.stream in kept
        }
        return {deal: facts for deal, facts in found.items() if facts is not None}

    def facts(self, deal: StreamInfo, kept: Facts | None = None) -> Facts:
        """What a deal can be found by, from what the caller may know of it, its players called by name.

        ``kept`` is what `kept_facts` has of it.
        """
        found = kept or self._summaries.facts(
            deal, self._queries.viewer(deal), lambda: self._queries.course(deal).log, self._queries.book
        )
        known, held = self._queries.caller.knows_names(deal), dict[str, frozenset[str]]()
        names = called_among(self._queries.register, found.held, found.held if known else (), known=known)
        for who, cards in found.held.items():
            called = names.get(who) or who
            held[called] = held.get(called, frozenset()) | cards
        return found._replace(held=held)
