"""Surrender: who may offer it and when, and what the answers do (RULES 8)."""

from dataclasses import replace
from typing import Final

from engine.core.events import SurrenderAnswered, SurrenderOffered
from engine.core.field_types import Seq
from engine.core.message import Message, format_message
from engine.play.state import EXCHANGE, FINISHED, PLAY, State, SurrenderOffer

ALL_SEATS: Final = 0b111


def is_surrender_accepted(state: State) -> bool:
    """Whether both opponents have accepted a surrender."""
    surrender = state.ending.surrender
    return surrender is not None and surrender.accepted_seats | 1 << surrender.seat == ALL_SEATS


def forbidden_surrender(state: State) -> SurrenderOffer | None:
    """The surrender that an opponent has forbidden, becoming the declarer; None if there is none."""
    surrender = state.ending.surrender
    return surrender if surrender is not None and surrender.forbidden_by is not None else None


def open_surrender_offer(state: State) -> SurrenderOffer | None:
    """The surrender that waits for answers."""
    surrender = state.ending.surrender
    if surrender is None or surrender.forbidden_by is not None or is_surrender_accepted(state):
        return None
    return surrender


def explain_surrender_refusal(state: State) -> Message | None:
    """Why the declarer may not offer to surrender now; None if that is allowed."""
    terms, contract_state, play = state.opening.rules.ruleset.surrender, state.contract_state, state.play
    if terms is None:
        return format_message("these rules have no surrender")
    if forbidden_surrender(state) is not None:
        return format_message("a player who has forbidden a surrender has to play on")
    if state.ending.surrender is not None:
        return format_message("it has already been offered")
    if contract_state.contract is None or contract_state.contract.aim != "game":
        return format_message("only a game can be surrendered")
    if contract_state.is_vole_challenged:
        return format_message("a player who has challenged for the vole has to play on")
    if state.phase not in (EXCHANGE, PLAY) or contract_state.trump is None:
        return format_message("the contract is not made yet")
    if state.phase == EXCHANGE and contract_state.declarer in state.exchange.queue:
        return format_message("the offer has to wait until after the exchange")
    started_tricks = len(play.tricks) + bool(play.cards)
    return (
        None
        if started_tricks < terms.before_trick
        else format_message("trick {trick} has begun", trick=terms.before_trick)
    )


def fold_surrender_offered(state: State, event: SurrenderOffered, seq: Seq) -> State:
    """The declarer offers to surrender; an offer by anybody else, or a second one, changes nothing."""
    declarer = state.contract_state.declarer
    if state.phase == FINISHED or state.ending.surrender is not None or declarer not in (None, event.seat):
        return state
    return replace(state, ending=state.ending._replace(surrender=SurrenderOffer(seq, event.seat, 0, None)))


def fold_surrender_answered(state: State, event: SurrenderAnswered, seq: Seq) -> State:
    """If both accept, the deal is over; the first who forbids it plays on as declarer."""
    offer = open_surrender_offer(state)
    if offer is None or offer.seat == event.seat or state.phase == FINISHED:
        return state
    if event.answer == "forbid":
        offer, contract_state = (
            offer._replace(forbidden_by=event.seat),
            state.contract_state._replace(declarer=event.seat),
        )
        return replace(state, contract_state=contract_state, ending=state.ending._replace(surrender=offer))
    offer = offer._replace(accepted_seats=offer.accepted_seats | 1 << event.seat)
    state = replace(state, ending=state.ending._replace(surrender=offer))
    return replace(state, phase=FINISHED) if is_surrender_accepted(state) else state
