"""Searching the library by player, card, ruleset, contract, outcome and finding."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from engine import Log, audit
from engine.core.cards import CARD_CODES, SEATS
from engine.core.events import CardPlayed, CardsDiscarded, CardsDrawn, CardsShown, HandDealt, HandHeld
from engine.core.field_types import Players
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from replays import Replay
from schemas.answers.states import score_object

HeldCards = Mapping[str, frozenset[str]]
"""The cards that each player held, as far as recorded."""

HAND_EVENTS: Final = (HandDealt, HandHeld, CardsShown, CardsDiscarded, CardsDrawn)
"""Events whose cards were in the hand of their seat."""


class SearchFacts(NamedTuple):
    """The facts by which a deal is found; contract and outcome are None if it has none."""

    ruleset: str | None
    contract: str | None
    outcome: str | None
    findings: frozenset[str]
    held_cards: HeldCards


class SearchCriteria(NamedTuple):
    """The criteria of a search; None for any value."""

    player: str | None = None
    card: str | None = None
    ruleset: str | None = None
    contract: str | None = None
    outcome: str | None = None
    finding: str | None = None

    @property
    def has_criteria(self) -> bool:
        """Whether there are any criteria."""
        return any(self)

    def matches(self, facts: SearchFacts) -> bool:
        """Whether a deal matches. With a player and a card, that player held it."""
        return (
            self.ruleset in (None, facts.ruleset)
            and self.contract in (None, facts.contract)
            and self.outcome in (None, facts.outcome)
            and (self.finding is None or self.finding in facts.findings)
            and any(
                self._matches_player(name) and self.card in (None, *cards)
                for name, cards in facts.held_cards.items()
            )
        )

    def _matches_player(self, name: str) -> bool:
        return self.player is None or self.player.casefold() in name.casefold()


def search_deals(criteria: SearchCriteria, deals: Iterable[Replay]) -> list[Replay]:
    """The matching deals, in their order."""
    return [deal for deal in deals if criteria.matches(replay_search_facts(deal))]


@lru_cache(maxsize=2000)
def replay_search_facts(deal: Replay) -> SearchFacts:
    """The search facts of a deal of the library, which never change."""
    return build_search_facts(deal.read_log())


def build_search_facts(log: Log, book: RulesetBook = PUBLISHED_RULESETS) -> SearchFacts:
    """The search facts of a deal with that log, perhaps redacted."""
    audited = audit(log, book)
    opened, score_json = audited.state.opening.event, score_object(audited.score)
    return SearchFacts(
        opened.ruleset if opened else None,
        score_json["contract"],
        score_json["outcome"],
        frozenset(finding.code for finding in audited.findings),
        _collect_held_cards(audited.history.entries, audited.state.opening.players),
    )


def _collect_held_cards(entries: Log, players: Players) -> HeldCards:
    cards_by_seat: list[set[str]] = [set() for _ in SEATS]
    for entry in entries:
        event = entry.event
        if isinstance(event, CardPlayed):
            cards_by_seat[event.seat].add(CARD_CODES[event.card])
        elif isinstance(event, HAND_EVENTS):
            cards_by_seat[event.seat].update(CARD_CODES[card] for card in event.cards)
    return {players.at(seat): frozenset(cards_by_seat[seat]) for seat in SEATS}
