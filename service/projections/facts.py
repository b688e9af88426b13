"""What every deal can be found by, kept in the store, so that a search need not judge all deals.

Of each deal it is kept whole, and as everybody may know it, where that is less. A variation begins in another
deal, which may be of another root: it is not among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import orjson

from engine import PUBLIC, Log, view
from engine.branching import branch_of
from engine.rulesets import Book
from service.eventstore import EventReader, StreamInfo
from service.eventstore.projecting import Due, Made
from service.projections.library_search import Facts, facts_in
from service.projections.making import Projection, rules_tags, sealed
from service.records.records import DEAL, TABLE, log_in

NAME: Final = "facts"


class Kept(NamedTuple):
    """What is kept of a deal: all of it, and as everybody may know it, where that is less."""

    whole: Facts
    public: Facts | None = None


def made_of(store: EventReader, book: Book, due: Due) -> Made:
    """What is to be kept of a deal alone, or of all deals of a table. Raises `StoreDamaged`."""
    logs = {deal.stream: log_in(store, deal.stream) for deal in _deals(store, due.root)}
    kept = {deal: _kept(log, book) for deal, log in logs.items() if branch_of(log[:1]) is None}
    return sealed(due, "", written(kept), rules_tags(logs.values()))


def _kept(log: Log, book: Book) -> Kept:
    whole, shown = facts_in(log, book), view(log, PUBLIC)
    public = whole if shown == log else facts_in(shown, book)
    return Kept(whole, None if public == whole else public)


def _deals(store: EventReader, root: str) -> Iterator[StreamInfo]:
    after = None
    while page := store.streams(root, DEAL, after):
        yield from page
        after = page[-1].stream


# Written down


def written(kept: dict[str, Kept]) -> bytes:
    """The deals of a root as they are kept."""
    return orjson.dumps({deal: [_said(facts) for facts in one if facts] for deal, one in kept.items()})


def read(body: bytes) -> dict[str, Kept]:
    """What was `written`."""
    return {deal: Kept(*(_read(*one) for one in said)) for deal, said in orjson.loads(body).items()}


def _said(facts: Facts) -> tuple[Any, ...]:
    held = {player: sorted(cards) for player, cards in facts.held.items()}
    return facts.ruleset, facts.contract, facts.outcome, sorted(facts.findings), held


def _read(
    ruleset: str | None,
    contract: str | None,
    outcome: str | None,
    findings: list[str],
    held: dict[str, list[str]],
) -> Facts:
    cards = {player: frozenset(there) for player, there in held.items()}
    return Facts(ruleset, contract, outcome, frozenset(findings), cards)


FACTS: Final = Projection(NAME, frozenset({DEAL, TABLE}), made_of)
"""What every deal can be found by."""
