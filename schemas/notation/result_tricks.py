"""What a result says of the tricks: ``tricks 3-4-2`` by seats, ``5+2+2`` the declarer's first, ``won, 5``.

Three numbers with hyphens and nothing before them may be either (docs/slips.md has the declarer's first):
where that makes a difference, it is asked.
"""

import re
from typing import Any, Final

from engine.core.cards import SEAT_NAMES
from schemas.notation.notation_words import SEAT_BY_WORD, SEAT_LETTER, is_form_of
from schemas.notation.tokenizer import AmbiguousNotation, NotationError, TokenCursor

RESULT_EVENT_TYPE: Final = "result_recorded"
TRICKS_FIELD: Final = "tricks"
LOST_WORDS: Final = frozenset({"lost", "loses", "lose", "tabt", "taber", "tabte"})
"""Words for an outcome that there are two of."""

_number: Final = re.compile(r"[0-9]{1,10}").fullmatch
_is_by_seats: Final = re.compile(r"[0-9]{1,10}(?:[-–][0-9]{1,10}){2}").fullmatch
_is_declarer_first: Final = re.compile(r"[0-9]{1,10}(?:\+[0-9]{1,10}){2}").fullmatch


class ResultTricks:
    """The tricks of a result as they stand there, until it is known who declarer is."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.text = ""
        self.offset = 0
        self.has_word = False

    def is_next(self, cursor: TokenCursor, obj: dict[str, Any]) -> bool:
        """Whether tricks come next without their word; ``obj`` is what the result has said before."""
        word = cursor.word()
        if _is_by_seats(word) or _is_declarer_first(word) or _number(word):
            return True
        result_fields = obj.keys() & {"declarer", "contract", "outcome"}
        return bool(result_fields) and word.lower() in SEAT_BY_WORD and bool(_number(cursor.word(1)))

    def take(self, cursor: TokenCursor, has_word: bool) -> bool:
        """Takes one number or three; False where the seats are named. ``has_word``: their word stood
        before."""
        word = cursor.word()
        if not (_is_by_seats(word) or _is_declarer_first(word) or _number(word)):
            return False
        self.text, self.offset = word, cursor.offset
        self.numbers = [int(number) for number in re.split("[-–+]", word)]
        cursor.index += 1
        has_word_after = not has_word and (
            is_form_of(cursor.word(), "tricks") or is_form_of(cursor.word(), "trick")
        )
        cursor.index += has_word_after
        self.has_word = has_word or has_word_after
        return True

    def assign_to_seats(self, obj: dict[str, Any]) -> None:
        """Says whose the tricks are, now that the whole result has been read.

        Raises:
            NotationError: nobody can tell.
        """
        if not self.numbers:
            return
        declarer = obj.get("declarer")
        if len(self.numbers) == 1:
            if declarer is None:
                message = f"Nobody can tell whose {self.text} tricks these are; write M 5, or tricks 2-5-2."
                raise NotationError(self.offset, self.text, "whose tricks they are, such as M 5", message)
            obj[TRICKS_FIELD] = {declarer: self.numbers[0]}
            return
        by_seats = dict(zip(SEAT_NAMES, self.numbers, strict=True))
        from_declarer = _counts_from_seat(declarer or SEAT_NAMES[0], self.numbers)
        if "+" not in self.text and not self.has_word and by_seats != from_declarer:
            raise self._ambiguous_order_error(by_seats, from_declarer)
        obj[TRICKS_FIELD] = from_declarer if "+" in self.text else by_seats

    def _ambiguous_order_error(
        self, by_seats: dict[str, int], from_declarer: dict[str, int]
    ) -> AmbiguousNotation:
        first, second = (
            " ".join(f"{SEAT_LETTER[seat]} {number}" for seat, number in one.items())
            for one in (by_seats, from_declarer)
        )
        expected = f"tricks {self.text} for {first}, or {'+'.join(map(str, self.numbers))} for {second}"
        message = f"{self.text} may begin with forehand or with declarer here; write {expected}."
        return AmbiguousNotation(self.offset, self.text, expected, message)


def _counts_from_seat(first: str, numbers: list[int]) -> dict[str, int]:
    """The numbers by seat: the first is that of the seat ``first``, the others of those after it."""
    start = SEAT_NAMES.index(first)
    found = {SEAT_NAMES[(start + step) % 3]: number for step, number in enumerate(numbers)}
    return {seat: found[seat] for seat in SEAT_NAMES}


def is_lost_next(cursor: TokenCursor) -> bool:
    """Whether a word comes next that says only that declarer lost."""
    return cursor.word().lower() in LOST_WORDS


def require_specific_loss(cursor: TokenCursor) -> None:
    """Asks in which way declarer lost, where that is all that is said.

    Raises:
        AmbiguousNotation: it is.
    """
    if is_lost_next(cursor):
        word = cursor.word()
        expected = "bete (bet) or codille (kodille, kruk)"
        message = f"{word} may be bete or codille; write {expected}."
        raise AmbiguousNotation(cursor.offset, word, expected, message)
