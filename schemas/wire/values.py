"""How a value of each kind is read from JSON: one reader per kind, for every door.

A reader takes a value as JSON gives it and returns what the engine keeps; whatever does not fit
is a ``WireError`` with all that is wrong in it. The fast reader of logs and marshmallow's fields
call these same readers, which is why neither is laxer than the other.
"""

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import Any, Final

from engine.core.cards import CARD_OF, SEAT_OF, SUIT_OF
from engine.core.vocabulary import MOST, Chips, Kind, Name
from schemas.wire.declaration import kind_of
from schemas.wire.faults import Fault, WireError, unfit

Reader = Callable[[Any], Any]
"""From a JSON value to the engine's; raises ``WireError``."""

SEAT: Final = "a seat: forehand, middlehand or backhand"
SUIT: Final = "a suit: C, D, H or S"
CARD: Final = "a card: suit C D H S, then rank 2–7 A J K Q or ? (?? for one nobody recorded)"
SEQ: Final = 'the number of an entry (30), or of a part of a correction ("30.1")'
MOMENT: Final = "a moment with its offset from UTC, such as 2026-11-20T21:30:00Z"
UUID: Final = "a UUID of 36 characters, such as 018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f"

SEQ_PART: Final = r"(?:[1-9][0-9]{0,8}|1000000000)(?:\.[1-9][0-9]{0,3}){1,4}"
UUID_FORM: Final = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
MOMENT_FORM: Final = (
    r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
    r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
    r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
SWITCH_TEXT: Final = 200
"""A switch's value in words is at most so long."""

_broken = re.compile("[\0\ud800-\udfff]").search
_is_seq_part = re.compile(SEQ_PART).fullmatch
_is_uuid = re.compile(UUID_FORM).fullmatch
_is_moment = re.compile(MOMENT_FORM).fullmatch


def value_reader(kind: Kind) -> Reader:
    """The reader of one kind, for all but ``events`` and ``object``, which hold fields of their own."""
    return _MAKERS[kind.name](kind)


def expected_of(kind: Kind) -> str:
    """What a value of this kind has to be, as a noun: what its reader says of null, which never is one."""
    try:
        value_reader(kind)(None)
    except WireError as error:
        return error.faults[0].expected
    raise AssertionError(f"the reader of {kind.name} takes null")


def words_of(kind: Kind) -> dict[str, Any] | None:
    """What each word of a kind stands for, where a kind is no more than a table of words."""
    if kind.name == "choice":
        return {word: word for word in kind.choices}
    return _TABLES.get(kind.name)


def _text(kind: Kind) -> Reader:
    least, most = kind.least, kind.most
    expected = f"a text of {least} to {most} characters" if least else f"a text of at most {most} characters"

    def read(value: Any) -> str:
        if not isinstance(value, str) or not least <= len(value) <= most:
            raise unfit(value, expected)
        if (not value.isascii() or "\0" in value) and _broken(value):
            raise unfit(value, "a text without NUL and without half characters (lone surrogates)")
        return value

    return read


def _integer(kind: Kind) -> Reader:
    least, most = kind.least, kind.most
    expected = f"a whole number from {least} to {most}"

    def read(value: Any) -> int:
        # A boolean is an int to Python and never one to us; 2.0 is how some languages write 2.
        if type(value) is int:
            number = value
        elif type(value) is float and value.is_integer():
            number = int(value)
        else:
            raise unfit(value, expected)
        if not least <= number <= most:
            raise unfit(value, expected)
        return number

    return read


def _flag(_: Kind) -> Reader:
    def read(value: Any) -> bool:
        if value is True or value is False:
            return bool(value)
        raise unfit(value, "true or false")

    return read


def _word(words: dict[str, Any], expected: str) -> Reader:
    """A reader of one of some words, each of which stands for something."""

    def read(value: Any) -> Any:
        try:
            return words[value]
        except (KeyError, TypeError):
            raise unfit(value, expected) from None

    return read


def _choice(kind: Kind) -> Reader:
    return _word(words_of(kind) or {}, f"one of {', '.join(kind.choices)}")


def _seq(_: Kind) -> Reader:
    number = _integer(Kind("integer", least=1, most=MOST))

    def read(value: Any) -> int | str:
        if type(value) is int and 1 <= value <= MOST:
            return value
        if isinstance(value, str):
            if _is_seq_part(value):
                return value
            raise unfit(value, SEQ)
        try:
            seq: int = number(value)
        except WireError:
            raise unfit(value, SEQ) from None
        return seq

    return read


def _uuid(_: Kind) -> Reader:
    def read(value: Any) -> str:
        if isinstance(value, str):
            if _is_uuid(value):
                return value
            if _is_uuid(lowered := value.lower()):
                return lowered
        raise unfit(value, UUID)

    return read


def _moment(kind: Kind) -> Reader:
    most = kind.most

    def read(value: Any) -> str:
        if isinstance(value, str) and len(value) <= most:
            if _is_moment(value) and _is_day(value[:10]):
                return value
            # RFC 3339 allows a small t and z; the record has them large.
            if _is_moment(large := value.upper()) and _is_day(large[:10]):
                return large
        raise unfit(value, MOMENT)

    return read


@lru_cache(maxsize=1024)
def _is_day(text: str) -> bool:
    """Whether the calendar has this day. The entries of a log share a few, hence the cache."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _list_of(read_item: Reader, most: int, expected: str) -> Reader:
    """A reader of a list of at most ``most`` items, as a tuple."""

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) > most:
            raise unfit(value, expected)
        try:
            return tuple([read_item(item) for item in value])
        except WireError:
            raise WireError(item_faults(read_item, value)) from None

    return read


def item_faults(read_item: Reader, items: list[Any]) -> list[Fault]:
    """All that is wrong in the items of a list, seen from the list."""
    faults: list[Fault] = []
    for index, item in enumerate(items):
        try:
            read_item(item)
        except WireError as error:
            faults += error.under(index)
    return faults


def _many(read_item: Callable[[], Reader], items: str) -> Callable[[Kind], Reader]:
    return lambda kind: _list_of(read_item(), kind.most, f"a list of at most {kind.most} {items}")


def _groups(kind: Kind) -> Reader:
    group = _list_of(_text(kind_of(Name)), kind.most, f"a list of at most {kind.most} names")
    return _list_of(group, kind.most, f"a list of at most {kind.most} lists of names")


def _members(
    read_name: Reader, read_value: Reader, most: int, order: Callable[[tuple[Any, Any]], Any], expected: str
) -> Reader:
    """A reader of an object that has a value for each of some names, as a tuple of pairs.

    JSON knows no order of members, so the pairs are put into one: two objects that say the same
    are the same event.
    """

    def read(value: Any) -> tuple[tuple[Any, Any], ...]:
        if not isinstance(value, dict) or len(value) > most:
            raise unfit(value, expected)
        faults: list[Fault] = []
        pairs = []
        for key, member in value.items():
            try:
                name = read_name(key)
            except WireError as error:
                faults += (Fault(f.pointer, f.read, f.expected, of_name=True) for f in error.under(key))
                continue
            try:
                pairs.append((name, read_value(member)))
            except WireError as error:
                faults += error.under(key)
        if faults:
            raise WireError(faults)
        return tuple(sorted(pairs, key=order))

    return read


def _seat_counts(kind: Kind) -> Reader:
    number = Kind("integer", least=kind.least, most=kind.most)
    expected = "an object with a number for some of forehand, middlehand and backhand"
    return _members(_word(SEAT_OF, SEAT), _integer(number), len(SEAT_OF), lambda pair: pair[0], expected)


def _chips_by_name(kind: Kind) -> Reader:
    expected = f"an object with the chips of at most {kind.most} seats or players"
    names, chips = _text(kind_of(Name)), _integer(kind_of(Chips))
    return _members(names, chips, kind.most, _seats_first, expected)


def _seats_first(pair: tuple[str, Any]) -> tuple[int, str]:
    """Seats in the order of play, then players by name."""
    return (SEAT_OF.get(pair[0], len(SEAT_OF)), pair[0])


def _switches(kind: Kind) -> Reader:
    expected = f"an object with at most {kind.most} switches"
    return _members(_text(kind_of(Name)), _switch_value(), kind.most, lambda pair: pair[0], expected)


def _switch_value() -> Reader:
    number, text = _integer(kind_of(Chips)), _text(Kind("text", most=SWITCH_TEXT))

    def read(value: Any) -> bool | int | str:
        if isinstance(value, bool):
            return value
        if isinstance(value, str):
            words: str = text(value)
            return words
        if isinstance(value, int | float):
            whole: int = number(value)
            return whole
        raise unfit(value, "true, false, a whole number or a text")

    return read


_TABLES: Final[dict[str, dict[str, Any]]] = {"seat": {**SEAT_OF}, "suit": {**SUIT_OF}, "card": {**CARD_OF}}
_seat = _word(SEAT_OF, SEAT)
_card = _word(CARD_OF, CARD)
_MAKERS: Final[dict[str, Callable[[Kind], Reader]]] = {
    "text": _text,
    "names": _many(lambda: _text(kind_of(Name)), "names"),
    "groups": _groups,
    "integer": _integer,
    "integers": _many(lambda: _integer(kind_of(Chips)), "whole numbers"),
    "flag": _flag,
    "moment": _moment,
    "uuid": _uuid,
    "seq": _seq,
    "seqs": _many(lambda: _seq(Kind("seq")), "numbers of entries"),
    "card": lambda _: _card,
    "cards": _many(lambda: _card, "cards"),
    "suit": lambda _: _word(SUIT_OF, SUIT),
    "seat": lambda _: _seat,
    "seats": _many(lambda: _seat, "seats"),
    "seat-counts": _seat_counts,
    "chips-by-name": _chips_by_name,
    "switches": _switches,
    "choice": _choice,
}
