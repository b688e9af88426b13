"""The facts by which a caller may search for deals."""

from collections.abc import Sequence

from service.application.queries import Queries
from service.auth.display_names import member_display_names
from service.eventstore import EventStore, StreamInfo
from service.projections.facts_projection import FACTS_PROJECTION, parse_facts
from service.projections.library_search import SearchFacts
from service.projections.projection import RowViews, list_stale_roots, read_rows_if_readable, visible_row
from service.projections.summaries import SummaryCache


class DealFactQueries:
    """The search facts of a store's deals for the caller of ``queries``."""

    def __init__(self, queries: Queries, store: EventStore, summaries: SummaryCache) -> None:
        self._queries, self._store, self._summaries = queries, store, summaries

    def read_projected_facts(self, deals: Sequence[StreamInfo]) -> dict[str, SearchFacts]:
        """The search facts of these deals that are projected and that the caller may know."""
        if not deals:
            return {}
        roots = {deal.root for deal in deals}
        progress, rows = read_rows_if_readable(
            self._store,
            lambda projections: projections.read_projection_rows(FACTS_PROJECTION.name, roots=roots),
        )
        changed = list_stale_roots(self._store, FACTS_PROJECTION, progress)
        if changed is None:
            return {}
        facts_rows = dict[str, RowViews[SearchFacts]]()
        for one in rows:
            if one.root not in changed and one.body is not None:
                facts_rows |= parse_facts(one.body)
        found = {
            one.stream: visible_row(self._queries.caller, one, *facts_rows[one.stream])
            for one in deals
            if one.stream in facts_rows
        }
        return {deal: facts for deal, facts in found.items() if facts is not None}

    def find_facts(self, deal: StreamInfo, projected_facts: SearchFacts | None = None) -> SearchFacts:
        """The search facts of a deal that the caller may know, with its players by name."""
        found = projected_facts or self._summaries.search_facts(
            deal,
            self._queries.resolve_viewer(deal),
            lambda: self._queries.expanded_record_view(deal).log,
            self._queries.book,
        )
        can_see_full_names = self._queries.caller.can_see_full_names(deal)
        names = member_display_names(
            self._queries.register,
            found.held_cards,
            found.held_cards if can_see_full_names else (),
            can_see_full_names=can_see_full_names,
        )
        held_cards = dict[str, frozenset[str]]()
        for player, cards in found.held_cards.items():
            display_name = names.get(player) or player
            held_cards[display_name] = held_cards.get(display_name, frozenset()) | cards
        return found._replace(held_cards=held_cards)
