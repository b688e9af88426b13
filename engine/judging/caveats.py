"""The sentences that say on what condition a finding of the play is so (`engine.diagnosis.conditions`)."""

from collections.abc import Callable
from typing import Final

from engine.core.message import Said, said

Condition = Callable[[Said], Said]
"""Says of a finding under what condition it is so."""


def all_there(found: Said) -> Said:
    """A finding that is so where no entry is missing, nor stands in another's place."""
    return said("{found} That is so if no entry is missing and all are in their order.", found=found)


def in_order(found: Said) -> Said:
    """A finding that is so where no entry stands in another's place."""
    return said("{found} That is so if the entries are in their order.", found=found)


def as_written(found: Said) -> Said:
    """A finding that is so where no card of its evidence was taken for another."""
    return said("{found} That is so if the cards that show it are written rightly.", found=found)


def exchange_whole(found: Said) -> Said:
    """A finding that is so where the hand, as the exchange has it, is the one that was played."""
    return said("{found} That is so if the exchange is entered wholly.", found=found)


def trumps_right(found: Said) -> Said:
    """A finding that is so where the trumps are those that were played."""
    return said("{found} That is so if the trump suit is written rightly.", found=found)


def not_over(trick: int) -> Condition:
    """A revoke that is one where the deal went on after a trick."""
    return lambda found: said(
        "{found} It is none if the deal was over with trick {trick}.", found=found, trick=trick
    )


_ANYTHING: Final = Said("", {})
_SAID: Final = frozenset(
    condition(_ANYTHING).form
    for condition in (all_there, in_order, as_written, exchange_whole, trumps_right, not_over(0))
)


def is_conditional(message: Said) -> bool:
    """Whether the sentence of a finding says that it is so only on a condition."""
    return message.form in _SAID
