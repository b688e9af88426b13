"""Whether an act is in the right phase of the deal, and by the seat whose turn it is."""

from typing import Final

from engine.core.cards import Seat
from engine.core.field_types import Seq
from engine.core.message import Message, format_message
from engine.play.findings import NO_FINDINGS, Findings, build_finding, player_or_seat, seat_term
from engine.play.phases import skips_required_entries
from engine.play.state import EXCHANGE, PHASES, State, seat_to_act

_PHASE_UNFINISHED: Final = {
    "dealing": format_message("the auction is not recorded"),
    "auction": format_message("the auction is not over"),
    "contract": format_message("the contract is not named"),
    "turn": format_message("the talon is not turned"),
    "exchange": format_message("the exchange is not over"),
}
"""What is missing before the deal can continue, by phase."""

_PHASE_STARTED: Final = {
    "auction": format_message("the auction has begun"),
    "contract": format_message("the contract has begun"),
    "turn": format_message("the turn has begun"),
    "exchange": format_message("the exchange has begun"),
    "play": format_message("the play has begun"),
    "finished": format_message("the deal is over"),
}
"""What has already begun, by phase."""


def check_phase(
    state: State, phase: int, act: Message, seat: Seat | None, seq: Seq, rule: str, about: str | None = None
) -> Findings:
    """A finding if the act belongs to another phase and no gap explains it."""
    rules = state.opening.rules
    if state.has_gap or not rules.is_known:
        return NO_FINDINGS
    if state.phase > phase:
        reason = _PHASE_STARTED[PHASES[state.phase]]
    elif skips_required_entries(state, phase):
        reason = _PHASE_UNFINISHED[PHASES[state.phase]]
    else:
        return NO_FINDINGS
    if seat is None:
        message = format_message("{act}, but {why}.", act=act, why=reason)
    else:
        name = player_or_seat(state, seat)
        message = format_message("{player} {act}, but {why}.", player=name, act=act, why=reason)
    return (build_finding(seq, "wrong_phase", message, rule, seat, about=about),)


def check_turn(state: State, seat: Seat, act: Message, seq: Seq, rule: str) -> Findings:
    """A finding if it is another seat's turn."""
    turn = seat_to_act(state)
    if turn is None or turn == seat or state.has_gap or not state.opening.rules.is_known:
        return NO_FINDINGS
    message = format_message(
        "{player} {act}, but it is {other}'s turn ({seat}).",
        player=player_or_seat(state, seat),
        act=act,
        other=player_or_seat(state, turn),
        seat=seat_term(turn),
    )
    return (build_finding(seq, "wrong_seat", message, rule, seat),)


def check_pending_draw(state: State, seat: Seat | None, seq: Seq) -> Findings:
    """A finding if a draw is still owed at the next act (RULES 4)."""
    exchange = state.exchange
    if state.phase != EXCHANGE or not exchange.cards_to_draw or state.has_gap or exchange.queue[0] == seat:
        return NO_FINDINGS
    owing = exchange.queue[0]
    message = format_message(
        "{player} discarded {count} and no draw is recorded.",
        player=player_or_seat(state, owing),
        count=exchange.cards_to_draw,
    )
    discard = exchange.discard_seq
    return (build_finding(discard, "exchange_mismatch", message, "4. Exchange", owing, (discard, seq)),)
