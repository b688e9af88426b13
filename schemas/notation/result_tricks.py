"""What a result says of the tricks: ``tricks 3-4-2`` by seats, ``5+2+2`` the declarer's first, ``won, 5``.

Three numbers with hyphens and nothing before them may be either (docs/slips.md has the declarer's first):
where that makes a difference, it is asked.
"""

import re
from typing import Any, Final

from engine.core.cards import SEAT_NAMES
from engine.core.message import format_message
from schemas.notation.notation_words import SEAT_BY_WORD, SEAT_LETTER, is_form_of
from schemas.notation.token_cursor import TokenCursor
from schemas.notation.tokenizer import AmbiguousNotation, NotationError

RESULT_EVENT_TYPE: Final = "result_recorded"
TRICKS_FIELD: Final = "tricks"

_NUMBER: Final = "[0-9]{1,10}"
_is_number: Final = re.compile(_NUMBER).fullmatch
_is_one_or_three: Final = re.compile(rf"{_NUMBER}(?:(?:[-–]{_NUMBER}){{2}}|(?:\+{_NUMBER}){{2}})?").fullmatch


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
        if _is_one_or_three(word):
            return True
        has_result = bool(obj.keys() & {"declarer", "contract", "outcome"})
        return has_result and word.lower() in SEAT_BY_WORD and bool(_is_number(cursor.word(1)))

    def take(self, cursor: TokenCursor, has_word: bool) -> bool:
        """Takes one number or three; False where the seats are named. ``has_word``: their word stood
        before."""
        word = cursor.word()
        if not _is_one_or_three(word):
            return False
        self.text, self.offset = word, cursor.offset
        self.numbers = [int(number) for number in re.split("[-–+]", word)]
        cursor.index += 1
        self.has_word = has_word or cursor.take_form_of("tricks") or cursor.take_form_of("trick")
        return True

    def assign_to_seats(self, obj: dict[str, Any]) -> None:
        """Says whose the tricks are, now that the whole result has been read."""
        if not self.numbers:
            return
        declarer = obj.get("declarer")
        if len(self.numbers) == 1:
            if declarer is None:
                message = format_message(
                    "Nobody can tell whose {read} tricks these are; write M 5, or tricks 2-5-2.",
                    read=self.text,
                )
                expected = "whose tricks they are, such as M 5"
                raise NotationError(self.offset, self.text, expected, message=message)
            obj[TRICKS_FIELD] = {declarer: self.numbers[0]}
            return
        by_seats = dict(zip(SEAT_NAMES, self.numbers, strict=True))
        first = SEAT_NAMES.index(declarer or SEAT_NAMES[0])
        from_declarer = {seat: self.numbers[place - first] for place, seat in enumerate(SEAT_NAMES)}
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
        reason = format_message("{read} may begin with forehand or with declarer here", read=self.text)
        return AmbiguousNotation(self.offset, self.text, expected, reason)


def require_specific_loss(cursor: TokenCursor) -> None:
    """Asks in which way declarer lost, where that is all that is said."""
    word = cursor.word()
    if is_form_of(word, "loses"):
        expected = "bete (bet) or codille (kodille, kruk)"
        raise AmbiguousNotation(
            cursor.offset, word, expected, format_message("{read} may be bete or codille", read=word)
        )
