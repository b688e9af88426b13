"""Whose card comes next, where the text does not say it: the fold of the deal as far as it is told."""

from typing import Final

from engine.cards import SEAT_NAMES
from engine.events import ActionWithdrawn, CardPlayed, CorrectionMade, GapNoted, NoteAdded
from engine.fold import evolve
from engine.history import effective
from engine.legality import legal
from engine.log import Entry
from engine.state import START, State
from schemas.notation.plays import after

AFRESH: Final = 50
"""A deal is folded from its beginning, as a correction asks for, so often; then a card needs its seat."""


class Turn:
    """Whose card comes next, by the deal as far as it is told; the fold goes on from where it stood."""

    def __init__(self) -> None:
        self.state: State = START
        self.done = 0
        self.afresh = 0

    def of(self, entries: list[Entry]) -> str | None:
        """The seat that is due; None where nobody can tell."""
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
        if isinstance(last, GapNoted):
            return None
        if isinstance(last, CardPlayed) and self.state.play.cards:
            return after(SEAT_NAMES[last.seat])
        due = legal(self.state)
        return (
            SEAT_NAMES[due.seat]
            if due is not None and due.action == "play" and due.seat is not None
            else None
        )
