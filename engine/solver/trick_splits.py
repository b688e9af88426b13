"""Every way in which the tricks can still fall, and how the deal ends by each (RULES 6, 7, 8).

The engine's own score is asked what each end pays, once for each count of tricks at which the deal is over.
"""

from typing import NamedTuple

from engine.core.cards import SEATS, Seat
from engine.play.outcomes import WON, deal_outcome
from engine.play.slam import (
    SLAM_FAILED,
    SLAM_LOST_EARLY,
    SLAM_MADE,
    lost_slam_outcome,
    may_stop_after_five,
    slam_status,
)
from engine.play.state import FINISHED, NO_ENDING, State, Trick
from engine.play.tricks import ends_deal
from engine.scoring.payments import Payments
from engine.scoring.score import brief_score, deal_standing

TrickCounts = tuple[int, int, int]
"""Tricks won, by seat."""


class DealEnd(NamedTuple):
    """How a deal ends: its outcome, all nine tricks ``made`` or ``failed`` if tried for, and what is paid.

    ``payments`` is None where the ruleset does not state what this end pays.
    """

    outcome: str
    slam: str | None
    payments: Payments | None


class TrickCount(NamedTuple):
    """The tricks won between two tricks; ``is_slam_tried``: the declarer has gone on after winning five."""

    tricks_won: TrickCounts
    is_slam_tried: bool


class TrickSplit(NamedTuple):
    """What can come of a count: its end, or the counts after one more trick, by the seat that wins it.

    ``stop_end``: the end that the declarer may choose instead of going on for all nine tricks.
    """

    end: DealEnd | None
    stop_end: DealEnd | None
    next_counts: tuple[TrickCount, ...]


TrickSplits = dict[TrickCount, TrickSplit]


def trick_count_at(state: State) -> TrickCount:
    """The count of tricks before the trick that is being played."""
    declarer = state.contract_state.declarer
    return TrickCount(state.play.tricks_won, declarer is not None and state.play.tricks_won[declarer] > 5)


def build_trick_splits(state: State) -> TrickSplits:
    """All that can come of the tricks at ``state``, a point of the play that is not over."""
    splits: TrickSplits = {}
    _collect_splits(trick_count_at(state), _without_claims(state), splits)
    return splits


def _without_claims(state: State) -> State:
    """The state without what a claim or a slip says of its end."""
    ending = state.ending
    without_claims = NO_ENDING._replace(
        slam=ending.slam, surrender=ending.surrender, is_puesta_set_aside=ending.is_puesta_set_aside
    )
    return state._replace(ending=without_claims)


def _collect_splits(count: TrickCount, state: State, splits: TrickSplits) -> None:
    """Adds what can come of ``count``; ``state`` is any state with these tricks."""
    if state.phase == FINISHED:
        splits[count] = TrickSplit(_deal_end(state), None, ())
        return
    declarer = state.contract_state.declarer
    assert declarer is not None
    stop = _deal_end(state) if not state.play.cards and may_stop_after_five(state, declarer) else None
    is_slam_tried = state.play.tricks_won[declarer] >= 5
    after = tuple(TrickCount(_add_trick(state.play.tricks_won, winner), is_slam_tried) for winner in SEATS)
    splits[count] = TrickSplit(None, stop, after)
    for winner, follows in zip(SEATS, after, strict=True):
        if follows not in splits:
            _collect_splits(follows, _after_trick(state, winner, follows.tricks_won), splits)


def _add_trick(won: TrickCounts, winner: Seat) -> TrickCounts:
    """The tricks won, with the next one for ``winner``."""
    first, second, third = won
    return first + (winner == 0), second + (winner == 1), third + (winner == 2)


def _after_trick(state: State, winner: Seat, won: TrickCounts) -> State:
    """The state with the trick won by ``winner``; of its cards only those laid already are told."""
    play = state.play
    trick = Trick(len(play.tricks) + 1, play.seats, play.cards, play.seqs, winner)
    play = play._replace(
        turn=winner, seats=(), cards=(), seqs=(), tricks=(*play.tricks, trick), tricks_won=won
    )
    phase = FINISHED if ends_deal(state, won, trick.number) else state.phase
    return state._replace(phase=phase, play=play)


def _deal_end(state: State) -> DealEnd:
    """How the deal ends if it is over with these tricks."""
    computed = brief_score(state)
    if computed.decided and computed.outcome is not None:
        return DealEnd(computed.outcome, computed.slam, computed.payments)
    standing = deal_standing(state)
    declarer, contract = standing.declarer, standing.contract
    assert declarer is not None and contract is not None
    slam = slam_status(state, declarer)
    if slam in (SLAM_MADE, SLAM_FAILED):
        return DealEnd(WON if slam == SLAM_MADE else lost_slam_outcome(state, declarer), slam, None)
    declarer_tricks, first, second = (standing.tricks[(declarer + step) % 3] for step in range(3))
    outcome = deal_outcome(declarer_tricks, first, second, contract, state.opening.rules.ruleset)
    return DealEnd(outcome, SLAM_FAILED if slam == SLAM_LOST_EARLY and outcome == WON else None, None)
