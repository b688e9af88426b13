"""Sentences of the engine's in which a seat is told as the player who sits there."""

from engine import State
from engine.core.cards import SEAT_BY_NAME
from engine.core.message import Message, MessageArgument, Term


def replace_seats_with_names(message: Message, state: State) -> Message:
    """The sentence with each seat in it as its player, where he has a name."""
    return Message(
        message.template,
        {place: _replace_in_value(given, state) for place, given in message.arguments.items()},
    )


def _replace_in_value(given: MessageArgument, state: State) -> MessageArgument:
    if isinstance(given, Message):
        return replace_seats_with_names(given, state)
    if isinstance(given, Term) and given.kind == "seat":
        return state.opening.players.at(SEAT_BY_NAME[given]) or given
    return given
