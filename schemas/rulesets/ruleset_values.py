"""The kinds of values that a ruleset is made of, read from JSON with the place of every fault."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from functools import partial
from typing import Any, Final, TypeVar

from engine.core.message import LocalizedText
from schemas.i18n.catalogs import gettext
from schemas.wire.wire_faults import (
    NO_VALUE,
    WireError,
    WireFault,
    escape_pointer_token,
    find_nearest_word,
    quote_value,
)

Json = dict[str, Any]
Made = TypeVar("Made")

MAX_RULESET_NUMBER: Final = 1_000_000
"""The largest number that a ruleset takes."""
NUMBER_BOUNDS: Final[dict[str, tuple[int, int]]] = {
    "revision": (1, MAX_RULESET_NUMBER),
    "min": (0, 9),
    "max": (0, 9),
    "first_defender_most": (0, 9),
    "ends_at": (1, 9),
    "codille_from": (1, 9),
    "estuches_most": (0, 9),
    "before_trick": (1, 9),
}
"""The least and the most that some numbers can be, by the name of their place: nine cards, nine tricks."""


def read_bilingual_text(data: Any, pointer: str) -> str:
    """The same words in both languages. Raises `WireError`, as all here do."""
    obj = read_object(data, pointer, ("en", "da"))
    english, danish = (
        read_text(obj.get(lang), f"{pointer}/{lang}", "a text", allow_empty=True) for lang in ("en", "da")
    )
    # What the catalogue says too is the same text as in a published ruleset.
    return english if danish == gettext(english, "da") else LocalizedText(english, {"da": danish})


def read_dataclass(dataclass_type: type[Made], data: Any, pointer: str) -> Made:
    """A dataclass whose fields are texts, numbers, flags, words, or lists of texts."""
    return build_dataclass(dataclass_type, read_object(data, pointer, field_names(dataclass_type)), pointer)


def field_names(dataclass_type: type) -> tuple[str, ...]:
    """The names of a dataclass's fields."""
    return tuple(one.name for one in fields(dataclass_type))


def build_dataclass(
    dataclass_type: type[Made], members: Json, pointer: str, already_read: tuple[str, ...] = ()
) -> Made:
    """A dataclass of the fields ``members``; those in ``already_read`` have been read already."""
    values: Json = {}
    for field in fields(dataclass_type):  # type: ignore[arg-type]
        member_pointer = f"{pointer}/{field.name}"
        if field.name not in members:
            if field.default is MISSING and field.default_factory is MISSING:
                raise WireError.at(member_pointer, "nothing", "a value")
        elif field.name in already_read:
            values[field.name] = members[field.name]
        elif field.name == "words":
            values[field.name] = read_bilingual_text(members[field.name], member_pointer)
        else:
            values[field.name] = _read_field_value(field.type, members[field.name], member_pointer)
    return dataclass_type(**values)


def _read_field_value(field_type: Any, data: Any, pointer: str) -> Any:
    if field_type == int | None and data is None:
        return None
    if field_type is bool:
        return read_flag(data, pointer)
    if field_type == tuple[str, ...]:
        return read_list(data, pointer, partial(read_text, expected="a word"))
    if field_type in (int, int | None):
        return read_integer(data, pointer)
    return read_text(data, pointer, "a text", allow_empty=True)


def read_object(data: Any, pointer: str, known_names: Iterable[str]) -> Json:
    """An object with no other members than ``known_names``."""
    if not isinstance(data, dict):
        raise WireError.at(pointer, quote_or_no_value(data), "an object")
    require_known_names(data, known_names, pointer)
    return dict(data)


def require_known_names(data: Mapping[str, Any], known_names: Iterable[str], pointer: str) -> None:
    """Raises `WireError` where a member is not among ``known_names``; a near one is proposed."""
    names = tuple(known_names)
    if unknown := [name for name in data if name not in names]:
        raise WireError(
            WireFault(
                f"{pointer}/{escape_pointer_token(name)}",
                quote_value(name),
                _expected_name(name, names),
                is_about_name=True,
            )
            for name in unknown[:5]
        )


def _expected_name(name: str, known_names: tuple[str, ...]) -> str:
    nearest = find_nearest_word(name, known_names)
    one = f"a known name ({', '.join(known_names)})" if nearest is None else f'"{nearest}"'
    return f"{one}, or leave it out"


def read_list(data: Any, pointer: str, read_item: Callable[[Any, str], Any]) -> tuple[Any, ...]:
    """Read a list; ``read_item`` is called with each member and its pointer."""
    if not isinstance(data, list):
        raise WireError.at(pointer, quote_or_no_value(data), "a list")
    return tuple(read_item(one, f"{pointer}/{number}") for number, one in enumerate(data))


def read_optional(data: Any, pointer: str, read: Callable[[Any, str], Any]) -> Any:
    """What may be left out, or be null."""
    return None if data is None else read(data, pointer)


def read_text(data: Any, pointer: str, expected: str, *, allow_empty: bool = False) -> str:
    """A text of at most 2000 characters."""
    if isinstance(data, str) and (data or allow_empty) and len(data) <= 2000:
        return data
    raise WireError.at(pointer, quote_or_no_value(data), expected)


def read_integer(data: Any, pointer: str) -> int:
    """A whole number, within what its place allows."""
    least, most = NUMBER_BOUNDS.get(pointer.rsplit("/", 1)[-1], (0, MAX_RULESET_NUMBER))
    if isinstance(data, int) and not isinstance(data, bool) and least <= data <= most:
        return data
    raise WireError.at(pointer, quote_or_no_value(data), f"a whole number from {least} to {most}")


def read_flag(data: Any, pointer: str) -> bool:
    """What is so or not."""
    if isinstance(data, bool):
        return data
    raise WireError.at(pointer, quote_or_no_value(data), "true or false")


def read_choice(data: Any, pointer: str, choices: Iterable[str]) -> str:
    """One of the words in ``choices``."""
    if isinstance(data, str) and data in choices:
        return data
    raise WireError.at(pointer, quote_or_no_value(data), f"one of {', '.join(choices)}")


def quote_or_no_value(data: Any) -> str:
    """A value as it stands in a fault."""
    return NO_VALUE if data is None else quote_value(data)
