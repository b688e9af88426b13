"""Sentences of the engine's in which a seat is told as the player who sits there."""

from engine import State
from engine.core.cards import SEAT_OF
from engine.core.message import Given, Said, Term


def by_name(sentence: Said, state: State) -> Said:
    """The sentence with each seat in it as its player, where he has a name."""
    return Said(sentence.form, {place: _named(given, state) for place, given in sentence.given.items()})


def _named(given: Given, state: State) -> Given:
    if isinstance(given, Said):
        return by_name(given, state)
    if isinstance(given, Term) and given.kind == "seat":
        return state.opening.players.at(SEAT_OF[given]) or given
    return given
