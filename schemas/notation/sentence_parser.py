"""Reading one sentence of the notation into the object of its event."""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from engine.core.cards import SEAT_NAMES
from engine.core.message import format_message
from schemas.notation.field_values import is_new_sentence_next, is_value_next, take_value
from schemas.notation.notation_words import SEAT_BY_WORD, SEAT_LETTER, WORD_FORMS, is_form_of
from schemas.notation.sentence_forms import SENTENCE_FORMS_BY_KEYWORD, SentenceForm, SentencePart
from schemas.notation.tokens import STRING_TOKEN, AmbiguousNotation, NotationError, TokenCursor

RESULT_EVENT_TYPE: Final = "result_recorded"
TRICKS_FIELD: Final = "tricks"

_NUMBER: Final = "[0-9]{1,10}"
_is_number: Final = re.compile(_NUMBER).fullmatch
_is_one_or_three: Final = re.compile(rf"{_NUMBER}(?:(?:[-–]{_NUMBER}){{2}}|(?:\+{_NUMBER}){{2}})?").fullmatch


class ResultTricks:
    """The tricks of a result as written, until it is known who is declarer.

    ``3-4-2`` goes by seats, ``5+2+2`` from declarer on, a single number is declarer's. Slips have declarer's
    first (docs/slips.md): three numbers with hyphens and no word before them may be either, and are refused
    where that makes a difference.
    """

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.text = ""
        self.offset = 0
        self.has_word = False

    def is_next(self, cursor: TokenCursor, obj: dict[str, Any]) -> bool:
        """Whether tricks come next without their word; ``obj`` is the result so far."""
        word = cursor.word()
        if _is_one_or_three(word):
            return True
        has_result = bool(obj.keys() & {"declarer", "contract", "outcome"})
        return has_result and word.lower() in SEAT_BY_WORD and bool(_is_number(cursor.word(1)))

    def take(self, cursor: TokenCursor, has_word: bool) -> bool:
        """Take one number or three; False where the seats are named. ``has_word``: after "tricks"."""
        word = cursor.word()
        if not _is_one_or_three(word):
            return False
        self.text, self.offset = word, cursor.offset
        self.numbers = [int(number) for number in re.split("[-–+]", word)]
        cursor.index += 1
        self.has_word = has_word or cursor.take_form_of("tricks") or cursor.take_form_of("trick")
        return True

    def assign_to_seats(self, obj: dict[str, Any]) -> None:
        """Add the tricks by seat to a result that has been read to its end."""
        if not self.numbers:
            return
        declarer = obj.get("declarer")
        if len(self.numbers) == 1:
            obj[TRICKS_FIELD] = self._single_count(declarer)
            return
        by_seats = dict(zip(SEAT_NAMES, self.numbers, strict=True))
        first = SEAT_NAMES.index(declarer or SEAT_NAMES[0])
        from_declarer = {seat: self.numbers[place - first] for place, seat in enumerate(SEAT_NAMES)}
        if "+" not in self.text and not self.has_word and by_seats != from_declarer:
            raise self._ambiguous_order_error(by_seats, from_declarer)
        obj[TRICKS_FIELD] = from_declarer if "+" in self.text else by_seats

    def _single_count(self, declarer: str | None) -> dict[str, int]:
        if declarer is not None:
            return {declarer: self.numbers[0]}
        message = format_message(
            "It is not clear whose {read} tricks these are; write M 5, or tricks 2-5-2.", read=self.text
        )
        expected = "whose tricks they are, such as M 5"
        raise NotationError(self.offset, self.text, expected, message=message)

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


ANSWER_EVENT_TYPES: Final = frozenset({"claim_answered", "surrender_answered"})
"""Events that answer an offer."""
_KINDS_WITHOUT_WORD: Final = ("suit", "seat-counts")

CorrectedEventsParser = Callable[[TokenCursor], list[dict[str, Any]]]
"""Reads the events of a correction, between its parentheses."""


class ParsedSentence(NamedTuple):
    """An event's object, and where in the line each of its fields stands."""

    obj: dict[str, Any]
    field_offsets: dict[str, int]


def find_sentence_forms(seat: str | None, word: str) -> tuple[SentenceForm, ...]:
    """The sentences that a word begins after a seat or without one, whatever mark is glued to it."""
    lowered, has_seat = word.lower(), seat is not None
    found = SENTENCE_FORMS_BY_KEYWORD.get((has_seat, lowered))
    return found or SENTENCE_FORMS_BY_KEYWORD.get((has_seat, lowered.rstrip("!?")), ())


def find_draw_form(seat: str, word: str) -> tuple[SentenceForm, ...]:
    """The sentence of drawing cards, if ``word`` begins it."""
    word = "draws" if is_form_of(word, "takes") else word
    return tuple(one for one in find_sentence_forms(seat, word) if one.type == "cards_drawn")


def choose_answer_forms(
    forms: tuple[SentenceForm, ...], offered_type: str | None, cursor: TokenCursor
) -> tuple[SentenceForm, ...]:
    """Of the sentences of an answer, whose first word was taken, those that fit.

    Where nothing more stands, that is the answer to the last offer, of type ``offered_type``.
    """
    if cursor.word() and not cursor.is_sentence_over():
        return forms
    fits = tuple(one._replace(required_parts=()) for one in forms if one.type == offered_type)
    return fits or forms


def take_sentence(
    forms: tuple[SentenceForm, ...],
    seat: str | None,
    cursor: TokenCursor,
    take_corrected_events: CorrectedEventsParser,
) -> ParsedSentence:
    """Read a sentence, whose first word was taken, as the first of ``forms`` that fits."""
    errors: list[NotationError] = []
    start = cursor.index
    for form in forms:
        cursor.index = start
        try:
            return _SentenceParser(form, cursor, take_corrected_events).take(seat)
        except NotationError as misread:
            errors.append(misread)
    raise max(errors, key=lambda error: error.offset)


class _SentenceParser:
    """Reads one sentence as a form of an event, with the parts that must and may still follow."""

    def __init__(
        self, form: SentenceForm, cursor: TokenCursor, take_corrected_events: CorrectedEventsParser
    ) -> None:
        self.form = form
        self.cursor = cursor
        self.take_corrected_events = take_corrected_events
        self.parsed = ParsedSentence({"type": form.type, **form.fixed_values}, {})
        self.required_parts = list(form.required_parts)
        self.optional_parts = list(form.optional_parts)
        self.result_tricks = ResultTricks() if form.type == RESULT_EVENT_TYPE else None

    def take(self, seat: str | None) -> ParsedSentence:
        cursor = self.cursor
        if seat is not None:
            self.parsed.obj["seat"] = seat
        while self.required_parts or not cursor.is_sentence_over():
            if cursor.is_sign_next(",") and not self._continues_after_comma():
                break
            cursor.take_sign(",")
            if not self.required_parts and not any(map(self._is_part_next, self.optional_parts)):
                if is_new_sentence_next(cursor):
                    break
                if self._is_unspecific_loss_next():
                    raise _unspecific_loss_error(cursor)
            part = self._next_part()
            self._take_part(part)
            (self.optional_parts if part.is_optional else self.required_parts).remove(part)
        if self.result_tricks is not None:
            self.result_tricks.assign_to_seats(self.parsed.obj)
        return self.parsed

    def _continues_after_comma(self) -> bool:
        """Whether the sentence continues after a comma; otherwise the next one begins there."""
        self.cursor.index += 1
        continues = any(map(self._is_part_next, self.optional_parts)) or self._is_unspecific_loss_next()
        self.cursor.index -= 1
        return continues or bool(self.required_parts)

    def _is_unspecific_loss_next(self) -> bool:
        """Whether a result says that declarer lost, but not in which way."""
        return self.result_tricks is not None and is_form_of(self.cursor.word(), "loses")

    def _next_part(self) -> SentencePart:
        for part in (*self.required_parts[:1], *self.optional_parts):
            if self._is_part_next(part):
                return part
        if self.required_parts:
            return self.required_parts[0]
        more = [_describe_part(part) for part in self.optional_parts]
        raise self.cursor.error_here(
            format_message("{more}, or the end of the sentence", more=", ".join(more))
            if more
            else "the end of the sentence"
        )

    def _is_part_next(self, part: SentencePart) -> bool:
        if part.words:
            return is_form_of(self.cursor.word(), part.words[0]) or self._is_bare_value_next(part)
        if part.field is None or self._is_unspecific_loss_next():
            return False
        return is_value_next(part.field, self.cursor)

    def _is_bare_value_next(self, part: SentencePart) -> bool:
        """Whether a value comes next without its word: a suit, or tricks as ``5-2-2``."""
        field = part.field
        if field is None or field.kind.name not in _KINDS_WITHOUT_WORD:
            return False
        if self.result_tricks is not None and field.name == TRICKS_FIELD:
            return self.result_tricks.is_next(self.cursor, self.parsed.obj)
        return is_value_next(field, self.cursor)

    def _take_part(self, part: SentencePart) -> None:
        cursor, field = self.cursor, part.field
        has_word = bool(part.words) and (
            is_form_of(cursor.word(), part.words[0]) or not self._is_bare_value_next(part)
        )
        for word in part.words if has_word else ():
            if not cursor.take_word(WORD_FORMS[word]):
                raise cursor.error_here(f"“{word}”")
        if field is None:
            return
        if field.name == "contract" and cursor.is_sentence_over() and "trump" in self.parsed.obj:
            expected = "the game before them (names solo in S), or chooses S where only trumps are due"
            offset = self.parsed.field_offsets["trump"]
            raise NotationError(offset, "trumps alone", expected, "Only trumps can be named here")
        self.parsed.field_offsets[field.name] = cursor.offset
        if field.kind.name == "events":
            self.parsed.obj[field.name] = self.take_corrected_events(cursor)
            return
        is_reason = field.name == "reason" and self.form.type == "correction_made"
        if is_reason and (cursor.token is None or cursor.token.kind != STRING_TOKEN):
            raise cursor.error_here(
                'the reason for the correction in quotation marks, such as "The wrong card"'
            )
        tricks = self.result_tricks if field.name == TRICKS_FIELD else None
        if tricks is None or not tricks.take(cursor, has_word):
            self.parsed.obj[field.name] = take_value(field, cursor)


def _unspecific_loss_error(cursor: TokenCursor) -> AmbiguousNotation:
    read, expected = cursor.word(), "bete (bet) or codille (kodille, kruk)"
    reason = format_message("{read} may be bete or codille", read=read)
    return AmbiguousNotation(cursor.offset, read, expected, reason)


def _describe_part(part: SentencePart) -> str:
    assert part.field is not None
    return f"“{' '.join((*part.words, '…'))}”" if part.words else f"the {part.field.name}"
