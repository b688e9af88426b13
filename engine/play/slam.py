"""All nine tricks: when they are tried for, announced, made and lost (RULES 6; the vole: RULES 8)."""

from typing import Final

from engine.core.cards import BySeat, Seat
from engine.core.message import Message, format_message
from engine.play.outcomes import BETE, WON
from engine.play.state import CONTRACT, State
from engine.play.surrender import forbidden_surrender
from engine.play.tricks import LAST_TRICK
from engine.rulesets.model import Contract

SLAM_OPEN: Final = "open"
"""All nine tricks are tried for, and none is lost."""
SLAM_MADE: Final = "made"
SLAM_FAILED: Final = "failed"
"""A trick is lost, so the try has failed."""
SLAM_LOST_EARLY: Final = "lost"
"""A trick is lost before the game was won: if the game is still won, the try has failed."""


def is_slam_possible(state: State, contract: Contract | None) -> bool:
    """Whether the rules pay all nine tricks in ``contract`` (RULES 6)."""
    if state.opening.rules.ruleset.slam is None or forbidden_surrender(state) is not None:
        return False
    return contract is not None and contract.aim == "game"


def has_won_first_five(state: State, declarer: Seat) -> bool | None:
    """Whether the declarer won the first five tricks; None if the winner of one is unknown."""
    agreed = _accepted_claim_tricks(state)
    if agreed is not None and agreed[declarer] == LAST_TRICK:
        return True
    winners = [trick.winner for trick in state.play.tricks[:5]]
    if len(winners) < 5 or any(winner not in (declarer, None) for winner in winners):
        return False
    return None if None in winners else True


def has_lost_early_trick(state: State, declarer: Seat) -> bool:
    """Whether the declarer is known to have lost one of the first five tricks."""
    return any(trick.winner not in (declarer, None) for trick in state.play.tricks[:5])


def slam_status(state: State, declarer: Seat) -> str | None:
    """The status of a try for all nine tricks: ``SLAM_OPEN``, ``SLAM_MADE``, ``SLAM_FAILED``,
    ``SLAM_LOST_EARLY``; None: nobody tries.

    A declarer who leads to the sixth trick after winning the first five tries; so does one whose claim to all
    nine is accepted (RULES 6).
    """
    if not is_slam_possible(state, state.contract_state.contract):
        return None
    play, agreed = state.play, _accepted_claim_tricks(state)
    all_nine = state.contract_state.is_vole_challenged
    if agreed is not None and agreed[declarer] == LAST_TRICK:
        return SLAM_MADE
    led_on = has_won_first_five(state, declarer) and (len(play.tricks) > 5 or play.cards)
    if not all_nine and state.ending.slam is None and not led_on:
        return None
    if agreed is not None or any(trick.winner not in (declarer, None) for trick in play.tricks):
        return SLAM_FAILED if all_nine or (agreed or play.tricks_won)[declarer] >= 5 else SLAM_LOST_EARLY
    return (
        SLAM_MADE if len(play.tricks) == LAST_TRICK and play.tricks_won[declarer] == LAST_TRICK else SLAM_OPEN
    )


def _accepted_claim_tricks(state: State) -> BySeat[int] | None:
    """The tricks of a claim that both opponents have accepted."""
    claim = state.ending.claim
    return claim.tricks if claim is not None and claim.accepted_seats == 0b111 else None


def is_game_still_open(state: State, declarer: Seat, slam: str) -> bool:
    """Whether the game itself can still be lost although all nine tricks were announced (RULES 6)."""
    if state.contract_state.is_vole_challenged:
        return False
    return slam == SLAM_LOST_EARLY or (slam == SLAM_OPEN and state.play.tricks_won[declarer] < 5)


def lost_slam_outcome(state: State, declarer: Seat) -> str:
    """The outcome of a game with a failed try for all nine tricks."""
    return WON if (_accepted_claim_tricks(state) or state.play.tricks_won)[declarer] >= 5 else BETE


def possible_lost_slam_outcomes(state: State, declarer: Seat) -> tuple[str, ...]:
    """The possible outcomes of a failed try: a trick lost before the fifth, or after it."""
    early = state.contract_state.is_vole_challenged and lost_slam_outcome(state, declarer) == BETE
    return (BETE, WON) if early else (WON,)


def may_stop_after_five(state: State, seat: Seat) -> bool:
    """Whether ``seat``, about to lead, has won the first five tricks and need not try for all nine."""
    play = state.play
    if not is_slam_possible(state, state.contract_state.contract) or seat != state.contract_state.declarer:
        return False
    is_committed = state.contract_state.is_vole_challenged or state.ending.slam is not None
    return not is_committed and play.tricks_won[seat] == len(play.tricks) == 5


def explain_slam_refusal(state: State, seat: Seat) -> Message | None:
    """Why ``seat`` may not announce all nine tricks now; None if it may (RULES 6)."""
    slam, contract_state, play = state.opening.rules.ruleset.slam, state.contract_state, state.play
    if slam is None:
        return format_message("under these rules play stops at the fifth trick")
    if slam.announced == "never":
        return format_message("under these rules the lead to the sixth trick is the challenge")
    if state.ending.slam is not None:
        return format_message("it has already been announced")
    if (
        contract_state.contract is None
        or contract_state.contract.aim != "game"
        or seat != contract_state.declarer
    ):
        return format_message("only the declarer of a game may")
    if len(play.tricks) > 5 or (len(play.tricks) == 5 and play.cards):
        return format_message("the last moment for it is on winning the fifth trick")
    if has_lost_early_trick(state, seat):
        return format_message("a trick has been lost already")
    if slam.announced == "after-fifth-trick" and len(play.tricks) < 5:
        return format_message("it is announced on winning the fifth trick, not before")
    return None


def seat_that_may_announce_slam(state: State) -> Seat | None:
    """The declarer who may announce all nine tricks now."""
    declarer = state.contract_state.declarer
    if declarer is None or state.phase <= CONTRACT or state.ending.slam is not None:
        return None
    return declarer if explain_slam_refusal(state, declarer) is None else None
