"""All nine tricks: when they are tried for, announced, made and lost (RULES 6; the vole: RULES 8)."""

from typing import Final

from engine.core.cards import Seat
from engine.core.message import Said, said
from engine.play.outcomes import BETE, WON
from engine.play.state import CONTRACT, State
from engine.play.surrender import forbidden
from engine.play.tricks import LAST_TRICK
from engine.rulesets.model import Contract

OPEN: Final = "open"
"""All nine are tried for, and no trick is lost."""
MADE: Final = "made"
FAILED: Final = "failed"
"""A trick is lost, and the try with it."""
LOST: Final = "lost"
"""A trick is lost before the game was won: the try has failed if the game is won all the same."""


def slam_possible(state: State, contract: Contract | None) -> bool:
    """Whether the rules pay all nine tricks in ``contract`` (RULES 6)."""
    if state.opening.rules.ruleset.slam is None or forbidden(state) is not None:
        return False
    return contract is not None and contract.aim == "game"


def first_five(state: State, declarer: Seat) -> bool | None:
    """Whether the declarer won the first five tricks; None where the winner of one is not known."""
    agreed = _agreed(state)
    if agreed is not None and agreed[declarer] == LAST_TRICK:
        return True
    winners = [trick.winner for trick in state.play.tricks[:5]]
    if len(winners) < 5 or any(winner not in (declarer, None) for winner in winners):
        return False
    return None if None in winners else True


def lost_early(state: State, declarer: Seat) -> bool:
    """Whether the declarer is known to have lost one of the first five tricks."""
    return any(trick.winner not in (declarer, None) for trick in state.play.tricks[:5])


def slam_tried(state: State, declarer: Seat) -> str | None:
    """How a try for all nine tricks stands: ``OPEN``, ``MADE``, ``FAILED``, ``LOST``; None: nobody tries.

    Whoever leads to the sixth trick after the first five tries; so does he whose claim to all nine
    is accepted (RULES 6).
    """
    if not slam_possible(state, state.bargain.contract):
        return None
    play, agreed, all_nine = state.play, _agreed(state), state.bargain.all_nine
    if agreed is not None and agreed[declarer] == LAST_TRICK:
        return MADE
    led_on = first_five(state, declarer) and (len(play.tricks) > 5 or play.cards)
    if not all_nine and state.ending.slam is None and not led_on:
        return None
    if agreed is not None or any(trick.winner not in (declarer, None) for trick in play.tricks):
        return FAILED if all_nine or (agreed or play.won)[declarer] >= 5 else LOST
    return MADE if len(play.tricks) == LAST_TRICK and play.won[declarer] == LAST_TRICK else OPEN


def _agreed(state: State) -> tuple[int, int, int] | None:
    """The tricks of a claim that both opponents have accepted."""
    claim = state.ending.claim
    return claim.tricks if claim is not None and claim.accepted == 0b111 else None


def game_still_open(state: State, declarer: Seat, slam: str) -> bool:
    """Whether the game itself can still be lost while, or although, all nine were announced (RULES 6)."""
    if state.bargain.all_nine:
        return False
    return slam == LOST or (slam == OPEN and state.play.won[declarer] < 5)


def of_lost_slam(state: State, declarer: Seat) -> str:
    """The outcome of a game in which all nine tricks were tried for and one is lost."""
    return WON if (_agreed(state) or state.play.won)[declarer] >= 5 else BETE


def ends_of_lost_slam(state: State, declarer: Seat) -> tuple[str, ...]:
    """The outcomes that a lost try can still have: lost before the fifth trick, or after it."""
    early = state.bargain.all_nine and of_lost_slam(state, declarer) == BETE
    return (BETE, WON) if early else (WON,)


def may_stop(state: State, seat: Seat) -> bool:
    """Whether ``seat``, about to lead, has won the first five tricks and need not try for all nine."""
    play = state.play
    if not slam_possible(state, state.bargain.contract) or seat != state.bargain.declarer:
        return False
    bound = state.bargain.all_nine or state.ending.slam is not None
    return not bound and play.won[seat] == len(play.tricks) == 5


def why_not_announced(state: State, seat: Seat) -> Said | None:
    """What speaks against ``seat``'s announcing all nine tricks now; None where he may (RULES 6)."""
    slam, bargain, play = state.opening.rules.ruleset.slam, state.bargain, state.play
    if slam is None:
        return said("under these rules play stops at the fifth trick")
    if slam.announced == "never":
        return said("under these rules the lead to the sixth trick is the challenge")
    if state.ending.slam is not None:
        return said("he has announced it already")
    if bargain.contract is None or bargain.contract.aim != "game" or seat != bargain.declarer:
        return said("only the declarer of a game may")
    if len(play.tricks) > 5 or (len(play.tricks) == 5 and play.cards):
        return said("it must be announced at the latest on winning the fifth trick")
    if lost_early(state, seat):
        return said("a trick has been lost already")
    if slam.announced == "after-fifth-trick" and len(play.tricks) < 5:
        return said("it is announced on winning the fifth trick, not before")
    return None


def may_announce(state: State) -> Seat | None:
    """The declarer who may announce all nine tricks now."""
    declarer = state.bargain.declarer
    if declarer is None or state.phase <= CONTRACT or state.ending.slam is not None:
        return None
    return declarer if why_not_announced(state, declarer) is None else None
