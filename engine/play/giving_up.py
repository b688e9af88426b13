"""Giving up before the end: what it may pay at each point (RULES 6)."""

from dataclasses import replace

from engine.core.events import DealAbandoned
from engine.play.outcomes import BETE, CODILLE
from engine.play.state import CONTRACT, PLAY, State
from engine.rulesets.model import Contract


def ways_to_give_up(state: State) -> tuple[str, ...]:
    """What the declarer may give up as now: ``bete``, ``codille``, both or neither."""
    terms, contract = state.opening.rules.ruleset.giving_up, state.contract_state.contract
    if terms is None or contract is None or state.phase <= CONTRACT:
        return ()
    early = terms.bete_from == "play" and state.phase < PLAY
    pays_bete = contract.bete_on_giving_up and not early and _is_before_deadline(state, terms.bete_until)
    ways: tuple[str, ...] = (BETE,) if pays_bete else ()
    return (*ways, CODILLE) if terms.codille_any_time else ways


def _is_before_deadline(state: State, deadline: str) -> bool:
    play = state.play
    if play.tricks:
        return False
    if deadline == "second-card":
        return len(play.cards) < 2
    return state.contract_state.declarer not in play.seats


def giving_up_outcome(state: State, event: DealAbandoned) -> str | None:
    """What giving up pays as: what was said, else the lowest option; None if unknown."""
    if event.pays is not None:
        return event.pays
    ways = ways_to_give_up(replace(state, phase=max(state.phase, CONTRACT + 1)))
    if state.has_gap and len(ways) > 1:
        return None
    return ways[0] if ways else (BETE if state.opening.rules.ruleset.giving_up is None else None)


def cheapest_giving_up_outcome(state: State, contract: Contract | None) -> str | None:
    """What giving up on a slip pays as, without a recorded time: the lowest option of the contract.

    None if the rules never allow giving up this contract.
    """
    terms = state.opening.rules.ruleset.giving_up
    if contract is None or terms is None or contract.bete_on_giving_up:
        return None if contract is None else BETE
    return CODILLE if terms.codille_any_time else None
