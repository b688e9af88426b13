"""All nine tricks: when they are tried for, announced, made and lost (RULES 6; the vole: RULES 8)."""

from engine.cards import Seat
from engine.outcomes import BETE, WON
from engine.rulesets.model import Contract
from engine.state import CONTRACT, State
from engine.surrender import forbidden
from engine.tricks import LAST_TRICK


def slam_possible(state: State, contract: Contract | None) -> bool:
    """Whether the rules pay all nine tricks in ``contract`` (RULES 6)."""
    if state.opening.rules.ruleset.slam is None or forbidden(state) is not None:
        return False
    return contract is not None and contract.aim == "game"


def first_five(state: State, declarer: Seat) -> bool | None:
    """Whether the declarer won the first five tricks; None where the winner of one is not known."""
    claim = state.ending.claim
    if claim is not None and claim.accepted == 0b111 and claim.tricks[declarer] == LAST_TRICK:
        return True
    winners = [trick.winner for trick in state.play.tricks[:5]]
    if len(winners) < 5 or any(winner not in (declarer, None) for winner in winners):
        return False
    return None if None in winners else True


def lost_early(state: State, declarer: Seat) -> bool:
    """Whether the declarer is known to have lost one of the first five tricks."""
    return any(trick.winner not in (declarer, None) for trick in state.play.tricks[:5])


def slam_tried(state: State, declarer: Seat) -> str | None:
    """A try for all nine tricks: ``made``, ``failed``, ``open``; None where nobody tries.

    One that fails before the game is won costs nothing of its own (RULES 6).
    """
    if not slam_possible(state, state.bargain.contract):
        return None
    tricks, claim = state.play.tricks, state.ending.claim
    all_nine = state.bargain.all_nine
    if (
        not all_nine
        and state.ending.slam is None
        and not (first_five(state, declarer) and (len(tricks) > 5 or state.play.cards))
    ):
        return None
    if claim is not None and claim.accepted == 0b111:
        return "made" if claim.tricks[declarer] == LAST_TRICK else "failed"
    if any(trick.winner not in (declarer, None) for trick in tricks):
        return "failed" if all_nine or state.play.won[declarer] >= 5 else None
    return "made" if len(tricks) == LAST_TRICK and state.play.won[declarer] == LAST_TRICK else "open"


def of_lost_slam(state: State, declarer: Seat) -> str:
    """The outcome of a game in which all nine tricks were tried for and one is lost."""
    return WON if state.play.won[declarer] >= 5 else BETE


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


def why_not_announced(state: State, seat: Seat) -> str | None:
    """What speaks against ``seat``'s announcing all nine tricks now; None where he may (RULES 6)."""
    slam, bargain, play = state.opening.rules.ruleset.slam, state.bargain, state.play
    if slam is None:
        return "under these rules play stops at the fifth trick"
    if slam.announced == "never":
        return "under these rules the lead to the sixth trick is the challenge"
    if bargain.contract is None or bargain.contract.aim != "game" or seat != bargain.declarer:
        return "only the declarer of a game may"
    if len(play.tricks) > 5 or (len(play.tricks) == 5 and play.cards):
        return "it must be announced at the latest on winning the fifth trick"
    if lost_early(state, seat):
        return "a trick has been lost already"
    if slam.announced == "after-fifth-trick" and len(play.tricks) < 5:
        return "it is announced on winning the fifth trick, not before"
    return None


def may_announce(state: State) -> Seat | None:
    """The declarer who may announce all nine tricks now."""
    declarer = state.bargain.declarer
    if declarer is None or state.phase <= CONTRACT or state.ending.slam is not None:
        return None
    return declarer if why_not_announced(state, declarer) is None else None
