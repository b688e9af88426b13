"""All that a state holds, as text."""

from dataclasses import replace

from engine import INITIAL_STATE, State
from engine.core.ranking import UNKNOWN_TRUMP


def state_text(state: State) -> str:
    """Everything but the rules in force and the tables of the trump suit: long, and the same in a deal."""
    play = replace(state.play, trick_rules=UNKNOWN_TRUMP)
    return repr(replace(state, opening=INITIAL_STATE.opening, play=play))
