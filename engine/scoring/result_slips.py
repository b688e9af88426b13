"""How a deal can have ended by its slip: the outcome, tricks and slam that this states (RULES 6, 8)."""

from collections.abc import Iterator
from typing import NamedTuple

from engine.core.cards import SEATS, Seat
from engine.core.events import ResultRecorded
from engine.play.giving_up import cheapest_giving_up_outcome
from engine.play.outcomes import BETE, CODILLE, WON, deal_outcome, possible_trick_counts
from engine.play.slam import is_slam_possible
from engine.play.state import State
from engine.play.tricks import LAST_TRICK
from engine.rulesets.model import Contract


class PossibleEnding(NamedTuple):
    """How a deal can have ended: won, bete or codille; all nine tricks made, failed, or not tried for."""

    outcome: str
    slam: str | None = None

    @property
    def name(self) -> str:
        """What this end is called among those that are still possible."""
        return self.outcome if self.slam is None else f"slam_{self.slam}"


def possible_endings(
    state: State, declarer: Seat, contract: Contract, result: ResultRecorded
) -> tuple[PossibleEnding, ...]:
    """Every end that the slip leaves open; none where it says nothing of it, or nothing that can be.

    What it states of the slam goes before its outcome, and that before its tricks.
    """
    counts = dict(result.tricks)
    if is_slam_possible(state, contract):
        if state.contract_state.is_vole_challenged:
            return _possible_vole_endings(counts.get(declarer), result)
        nine = counts.get(declarer) == LAST_TRICK and result.outcome in (None, WON)
        if result.slam == "made" or (result.slam is None and nine):
            return (PossibleEnding(WON, "made"),)
    stated = result.outcome
    if stated == "abandoned":
        stated = cheapest_giving_up_outcome(state, contract)
        return () if stated is None else (PossibleEnding(stated),)
    if stated is not None and stated not in (WON, BETE, CODILLE):
        return ()
    outcomes = (stated,) if stated else outcomes_from_tricks(state, declarer, contract, counts)
    if result.slam == "failed" and is_slam_possible(state, contract):
        # A declarer who announces early and loses the game pays for no slam (RULES 6).
        return tuple(PossibleEnding(one, "failed" if one == WON else None) for one in outcomes or (WON,))
    return tuple(PossibleEnding(one) for one in outcomes)


def _possible_vole_endings(declarer_tricks: int | None, result: ResultRecorded) -> tuple[PossibleEnding, ...]:
    """The ends of a vole challenged in the auction: made, or lost, after the game was won or before."""
    made = PossibleEnding(WON, "made")
    late, early = PossibleEnding(WON, "failed"), PossibleEnding(BETE, "failed")
    if result.slam == "made" or (result.slam is None and declarer_tricks == LAST_TRICK):
        return (made,)
    if result.outcome == BETE:
        return (early,)
    if declarer_tricks is not None and declarer_tricks != LAST_TRICK:
        return (late if declarer_tricks >= 5 else early,)
    if result.slam == "failed":
        return (late,) if result.outcome == WON else (late, early)
    return (made, late) if result.outcome == WON else ()


def outcomes_from_tricks(
    state: State, declarer: Seat, contract: Contract, counts: dict[Seat, int]
) -> tuple[str, ...]:
    """The outcomes that a slip's tricks can make, without repetition; none where it lacks the declarer's."""
    if declarer not in counts:
        return ()
    ruleset = state.opening.rules.ruleset
    if contract.aim == "nolo":
        return (deal_outcome(counts[declarer], 0, 0, contract, ruleset),)
    found = {
        deal_outcome(*tricks, contract, ruleset) for tricks in _possible_tricks(declarer, contract, counts)
    }
    return tuple(one for one in (WON, BETE, CODILLE) if one in found)


def _possible_tricks(
    declarer: Seat, contract: Contract, counts: dict[Seat, int]
) -> Iterator[tuple[int, int, int]]:
    """How the tricks can have fallen: the declarer's, then the defenders' in order of play.

    One seat that the slip omits has what is left; where it states all three, what is left may be anybody's.
    """
    declarer_tricks, left = counts[declarer], max(LAST_TRICK - sum(counts.values()), 0)
    first, second = (counts.get(SEATS[(declarer + step) % 3], 0) for step in (1, 2))
    if len(counts) == 3:
        yield from possible_trick_counts(declarer_tricks, first, second, left, contract)
    elif declarer_tricks >= 5:
        yield declarer_tricks, first, second
    else:
        one_is_told = len(counts) == 2
        for extra in range(left + 1):
            if one_is_told and extra != (0 if SEATS[(declarer + 1) % 3] in counts else left):
                continue
            yield declarer_tricks, first + extra, second + left - extra


def outcome_from_tricks(
    state: State, declarer: Seat | None, contract: Contract | None, counts: dict[Seat, int]
) -> str | None:
    """The outcome that a slip's tricks make; None where they leave it open."""
    if declarer is None or contract is None:
        return None
    outcomes = outcomes_from_tricks(state, declarer, contract, counts)
    return outcomes[0] if len(outcomes) == 1 else None
