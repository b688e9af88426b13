"""After all have passed: an extra that is undertaken, or spadille that is forced to play (RULES 8)."""

from typing import Final

from engine.core.cards import BIT, SEATS, SPADILLE, Seat
from engine.play.state import CONTRACT, FINISHED, State

FORCED_SPADILLE: Final = "forced-spadille"
ALL: Final = 0b111
HAS_SPADILLE: Final = BIT[SPADILLE]


def all_have_passed(state: State) -> bool:
    """Whether nobody has bid, nor undertaken anything since."""
    return state.auction.passed == ALL and state.auction.holder is None


def undertaking_open(state: State) -> bool:
    """Whether all have passed, and an extra may still be undertaken."""
    return all_have_passed(state) and state.auction.declined is not None and state.auction.turn is not None


def spadille_forced(state: State) -> bool:
    """Whether the table has agreed that spadille has to play now, and somebody may hold it."""
    if not all_have_passed(state) or state.bargain.named:
        return False
    return FORCED_SPADILLE in state.opening.rules.ruleset.extras and any(
        may_hold_spadille(state, seat) for seat in SEATS
    )


def may_hold_spadille(state: State, seat: Seat) -> bool:
    """Whether nothing known speaks against ``seat`` holding spadille."""
    held, elsewhere = state.play.held, state.exchange.lying | state.play.gone
    for other in SEATS:
        if other != seat:
            elsewhere |= held[other]
    if elsewhere & HAS_SPADILLE:
        return False
    return bool(held[seat] & HAS_SPADILLE) or any(slot & HAS_SPADILLE for slot in state.play.slots[seat])


def spadille_sought(state: State) -> State:
    """The state in which the holder of spadille has to name a contract, or the deal is over.

    Asked whenever all have passed and something new is known of the hands.
    """
    extras = state.opening.rules.ruleset.extras
    if FORCED_SPADILLE not in extras or not all_have_passed(state) or state.bargain.named:
        return state
    ending = state.ending
    if undertaking_open(state) or ending.voided or ending.ruling or ending.abandoned:
        return state
    if not spadille_forced(state):
        return state._replace(phase=FINISHED, bargain=state.bargain._replace(declarer=None))
    holders = [seat for seat in SEATS if state.play.held[seat] & HAS_SPADILLE]
    declarer = holders[0] if len(holders) == 1 else None
    return state._replace(phase=CONTRACT, bargain=state.bargain._replace(declarer=declarer))


def undertakings_over(state: State) -> State:
    """The state with nobody undertaking anything more, where spadille is forced straight away."""
    if not undertaking_open(state):
        return state
    return spadille_sought(state._replace(auction=state.auction._replace(declined=ALL, turn=None)))


def passed_out(state: State) -> bool:
    """Whether, as far as the record goes, all have passed and that is all (RULES 2)."""
    if not all_have_passed(state):
        return False
    return state.phase == FINISHED or (undertaking_open(state) and not spadille_forced(state))
