"""Which trick is at hand, as the text of a deal has it."""

from collections.abc import Sequence

from engine.core.cards import SEAT_NAMES
from engine.core.events import ActionWithdrawn, CardPlayed
from engine.core.log import Entry
from engine.core.vocabulary import Seq


class Tricks:
    """The tricks of a deal as the text has them, as far as it is told.

    ``next`` is the number that is due, ``cards`` how many the trick at hand has. ``gap`` is True at the
    beginning of a trick when cards are missing before it, so that nobody can tell who leads.
    """

    def __init__(self) -> None:
        self.next = 1
        self.cards = len(SEAT_NAMES)
        self.gap = False

    @property
    def whole(self) -> bool:
        """Whether the next card begins a trick, if no number says otherwise."""
        return self.cards == len(SEAT_NAMES)

    def anchor(self, number: int, sign: str) -> int | None:
        """The number that the record has for a trick numbered so, None where it is for the eye."""
        again = self.cards == 0 and number == self.next - 1
        self.gap = not again and (number != self.next or not self.whole)
        self.next, self.cards = number + 1, 0
        return number if sign == ":" or self.gap else None

    def add(self, cards: int = 1) -> None:
        """Some cards more of one trick: the one at hand, or the next."""
        if self.cards == len(SEAT_NAMES):
            self.next += 1
            self.cards = 0
        self.cards += cards
        self.gap = False

    def take_back(self, withdrawn: ActionWithdrawn, entries: Sequence[Entry], seq: Seq) -> None:
        """One card less, if what the entry ``seq`` withdraws is one. What stands below it is none yet."""
        of = withdrawn.of
        at_hand = isinstance(of, int) and isinstance(seq, int) and 0 < of < seq and self.cards > 0
        if at_hand and isinstance(entries[int(of) - 1].event, CardPlayed):
            self.cards -= 1
