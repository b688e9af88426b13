"""How a value of each kind is read from JSON: one reader per kind.

A reader takes a value of JSON and returns the engine's; it raises `WireError` with all that is wrong.
"""

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import Any, Final

from engine.core.cards import CARD_BY_CODE, SEAT_BY_NAME, SUIT_BY_LETTER
from engine.core.field_types import MAX_INTEGER, Chips, FieldKind, Name
from engine.core.message import format_message
from schemas.wire.field_specs import field_kind
from schemas.wire.wire_faults import WireError, WireFault, as_message, unexpected_value_error

ValueReader = Callable[[Any], Any]
"""From a JSON value to the engine's; raises ``WireError``."""

EXPECTED_SEQ: Final = 'the number of an entry (30), or of a part of a correction ("30.1")'
EXPECTED_TIMESTAMP: Final = "a time with its offset from UTC, such as 2026-11-20T21:30:00Z"
EXPECTED_DATE: Final = "a date such as 2026-11-27, 2026-11 or 2026, of the years 1000 to 2999"
EXPECTED_UUID: Final = "a UUID of 36 characters, such as 018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f"

SEQ_PART_PATTERN: Final = r"(?:[1-9][0-9]{0,8}|1000000000)(?:\.[1-9][0-9]{0,3}){1,4}"
UUID_PATTERN: Final = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
DAY_PATTERN: Final = "(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
TIME_PATTERN: Final = "T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
OFFSET_PATTERN: Final = "(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
TIMESTAMP_PATTERN: Final = rf"{DAY_PATTERN}{TIME_PATTERN}(?:\.[0-9]+)?{OFFSET_PATTERN}"
DATE_PATTERN: Final = r"[12][0-9]{3}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?"
DATE_LENGTH: Final = len("2026-11-27")
MAX_SWITCH_TEXT_LENGTH: Final = 200
"""A switch's value in words is at most so long."""

_has_unusable_character = re.compile("[\0\ud800-\udfff]").search
_is_seq_part = re.compile(SEQ_PART_PATTERN).fullmatch
_is_uuid = re.compile(UUID_PATTERN).fullmatch
_is_timestamp = re.compile(TIMESTAMP_PATTERN).fullmatch
_is_date = re.compile(DATE_PATTERN).fullmatch


def build_value_reader(kind: FieldKind) -> ValueReader:
    """The reader of one kind, for all but ``events`` and ``object``, which hold fields of their own."""
    return _READER_BUILDERS[kind.name](kind)


def describe_expected_value(kind: FieldKind) -> str:
    """What a value of this kind has to be, as a noun: what its reader says of null, which never is one."""
    try:
        build_value_reader(kind)(None)
    except WireError as error:
        return error.faults[0].expected
    raise AssertionError(f"the reader of {kind.name} takes null")


def find_word_table(kind: FieldKind) -> dict[str, Any] | None:
    """What each word of a kind stands for, where a kind is no more than a table of words."""
    if kind.name == "choice":
        return {word: word for word in kind.choices}
    return _WORD_TABLES[kind.name][0] if kind.name in _WORD_TABLES else None


def _text_reader(kind: FieldKind) -> ValueReader:
    least, most = kind.minimum, kind.maximum
    expected = (
        format_message("a text of {least} to {count} characters", least=least, count=most)
        if least
        else format_message("a text of at most {count} characters", count=most)
    )

    def read(value: Any) -> str:
        if not isinstance(value, str) or not least <= len(value) <= most:
            raise unexpected_value_error(value, expected)
        if (not value.isascii() or "\0" in value) and _has_unusable_character(value):
            raise unexpected_value_error(value, "a text without NUL and without lone surrogates")
        return value

    return read


def _integer_reader(kind: FieldKind) -> ValueReader:
    least, most = kind.minimum, kind.maximum
    expected = format_message("a whole number from {least} to {most}", least=least, most=most)

    def read(value: Any) -> int:
        # A boolean is an int to Python and never one to us; 2.0 is how some languages write 2.
        if type(value) is int:
            number = value
        elif type(value) is float and value.is_integer():
            number = int(value)
        else:
            raise unexpected_value_error(value, expected)
        if not least <= number <= most:
            raise unexpected_value_error(value, expected)
        return number

    return read


def _read_flag(value: Any) -> bool:
    if value is True or value is False:
        return bool(value)
    raise unexpected_value_error(value, "true or false")


def _word_reader(words: dict[str, Any], expected: str) -> ValueReader:
    """A reader of one of some words, each of which stands for something."""

    def read(value: Any) -> Any:
        try:
            return words[value]
        except (KeyError, TypeError):
            raise unexpected_value_error(value, expected) from None

    return read


def _choice_reader(kind: FieldKind) -> ValueReader:
    return _word_reader(
        find_word_table(kind) or {}, format_message("one of {choices}", choices=", ".join(kind.choices))
    )


_read_seq_number: Final = _integer_reader(FieldKind("integer", minimum=1, maximum=MAX_INTEGER))


def _read_seq(value: Any) -> Any:
    if type(value) is int and 1 <= value <= MAX_INTEGER:
        return value
    if isinstance(value, str) and _is_seq_part(value):
        return value
    try:
        return _read_seq_number(value)
    except WireError:
        raise unexpected_value_error(value, EXPECTED_SEQ) from None


def _read_uuid(value: Any) -> str:
    if isinstance(value, str):
        if _is_uuid(value):
            return value
        if _is_uuid(lowered := value.lower()):
            return lowered
    raise unexpected_value_error(value, EXPECTED_UUID)


def _timestamp_reader(kind: FieldKind) -> ValueReader:
    most = kind.maximum

    def read(value: Any) -> str:
        if isinstance(value, str) and len(value) <= most:
            if _is_timestamp(value) and is_day_in_calendar(value[:DATE_LENGTH]):
                return value
            # RFC 3339 allows a small t and z; the record has them large.
            if _is_timestamp(text := value.upper()) and is_day_in_calendar(text[:DATE_LENGTH]):
                return text
        raise unexpected_value_error(value, EXPECTED_TIMESTAMP)

    return read


def _read_date(value: Any) -> str:
    if isinstance(value, str) and _is_date(value) and (len(value) < DATE_LENGTH or is_day_in_calendar(value)):
        return value
    raise unexpected_value_error(value, EXPECTED_DATE)


@lru_cache(maxsize=1024)
def is_day_in_calendar(day: str) -> bool:
    """Whether the calendar has a day. The entries of a log share a few, so they are cached."""
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return True


def _tuple_reader(
    read_item: ValueReader, max_items: int, expected: str, words: dict[str, Any] | None = None
) -> ValueReader:
    """A reader of a list of at most ``max_items`` items, as a tuple; ``words`` is what the items can be."""
    quick_reader = read_item if words is None else words.__getitem__

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) > max_items:
            raise unexpected_value_error(value, expected)
        try:
            return tuple(map(quick_reader, value))
        except (KeyError, TypeError, WireError):
            raise WireError(collect_item_faults(read_item, value)) from None

    return read


def collect_item_faults(read_item: ValueReader, items: list[Any]) -> list[WireFault]:
    """All that is wrong in the items of a list, seen from the list."""
    faults: list[WireFault] = []
    for index, item in enumerate(items):
        try:
            read_item(item)
        except WireError as error:
            faults += error.prefixed_faults(index)
    return faults


def _list_reader(item_kind: FieldKind, items: str) -> Callable[[FieldKind], ValueReader]:
    """What builds the reader of a list of that kind; ``items`` is what they are called."""
    return lambda kind: _tuple_reader(
        build_value_reader(item_kind),
        kind.maximum,
        format_message("a list of at most {count} {items}", count=kind.maximum, items=as_message(items)),
        find_word_table(item_kind),
    )


def _groups_reader(kind: FieldKind) -> ValueReader:
    group = _list_reader(field_kind(Name), "names")(kind)
    return _tuple_reader(group, kind.maximum, f"a list of at most {kind.maximum} lists of names")


def _pairs_reader(
    read_name: ValueReader,
    read_value: ValueReader,
    max_members: int,
    sort_key: Callable[[tuple[Any, Any]], Any],
    expected: str,
) -> ValueReader:
    """A reader of an object that has a value for each of some names, as a tuple of pairs.

    JSON knows no order of members, so the pairs are put into one: two objects that say the same
    are the same event.
    """

    def read(value: Any) -> tuple[tuple[Any, Any], ...]:
        if not isinstance(value, dict) or len(value) > max_members:
            raise unexpected_value_error(value, expected)
        faults: list[WireFault] = []
        pairs = []
        for key, member in value.items():
            try:
                name = read_name(key)
            except WireError as error:
                faults += (
                    WireFault(f.pointer, f.read, f.expected, is_about_name=True)
                    for f in error.prefixed_faults(key)
                )
                continue
            try:
                pairs.append((name, read_value(member)))
            except WireError as error:
                faults += error.prefixed_faults(key)
        if faults:
            raise WireError(faults)
        return tuple(sorted(pairs, key=sort_key))

    return read


def _seat_counts_reader(kind: FieldKind) -> ValueReader:
    return _pairs_reader(
        build_value_reader(FieldKind("seat")),
        _integer_reader(kind),
        len(SEAT_BY_NAME),
        lambda pair: pair[0],
        "an object with a number for some of forehand, middlehand and backhand",
    )


def _chips_by_name_reader(kind: FieldKind) -> ValueReader:
    expected = f"an object with the chips of at most {kind.maximum} seats or players"
    names, chips = _text_reader(field_kind(Name)), _integer_reader(field_kind(Chips))
    return _pairs_reader(names, chips, kind.maximum, _seats_first_key, expected)


def _seats_first_key(pair: tuple[str, Any]) -> tuple[int, str]:
    """Seats in the order of play, then players by name."""
    return (SEAT_BY_NAME.get(pair[0], len(SEAT_BY_NAME)), pair[0])


def _switches_reader(kind: FieldKind) -> ValueReader:
    expected = f"an object with at most {kind.maximum} switches"
    return _pairs_reader(
        _text_reader(field_kind(Name)), _read_switch_value, kind.maximum, lambda pair: pair[0], expected
    )


_read_switch_number: Final = _integer_reader(field_kind(Chips))
_read_switch_text: Final = _text_reader(FieldKind("text", maximum=MAX_SWITCH_TEXT_LENGTH))


def _read_switch_value(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _read_switch_text(value)
    if isinstance(value, int | float):
        return _read_switch_number(value)
    raise unexpected_value_error(value, "true, false, a whole number or a text")


_WORD_TABLES: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "seat": ({**SEAT_BY_NAME}, "a seat: forehand, middlehand or backhand"),
    "suit": ({**SUIT_BY_LETTER}, "a suit: C, D, H or S"),
    "card": (
        {**CARD_BY_CODE},
        "a card: suit C D H S, then rank 2–7 A J K Q or ? (?? for an unknown card)",
    ),
}
"""What each word of a kind stands for, and what is expected of one."""

_READER_BUILDERS: Final[dict[str, Callable[[FieldKind], ValueReader]]] = {
    "text": _text_reader,
    "names": _list_reader(field_kind(Name), "names"),
    "groups": _groups_reader,
    "integer": _integer_reader,
    "integers": _list_reader(field_kind(Chips), "whole numbers"),
    "flag": lambda _: _read_flag,
    "moment": _timestamp_reader,
    "date": lambda _: _read_date,
    "uuid": lambda _: _read_uuid,
    "seq": lambda _: _read_seq,
    "seqs": _list_reader(FieldKind("seq"), "numbers of entries"),
    "card": lambda kind: _word_reader(*_WORD_TABLES[kind.name]),
    "cards": _list_reader(FieldKind("card"), "cards"),
    "suit": lambda kind: _word_reader(*_WORD_TABLES[kind.name]),
    "seat": lambda kind: _word_reader(*_WORD_TABLES[kind.name]),
    "seats": _list_reader(FieldKind("seat"), "seats"),
    "seat-counts": _seat_counts_reader,
    "chips-by-name": _chips_by_name_reader,
    "switches": _switches_reader,
    "choice": _choice_reader,
}
