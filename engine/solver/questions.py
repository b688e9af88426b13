"""What the search asks, by number: does the declarer get one of the ends that are wanted?

Only who wins the tricks to come can decide that. So a question is known by what it becomes with each winner
of the next trick; the same question is asked at many counts of tricks, and for different wanted ends.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from engine.core.cards import HAND_SIZE, SEATS, BySeat
from engine.solver.outcome_order import DealEnd, TrickSplits

NO: Final = 0
YES: Final = 1
"""The questions that are answered; other questions have higher numbers."""
OPEN: Final = -1
"""No answer yet."""
TABLES_KEPT: Final = 16
"""Tables that are kept: deals of a contract mostly share one."""

EndSet = int
"""A mask of ends, by their places in a list of all."""


class SplitOutline(NamedTuple):
    """A `TrickSplit` without payments: its end and its stop as `EndSet`, and the places of what follows."""

    end: EndSet
    stop: EndSet
    next_places: tuple[int, ...]
    tricks_left: int


class QuestionTable:
    """All questions about the ends in ``wanted`` after each count in ``outlines``.

    ``next_question``: by the winner of the next trick, what each question becomes; ``tricks_left``: how many
    tricks it is about.
    """

    def __init__(self, outlines: tuple[SplitOutline, ...], wanted: tuple[EndSet, ...]) -> None:
        self._outlines = outlines
        self.next_question: BySeat[list[int]] = ([NO, YES], [NO, YES], [NO, YES])
        self.tricks_left = [0, 0]
        self._numbers: dict[tuple[int, ...], int] = {}
        self._number_at: dict[tuple[int, EndSet], int] = {}
        self._answers: dict[BySeat[int], list[int]] = {}
        for place, outline in enumerate(outlines):
            if not outline.end:
                for ends in wanted:
                    self.question_at(place, ends)

    def question_at(self, place: int, wanted: EndSet) -> int:
        """The question after the count at ``place``, if the declarer does not stop there."""
        known = self._number_at.get((place, wanted))
        if known is None:
            outline = self._outlines[place]
            after = [self._question_before_lead(follows, wanted) for follows in outline.next_places]
            known = self._number_at[place, wanted] = self._number_of(after, outline.tricks_left)
        return known

    def _question_before_lead(self, place: int, wanted: EndSet) -> int:
        """The question after a count, if the declarer may still stop there."""
        outline = self._outlines[place]
        if (outline.end | outline.stop) & wanted:
            return YES
        return NO if outline.end else self.question_at(place, wanted)

    def _number_of(self, after: list[int], tricks_left: int) -> int:
        if after[0] <= YES and after[0] == after[1] == after[2]:
            return after[0]
        number = self._numbers.setdefault((tricks_left, *after), len(self.tricks_left))
        if number == len(self.tricks_left):
            self.tricks_left.append(tricks_left)
            for column, follows in zip(self.next_question, after, strict=True):
                column.append(follows)
        return number

    def answers_given(self, sure_tricks: BySeat[int]) -> list[int]:
        """By question: its answer if each seat wins at least its ``sure_tricks``, or `OPEN`."""
        known = self._answers.get(sure_tricks)
        if known is None:
            known = self._answers[sure_tricks] = self._find_answers(sure_tricks)
        return known

    def _find_answers(self, sure_tricks: BySeat[int]) -> list[int]:
        answers = [NO, YES]
        cases = []
        for seat in SEATS:
            rest = _without_trick(sure_tricks, seat)
            after = answers if rest == sure_tricks else self.answers_given(rest)
            cases.append((after, self.next_question[seat], sum(rest)))
        for number in range(len(answers), len(self.tricks_left)):
            left = self.tricks_left[number] - 1
            found = {after[follows[number]] for after, follows, needed in cases if needed <= left}
            answers.append(found.pop() if len(found) == 1 else OPEN)
        return answers


def _without_trick(tricks: BySeat[int], winner: int) -> BySeat[int]:
    first, second, third = (max(count - (seat == winner), 0) for seat, count in enumerate(tricks))
    return first, second, third


def outline_splits(splits: TrickSplits, ends: tuple[DealEnd, ...]) -> tuple[SplitOutline, ...]:
    """The outlines of ``splits``, in their order."""
    places = {count: place for place, count in enumerate(splits)}
    bits: dict[DealEnd | None, EndSet] = {end: 1 << place for place, end in enumerate(ends)}
    bits[None] = 0
    return tuple(
        SplitOutline(
            bits[split.end],
            bits[split.stop_end],
            tuple(places[follows] for follows in split.next_counts),
            HAND_SIZE - sum(count.tricks_won),
        )
        for count, split in splits.items()
    )


@lru_cache(maxsize=TABLES_KEPT)
def build_question_table(outlines: tuple[SplitOutline, ...], wanted: tuple[EndSet, ...]) -> QuestionTable:
    """The table of these questions."""
    return QuestionTable(outlines, wanted)
