"""The projection of search facts, so that a search need not judge all deals.

Variations are left out: they begin in another deal, which may be of another root.
"""

from __future__ import annotations

from typing import Any, Final

import orjson

from engine import PUBLIC_VIEWER, Log, view
from engine.branching import branch_of
from engine.rulesets import RulesetBook
from service.eventstore import EventReader
from service.eventstore.projections import PendingRoot, ProjectionUpdate
from service.projections.library_search import SearchFacts, build_search_facts
from service.projections.projection import Projection, RowViews, club_rules_tags, serialize_row
from service.records.record_streams import DEAL_KIND, TABLE_KIND
from service.records.repository import iterate_streams, read_log

FACTS_NAME: Final = "facts"


def build_facts_update(store: EventReader, book: RulesetBook, pending_root: PendingRoot) -> ProjectionUpdate:
    """Fold the row of a deal, or of all deals of a table. Raises `StoreDamaged`."""
    logs = {
        deal.stream: read_log(store, deal.stream)
        for deal in iterate_streams(store, pending_root.root, DEAL_KIND)
    }
    rows = {deal: _build_facts_row(log, book) for deal, log in logs.items() if branch_of(log[:1]) is None}
    body = serialize_row({deal: [facts for facts in row if facts] for deal, row in rows.items()})
    return ProjectionUpdate(pending_root, None, body, club_rules_tags(logs.values()))


def _build_facts_row(log: Log, book: RulesetBook) -> RowViews[SearchFacts]:
    full, public_log = build_search_facts(log, book), view(log, PUBLIC_VIEWER)
    public = full if public_log == log else build_search_facts(public_log, book)
    return RowViews(full, None if public == full else public)


def parse_facts(body: bytes) -> dict[str, RowViews[SearchFacts]]:
    """The rows of the deals in the body of a row."""
    return {
        deal: RowViews(*(_parse_facts(*one) for one in views)) for deal, views in orjson.loads(body).items()
    }


def _parse_facts(*fields: Any) -> SearchFacts:
    stored = SearchFacts(*fields)
    held_cards = {player: frozenset(cards) for player, cards in stored.held_cards.items()}
    return stored._replace(findings=frozenset(stored.findings), held_cards=held_cards)


FACTS_PROJECTION: Final = Projection(FACTS_NAME, frozenset({DEAL_KIND, TABLE_KIND}), build_facts_update)
"""What every deal can be found by."""
