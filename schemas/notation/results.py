"""What a result says of the tricks: ``tricks 3-4-2`` by seats, ``5+2+2`` the declarer's first, ``won, 5``.

Three numbers with hyphens and nothing before them may be either (docs/slips.md has the declarer's first):
where that makes a difference, it is asked.
"""

import re
from typing import Any, Final

from engine.core.cards import SEAT_NAMES
from schemas.notation.tokens import Ambiguous, Cursor, Misread
from schemas.notation.words import LETTER, SEATS, is_word

RESULT: Final = "result_recorded"
TRICKS: Final = "tricks"
LOST: Final = frozenset({"lost", "loses", "lose", "tabt", "taber", "tabte"})
"""Words for an outcome that there are two of."""

_number: Final = re.compile(r"[0-9]{1,10}").fullmatch
_seats_first: Final = re.compile(r"[0-9]{1,10}(?:[-–][0-9]{1,10}){2}").fullmatch
_declarer_first: Final = re.compile(r"[0-9]{1,10}(?:\+[0-9]{1,10}){2}").fullmatch


class Won:
    """The tricks of a result as they stand there, until it is known who declarer is."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.written = ""
        self.at = 0
        self.named = False

    def begins(self, cursor: Cursor, obj: dict[str, Any]) -> bool:
        """Whether tricks come next without their word; ``obj`` is what the result has said before."""
        word = cursor.word()
        if _seats_first(word) or _declarer_first(word) or _number(word):
            return True
        said = obj.keys() & {"declarer", "contract", "outcome"}
        return bool(said) and word.lower() in SEATS and bool(_number(cursor.word(1)))

    def takes(self, cursor: Cursor, named: bool) -> bool:
        """Takes one number or three; False where the seats are named. ``named``: their word stood before."""
        word = cursor.word()
        if not (_seats_first(word) or _declarer_first(word) or _number(word)):
            return False
        self.written, self.at = word, cursor.at
        self.numbers = [int(number) for number in re.split("[-–+]", word)]
        cursor.next += 1
        behind = not named and (is_word(cursor.word(), "tricks") or is_word(cursor.word(), "trick"))
        cursor.next += behind
        self.named = named or behind
        return True

    def settle(self, obj: dict[str, Any]) -> None:
        """Says whose the tricks are, now that the whole result has been read.

        Raises:
            Misread: nobody can tell.
        """
        if not self.numbers:
            return
        declarer = obj.get("declarer")
        if len(self.numbers) == 1:
            if declarer is None:
                said = f"Nobody can tell whose {self.written} tricks these are; write M 5, or tricks 2-5-2."
                raise Misread(self.at, self.written, "whose tricks they are, such as M 5", said)
            obj[TRICKS] = {declarer: self.numbers[0]}
            return
        by_seats = dict(zip(SEAT_NAMES, self.numbers, strict=True))
        from_declarer = _from(declarer or SEAT_NAMES[0], self.numbers)
        if "+" not in self.written and not self.named and by_seats != from_declarer:
            raise self._ambiguous(by_seats, from_declarer)
        obj[TRICKS] = from_declarer if "+" in self.written else by_seats

    def _ambiguous(self, by_seats: dict[str, int], from_declarer: dict[str, int]) -> Ambiguous:
        first, second = (
            " ".join(f"{LETTER[seat]} {number}" for seat, number in one.items())
            for one in (by_seats, from_declarer)
        )
        expected = f"tricks {self.written} for {first}, or {'+'.join(map(str, self.numbers))} for {second}"
        said = f"{self.written} may begin with forehand or with declarer here; write {expected}."
        return Ambiguous(self.at, self.written, expected, said)


def _from(first: str, numbers: list[int]) -> dict[str, int]:
    """The numbers by seat: the first is that of the seat ``first``, the others of those after it."""
    start = SEAT_NAMES.index(first)
    found = {SEAT_NAMES[(start + step) % 3]: number for step, number in enumerate(numbers)}
    return {seat: found[seat] for seat in SEAT_NAMES}


def is_lost(cursor: Cursor) -> bool:
    """Whether a word comes next that says only that declarer lost."""
    return cursor.word().lower() in LOST


def refuse_lost(cursor: Cursor) -> None:
    """Asks in which way declarer lost, where that is all that is said.

    Raises:
        Ambiguous: it is.
    """
    if is_lost(cursor):
        word = cursor.word()
        expected = "bete (bet) or codille (kodille, kruk)"
        said = f"{word} may be bete or codille; write {expected}."
        raise Ambiguous(cursor.at, word, expected, said)
