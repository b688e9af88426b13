"""Entries named by where they stand, ``@last`` and ``@trick 1 B``; written they are numbers, ``@12``."""

from collections.abc import Sequence
from typing import Final

from engine.cards import SEAT_NAMES
from engine.events import ActionWithdrawn, CardPlayed, CorrectionMade, NoteAdded
from engine.log import Entry
from schemas.notation.tricks import Tricks

LAST: Final = frozenset({"@last", "@sidste"})
TRICK: Final = frozenset({"@trick", "@stik"})


def last_of(entries: Sequence[Entry]) -> int | None:
    """The number of the last entry that is no note."""
    for place in range(len(entries), 0, -1):
        if not isinstance(entries[place - 1].event, NoteAdded):
            return place
    return None


def cards_at(entries: Sequence[Entry], trick: int, seat: str) -> list[int]:
    """The numbers of the entries in which a seat plays to a trick; not those that were taken back.

    A card that a correction replaces counts twice: nobody can tell which of the two is meant.
    """
    tricks, current = Tricks(), None
    found: list[int] = []
    for place, (seq, event, _) in enumerate(entries, 1):
        if isinstance(event, CardPlayed):
            if event.trick is not None and (tricks.whole or event.trick != current):
                tricks.anchor(event.trick, ":")
            current = event.trick
            tricks.add()
            if tricks.next - 1 == trick and SEAT_NAMES[event.seat] == seat:
                found.append(place)
        elif isinstance(event, ActionWithdrawn):
            tricks.take_back(event, entries, seq)
            found = [one for one in found if one != event.of]
        elif isinstance(event, CorrectionMade):
            found += [one for one in found if one in event.replaces]
    return found
