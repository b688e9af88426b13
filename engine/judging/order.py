"""Whether an act comes in its part of the deal, and from the seat whose turn it is."""

from engine.cards import SEAT_NAMES, Seat
from engine.findings import NONE, Findings, finding, name_of
from engine.phases import skipped
from engine.state import EXCHANGE, FINISHED, PHASES, State, to_act
from engine.vocabulary import Seq


def out_of_phase(state: State, phase: int, act: str, seat: Seat | None, seq: Seq, rule: str) -> Findings:
    """A finding where the act belongs to another part of the deal and no gap explains it."""
    rules = state.opening.rules
    if state.gap or not rules.known:
        return NONE
    if state.phase > phase:
        late = "the deal is over" if state.phase == FINISHED else f"the {PHASES[state.phase]} has begun"
        return (finding(seq, "wrong_phase", f"{_who(state, seat)}{act}, but {late}.", rule, seat),)
    if skipped(state, phase):
        missing = _missing(state)
        return (finding(seq, "wrong_phase", f"{_who(state, seat)}{act}, but {missing}.", rule, seat),)
    return NONE


def out_of_turn(state: State, seat: Seat, act: str, seq: Seq, rule: str) -> Findings:
    """A finding where it is another seat's turn."""
    turn = to_act(state)
    if turn is None or turn == seat or state.gap or not state.opening.rules.known:
        return NONE
    message = f"{name_of(state, seat)} {act}, but it is {name_of(state, turn)}'s turn ({SEAT_NAMES[turn]})."
    return (finding(seq, "wrong_seat", message, rule, seat),)


def draw_missing(state: State, seat: Seat | None, seq: Seq) -> Findings:
    """A finding where the next act comes and a draw is still owed (RULES 4)."""
    exchange = state.exchange
    if state.phase != EXCHANGE or not exchange.owed or state.gap or exchange.queue[0] == seat:
        return NONE
    owing = exchange.queue[0]
    message = f"{name_of(state, owing)} discarded {exchange.owed} and no draw is recorded."
    return (
        finding(
            exchange.owed_seq, "exchange_mismatch", message, "4. Exchange", owing, (exchange.owed_seq, seq)
        ),
    )


def _who(state: State, seat: Seat | None) -> str:
    return "" if seat is None else f"{name_of(state, seat)} "


def _missing(state: State) -> str:
    return {
        "dealing": "the auction is not recorded",
        "auction": "the auction is not over",
        "contract": "the contract is not named",
        "turn": "the talon is not turned",
        "exchange": "the exchange is not over",
    }[PHASES[state.phase]]
