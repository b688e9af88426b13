"""The projection of what every deal can be found by, so that a search need not judge all deals.

A deal is stored whole, and as everybody may know it, where that is less. Variations are left out: they
begin in another deal, which may be of another root.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import orjson

from engine import PUBLIC_VIEWER, Log, view
from engine.branching import branch_of
from engine.rulesets import RulesetBook
from service.eventstore import EventReader, StreamInfo
from service.eventstore.projections import PendingRoot, ProjectionUpdate
from service.projections.library_search import SearchFacts, build_search_facts
from service.projections.projection import Projection, club_rules_tags
from service.records.record_streams import DEAL_KIND, TABLE_KIND
from service.records.repository import read_log

FACTS_NAME: Final = "facts"


class FactsRow(NamedTuple):
    """A deal: all of it, and as everybody may know it, where that is less."""

    full: SearchFacts
    public: SearchFacts | None = None


def build_facts_update(store: EventReader, book: RulesetBook, pending_root: PendingRoot) -> ProjectionUpdate:
    """Fold the row of a deal alone, or of all deals of a table. Raises `StoreDamaged`."""
    logs = {deal.stream: read_log(store, deal.stream) for deal in _iterate_deals(store, pending_root.root)}
    rows = {deal: _build_facts_row(log, book) for deal, log in logs.items() if branch_of(log[:1]) is None}
    return ProjectionUpdate(pending_root, None, serialize_facts(rows), club_rules_tags(logs.values()))


def _build_facts_row(log: Log, book: RulesetBook) -> FactsRow:
    full, public_log = build_search_facts(log, book), view(log, PUBLIC_VIEWER)
    public = full if public_log == log else build_search_facts(public_log, book)
    return FactsRow(full, None if public == full else public)


def _iterate_deals(store: EventReader, root: str) -> Iterator[StreamInfo]:
    after = None
    while page := store.list_streams(root, DEAL_KIND, after):
        yield from page
        after = page[-1].stream


# Written down


def serialize_facts(rows: dict[str, FactsRow]) -> bytes:
    """The body of a row."""
    return orjson.dumps(
        {deal: [_facts_to_json(facts) for facts in one if facts] for deal, one in rows.items()}
    )


def parse_facts(body: bytes) -> dict[str, FactsRow]:
    """What `serialize_facts` wrote."""
    return {
        deal: FactsRow(*(_facts_from_json(*one) for one in row_json))
        for deal, row_json in orjson.loads(body).items()
    }


def _facts_to_json(facts: SearchFacts) -> tuple[Any, ...]:
    held_cards = {player: sorted(cards) for player, cards in facts.held_cards.items()}
    return facts.ruleset, facts.contract, facts.outcome, sorted(facts.findings), held_cards


def _facts_from_json(
    ruleset: str | None,
    contract: str | None,
    outcome: str | None,
    findings: list[str],
    held_cards: dict[str, list[str]],
) -> SearchFacts:
    cards_by_player = {player: frozenset(codes) for player, codes in held_cards.items()}
    return SearchFacts(ruleset, contract, outcome, frozenset(findings), cards_by_player)


FACTS_PROJECTION: Final = Projection(FACTS_NAME, frozenset({DEAL_KIND, TABLE_KIND}), build_facts_update)
"""What every deal can be found by."""
