"""What the entries read so far say of the next: the current trick, whose turn it is, what ``@last`` means."""

from collections.abc import Sequence
from typing import Final

from engine.core.cards import SEAT_NAMES, next_seat
from engine.core.events import ActionWithdrawn, CardPlayed, CorrectionMade, Event, GapNoted, NoteAdded
from engine.core.field_types import Seq
from engine.core.log import Entry
from engine.fold import evolve
from engine.legality import legal
from engine.play.history import effective
from engine.play.state import INITIAL_STATE, State

LAST_ENTRY_WORDS: Final = frozenset({"@last", "@sidste"})
TRICK_PLAY_WORDS: Final = frozenset({"@trick", "@stik"})
MAX_REFOLDS: Final = 50
"""Limit of folds from the beginning, which a correction needs; after that a card needs its seat."""


class TrickCounter:
    """The tricks of a deal so far: the ``next_number``, and the ``card_count`` of the current trick.

    ``has_gap`` is True at the beginning of a trick when cards are missing before it: who leads is unknown.
    """

    def __init__(self) -> None:
        self.next_number = 1
        self.card_count = len(SEAT_NAMES)
        self.has_gap = False

    @property
    def is_complete(self) -> bool:
        """Whether the next card begins a trick, if no number says otherwise."""
        return self.card_count == len(SEAT_NAMES)

    def start_trick(self, number: int, sign: str) -> int | None:
        """Begin a trick. Return the number to record for it, None if it follows from what stands above."""
        is_repeated = self.card_count == 0 and number == self.next_number - 1
        self.has_gap = not is_repeated and (number != self.next_number or not self.is_complete)
        self.next_number, self.card_count = number + 1, 0
        return number if sign == ":" or self.has_gap else None

    def add_cards(self, card_count: int = 1) -> None:
        """Count more cards of one trick, the current one or the next."""
        if self.card_count == len(SEAT_NAMES):
            self.next_number += 1
            self.card_count = 0
        self.card_count += card_count
        self.has_gap = False

    def withdraw_card(
        self, withdrawn: ActionWithdrawn, entries: Sequence[Entry], withdrawal_seq: Seq
    ) -> None:
        """Count one card less, if the entry ``withdrawal_seq`` withdraws a card played above it."""
        target, own = withdrawn.of, withdrawal_seq
        is_above = isinstance(target, int) and isinstance(own, int) and 0 < target < own
        if is_above and self.card_count > 0 and isinstance(entries[int(target) - 1].event, CardPlayed):
            self.card_count -= 1


class TurnTracker:
    """Whose turn it is by the deal so far, which is folded on from entry to entry."""

    def __init__(self) -> None:
        self.state: State = INITIAL_STATE
        self.folded_count = 0
        self.refold_count = 0

    def next_to_play(self, entries: list[Entry]) -> str | None:
        """The seat whose card comes next; None where that is unknown."""
        last = self._fold_new(entries)
        if last is None:
            return None
        if isinstance(last, CardPlayed) and self.state.play.cards:
            return SEAT_NAMES[next_seat(last.seat)]
        return self._seat_due("play")

    def next_to_bid(self, entries: list[Entry]) -> str | None:
        """The seat whose call comes next; None where that is unknown, or the auction is over."""
        return None if self._fold_new(entries) is None else self._seat_due("bid")

    def _fold_new(self, entries: list[Entry]) -> Event | None:
        """Fold new entries. Return the last event that is no note, None where what follows is unknown."""
        new = entries[self.folded_count :]
        if any(isinstance(entry.event, CorrectionMade | ActionWithdrawn) for entry in new):
            self.refold_count += 1
            if self.refold_count > MAX_REFOLDS:
                return None
            self.state = INITIAL_STATE
            new = list(effective(tuple(entries)).entries)
        for entry in new:
            self.state = evolve(self.state, entry)
        self.folded_count = len(entries)
        last = next((one.event for one in reversed(entries) if not isinstance(one.event, NoteAdded)), None)
        return None if isinstance(last, GapNoted) else last

    def _seat_due(self, action: str) -> str | None:
        due = legal(self.state)
        return None if due is None or due.seat is None or due.action != action else SEAT_NAMES[due.seat]


class EntryReferences:
    """Finds the entries that words such as ``@last`` mean, in a list of entries that grows."""

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
        """The numbers of the entries in which a seat plays to a trick, without withdrawn ones.

        A card that a correction replaces counts twice, as either may be meant.
        """
        self._update()
        return self._plays_by_trick.get((trick, seat), [])

    def _update(self) -> None:
        """Index the entries again if there are more: a line may name a thousand places."""
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
