"""Estuches: the run of top trumps that Ombre held, or lacked, when play began (RULES 8)."""

from engine.core.cards import BIT, Seat
from engine.play.hands import elsewhere
from engine.play.state import State


def hand_at_lead(state: State, seat: Seat) -> tuple[int, bool]:
    """The known cards with which ``seat`` began the play, and whether these are all of them."""
    play = state.play
    mask, whole = play.held[seat], not play.slots[seat]
    laid = [pair for trick in play.tricks for pair in zip(trick.seats, trick.cards, strict=True)]
    laid += list(zip(play.seats, play.cards, strict=True))
    laid += [(who, card) for _, who, card in state.ending.beyond]
    for who, card in laid:
        if who == seat:
            mask |= BIT[card]
            whole = whole and bool(BIT[card])
    return mask, whole


def estuches(state: State, seat: Seat, most: int) -> int | None:
    """How many estuches ``seat`` is paid, at most ``most``; None where a hidden card leaves it open."""
    if not state.play.table.ladder:
        return None
    mask, whole = hand_at_lead(state, seat)
    away = elsewhere(state.knowledge, state.play, seat)
    run, held_on_top = 0, None
    for trump in state.play.table.ladder:
        bit = 1 << trump
        if mask & bit:
            held: bool | None = True
        else:
            held = False if whole or away & bit else None
        if held is None:
            return None
        if held_on_top is None:
            held_on_top = held
        if held != held_on_top:
            break
        run += 1
        if run == most:
            break
    return run
