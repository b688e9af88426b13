"""Whether an act comes in its part of the deal, and from the seat whose turn it is."""

from collections.abc import Mapping
from typing import Final

from engine.core.cards import Seat
from engine.core.message import Said, Telling, said
from engine.core.vocabulary import Seq
from engine.play.findings import NONE, Findings, finding, name_of, seat_called
from engine.play.phases import skipped
from engine.play.state import EXCHANGE, PHASES, State, to_act

_MISSING: Final = {
    "dealing": said("the auction is not recorded"),
    "auction": said("the auction is not over"),
    "contract": said("the contract is not named"),
    "turn": said("the talon is not turned"),
    "exchange": said("the exchange is not over"),
}
"""What is missing before the deal can go on, by its phase."""

_BEGUN: Final = {
    "auction": said("the auction has begun"),
    "contract": said("the contract has begun"),
    "turn": said("the turn has begun"),
    "exchange": said("the exchange has begun"),
    "play": said("the play has begun"),
    "finished": said("the deal is over"),
}
"""What has begun already, by the phase of the deal."""


def out_of_phase(state: State, phase: int, act: Telling, seat: Seat | None, seq: Seq, rule: str) -> Findings:
    """A finding where the act belongs to another part of the deal and no gap explains it."""
    rules = state.opening.rules
    if state.gap or not rules.known:
        return NONE
    if state.phase > phase:
        return (finding(seq, "wrong_phase", _but(state, seat, act, _BEGUN), rule, seat),)
    if skipped(state, phase):
        return (finding(seq, "wrong_phase", _but(state, seat, act, _MISSING), rule, seat),)
    return NONE


def out_of_turn(state: State, seat: Seat, act: Telling, seq: Seq, rule: str) -> Findings:
    """A finding where it is another seat's turn."""
    turn = to_act(state)
    if turn is None or turn == seat or state.gap or not state.opening.rules.known:
        return NONE
    message = said(
        "{player} {act}, but it is {other}'s turn ({seat}).",
        player=name_of(state, seat),
        act=act(),
        other=name_of(state, turn),
        seat=seat_called(turn),
    )
    return (finding(seq, "wrong_seat", message, rule, seat),)


def draw_missing(state: State, seat: Seat | None, seq: Seq) -> Findings:
    """A finding where the next act comes and a draw is still owed (RULES 4)."""
    exchange = state.exchange
    if state.phase != EXCHANGE or not exchange.owed or state.gap or exchange.queue[0] == seat:
        return NONE
    owing = exchange.queue[0]
    message = said(
        "{player} discarded {count} and no draw is recorded.",
        player=name_of(state, owing),
        count=exchange.owed,
    )
    return (
        finding(
            exchange.owed_seq, "exchange_mismatch", message, "4. Exchange", owing, (exchange.owed_seq, seq)
        ),
    )


def _but(state: State, seat: Seat | None, act: Telling, why: Mapping[str, Said]) -> Said:
    """What is done, and what speaks against it, by the phase of the deal."""
    reason = why[PHASES[state.phase]]
    if seat is None:
        return said("{act}, but {why}.", act=act(), why=reason)
    return said("{player} {act}, but {why}.", player=name_of(state, seat), act=act(), why=reason)
