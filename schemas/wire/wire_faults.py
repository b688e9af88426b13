"""What is wrong with an object that was read: where, what stands there, what should stand there."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

from engine.core.message import Message, format_message
from schemas.wire.field_specs import RESERVED_FIELD_NAMES

NO_VALUE: Final = "nothing"
"""What was read where a field is missing."""
MAX_QUOTED_LENGTH: Final = 60
"""About how many characters of a value a message quotes."""
MAX_NAME_SUGGESTIONS: Final = 10
"""For how many unknown names of an object the nearest known one is looked up."""


@dataclass(frozen=True, slots=True)
class WireFault:
    """One thing wrong in an object.

    ``pointer`` is a JSON Pointer (RFC 6901) from the object that was read, ``read`` the value as
    it stood there, shortened, ``expected`` what should stand there, as a noun. ``is_about_name`` is
    True where the name of the member is at fault rather than its value.
    """

    pointer: str
    read: str
    expected: str
    is_about_name: bool = False

    @property
    def advice(self) -> Message:
        """One sentence: what was read and what to write instead."""
        if self.read == NO_VALUE:
            return format_message(
                "Something is missing here; write {expected}.", expected=as_message(self.expected)
            )
        return advise_instead(self.read, self.expected)


def advise_instead(read: str, expected: str) -> Message:
    """To write something else than what was read."""
    return format_message(
        "In place of {read}, write {expected}.", read=quoted_message(read), expected=as_message(expected)
    )


def as_message(text: str) -> Message:
    """A text of ours as a part of a message, so that it is translated with it."""
    if isinstance(text, Message):
        return text
    return Message(text.replace("{", "{{").replace("}", "}}"), {})


def quoted_message(read: str) -> Message:
    """What was read, quoted as each language quotes; what is not quoted is a text of ours."""
    if read[:1] == read[-1:] == '"' and len(read) > 2:
        return format_message('"{text}"', text=read[1:-1])
    return as_message(read)


class WireError(ValueError):
    """An object that is no event, entry or value of its kind; ``faults`` says all that is wrong."""

    def __init__(self, faults: Iterable[WireFault]) -> None:
        self.faults: tuple[WireFault, ...] = tuple(faults)
        super().__init__(self.faults)

    @classmethod
    def at(cls, pointer: str, read: str, expected: str) -> "WireError":
        """The error of one fault."""
        return cls([WireFault(pointer, read, expected)])

    def __str__(self) -> str:
        return " ".join(format_fault(fault) for fault in self.faults)

    def prefixed_faults(self, token: str | int) -> list[WireFault]:
        """The faults as seen from what has the value as its member ``token``."""
        prefix = f"/{escape_pointer_token(token)}"
        return [replace(fault, pointer=prefix + fault.pointer) for fault in self.faults]


def format_fault(fault: WireFault) -> str:
    """The fault's advice with the place it is about."""
    return f"At {fault.pointer}: {fault.advice}" if fault.pointer else fault.advice


def unexpected_value_error(value: object, expected: str) -> WireError:
    """The error of a value that is not what was ``expected``."""
    return WireError.at("", quote_value(value), expected)


def missing_field_fault(name: str, expected: str) -> WireFault:
    """The fault of an object that lacks a field it must have."""
    return WireFault(f"/{escape_pointer_token(name)}", NO_VALUE, expected)


def escape_pointer_token(token: str | int) -> str:
    """A member's name or an index as a token of a JSON Pointer."""
    return str(token).replace("~", "~0").replace("/", "~1")


def quote_value(value: object) -> str:
    """A JSON value as it stands in a message: short, printable and never half a character."""
    if isinstance(value, list):
        return _shorten("[" + ", ".join(_element(v) for v in value[:MAX_QUOTED_LENGTH]) + "]")
    if isinstance(value, dict):
        members = (f"{_scalar(k)}: {_element(v)}" for k, v in list(value.items())[:MAX_QUOTED_LENGTH])
        return _shorten("{" + ", ".join(members) + "}")
    return _scalar(value)


def _element(value: object) -> str:
    """A value inside a list or an object: lists and objects inside it are only hinted at."""
    if isinstance(value, list):
        return "[…]" if value else "[]"
    if isinstance(value, dict):
        return "{…}" if value else "{}"
    return _scalar(value)


def _scalar(value: object) -> str:
    if isinstance(value, str):
        text = value[: MAX_QUOTED_LENGTH + 1].encode("utf-8", "backslashreplace").decode("utf-8")
        quoted = json.dumps(text, ensure_ascii=False)
        return (
            quoted
            if len(quoted) <= MAX_QUOTED_LENGTH + 2
            else f'{quoted[:MAX_QUOTED_LENGTH]}…" ({len(value)} characters)'
        )
    if isinstance(value, int) and value.bit_length() > 4 * MAX_QUOTED_LENGTH:
        return "a number of very many digits"
    return _shorten(json.dumps(value))


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_QUOTED_LENGTH else text[: MAX_QUOTED_LENGTH - 1] + "…"


def find_nearest_word(word: object, words: Iterable[str]) -> str | None:
    """The one of ``words`` that ``word`` was most likely meant to be, if any is near."""
    if not isinstance(word, str) or len(word) > MAX_QUOTED_LENGTH:
        return None
    return next(iter(get_close_matches(word.lower().replace("-", "_"), words, n=1, cutoff=0.6)), None)


def find_unknown_names(
    obj: dict[str, object], known_names: tuple[str, ...], object_name: str
) -> list[WireFault]:
    """A fault for every member of ``obj`` that is not among ``known_names``.

    ``object_name`` is what the object is: a type of event, or the class of an object inside one.
    """
    own = tuple(name for name in known_names if name not in RESERVED_FIELD_NAMES)
    faults: list[WireFault] = []
    for name in obj:
        if name in known_names:
            continue
        if name in RESERVED_FIELD_NAMES and "type" in known_names:
            expected = f"only fields of {object_name} ({', '.join(own)}); bookkeeping belongs to the entry"
        else:
            nearest = find_nearest_word(name, known_names) if len(faults) < MAX_NAME_SUGGESTIONS else None
            expected = f"a field of {object_name} ({', '.join(own)})" if nearest is None else f'"{nearest}"'
            expected += ", or leave it out"
        faults.append(
            WireFault(f"/{escape_pointer_token(name)}", quote_value(name), expected, is_about_name=True)
        )
    return faults
