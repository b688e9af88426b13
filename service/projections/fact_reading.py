"""What a caller may find deals by."""

from collections.abc import Sequence

from service.identity.calling import called_among
from service.library_search import Facts
from service.projections.facts import FACTS, Kept, read
from service.projections.making import opened
from service.projections.reading import ProjectionReading
from service.store import StreamInfo


class FactReading(ProjectionReading):
    """The deals of a store as a caller may find them."""

    def kept_facts(self, deals: Sequence[StreamInfo]) -> dict[str, Facts]:
        """What some of these deals can be found by, as far as it is kept as the caller may know it."""
        if not deals:
            return {}
        roots = {deal.root for deal in deals}
        progress, rows = self._kept(lambda projections: projections.projected(FACTS.name, roots=roots))
        changed = self._changed(FACTS, progress)
        if changed is None:
            return {}
        kept = dict[str, Kept]()
        for one in rows:
            if one.root not in changed and (said := opened(FACTS, one)) is not None:
                kept |= read(said)
        found = {one.stream: self._may_know(one, *kept[one.stream]) for one in deals if one.stream in kept}
        return {deal: facts for deal, facts in found.items() if facts is not None}

    def facts(self, deal: StreamInfo, kept: Facts | None = None) -> Facts:
        """What a deal can be found by, from what the caller may know of it, its players called by name.

        ``kept`` is what `kept_facts` has of it.
        """
        found = kept or self._summaries.facts(
            deal, self.viewer(deal), lambda: self.course(deal).log, self._book
        )
        known, held = self.caller.knows_names(deal), dict[str, frozenset[str]]()
        names = called_among(self.register, found.held, found.held if known else (), known=known)
        for who, cards in found.held.items():
            called = names.get(who) or who
            held[called] = held.get(called, frozenset()) | cards
        return found._replace(held=held)
