"""A deal of an evening, folded once, and who is in it (RULES 9)."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.core.events import RulingMade
from engine.core.log import Log
from engine.fold import fold_all
from engine.play.history import effective
from engine.play.state import State, start
from engine.rulesets import PUBLISHED, Book
from engine.tables.sitting import active_in, taken_over


class Dealt(NamedTuple):
    """A deal of the evening, folded: its state, and the penalty points that were given in it, by seat."""

    state: State
    penalties: tuple[tuple[int, int], ...]


def dealt(log: Log, book: Book = PUBLISHED) -> Dealt:
    """A deal folded once, for the ledger."""
    entries = effective(log).entries
    rulings = (entry.event for entry in entries if isinstance(entry.event, RulingMade))
    return Dealt(fold_all(entries, start(book)), tuple(one for ruling in rulings for one in ruling.penalty))


def named_in(deals: Mapping[str, Dealt]) -> Iterator[str]:
    """Everybody who is in one of the deals: who has a seat, takes a hand over, or sits out."""
    for state, _ in deals.values():
        if state.opening.opened is not None:
            yield from active_in(state.opening.opened)
            yield from state.opening.players.sitting_out
        yield from (player for _, player in taken_over(state))
