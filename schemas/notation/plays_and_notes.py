"""Cards played, ``1. F SA  M S3  B S4``, and notes in braces, ``{! A bold lead.} by Carl``.

``1.`` numbers a trick for the eye; ``1:`` records the number (``trick``), and so does one that is not the
next. Without a seat the next in turn has played, or the seat that leads. A note is about the entry before it,
or stands on a line of its own.
"""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from engine.core.message import format_message
from schemas.notation.alphabets import is_card_word_in_any
from schemas.notation.deal_progress import TrickCounter
from schemas.notation.field_values import EXPECTED_CARD_WORD, format_name, take_seat, take_value
from schemas.notation.notation_words import SEAT_LETTER, is_form_of
from schemas.notation.tokens import (
    NOTE_MARKS,
    NOTE_TOKEN,
    NotationError,
    TokenCursor,
    escape_note,
    unescape_note,
)
from schemas.wire.field_specs import EVENT_SPECS

_number: Final = re.compile(r"([0-9]{1,10})([.:]?)").fullmatch
_match_marked_card: Final = re.compile(r"(.{1,4}?)(!!|\?\?|!\?|\?!|!|\?)").fullmatch


class ParsedPlay(NamedTuple):
    """A card played as an event's object, where the card stands, and the mark glued to it."""

    obj: dict[str, Any]
    card_offset: int
    mark: str | None


def is_trick_number_next(cursor: TokenCursor) -> bool:
    """Whether the number of a trick comes next."""
    return bool(_number(cursor.word())) or (
        is_form_of(cursor.word(), "trick") and bool(_number(cursor.word(1)))
    )


def take_trick_number(cursor: TokenCursor, tricks: TrickCounter | None) -> int | None:
    """Take the number of a trick; return the one to record. Without ``tricks`` every number is recorded."""
    cursor.take_form_of("trick")
    found = _number(cursor.take_token().text)
    assert found is not None
    cursor.take_sign(")")
    number = int(found[1])
    return number if tricks is None else tricks.start_trick(number, found[2])


def is_card_next(cursor: TokenCursor) -> bool:
    """Whether one card comes next, with a mark or without."""
    return _parse_marked_card(cursor) is not None


def _parse_marked_card(cursor: TokenCursor) -> tuple[str, str | None] | None:
    """The code of the next card, and the mark glued to it."""
    find_card, word = cursor.context.alphabet.find_card, cursor.word()
    card = find_card(word)
    if card is not None:
        return card, None
    marked = _match_marked_card(word)
    card = None if marked is None else find_card(marked[1])
    return None if marked is None or card is None else (card, marked[2])


def take_play(
    cursor: TokenCursor, trick: int | None, find_next_seat: Callable[[], str | None] = lambda: None
) -> ParsedPlay:
    """Take a card played by the seat before it, or by the one that ``find_next_seat`` returns."""
    seat = take_seat(cursor)
    if seat is not None and is_play_word_next(cursor):
        cursor.index += 1
    at, word = cursor.offset, cursor.word()
    found = _parse_marked_card(cursor)
    if found is None:
        raise cursor.error_here(EXPECTED_CARD_WORD)
    if seat is None:
        seat = find_next_seat()
    if seat is None:
        message = format_message(
            "The text above does not show who played {read}; write F, M or B before it.", read=word
        )
        raise NotationError(at, f"{word} without a seat", "F, M or B before the card", message=message)
    cursor.index += 1
    obj: dict[str, Any] = {"type": "card_played", "seat": seat, "card": found[0]}
    if trick is not None:
        obj["trick"] = trick
    return ParsedPlay(obj, at, found[1])


def is_play_word_next(cursor: TokenCursor) -> bool:
    """Whether a word for playing and a card come next: ``leads SA``."""
    return is_form_of(cursor.word(), "plays") and is_card_word_in_any(cursor.word(1))


def take_mark(cursor: TokenCursor, after_card: bool = False) -> str | None:
    """Take the mark of an entry; ``after_card`` if that is a card played."""
    mark = cursor.word()
    if mark not in NOTE_MARKS:
        return None
    if after_card and mark == "??" and not cursor.is_glued():
        expected = format_message("{sign} for the mark, or a seat before the card", sign="{??}")
        raise NotationError(
            cursor.offset, mark, expected, format_message("{read} may be a mark or a card here", read=mark)
        )
    return cursor.take_token().text


def format_play(obj: dict[str, Any]) -> str:
    """Format a card played, without the number of its trick."""
    return f"{SEAT_LETTER[obj['seat']]} {obj['card']}"


_match_mark: Final = re.compile(r"(!!|\?\?|!\?|\?!|!|\?)(?:\s+|$)").match
_SPECS: Final = {spec.name: spec for spec in EVENT_SPECS["note_added"]}


def take_note(cursor: TokenCursor, mark: str | None = None) -> dict[str, Any]:
    """Take a note as an event's object; ``mark`` stood at the entry before it."""
    token = cursor.take_token()
    text, at = token.text[1:-1].strip(), token.offset + 1
    at += token.text.index(text, 1) - 1
    obj: dict[str, Any] = {"type": "note_added"}
    marked = _match_mark(text)
    if marked is not None:
        if mark is not None:
            raise NotationError(token.offset, f'"{marked[1]}"', "one mark, at the entry or in the note")
        mark, text = marked[1], text[marked.end() :]
        at += marked.end()
    obj["text"] = unescape_note(text, at)
    if mark is not None:
        obj["mark"] = mark
    for _ in range(2):
        for word, field in (("by", "author"), ("on", "on")):
            if field not in obj and cursor.take_form_of(word):
                obj[field] = take_value(_SPECS[field], cursor)
    return obj


def is_note_next(cursor: TokenCursor) -> bool:
    """Whether a note comes next."""
    return cursor.token is not None and cursor.token.kind == NOTE_TOKEN


def format_note(obj: dict[str, Any], subject: int | None) -> str:
    """Format a note; ``subject`` is the entry on the same line, None on a line of its own."""
    text = "{" + " ".join(word for word in (obj.get("mark"), escape_note(obj["text"])) if word) + "}"
    if "author" in obj:
        text += f" by {format_name(obj['author'])}"
    if "on" in obj and obj["on"] != subject:
        text += f" on @{obj['on']}"
    return text
