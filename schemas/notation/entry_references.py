"""Entries named by where they stand, ``@last`` and ``@trick 1 B``; written they are numbers, ``@12``."""

from collections.abc import Sequence
from typing import Final

from engine.core.cards import SEAT_NAMES
from engine.core.events import ActionWithdrawn, CardPlayed, CorrectionMade, NoteAdded
from engine.core.log import Entry
from schemas.notation.trick_counter import TrickCounter

LAST_ENTRY_WORDS: Final = frozenset({"@last", "@sidste"})
TRICK_PLAY_WORDS: Final = frozenset({"@trick", "@stik"})


class EntryReferences:
    """What words such as ``@last`` mean in the entries read so far, a list that grows."""

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self._entries = entries
        self._indexed_count = 0
        self._last: int | None = None
        self._plays_by_trick: dict[tuple[int, str], list[int]] = {}

    def last_entry_number(self) -> int | None:
        """The number of the last entry that is no note."""
        self._update()
        return self._last

    def find_plays(self, trick: int, seat: str) -> list[int]:
        """The numbers of the entries in which a seat plays to a trick; not those that were taken back.

        A card that a correction replaces counts twice: nobody can tell which of the two is meant.
        """
        self._update()
        return self._plays_by_trick.get((trick, seat), [])

    def _update(self) -> None:
        """Go through the entries, once after each that was added: a line may name a thousand places."""
        if self._indexed_count == len(self._entries):
            return
        self._indexed_count, self._last, self._plays_by_trick = len(self._entries), None, {}
        places: dict[int | str, list[int]] = {}
        tricks, current = TrickCounter(), None
        for number, (seq, event, _) in enumerate(self._entries, 1):
            if not isinstance(event, NoteAdded):
                self._last = number
            if isinstance(event, CardPlayed):
                if event.trick is not None and (tricks.is_complete or event.trick != current):
                    tricks.start_trick(event.trick, ":")
                current = event.trick
                tricks.add_cards()
                key = tricks.next_number - 1, SEAT_NAMES[event.seat]
                places[number] = self._plays_by_trick.setdefault(key, [])
                places[number].append(number)
            elif isinstance(event, ActionWithdrawn):
                tricks.withdraw_card(event, self._entries, seq)
                if event.of in places:
                    places[event.of][:] = [one for one in places[event.of] if one != event.of]
            elif isinstance(event, CorrectionMade):
                for replaced in event.replaces:
                    if replaced in places and replaced in places[replaced]:
                        places[replaced].append(int(replaced))
