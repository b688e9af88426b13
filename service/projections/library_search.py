"""Searching the library: who played, who held a card, by what rules, which game, how it ended."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from engine import Log, audit
from engine.core.cards import CODES, SEATS
from engine.core.events import CardPlayed, CardsDiscarded, CardsDrawn, CardsShown, HandDealt, HandHeld
from engine.core.vocabulary import Players
from engine.rulesets import PUBLISHED, Book
from replays import Replay
from schemas.answers.states import score_object

Held = Mapping[str, frozenset[str]]
"""By player the cards that the record says he held."""

OF_A_HAND: Final = (HandDealt, HandHeld, CardsShown, CardsDiscarded, CardsDrawn)
"""Events whose cards were in the hand of their seat."""


class Facts(NamedTuple):
    """What a deal can be found by; contract and outcome are None where it has none."""

    ruleset: str | None
    contract: str | None
    outcome: str | None
    findings: frozenset[str]
    held: Held


class Wanted(NamedTuple):
    """What is searched for; None for whatever."""

    player: str | None = None
    card: str | None = None
    ruleset: str | None = None
    contract: str | None = None
    outcome: str | None = None
    finding: str | None = None

    @property
    def anything(self) -> bool:
        """Whether anything in particular is searched for."""
        return any(self)

    def fits(self, facts: Facts) -> bool:
        """Whether a deal is one of those. A player and a card: that player held it."""
        return (
            self.ruleset in (None, facts.ruleset)
            and self.contract in (None, facts.contract)
            and self.outcome in (None, facts.outcome)
            and (self.finding is None or self.finding in facts.findings)
            and any(self._is_he(name) and self.card in (None, *held) for name, held in facts.held.items())
        )

    def _is_he(self, name: str) -> bool:
        return self.player is None or self.player.casefold() in name.casefold()


def found(wanted: Wanted, deals: Iterable[Replay]) -> list[Replay]:
    """Those of the deals that are searched for, in their order."""
    return [deal for deal in deals if wanted.fits(facts_of(deal))]


@lru_cache(maxsize=2000)
def facts_of(deal: Replay) -> Facts:
    """What a deal of the library can be found by; it never changes."""
    return facts_in(deal.log())


def facts_in(log: Log, book: Book = PUBLISHED) -> Facts:
    """What a deal can be found by, as whoever has this log may know it."""
    judged = audit(log, book)
    opened, told = judged.state.opening.opened, score_object(judged.score)
    return Facts(
        opened.ruleset if opened else None,
        told["contract"],
        told["outcome"],
        frozenset(finding.code for finding in judged.findings),
        _held(judged.history.entries, judged.state.opening.players),
    )


def _held(entries: Log, players: Players) -> Held:
    held: list[set[str]] = [set() for _ in SEATS]
    for entry in entries:
        event = entry.event
        if isinstance(event, CardPlayed):
            held[event.seat].add(CODES[event.card])
        elif isinstance(event, OF_A_HAND):
            held[event.seat].update(CODES[card] for card in event.cards)
    return {players.at(seat): frozenset(held[seat]) for seat in SEATS}
