"""Whose turn it is, where the text does not say it: the fold of the deal as far as it is told."""

from typing import Final

from engine.core.cards import SEAT_NAMES
from engine.core.events import ActionWithdrawn, CardPlayed, CorrectionMade, Event, GapNoted, NoteAdded
from engine.core.log import Entry
from engine.fold import evolve
from engine.legality import legal
from engine.play.history import effective
from engine.play.state import START, State
from schemas.notation.plays import after

AFRESH: Final = 50
"""A deal is folded from its beginning, as a correction asks for, so often; then a card needs its seat."""


class Turn:
    """Whose turn it is, by the deal as far as it is told; the fold goes on from where it stood."""

    def __init__(self) -> None:
        self.state: State = START
        self.done = 0
        self.afresh = 0

    def to_play(self, entries: list[Entry]) -> str | None:
        """The seat whose card comes next; None where nobody can tell."""
        last = self._last(entries)
        if last is None:
            return None
        if isinstance(last, CardPlayed) and self.state.play.cards:
            return after(SEAT_NAMES[last.seat])
        return self._due("play")

    def to_bid(self, entries: list[Entry]) -> str | None:
        """The seat whose call comes next; None where nobody can tell, or nobody bids any more."""
        return None if self._last(entries) is None else self._due("bid")

    def _last(self, entries: list[Entry]) -> Event | None:
        """Folds what is new; the last event that is no note, None where nobody can tell what follows it."""
        new = entries[self.done :]
        if any(isinstance(entry.event, CorrectionMade | ActionWithdrawn) for entry in new):
            self.afresh += 1
            if self.afresh > AFRESH:
                return None
            self.state = START
            new = list(effective(tuple(entries)).entries)
        for entry in new:
            self.state = evolve(self.state, entry)
        self.done = len(entries)
        last = next((one.event for one in reversed(entries) if not isinstance(one.event, NoteAdded)), None)
        return None if isinstance(last, GapNoted) else last

    def _due(self, action: str) -> str | None:
        due = legal(self.state)
        return (
            SEAT_NAMES[due.seat]
            if due is not None and due.action == action and due.seat is not None
            else None
        )
