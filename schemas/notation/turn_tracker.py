"""Whose turn it is, where the text does not say it: the fold of the deal as far as it is told."""

from typing import Final

from engine.core.cards import SEAT_NAMES
from engine.core.events import ActionWithdrawn, CardPlayed, CorrectionMade, Event, GapNoted, NoteAdded
from engine.core.log import Entry
from engine.fold import evolve
from engine.legality import legal
from engine.play.history import effective
from engine.play.state import INITIAL_STATE, State
from schemas.notation.card_plays import next_seat_name

MAX_REFOLDS: Final = 50
"""A deal is folded from its beginning, as a correction asks for, so often; then a card needs its seat."""


class TurnTracker:
    """Whose turn it is, by the deal as far as it is told; the fold goes on from where it stood."""

    def __init__(self) -> None:
        self.state: State = INITIAL_STATE
        self.folded_count = 0
        self.refold_count = 0

    def next_to_play(self, entries: list[Entry]) -> str | None:
        """The seat whose card comes next; None where nobody can tell."""
        last = self._fold_new(entries)
        if last is None:
            return None
        if isinstance(last, CardPlayed) and self.state.play.cards:
            return next_seat_name(SEAT_NAMES[last.seat])
        return self._seat_due("play")

    def next_to_bid(self, entries: list[Entry]) -> str | None:
        """The seat whose call comes next; None where nobody can tell, or nobody bids any more."""
        return None if self._fold_new(entries) is None else self._seat_due("bid")

    def _fold_new(self, entries: list[Entry]) -> Event | None:
        """Folds what is new; the last event that is no note, None where nobody can tell what follows it."""
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
        next_action = legal(self.state)
        return (
            SEAT_NAMES[next_action.seat]
            if next_action is not None and next_action.action == action and next_action.seat is not None
            else None
        )
