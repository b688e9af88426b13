"""How a value of each kind is read from the words of a sentence.

What is read is the value as JSON has it; whether it may be is for the reader of events to say, which is
as strict here as for JSON Lines (``schemas.wire.reader``).
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from engine.core.cards import SEAT_NAMES
from engine.view import IRREGULARITIES
from schemas.notation.escapes import unquoted
from schemas.notation.holdings import cards_of
from schemas.notation.letters import Alphabet
from schemas.notation.references import LAST, TRICK, References
from schemas.notation.sentences import by_key
from schemas.notation.terms import name_by_rules
from schemas.notation.tokens import SIGN, STRING, Cursor, Misread
from schemas.notation.words import (
    CHOICES,
    FORMS,
    KIND,
    MEANT,
    NAMED_BY_RULES,
    NO_TERMS,
    RESERVED,
    SEATS,
    Terms,
    is_misspelt,
    is_word,
)
from schemas.wire.declaration import FieldSpec
from schemas.wire.faults import nearest

A_CARD: Final = "a card, such as SA, ♥7 or ?? (the letters of cards: Letters: en, da, es or fr)"
CARDS: Final = "cards, such as SA H7 ??, or none"
UNSEEN: Final = "??"

_number: Final = re.compile(r"[+\-−]?[0-9]{1,10}").fullmatch
_how_many: Final = re.compile(r"[0-9]|1[0-3]").fullmatch
_counts: Final = re.compile(r"[0-9]{1,10}(?:[-–][0-9]{1,10}){2}").fullmatch


class Reading(NamedTuple):
    """By what the words of a deal are read: its letters, its ruleset's names, its players' seats.

    ``references`` are the entries that have been read, to which others may refer by their place.
    """

    letters: Alphabet
    terms: Terms = NO_TERMS
    players: Mapping[str, str] = MappingProxyType({})
    references: References = References()


Reader = Callable[[FieldSpec, Cursor, Reading], Any]


def read_value(spec: FieldSpec, cursor: Cursor, reading: Reading) -> Any:
    """The value of a field, as JSON has it.

    Raises:
        Misread: what stands there is no value of the field's kind.
    """
    return _READERS[spec.kind.name](spec, cursor, reading)


def _quoted(cursor: Cursor) -> str:
    """Takes the text in quotation marks that comes next."""
    token = cursor.take()
    return unquoted(token.text, token.at)


def _text(spec: FieldSpec, cursor: Cursor, reading: Reading) -> str:
    """A text in quotation marks; where a name is due, a word or several of a known name will do."""
    token = cursor.token
    if token is not None and token.kind == STRING:
        return _quoted(cursor)
    if spec.name in NAMED_BY_RULES:
        return name_by_rules(cursor, reading.terms)
    if spec.name == KIND and is_misspelt(cursor.word()):
        near = nearest(cursor.word(), IRREGULARITIES)
        raise cursor.misread(f"{near}, or this word in quotation marks")
    if spec.kind.least == 0 or not cursor.word() or cursor.word().lower() in RESERVED:
        raise cursor.misread("a name" if spec.kind.least else 'a text in quotation marks, such as "…"')
    return cursor.take().text


def _integer(spec: FieldSpec, cursor: Cursor, reading: Reading) -> int:
    if not _number(cursor.word()):
        raise cursor.misread("a number")
    return int(cursor.take().text.replace("−", "-"))


def _integers(spec: FieldSpec, cursor: Cursor, reading: Reading) -> list[int]:
    found: list[int] = []
    while _number(cursor.word()):
        found.append(_integer(spec, cursor, reading))
        cursor.sign(",")
    if not found and not _none(cursor):
        raise cursor.misread("numbers, or none")
    return found


def _none(cursor: Cursor) -> bool:
    """Takes the word for nothing at all, if it comes next."""
    if not is_word(cursor.word(), "none"):
        return False
    cursor.next += 1
    return True


def _flag(spec: FieldSpec, cursor: Cursor, reading: Reading) -> bool:
    """Yes or no; where nothing is said, what was named is so."""
    for word in ("yes", "no"):
        if is_word(cursor.word(), word):
            cursor.next += 1
            return word == "yes"
    if cursor.ended() or cursor.is_sign(","):
        return True
    raise cursor.misread("yes or no")


def _choice(spec: FieldSpec, cursor: Cursor, reading: Reading) -> str:
    word = choice_of(cursor.word(), spec.kind.choices)
    if word is None:
        raise cursor.misread(f"one of {', '.join(spec.kind.choices)}")
    cursor.next += 1
    return word


def choice_of(word: str, choices: tuple[str, ...]) -> str | None:
    """Which of some words is meant, if one is."""
    lowered = word.lower()
    for meant in (lowered, CHOICES.get(lowered)):
        if meant in choices:
            return meant
    return None


def _seat(spec: FieldSpec, cursor: Cursor, reading: Reading) -> str:
    seat = seat_of(cursor, reading)
    if seat is None:
        raise cursor.misread("a seat: F, M or B")
    return seat


def seat_of(cursor: Cursor, reading: Reading) -> str | None:
    """Takes a seat, or the name of the player who has it, if one comes next."""
    seat = SEATS.get(cursor.word().lower())
    if seat is not None:
        cursor.next += 1
        return seat
    if not reading.players:
        return None
    token = cursor.token
    if token is not None and token.kind == STRING:
        seat = reading.players.get(unquoted(token.text, token.at).lower())
        cursor.next += seat is not None
        return seat
    for count in (3, 2, 1):
        words = [cursor.word(ahead) for ahead in range(count)]
        seat = reading.players.get(" ".join(words).lower()) if all(words) else None
        if seat is not None:
            cursor.next += count
            return seat
    return None


def _is_seat(cursor: Cursor, reading: Reading) -> bool:
    """Whether a seat, or a player's name, comes next."""
    start = cursor.next
    seat = seat_of(cursor, reading)
    cursor.next = start
    return seat is not None


def _seats(spec: FieldSpec, cursor: Cursor, reading: Reading) -> list[str]:
    found: list[str] = []
    while (seat := seat_of(cursor, reading)) is not None:
        found.append(seat)
        cursor.sign(",")
    if not found and not _none(cursor):
        raise cursor.misread("seats, such as F M, or none")
    return found


def _suit(spec: FieldSpec, cursor: Cursor, reading: Reading) -> str:
    suit = reading.letters.suit(cursor.word())
    if suit is None:
        raise cursor.misread("a suit, such as S, ♥ or clubs")
    cursor.next += 1
    return suit


def _card(spec: FieldSpec, cursor: Cursor, reading: Reading) -> str:
    card = reading.letters.card(cursor.word())
    if card is None:
        raise cursor.misread(A_CARD)
    cursor.next += 1
    return card


def _cards(spec: FieldSpec, cursor: Cursor, reading: Reading) -> list[str]:
    """Cards as they stand on paper, how many of them nobody saw, or none."""
    found = cards_of(cursor, reading.letters)
    if not found and _how_many(cursor.word()) and _counted(cursor, reading):
        number = int(cursor.take().text)
        if is_word(cursor.word(), "cards"):
            cursor.next += 1
        return [UNSEEN] * number
    if not found and not _none(cursor):
        raise cursor.misread(CARDS)
    if cursor.word() and cursor.word().lower() not in MEANT and not begins_another(cursor, reading):
        raise cursor.misread(A_CARD)
    return found


def begins_another(cursor: Cursor, reading: Reading) -> bool:
    """Whether the next sentence begins here, though no sign parts it: ``F pass M pass``, ``3 draws 3``."""
    start = cursor.next
    cursor.takes(FORMS["and"])
    begins = is_word(cursor.word(), "draws")
    if not begins and seat_of(cursor, reading) is not None:
        begins = (True, cursor.word().lower()) in by_key()
    cursor.next = start
    return begins


def _counted(cursor: Cursor, reading: Reading) -> bool:
    """Whether a number that comes next says how many cards: ``3 cards``, or 3 and nothing more."""
    if is_word(cursor.word(1), "cards"):
        return True
    cursor.next += 1
    alone = cursor.ended() or cursor.is_sign(",") or begins_another(cursor, reading)
    cursor.next -= 1
    return alone


def _seq(spec: FieldSpec, cursor: Cursor, reading: Reading) -> int | str:
    word = cursor.word()
    if not word.startswith("@") or len(word) == 1:
        raise cursor.misread("the number of an entry, such as @12 or @30.1, or @last or @trick 1 B")
    if word.lower() in TRICK or word.lower() in LAST:
        return _by_place(cursor, reading)
    cursor.next += 1
    return int(word[1:]) if word[1:].isdecimal() and len(word) < 12 else word[1:]


def _by_place(cursor: Cursor, reading: Reading) -> int:
    """The number of an entry that is named by where it stands."""
    at, word = cursor.at, cursor.take().text
    if word.lower() in LAST:
        last = reading.references.last()
        if last is None:
            raise Misread(at, word, "the number of an entry: none stands above")
        return last
    trick, cursor_at = cursor.word().rstrip(".:"), cursor.at
    if not trick.isdecimal() or len(trick) > 2:
        raise cursor.misread("the number of a trick, and the seat that played")
    cursor.next += 1
    seat = seat_of(cursor, reading)
    if seat is None:
        raise cursor.misread("a seat: F, M or B")
    found = reading.references.cards_at(int(trick), seat)
    if len(found) != 1:
        read = f"{seat} in trick {trick}"
        said = f"{'No card' if not found else 'More than one card'} of {read} stands above"
        raise Misread(cursor_at, read, "@ and an entry's number", f"{said}; write @ and the entry's number.")
    return found[0]


def _seqs(spec: FieldSpec, cursor: Cursor, reading: Reading) -> list[int | str]:
    found = [_seq(spec, cursor, reading)]
    while cursor.sign(",") or cursor.word().startswith("@"):
        found.append(_seq(spec, cursor, reading))
    return found


def _seat_counts(spec: FieldSpec, cursor: Cursor, reading: Reading) -> dict[str, int]:
    """A number for each of some seats: ``5-2-2`` in the order of the seats, or ``F 5 M 2``."""
    if _counts(cursor.word()):
        counts = re.split("[-–]", cursor.take().text)
        return dict(zip(SEAT_NAMES, map(int, counts), strict=True))
    found: dict[str, int] = {}
    while (seat := SEATS.get(cursor.word().lower())) is not None:
        _once(seat, found, cursor)
        cursor.next += 1
        found[seat] = _integer(spec, cursor, reading)
        if not (cursor.is_sign(",") and cursor.word(1).lower() in SEATS and cursor.sign(",")):
            continue
    if not found and not _none(cursor):
        raise cursor.misread("a number for each seat, such as 5-2-2 or F 5 M 2")
    return found


def _once(name: str, found: dict[str, Any], cursor: Cursor, back: int = 0) -> None:
    """Refuses what was told already.

    Raises:
        Misread: ``name`` is among what was found.
    """
    if name in found:
        cursor.next -= back
        name = name.capitalize() if name in SEAT_NAMES else f"“{name}”"
        raise Misread(
            cursor.at, name, "each of them once", f"{name} stands here twice; write each of them once."
        )


def _chips(spec: FieldSpec, cursor: Cursor, reading: Reading) -> dict[str, int]:
    """Chips for seats or for players by name: ``F +2 M -1 B -1``."""
    found: dict[str, int] = {}
    while not cursor.ended():
        start = cursor.next
        cursor.sign(",")
        name = _party(cursor)
        if name is None or not _number(cursor.word()):
            cursor.next = start
            break
        _once(name, found, cursor, back=1)
        found[name] = _integer(spec, cursor, reading)
    if not found and not _none(cursor):
        raise cursor.misread("chips for each, such as F +2 M -1 B -1")
    return found


def _party(cursor: Cursor) -> str | None:
    """A seat or a player's name, if one comes next; names of several words stand in quotation marks."""
    token = cursor.token
    if token is None or token.kind == SIGN:
        return None
    if token.kind == STRING:
        return _quoted(cursor)
    word = cursor.word()
    if word.lower() in SEATS:
        cursor.next += 1
        return SEATS[word.lower()]
    if not word or word.lower() in RESERVED:
        return None
    cursor.next += 1
    return word


def _names(spec: FieldSpec, cursor: Cursor, reading: Reading) -> list[str]:
    """Names with commas between them; one of several words needs no quotation marks."""
    if _none(cursor):
        return []
    found = [_name(cursor)]
    while cursor.is_sign(",") and cursor.word(1).lower() not in MEANT:
        cursor.next += 1
        found.append(_name(cursor))
    return found


def _name(cursor: Cursor) -> str:
    token = cursor.token
    if token is not None and token.kind == STRING:
        return _quoted(cursor)
    words: list[str] = []
    while cursor.word() and cursor.word().lower() not in MEANT and cursor.word() not in "+=":
        words.append(cursor.take().text)
    if not words:
        raise cursor.misread("a name")
    return " ".join(words)


def _groups(spec: FieldSpec, cursor: Cursor, reading: Reading) -> list[list[str]]:
    """Partners with ``+`` between them, pairs with commas."""
    found: list[list[str]] = []
    while True:
        group = [] if _none(cursor) else [_name(cursor)]
        while group and cursor.word() == "+":
            cursor.next += 1
            group.append(_name(cursor))
        found.append(group)
        if not cursor.sign(","):
            return found


def _switches(spec: FieldSpec, cursor: Cursor, reading: Reading) -> dict[str, bool | int | str]:
    """House switches: ``sitter-pays = yes, kupp-most = 5``."""
    found: dict[str, bool | int | str] = {}
    while True:
        name = _name(cursor)
        _once(name, found, cursor, back=1)
        if cursor.word() != "=":
            raise cursor.misread("= and the switch's value: yes, no, a number or a word")
        cursor.next += 1
        found[name] = _switch_value(spec, cursor, reading)
        if not cursor.sign(","):
            return found


def _switch_value(spec: FieldSpec, cursor: Cursor, reading: Reading) -> bool | int | str:
    if is_word(cursor.word(), "yes") or is_word(cursor.word(), "no"):
        return _flag(spec, cursor, reading)
    if _number(cursor.word()):
        return _integer(spec, cursor, reading)
    return _name(cursor)


def _word(spec: FieldSpec, cursor: Cursor, reading: Reading) -> str:
    if cursor.token is not None and cursor.token.kind == STRING:
        return _quoted(cursor)
    if not cursor.word():
        raise cursor.misread("a moment or an id, without spaces")
    return cursor.take().text


_READERS: Final[dict[str, Reader]] = {
    "text": _text, "names": _names, "groups": _groups, "integer": _integer, "integers": _integers,
    "flag": _flag, "moment": _word, "uuid": _word, "seq": _seq, "seqs": _seqs, "card": _card,
    "cards": _cards, "suit": _suit, "seat": _seat, "seats": _seats, "seat-counts": _seat_counts,
    "chips-by-name": _chips, "switches": _switches, "choice": _choice,
}  # fmt: skip


def starts(spec: FieldSpec, cursor: Cursor, reading: Reading) -> bool:
    """Whether what comes next is a value of a field, as far as its first word tells."""
    token, kind = cursor.token, spec.kind.name
    if token is None:
        return False
    if token.kind == SIGN:
        return kind == "events" and token.text == "("
    if token.kind == STRING:
        return kind == "text"
    word = token.text.lower()
    tells: dict[str, Callable[[], bool]] = {
        "seat": lambda: _is_seat(cursor, reading),
        "suit": lambda: reading.letters.suit(word) is not None,
        "choice": lambda: choice_of(word, spec.kind.choices) is not None,
        "seat-counts": lambda: bool(_counts(word)),
        "events": lambda: False,
        "text": lambda: spec.kind.least > 0 and word not in RESERVED,
    }
    return tells.get(kind, lambda: True)()
