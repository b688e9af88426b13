"""What people at the table called, or ruled, of a revoke (RULES 9)."""

from typing import Final

from engine.core.cards import Seat
from engine.core.events import IrregularityNoted, RulingMade
from engine.core.log import Log

REVOKE_WORD_STEMS: Final = ("revok", "renounc", "renonce", "kulørsvig", "bekend")
"""What is in the words of a call, in English or Danish, that somebody did not follow suit."""


def mentions_revoke(event: IrregularityNoted | RulingMade) -> bool:
    """Whether the words of a call, or of a ruling, say that somebody did not follow suit."""
    kind = event.kind if isinstance(event, IrregularityNoted) else ""
    words = f"{kind} {event.text or ''}".lower()
    return any(word in words for word in REVOKE_WORD_STEMS)


def seats_accused_of_revoke(entries: Log) -> frozenset[Seat]:
    """The seats of which people said that they revoked, or ruled what the deal pays for it.

    That somebody talked, or was given a point, says nothing of his cards.
    """
    events = [entry.event for entry in entries]
    noted = {one.seat for one in events if isinstance(one, IrregularityNoted) and mentions_revoke(one)}
    rulings = (one for one in events if isinstance(one, RulingMade))
    ruled = (one.at_fault for one in rulings if one.outcome or one.payments or mentions_revoke(one))
    return frozenset(seat for seat in (*noted, *ruled) if seat is not None)
