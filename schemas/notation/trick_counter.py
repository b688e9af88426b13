"""Which trick is at hand, as the text of a deal has it."""

from collections.abc import Sequence

from engine.core.cards import SEAT_NAMES
from engine.core.events import ActionWithdrawn, CardPlayed
from engine.core.field_types import Seq
from engine.core.log import Entry


class TrickCounter:
    """The tricks of a deal as the text has them, as far as it is told.

    ``next_number`` is the number that is due, ``card_count`` how many the trick at hand has. ``has_gap`` is
    True at the beginning of a trick when cards are missing before it, so that nobody can tell who leads.
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
        """The number that the record has for a trick numbered so, None where it is for the eye."""
        is_repeated = self.card_count == 0 and number == self.next_number - 1
        self.has_gap = not is_repeated and (number != self.next_number or not self.is_complete)
        self.next_number, self.card_count = number + 1, 0
        return number if sign == ":" or self.has_gap else None

    def add_cards(self, card_count: int = 1) -> None:
        """Some cards more of one trick: the one at hand, or the next."""
        if self.card_count == len(SEAT_NAMES):
            self.next_number += 1
            self.card_count = 0
        self.card_count += card_count
        self.has_gap = False

    def withdraw_card(
        self, withdrawn: ActionWithdrawn, entries: Sequence[Entry], withdrawal_seq: Seq
    ) -> None:
        """One card less, if what the entry ``withdrawal_seq`` withdraws is one. What stands below it is
        none yet."""
        target_seq = withdrawn.of
        is_known = (
            isinstance(target_seq, int)
            and isinstance(withdrawal_seq, int)
            and 0 < target_seq < withdrawal_seq
            and self.card_count > 0
        )
        if is_known and isinstance(entries[int(target_seq) - 1].event, CardPlayed):
            self.card_count -= 1
