"""What lies in the pool from deal to deal, and how it is divided at the end (RULES 8)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.core.message import Listed, Said, said
from engine.play.state import State
from engine.scoring.payments import Chips
from engine.scoring.score import Score
from engine.tables.ledger import Pot

EMPTY: Final = Pot(0)


def with_pot(state: State, pot: Pot) -> State:
    """The state of a deal that does not record its pool, with what lay there."""
    recorded = state.opening.opened is None or state.opening.opened.pool is not None
    return state if recorded else over_pot(state, pot)


def over_pot(state: State, pot: Pot) -> State:
    """The state of a deal with what lay in the pool, whatever the deal records of it."""
    opening = state.opening
    if opening.opened is None:
        return state
    lay = pot.to_play_for
    opened = replace(opening.opened, pool=lay.pool, reserved=lay.reserved)
    return state._replace(opening=opening._replace(opened=opened))


def recorded_pot(state: State) -> Pot | None:
    """The pool that a deal records to be opened with; None where it records none."""
    opened = state.opening.opened
    return None if opened is None or opened.pool is None else Pot(opened.pool, opened.reserved).to_play_for


def surplus(chips: Chips) -> int:
    """What the players have more between them: so much is taken out of the pool (less: put in)."""
    return sum(amount for _, amount in chips)


def after_deal(before: Pot, due: Score, chips: Chips) -> Pot:
    """The pool takes what the players lost between them; what is set aside is as the score has it.

    Where more is taken than lies in the pool itself, the largest puesta set aside serves for it.
    """
    left = before.total - surplus(chips)
    reserved = due.pool.reserved if due.decided and due.pool is not None else before.reserved
    aside = sorted(reserved, reverse=True)
    while aside and sum(aside) > left:
        aside.pop(0)
    kept = reserved if len(aside) == len(reserved) else tuple(aside)
    return Pot(left - sum(kept), kept)


def divided(pot: Pot, players: Sequence[str], dealer: str | None) -> Iterator[tuple[str, int]]:
    """A pool divided among its players at the end; ``dealer`` is who would have dealt next.

    Equally; what cannot be divided goes one chip each to those who come after the next dealer, in
    the order of play. The source is silent: this is our decision.
    """
    if not players:
        return
    each, over = divmod(pot.total, len(players))
    first = players.index(dealer) + 1 if dealer in players else 0
    for step in range(len(players)):
        yield players[(first + step) % len(players)], each + (step < over)


def told(pot: Pot) -> Said:
    """A pool in words."""
    if not pot.reserved:
        return said("{chips} in the pool", chips=pot.pool)
    aside = Listed(map(str, pot.reserved))
    return said("{chips} in the pool and {aside} set aside", chips=pot.pool, aside=aside)
