"""Sentences of the engine's in which a seat is told as the player who sits there."""

from engine import State
from engine.core.cards import SEAT_BY_NAME
from engine.core.message import Message, MessageArgument, Term


def replace_seats_with_names(message: Message, state: State) -> Message:
    """The sentence with each seat in it as its player, where he has a name."""
    return Message(
        message.template,
        {place: _replace_in_value(argument, state) for place, argument in message.arguments.items()},
    )


def _replace_in_value(argument: MessageArgument, state: State) -> MessageArgument:
    if isinstance(argument, Message):
        return replace_seats_with_names(argument, state)
    if isinstance(argument, Term) and argument.kind == "seat":
        return state.opening.players.at(SEAT_BY_NAME[argument]) or argument
    return argument
