"""Reading one sentence of the notation into the object of its event."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from schemas.notation.sentences import Part, Sentence, by_key
from schemas.notation.tokens import Cursor, Misread
from schemas.notation.values import Reading, read_value, starts
from schemas.notation.words import FORMS

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
            return _read_as(sentence, seat, cursor, reading, within)
        except Misread as misread:
            if furthest is None or misread.at > furthest.at:
                furthest = misread
    assert furthest is not None
    raise furthest


def _read_as(sentence: Sentence, seat: str | None, cursor: Cursor, reading: Reading, within: Within) -> Told:
    obj: dict[str, Any] = {"type": sentence.type, **sentence.fixed}
    if seat is not None:
        obj["seat"] = seat
    told = Told(obj, {})
    needed = [part for part in sentence.parts if not part.optional]
    waiting = sorted((part for part in sentence.parts if part.optional), key=_vague)
    while needed or not cursor.ended():
        if cursor.is_sign(",") and not _goes_on(needed, waiting, cursor, reading):
            break
        cursor.sign(",")
        part = _next_part(needed, waiting, cursor, reading)
        _read_part(part, told, cursor, reading, within)
        (waiting if part.optional else needed).remove(part)
    return told


def _goes_on(needed: list[Part], waiting: list[Part], cursor: Cursor, reading: Reading) -> bool:
    """Whether the sentence goes on behind a comma; else the next one begins there."""
    cursor.next += 1
    goes_on = bool(needed) or any(_begins(part, cursor, reading) for part in waiting)
    cursor.next -= 1
    return goes_on


def _vague(part: Part) -> tuple[bool, bool]:
    """Parts with a word of their own are looked for first, names that may be anything last."""
    assert part.field is not None
    return not part.words, part.field.kind.name == "text"


def _next_part(needed: list[Part], waiting: list[Part], cursor: Cursor, reading: Reading) -> Part:
    """The part that comes next.

    Raises:
        Misread: none does.
    """
    if needed and _begins(needed[0], cursor, reading):
        return needed[0]
    for part in waiting:
        if _begins(part, cursor, reading):
            return part
    if needed:
        return needed[0]
    more = [_named(part) for part in waiting]
    raise cursor.misread(
        f"{', '.join(more)}, or the end of the sentence" if more else "the end of the sentence"
    )


def _named(part: Part) -> str:
    assert part.field is not None
    return f"“{' '.join((*part.words, '…'))}”" if part.words else f"the {part.field.name}"


def _begins(part: Part, cursor: Cursor, reading: Reading) -> bool:
    if part.words:
        return cursor.word().lower() in FORMS[part.words[0]] or _bare(part, cursor, reading)
    return part.field is not None and starts(part.field, cursor, reading)


_SELF_EVIDENT: Final = ("suit", "seat-counts")


def _bare(part: Part, cursor: Cursor, reading: Reading) -> bool:
    """Whether a value stands there without its word: a suit, or tricks as ``5-2-2``."""
    field = part.field
    return field is not None and field.kind.name in _SELF_EVIDENT and starts(field, cursor, reading)


def _read_part(part: Part, told: Told, cursor: Cursor, reading: Reading, within: Within) -> None:
    if not (
        part.words and _bare(part, cursor, reading) and cursor.word().lower() not in FORMS[part.words[0]]
    ):
        for word in part.words:
            if not cursor.takes(FORMS[word]):
                raise cursor.misread(f"“{word}”")
    field = part.field
    if field is None:
        return
    told.places[field.name] = cursor.at
    if field.kind.name == "events":
        told.obj[field.name] = within(cursor)
    else:
        told.obj[field.name] = read_value(field, cursor, reading)


def candidates(seat: str | None, word: str) -> tuple[Sentence, ...]:
    """The sentences that a word begins, with a mark or without, behind a seat or without one."""
    lowered, behind = word.lower(), seat is not None
    found = by_key().get((behind, lowered))
    return found or by_key().get((behind, lowered.rstrip("!?")), ())


def drawing(seat: str, word: str) -> tuple[Sentence, ...]:
    """The sentence of drawing cards, where its word comes next and who draws has been said."""
    return tuple(one for one in candidates(seat, word) if one.type == "cards_drawn")
