"""Every way in which the tricks can still fall, and how the deal ends by each (RULES 6, 7, 8).

The engine's own score is asked what each end pays, once for each count of tricks at which the deal is over.
"""

from typing import NamedTuple

from engine.core.cards import SEATS, Seat
from engine.play.outcomes import WON, outcome_of
from engine.play.slam import FAILED, LOST, MADE, may_stop, of_lost_slam, slam_tried
from engine.play.state import FINISHED, OPEN, State, Trick
from engine.play.tricks import ends
from engine.scoring.payments import Chips
from engine.scoring.score import brief_score, standing

Tricks = tuple[int, int, int]
"""Tricks won, by seat."""


class End(NamedTuple):
    """How a deal ends: its outcome, all nine tricks ``made`` or ``failed`` if tried for, and what is paid.

    ``payments`` is None where the ruleset does not state what this end pays.
    """

    outcome: str
    slam: str | None
    payments: Chips | None


class Count(NamedTuple):
    """The tricks won between two tricks; ``tried``: the declarer has gone on after his fifth."""

    won: Tricks
    tried: bool


class Fall(NamedTuple):
    """What can come of a count: its end, or the counts after one more trick, by the seat that wins it.

    ``stop``: the end that the declarer may choose instead of going on for all nine tricks.
    """

    end: End | None
    stop: End | None
    after: tuple[Count, ...]


Falls = dict[Count, Fall]


def count_at(state: State) -> Count:
    """The count of tricks before the trick that is being played."""
    declarer = state.bargain.declarer
    return Count(state.play.won, declarer is not None and state.play.won[declarer] > 5)


def falls_from(state: State) -> Falls:
    """All that can come of the tricks at ``state``, a point of the play that is not over."""
    found: Falls = {}
    _gather(count_at(state), _by_cards_alone(state), found)
    return found


def _by_cards_alone(state: State) -> State:
    """The state without what a claim or a slip says of its end."""
    ending = state.ending
    kept = OPEN._replace(slam=ending.slam, surrender=ending.surrender, set_aside=ending.set_aside)
    return state._replace(ending=kept)


def _gather(count: Count, state: State, found: Falls) -> None:
    """Adds what can come of ``count``; ``state`` is any state with these tricks."""
    if state.phase == FINISHED:
        found[count] = Fall(_end_of(state), None, ())
        return
    declarer = state.bargain.declarer
    assert declarer is not None
    stop = _end_of(state) if not state.play.cards and may_stop(state, declarer) else None
    tried = state.play.won[declarer] >= 5
    after = tuple(Count(_with_one_more(state.play.won, winner), tried) for winner in SEATS)
    found[count] = Fall(None, stop, after)
    for winner, follows in zip(SEATS, after, strict=True):
        if follows not in found:
            _gather(follows, _after_trick(state, winner, follows.won), found)


def _with_one_more(won: Tricks, winner: Seat) -> Tricks:
    """The tricks won, with the next one for ``winner``."""
    first, second, third = won
    return first + (winner == 0), second + (winner == 1), third + (winner == 2)


def _after_trick(state: State, winner: Seat, won: Tricks) -> State:
    """The state with the trick won by ``winner``; of its cards only those laid already are told."""
    play = state.play
    trick = Trick(len(play.tricks) + 1, play.seats, play.cards, play.seqs, winner)
    play = play._replace(turn=winner, seats=(), cards=(), seqs=(), tricks=(*play.tricks, trick), won=won)
    phase = FINISHED if ends(state, won, trick.number) else state.phase
    return state._replace(phase=phase, play=play)


def _end_of(state: State) -> End:
    """How the deal ends if it is over with these tricks."""
    due = brief_score(state)
    if due.decided and due.outcome is not None:
        return End(due.outcome, due.slam, due.payments)
    stands = standing(state)
    declarer, contract = stands.declarer, stands.contract
    assert declarer is not None and contract is not None
    slam = slam_tried(state, declarer)
    if slam in (MADE, FAILED):
        return End(WON if slam == MADE else of_lost_slam(state, declarer), slam, None)
    mine, first, second = (stands.tricks[(declarer + step) % 3] for step in range(3))
    outcome = outcome_of(mine, first, second, contract, state.opening.rules.ruleset)
    return End(outcome, FAILED if slam == LOST and outcome == WON else None, None)
