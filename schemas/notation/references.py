"""Entries named by where they stand, ``@last`` and ``@trick 1 B``; written they are numbers, ``@12``."""

from collections.abc import Sequence
from typing import Final

from engine.core.cards import SEAT_NAMES
from engine.core.events import ActionWithdrawn, CardPlayed, CorrectionMade, NoteAdded
from engine.core.log import Entry
from schemas.notation.tricks import Tricks

LAST: Final = frozenset({"@last", "@sidste"})
TRICK: Final = frozenset({"@trick", "@stik"})


class References:
    """What words such as ``@last`` mean in the entries read so far, a list that grows."""

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self._entries = entries
        self._counted = 0
        self._last: int | None = None
        self._cards: dict[tuple[int, str], list[int]] = {}

    def last(self) -> int | None:
        """The number of the last entry that is no note."""
        self._look()
        return self._last

    def cards_at(self, trick: int, seat: str) -> list[int]:
        """The numbers of the entries in which a seat plays to a trick; not those that were taken back.

        A card that a correction replaces counts twice: nobody can tell which of the two is meant.
        """
        self._look()
        return self._cards.get((trick, seat), [])

    def _look(self) -> None:
        """Go through the entries, once after each that was added: a line may name a thousand places."""
        if self._counted == len(self._entries):
            return
        self._counted, self._last, self._cards = len(self._entries), None, {}
        places: dict[int | str, list[int]] = {}
        tricks, current = Tricks(), None
        for number, (seq, event, _) in enumerate(self._entries, 1):
            if not isinstance(event, NoteAdded):
                self._last = number
            if isinstance(event, CardPlayed):
                if event.trick is not None and (tricks.whole or event.trick != current):
                    tricks.anchor(event.trick, ":")
                current = event.trick
                tricks.add()
                key = tricks.next - 1, SEAT_NAMES[event.seat]
                places[number] = self._cards.setdefault(key, [])
                places[number].append(number)
            elif isinstance(event, ActionWithdrawn):
                tricks.take_back(event, self._entries, seq)
                if event.of in places:
                    places[event.of][:] = [one for one in places[event.of] if one != event.of]
            elif isinstance(event, CorrectionMade):
                for replaced in event.replaces:
                    if replaced in places and replaced in places[replaced]:
                        places[replaced].append(int(replaced))
