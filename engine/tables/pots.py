"""What lies in the pool from deal to deal, and how it is divided at the end (RULES 8)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.core.message import Message, TextList, format_message
from engine.play.state import State
from engine.scoring.payments import Payments
from engine.scoring.score import Score
from engine.tables.ledger import Pot

EMPTY_POT: Final = Pot(0)


def set_missing_pot(state: State, pot: Pot) -> State:
    """The state of a deal that does not record its pool, with what lay there."""
    recorded = state.opening.event is None or state.opening.event.pool is not None
    return state if recorded else set_pot(state, pot)


def set_pot(state: State, pot: Pot) -> State:
    """The state of a deal with what lay in the pool, whatever the deal records of it."""
    opening = state.opening
    if opening.event is None:
        return state
    opening_pot = pot.opening_pot
    opening_event = replace(opening.event, pool=opening_pot.pool, reserved=opening_pot.reserved)
    return state._replace(opening=opening._replace(event=opening_event))


def recorded_pot(state: State) -> Pot | None:
    """The pool that a deal records to be opened with; None where it records none."""
    opening_event = state.opening.event
    if opening_event is None or opening_event.pool is None:
        return None
    return Pot(opening_event.pool, opening_event.reserved).opening_pot


def chips_out_of_pool(chips: Payments) -> int:
    """What the players have more between them: so much is taken out of the pool (less: put in)."""
    return sum(amount for _, amount in chips)


def pot_after_deal(before: Pot, due_score: Score, chips: Payments) -> Pot:
    """The pool takes what the players lost between them; what is set aside is as the score has it.

    Where more is taken than lies in the pool itself, the largest puesta set aside serves for it.
    """
    remaining = before.total - chips_out_of_pool(chips)
    reserved = (
        due_score.pool.reserved if due_score.decided and due_score.pool is not None else before.reserved
    )
    reserve_list = sorted(reserved, reverse=True)
    while reserve_list and sum(reserve_list) > remaining:
        reserve_list.pop(0)
    reserves = reserved if len(reserve_list) == len(reserved) else tuple(reserve_list)
    return Pot(remaining - sum(reserves), reserves)


def divide_pot(pot: Pot, players: Sequence[str], dealer: str | None) -> Iterator[tuple[str, int]]:
    """A pool divided among its players at the end; ``dealer`` is who would have dealt next.

    Equally; what cannot be divided goes one chip each to those who come after the next dealer, in
    the order of play. The source is silent: this is our decision.
    """
    if not players:
        return
    each, remainder = divmod(pot.total, len(players))
    first = players.index(dealer) + 1 if dealer in players else 0
    for step in range(len(players)):
        yield players[(first + step) % len(players)], each + (step < remainder)


def describe_pot(pot: Pot) -> Message:
    """A pool in words."""
    if not pot.reserved:
        return format_message("{chips} in the pool", chips=pot.pool)
    reserved = TextList(map(str, pot.reserved))
    return format_message("{chips} in the pool and {aside} set aside", chips=pot.pool, aside=reserved)
