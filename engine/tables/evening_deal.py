"""A deal of an evening, folded once, and who is in it (RULES 9)."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.core.events import RulingMade
from engine.core.log import Log
from engine.fold import fold_all
from engine.play.history import effective
from engine.play.state import State, initial_state
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.tables.deal_players import active_players, list_takeovers


class EveningDeal(NamedTuple):
    """A deal of the evening, folded: its state, and the penalty points that were given in it, by seat."""

    state: State
    penalties: tuple[tuple[int, int], ...]


def fold_evening_deal(log: Log, book: RulesetBook = PUBLISHED_RULESETS) -> EveningDeal:
    """A deal folded once, for the ledger."""
    entries = effective(log).entries
    rulings = (entry.event for entry in entries if isinstance(entry.event, RulingMade))
    return EveningDeal(
        fold_all(entries, initial_state(book)), tuple(one for ruling in rulings for one in ruling.penalty)
    )


def list_named_players(deals: Mapping[str, EveningDeal]) -> Iterator[str]:
    """Everybody who is in one of the deals: who has a seat, takes a hand over, or sits out."""
    for state, _ in deals.values():
        if state.opening.event is not None:
            yield from active_players(state.opening.event)
            yield from state.opening.players.sitting_out
        yield from (player for _, player in list_takeovers(state))
