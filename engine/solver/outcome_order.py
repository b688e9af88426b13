"""How a deal can still end, in the order in which the sides want it (RULES 6, 7, 8).

The engine's own score says what each end pays, once for each count of tricks at which the deal is over.
Payment is not monotone in tricks (1-4-4), so no number of tricks is an aim. For the search, an end is its
rank, and counts of tricks differ only if something that can still come differs.
"""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Final, NamedTuple

from engine.core.cards import SEAT_NAMES, SEATS, BySeat, Seat
from engine.play.outcomes import BETE, CODILLE, WON, deal_outcome
from engine.play.slam import (
    SLAM_FAILED,
    SLAM_LOST_EARLY,
    SLAM_MADE,
    lost_slam_outcome,
    may_stop_after_five,
    slam_status,
)
from engine.play.state import FINISHED, NO_ENDING, PLAY, Play, State, Trick, with_play
from engine.play.tricks import ends_deal
from engine.scoring.payments import Payments
from engine.scoring.score import brief_score, deal_standing

TrickCounts = BySeat[int]
"""Tricks won by seat."""


class DealEnd(NamedTuple):
    """How a deal ends; ``slam``: all nine tricks ``made`` or ``failed``, None if not tried for.

    ``payments`` is None if the ruleset does not state what this end pays.
    """

    outcome: str
    slam: str | None
    payments: Payments | None


class TrickCount(NamedTuple):
    """The tricks won so far; ``is_slam_tried``: the declarer has gone on after winning five."""

    tricks_won: TrickCounts
    is_slam_tried: bool


class TrickSplit(NamedTuple):
    """What follows a count: its end, or the counts after one more trick, by the seat that wins it.

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
    """All that can follow the tricks at ``state``, a point of the play that is not over."""
    splits: TrickSplits = {}
    _collect_splits(_without_claims(state), trick_count_at(state), state.play.tricks, splits)
    return splits


def _without_claims(state: State) -> State:
    """The state without the end that a claim or a slip states."""
    ending = state.ending
    without_claims = NO_ENDING._replace(
        slam=ending.slam, surrender=ending.surrender, is_puesta_set_aside=ending.is_puesta_set_aside
    )
    return replace(state, ending=without_claims)


def _collect_splits(start: State, count: TrickCount, tricks: tuple[Trick, ...], splits: TrickSplits) -> None:
    """Add what can follow ``count``, which any ``tricks`` reach from ``start``."""
    declarer = start.contract_state.declarer
    assert declarer is not None
    won, is_start = count.tricks_won, len(tricks) == len(start.play.tricks)
    if not is_start and ends_deal(start, won, len(tricks)):
        splits[count] = TrickSplit(_deal_end(_state_after(start, tricks, won, FINISHED)), None, ())
        return
    stop, is_slam_tried = None, won[declarer] >= 5
    if is_slam_tried:
        state = start if is_start else _state_after(start, tricks, won, PLAY)
        if not state.play.cards and may_stop_after_five(state, declarer):
            stop = _deal_end(state)
    after = tuple(TrickCount(_add_trick(won, winner), is_slam_tried) for winner in SEATS)
    splits[count] = TrickSplit(None, stop, after)
    for winner, follows in zip(SEATS, after, strict=True):
        if follows not in splits:
            _collect_splits(start, follows, (*tricks, _won_trick(start.play, winner, tricks)), splits)


def _add_trick(won: TrickCounts, winner: Seat) -> TrickCounts:
    """The tricks won, with the next one for ``winner``."""
    first, second, third = won
    return first + (winner == 0), second + (winner == 1), third + (winner == 2)


def _won_trick(play: Play, winner: Seat, tricks: tuple[Trick, ...]) -> Trick:
    """The trick after ``tricks``; of the one on the table in ``play``, only the cards laid already."""
    if len(tricks) == len(play.tricks):
        return Trick(len(tricks) + 1, play.seats, play.cards, play.seqs, winner)
    return Trick(len(tricks) + 1, (), (), (), winner)


def _state_after(start: State, tricks: tuple[Trick, ...], won: TrickCounts, phase: int) -> State:
    """The state after ``tricks``."""
    play = start.play.copy()
    play.turn, play.tricks, play.tricks_won = tricks[-1].winner, tricks, won
    play.seats, play.cards, play.seqs = (), (), ()
    state = with_play(start, play)
    state.phase = phase
    return state


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


# --- The order --------------------------------------------------------------------------------------


OUTCOME_ORDER: Final = (CODILLE, BETE, WON)
SLAM_ORDER: Final = (SLAM_FAILED, None, SLAM_MADE)
"""Of two ends with equal payments the declarer prefers the later one of these."""

EndPreference = Callable[[DealEnd], tuple[float, ...]]
"""How much the declarer wants an end, as a sort key."""


def list_ends(splits: TrickSplits) -> tuple[DealEnd, ...]:
    """All ends, each once."""
    found: dict[DealEnd, None] = {}
    for fall in splits.values():
        found.update((end, None) for end in (fall.end, fall.stop_end) if end is not None)
    return tuple(found)


def order_ends(ends: tuple[DealEnd, ...], declarer: Seat, collector: Seat) -> tuple[DealEnd, ...]:
    """The ends, the best for the declarer last, the best for the defenders as one side first.

    Of ends that pay the declarer alike, the defenders prefer the one that pays ``collector`` more, one of
    them, then the one that pays the other more.
    """
    return tuple(sorted(ends, key=_build_preference(ends, declarer, collector)))


def _build_preference(ends: tuple[DealEnd, ...], declarer: Seat, collector: Seat) -> EndPreference:
    """The preference by payments.

    A codille with unstated payments counts as the average of the stated ones, shared by both defenders; if
    none is stated, it costs more than any other end.
    """
    payments = [dict(end.payments) for end in ends if end.outcome == CODILLE and end.payments is not None]
    other = Seat(3 - declarer - collector)

    def chips(end: DealEnd, seat: Seat) -> float:
        name = SEAT_NAMES[seat]
        if end.payments is not None:
            return dict(end.payments)[name]
        if payments and seat == declarer:
            return sum(one[name] for one in payments) / len(payments)
        if payments:
            both = (SEAT_NAMES[collector], SEAT_NAMES[other])
            return sum(one[name] for one in payments for name in both) / len(payments) / 2
        return -inf if seat == declarer else inf

    return lambda end: (
        chips(end, declarer),
        -chips(end, collector),
        -chips(end, other),
        OUTCOME_ORDER.index(end.outcome),
        SLAM_ORDER.index(end.slam),
    )
