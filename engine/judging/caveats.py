"""The conditions of findings on the play (`engine.diagnosis.finding_caveats`)."""

from collections.abc import Callable
from typing import Final

from engine.core.message import Message, format_message

Caveat = Callable[[Message], Message]
"""Adds to a finding's message the condition under which it is true."""


def add_completeness_caveat(message: Message) -> Message:
    """A finding that is true if no entry is missing or in another's place."""
    return format_message("{found} This holds if no entry is missing and all are in order.", found=message)


def add_order_caveat(message: Message) -> Message:
    """A finding that is true if no entry is in another's place."""
    return format_message("{found} This holds if the entries are in order.", found=message)


def add_card_caveat(message: Message) -> Message:
    """A finding that is true if no card in its evidence was mistaken for another."""
    return format_message(
        "{found} This holds if the cards that show it are written correctly.", found=message
    )


def add_exchange_caveat(message: Message) -> Message:
    """A finding that is true if the hand after the recorded exchange is the one that was played."""
    return format_message("{found} This holds if the exchange is entered completely.", found=message)


def add_trump_caveat(message: Message) -> Message:
    """A finding that is true if the recorded trumps are those that were played."""
    return format_message("{found} This holds if the trump suit is written correctly.", found=message)


def build_continuation_caveat(trick: int) -> Caveat:
    """A revoke that is one if the deal continued after a trick."""
    return lambda message: format_message(
        "{found} It is not a revoke if the deal was over with trick {trick}.", found=message, trick=trick
    )


_EMPTY_MESSAGE: Final = Message("", {})
_CAVEAT_TEMPLATES: Final = frozenset(
    condition(_EMPTY_MESSAGE).template
    for condition in (
        add_completeness_caveat,
        add_order_caveat,
        add_card_caveat,
        add_exchange_caveat,
        add_trump_caveat,
        build_continuation_caveat(0),
    )
)


def has_caveat(message: Message) -> bool:
    """Whether the message of a finding states a condition."""
    return message.template in _CAVEAT_TEMPLATES
