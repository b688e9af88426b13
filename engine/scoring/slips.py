"""What a slip makes of a deal: the ends that its outcome, its tricks and its slam leave (RULES 6, 8)."""

from collections.abc import Iterator
from typing import NamedTuple

from engine.core.cards import SEATS, Seat
from engine.core.events import ResultRecorded
from engine.play.giving_up import least_on_giving_up
from engine.play.outcomes import BETE, CODILLE, WON, courses, outcome_of
from engine.play.slam import slam_possible
from engine.play.state import State
from engine.play.tricks import LAST_TRICK
from engine.rulesets.model import Contract


class End(NamedTuple):
    """How a deal can have ended: won, bete or codille; all nine tricks made, failed, or not tried for."""

    outcome: str
    slam: str | None = None

    @property
    def name(self) -> str:
        """What this end is called among those that are still possible."""
        return self.outcome if self.slam is None else f"slam_{self.slam}"


def ends_by_slip(state: State, declarer: Seat, contract: Contract, result: ResultRecorded) -> tuple[End, ...]:
    """Every end that the slip leaves open; none where it says nothing of it, or nothing that can be.

    What it states of the slam goes before its outcome, and that before its tricks.
    """
    counts = dict(result.tricks)
    if slam_possible(state, contract):
        if state.bargain.all_nine:
            return _ends_of_vole(counts.get(declarer), result)
        nine = counts.get(declarer) == LAST_TRICK and result.outcome in (None, WON)
        if result.slam == "made" or (result.slam is None and nine):
            return (End(WON, "made"),)
    stated = result.outcome
    if stated == "abandoned":
        stated = least_on_giving_up(state, contract)
        return () if stated is None else (End(stated),)
    if stated is not None and stated not in (WON, BETE, CODILLE):
        return ()
    outcomes = (stated,) if stated else outcomes_by_slip(state, declarer, contract, counts)
    if result.slam == "failed" and slam_possible(state, contract):
        # Whoever announces early and loses the game pays for no slam (RULES 6).
        return tuple(End(one, "failed" if one == WON else None) for one in outcomes or (WON,))
    return tuple(End(one) for one in outcomes)


def _ends_of_vole(mine: int | None, result: ResultRecorded) -> tuple[End, ...]:
    """The ends of a vole challenged in the auction: made, or lost, after the game was won or before."""
    made, late, early = End(WON, "made"), End(WON, "failed"), End(BETE, "failed")
    if result.slam == "made" or (result.slam is None and mine == LAST_TRICK):
        return (made,)
    if result.outcome == BETE:
        return (early,)
    if mine is not None and mine != LAST_TRICK:
        return (late if mine >= 5 else early,)
    if result.slam == "failed":
        return (late,) if result.outcome == WON else (late, early)
    return (made, late) if result.outcome == WON else ()


def outcomes_by_slip(
    state: State, declarer: Seat, contract: Contract, counts: dict[Seat, int]
) -> tuple[str, ...]:
    """The outcomes that a slip's tricks can make, without repetition; none where it lacks the declarer's."""
    if declarer not in counts:
        return ()
    ruleset = state.opening.rules.ruleset
    if contract.aim == "nolo":
        return (outcome_of(counts[declarer], 0, 0, contract, ruleset),)
    found = {outcome_of(*tricks, contract, ruleset) for tricks in _falls(declarer, contract, counts)}
    return tuple(one for one in (WON, BETE, CODILLE) if one in found)


def _falls(declarer: Seat, contract: Contract, counts: dict[Seat, int]) -> Iterator[tuple[int, int, int]]:
    """How the tricks can have fallen: the declarer's, then the defenders' in order of play.

    A seat that the slip leaves out has what is left; where all are told, what is left may be anybody's.
    """
    mine, left = counts[declarer], max(LAST_TRICK - sum(counts.values()), 0)
    first, second = (counts.get(SEATS[(declarer + step) % 3], 0) for step in (1, 2))
    if len(counts) == 3:
        yield from courses(mine, first, second, left, contract)
    elif mine >= 5:
        yield mine, first, second
    else:
        one_is_told = len(counts) == 2
        for more in range(left + 1):
            if one_is_told and more != (0 if SEATS[(declarer + 1) % 3] in counts else left):
                continue
            yield mine, first + more, second + left - more


def outcome_by_slip(
    state: State, declarer: Seat | None, contract: Contract | None, counts: dict[Seat, int]
) -> str | None:
    """The outcome that a slip's tricks make; None where they leave it open."""
    if declarer is None or contract is None:
        return None
    outcomes = outcomes_by_slip(state, declarer, contract, counts)
    return outcomes[0] if len(outcomes) == 1 else None
