"""Tricks, ``1. F SA  M S3  B S4``: the cards of a trick on a line, in the order in which they fell.

``1.`` numbers the trick for the eye; ``1:`` says so in the record (``trick``), and so does a number that is
not the next one. A seat may be left out: the next in turn has played, and whoever is due leads.
"""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from engine.core.cards import SEAT_NAMES
from schemas.notation.letters import says_in_any
from schemas.notation.tokens import MARKS, Cursor, Misread
from schemas.notation.tricks import Tricks
from schemas.notation.values import A_CARD, Reading, seat_of
from schemas.notation.words import LETTER, is_word

_number: Final = re.compile(r"([0-9]{1,10})([.:]?)").fullmatch
_marked: Final = re.compile(r"(.{1,4}?)(!!|\?\?|!\?|\?!|!|\?)").fullmatch

_SEAT: Final = r"([FMB])"
_CARD: Final = r"([SHDC?][AKQJ234567?])"
whole_trick: Final = re.compile(
    rf"([0-9]{{1,10}})([.:]) +{_SEAT} {_CARD} +{_SEAT} {_CARD} +{_SEAT} {_CARD}"
).fullmatch
"""A trick as the canonical form has it: three cards and nothing beside them."""


PLAYING: Final = frozenset({"plays", "played", "leads", "led", "spiller", "spillede"})
"""What may stand between a seat and the card that it plays."""
HIDDEN: Final = "??"
_WHICH: Final = "{??} for the mark, or a seat before the card"


class Played(NamedTuple):
    """A card played, as an event's object; where the card stands; the mark that is glued to it."""

    obj: dict[str, Any]
    at: int
    mark: str | None


def begins_trick(cursor: Cursor) -> bool:
    """Whether the number of a trick comes next."""
    return bool(_number(cursor.word())) or (is_word(cursor.word(), "trick") and bool(_number(cursor.word(1))))


def read_number(cursor: Cursor, tricks: Tricks | None) -> int | None:
    """Takes the number of a trick; what the record has for it. Without ``tricks`` every number counts."""
    if is_word(cursor.word(), "trick"):
        cursor.next += 1
    found = _number(cursor.take().text)
    assert found is not None
    cursor.sign(")")
    number = int(found[1])
    return number if tricks is None else tricks.anchor(number, found[2])


def is_card(cursor: Cursor, reading: Reading) -> bool:
    """Whether one card, with a mark or without, comes next."""
    return _card_of(cursor.word(), reading) is not None


def _card_of(word: str, reading: Reading) -> tuple[str, str | None] | None:
    """The code of a card and the mark that is glued to it."""
    card = reading.letters.card(word)
    if card is not None:
        return card, None
    marked = _marked(word)
    card = None if marked is None else reading.letters.card(marked[1])
    return None if marked is None or card is None else (card, marked[2])


def read_play(cursor: Cursor, reading: Reading, trick: int | None, due: Callable[[], str | None]) -> Played:
    """A card played by the seat before it, or by the one who is ``due``.

    Raises:
        Misread: no card stands there, or nobody can tell whose it is.
    """
    seat = seat_of(cursor, reading)
    if seat is not None and plays_ahead(cursor):
        cursor.next += 1
    at = cursor.at
    found = _card_of(cursor.word(), reading)
    if found is None:
        raise cursor.misread(A_CARD)
    if seat is None:
        seat = due()
    if seat is None:
        card = cursor.word()
        said = f"Nobody can tell from what stands above who played {card}; write F, M or B before it."
        raise Misread(at, f"{card} without a seat", "F, M or B before the card", said)
    cursor.next += 1
    obj: dict[str, Any] = {"type": "card_played", "seat": seat, "card": found[0]}
    if trick is not None:
        obj["trick"] = trick
    return Played(obj, at, found[1])


def plays_ahead(cursor: Cursor) -> bool:
    """Whether a word for playing comes next, and a card behind it: ``F leads SA``."""
    return cursor.word().lower() in PLAYING and says_in_any(cursor.word(1))


def glued_mark(cursor: Cursor, card: bool = False) -> str | None:
    """Takes a mark that stands behind an entry, which is a ``card`` played or something else.

    Raises:
        Misread: it may as well be the next card, which nobody recorded.
    """
    mark = cursor.word()
    if mark not in MARKS:
        return None
    if card and mark == HIDDEN and not cursor.glued():
        raise Misread(cursor.at, HIDDEN, _WHICH, f"{HIDDEN} may be a mark or a card here; write {_WHICH}.")
    return cursor.take().text


def written_play(obj: dict[str, Any]) -> str:
    """A card played, without the number of its trick."""
    return f"{LETTER[obj['seat']]} {obj['card']}"


def after(seat: str) -> str:
    """The seat that is next in the order of play."""
    return SEAT_NAMES[(SEAT_NAMES.index(seat) + 1) % 3]
