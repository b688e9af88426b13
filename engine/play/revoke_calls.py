"""What people at the table called or ruled about a revoke (RULES 9)."""

from typing import Final

from engine.core.cards import Seat
from engine.core.events import IrregularityNoted, RulingMade
from engine.core.log import Log

REVOKE_WORD_STEMS: Final = ("revok", "renounc", "renonce", "kulørsvig", "bekend")
"""Parts of words, in English or Danish, that say that somebody did not follow suit."""


def mentions_revoke(event: IrregularityNoted | RulingMade) -> bool:
    """Whether the words of a call or of a ruling say that somebody did not follow suit."""
    kind = event.kind if isinstance(event, IrregularityNoted) else ""
    words = f"{kind} {event.text or ''}".lower()
    return any(word in words for word in REVOKE_WORD_STEMS)


def seats_accused_of_revoke(entries: Log) -> frozenset[Seat]:
    """The seats that people accused of a revoke, or whose revoke a ruling settled.

    Talking, or being given a point, says nothing about a seat's cards.
    """
    events = [entry.event for entry in entries]
    noted = {one.seat for one in events if isinstance(one, IrregularityNoted) and mentions_revoke(one)}
    rulings = (one for one in events if isinstance(one, RulingMade))
    ruled = (one.at_fault for one in rulings if one.outcome or one.payments or mentions_revoke(one))
    return frozenset(seat for seat in (*noted, *ruled) if seat is not None)
