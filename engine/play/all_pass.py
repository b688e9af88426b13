"""After all have passed: undertaking an extra, or forcing spadille to play (RULES 8)."""

from dataclasses import replace
from typing import Final

from engine.core.cards import CARD_BITS, SEATS, SPADILLE, Seat
from engine.play.state import CONTRACT, FINISHED, State

FORCED_SPADILLE: Final = "forced-spadille"
ALL_SEATS: Final = 0b111
SPADILLE_BIT: Final = CARD_BITS[SPADILLE]


def all_have_passed(state: State) -> bool:
    """Whether nobody has bid, nor undertaken anything since."""
    return state.auction.passed_seats == ALL_SEATS and state.auction.holder is None


def is_undertaking_open(state: State) -> bool:
    """Whether all have passed, and an extra may still be undertaken."""
    return (
        all_have_passed(state) and state.auction.declined_seats is not None and state.auction.turn is not None
    )


def is_spadille_forced(state: State) -> bool:
    """Whether the table has agreed that spadille must now play, and somebody may hold it."""
    if not all_have_passed(state) or state.contract_state.is_named:
        return False
    return FORCED_SPADILLE in state.opening.rules.ruleset.extras and any(
        may_hold_spadille(state, seat) for seat in SEATS
    )


def may_hold_spadille(state: State, seat: Seat) -> bool:
    """Whether ``seat`` may hold spadille, as far as is known."""
    known_cards, other_cards = (
        state.play.known_cards,
        state.exchange.known_talon_cards | state.play.removed_cards,
    )
    for other in SEATS:
        if other != seat:
            other_cards |= known_cards[other]
    if other_cards & SPADILLE_BIT:
        return False
    return bool(known_cards[seat] & SPADILLE_BIT) or any(
        slot & SPADILLE_BIT for slot in state.play.hidden_slots[seat]
    )


def resolve_forced_spadille(state: State) -> State:
    """The state in which the holder of spadille has to name a contract, or the deal is over.

    Checked whenever all have passed and something new is known of the hands.
    """
    if not all_have_passed(state):
        return state
    if state.contract_state.is_named or FORCED_SPADILLE not in state.opening.rules.ruleset.extras:
        return state
    ending = state.ending
    if is_undertaking_open(state) or ending.is_voided or ending.ruling or ending.abandonment:
        return state
    if not is_spadille_forced(state):
        return replace(state, phase=FINISHED, contract_state=state.contract_state._replace(declarer=None))
    holders = [seat for seat in SEATS if state.play.known_cards[seat] & SPADILLE_BIT]
    declarer = holders[0] if len(holders) == 1 else None
    return replace(state, phase=CONTRACT, contract_state=state.contract_state._replace(declarer=declarer))


def close_undertakings(state: State) -> State:
    """The state in which nobody undertakes anything more, if spadille is forced immediately."""
    if not is_undertaking_open(state):
        return state
    return resolve_forced_spadille(
        replace(state, auction=replace(state.auction, declined_seats=ALL_SEATS, turn=None))
    )


def is_passed_out(state: State) -> bool:
    """Whether, as far as the record goes, all have passed and nothing else happened (RULES 2)."""
    if not all_have_passed(state):
        return False
    return state.phase == FINISHED or (is_undertaking_open(state) and not is_spadille_forced(state))
