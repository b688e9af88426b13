"""Reading one sentence of the notation into the object of its event."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from schemas.notation.results import RESULT, TRICKS, Won, is_lost, refuse_lost
from schemas.notation.sentences import Part, Sentence, by_key
from schemas.notation.tokens import STRING, Cursor, Misread
from schemas.notation.values import Reading, begins_another, read_value, starts
from schemas.notation.words import FORMS
from schemas.wire.declaration import FieldSpec

CORRECTION: Final = "correction_made"

Within = Callable[[Cursor], list[dict[str, Any]]]
"""Reads the events that a correction puts in, between its parentheses."""


class Told(NamedTuple):
    """An event's object, and where in the line each of its fields stands."""

    obj: dict[str, Any]
    places: dict[str, int]


def read_sentence(
    candidates: tuple[Sentence, ...], seat: str | None, cursor: Cursor, reading: Reading, within: Within
) -> Told:
    """Reads the sentence whose first word is behind the cursor: the first candidate that fits.

    Raises:
        Misread: no candidate fits; what the one that went furthest expected.
    """
    furthest: Misread | None = None
    start = cursor.next
    for sentence in candidates:
        cursor.next = start
        try:
            return _Telling(sentence, cursor, reading, within).read(seat)
        except Misread as misread:
            if furthest is None or misread.at > furthest.at:
                furthest = misread
    assert furthest is not None
    raise furthest


class _Telling:
    """One sentence that is being read as a form of an event: what is due yet and what may follow."""

    def __init__(self, sentence: Sentence, cursor: Cursor, reading: Reading, within: Within) -> None:
        self.sentence = sentence
        self.cursor = cursor
        self.reading = reading
        self.within = within
        self.told = Told({"type": sentence.type, **sentence.fixed}, {})
        self.needed = list(sentence.needed)
        self.waiting = list(sentence.waiting)
        self.won = Won() if sentence.type == RESULT else None

    def read(self, seat: str | None) -> Told:
        """The event's object; the cursor is behind it.

        Raises:
            Misread: something else stands there than this form has.
        """
        cursor = self.cursor
        if seat is not None:
            self.told.obj["seat"] = seat
        while self.needed or not cursor.ended():
            if cursor.is_sign(",") and not self._goes_on():
                break
            cursor.sign(",")
            if not self.needed and not any(map(self._begins, self.waiting)):
                if begins_another(cursor, self.reading):
                    break
                if self.won is not None:
                    refuse_lost(cursor)
            part = self._next_part()
            self._read_part(part)
            (self.waiting if part.optional else self.needed).remove(part)
        if self.won is not None:
            self.won.settle(self.told.obj)
        return self.told

    def _goes_on(self) -> bool:
        """Whether the sentence goes on behind a comma; else the next one begins there."""
        cursor = self.cursor
        cursor.next += 1
        goes_on = bool(self.needed) or any(map(self._begins, self.waiting))
        goes_on = goes_on or (self.won is not None and is_lost(cursor))
        cursor.next -= 1
        return goes_on

    def _next_part(self) -> Part:
        """The part that comes next.

        Raises:
            Misread: none does.
        """
        if self.needed and self._begins(self.needed[0]):
            return self.needed[0]
        for part in self.waiting:
            if self._begins(part):
                return part
        if self.needed:
            return self.needed[0]
        more = [_named(part) for part in self.waiting]
        raise self.cursor.misread(
            f"{', '.join(more)}, or the end of the sentence" if more else "the end of the sentence"
        )

    def _begins(self, part: Part) -> bool:
        if part.words:
            return self.cursor.word().lower() in FORMS[part.words[0]] or self._bare(part)
        if self.won is not None and is_lost(self.cursor):
            return False
        return part.field is not None and starts(part.field, self.cursor, self.reading)

    def _bare(self, part: Part) -> bool:
        """Whether a value stands there without its word: a suit, or tricks as ``5-2-2``."""
        field = part.field
        if field is None or field.kind.name not in _SELF_EVIDENT:
            return False
        if self.won is not None and field.name == TRICKS:
            return self.won.begins(self.cursor, self.told.obj)
        return starts(field, self.cursor, self.reading)

    def _read_part(self, part: Part) -> None:
        cursor, field = self.cursor, part.field
        bare = bool(part.words) and self._bare(part) and cursor.word().lower() not in FORMS[part.words[0]]
        if not bare:
            for word in part.words:
                if not cursor.takes(FORMS[word]):
                    raise cursor.misread(f"“{word}”")
        if field is None:
            return
        if field.name == "contract" and cursor.ended() and "trump" in self.told.obj:
            raise _no_game(self.told.places["trump"])
        self.told.places[field.name] = cursor.at
        if field.kind.name == "events":
            self.told.obj[field.name] = self.within(cursor)
        elif self.won is not None and field.name == TRICKS and self.won.takes(cursor, named=not bare):
            pass
        elif self.sentence.type == CORRECTION and field.name == "reason":
            self.told.obj[field.name] = _reason(field, cursor, self.reading)
        else:
            self.told.obj[field.name] = read_value(field, cursor, self.reading)


def _no_game(at: int) -> Misread:
    """The error of trumps that are named without the game."""
    expected = "the game before them (names solo in S), or chooses S where only trumps are due"
    return Misread(at, "trumps alone", expected, f"Only trumps are named here; write {expected}.")


def _reason(field: FieldSpec, cursor: Cursor, reading: Reading) -> Any:
    """Why something is corrected, which has to be said."""
    if cursor.token is None or cursor.token.kind != STRING:
        expected = 'why it is corrected, in quotation marks, such as "The wrong card"'
        raise cursor.misread(expected)
    return read_value(field, cursor, reading)


def _named(part: Part) -> str:
    assert part.field is not None
    return f"“{' '.join((*part.words, '…'))}”" if part.words else f"the {part.field.name}"


_SELF_EVIDENT: Final = ("suit", "seat-counts")


def candidates(seat: str | None, word: str) -> tuple[Sentence, ...]:
    """The sentences that a word begins, with a mark or without, behind a seat or without one."""
    lowered, behind = word.lower(), seat is not None
    found = by_key().get((behind, lowered))
    return found or by_key().get((behind, lowered.rstrip("!?")), ())


def drawing(seat: str, word: str) -> tuple[Sentence, ...]:
    """The sentence of drawing cards, where its word comes next and who draws has been said."""
    word = "draws" if word.lower() in TAKING else word
    return tuple(one for one in candidates(seat, word) if one.type == "cards_drawn")


TAKING: Final = frozenset({"takes", "take", "tager"})
"""What a seat does that has discarded: it draws. Elsewhere these words say too little."""


def answering(found: tuple[Sentence, ...], offered: str | None, cursor: Cursor) -> tuple[Sentence, ...]:
    """The sentences of an answer (``ANSWERS``) that need not say to what: to what was ``offered`` last.

    The word of the answer is behind the cursor. ``offered`` is the type of the answers to it.
    """
    if cursor.word() and not cursor.ended():
        return found
    fits = tuple(one._replace(needed=()) for one in found if one.type == offered)
    return fits or found


ANSWERS: Final = frozenset({"claim_answered", "surrender_answered"})
"""Events that answer to what was offered."""
