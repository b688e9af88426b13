"""What is wrong with an object that was read: where, what stands there, what should stand there."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

from schemas.wire.declaration import RESERVED

NOTHING: Final = "nothing"
"""What was read where a field is missing."""
QUOTED: Final = 60
"""A value quoted in a message is shortened to about so many characters."""
GUESSED: Final = 10
"""Nearest names are looked up for so many unknown ones of an object: a guess is a kindness, not a duty."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in an object.

    ``pointer`` is a JSON Pointer (RFC 6901) from the object that was read, ``read`` the value as
    it stood there, shortened, ``expected`` what should stand there, as a noun. ``of_name`` is
    True where the name of the member is at fault rather than its value.
    """

    pointer: str
    read: str
    expected: str
    of_name: bool = False

    @property
    def advice(self) -> str:
        """One sentence: what was read and what to write instead."""
        if self.read == NOTHING:
            return f"Nothing stands here; write {self.expected}."
        return f"In place of {self.read}, write {self.expected}."

    def under(self, token: str | int) -> "Fault":
        """The same fault, seen from the object or list that has the value as its member ``token``."""
        return replace(self, pointer=f"/{escaped(token)}{self.pointer}")


class WireError(ValueError):
    """An object that is no event, entry or value of its kind; ``faults`` says all that is wrong."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        return " ".join(placed(fault) for fault in self.faults)

    def under(self, token: str | int) -> list[Fault]:
        """The faults as seen from what has the value as its member ``token``."""
        return [fault.under(token) for fault in self.faults]


def placed(fault: Fault) -> str:
    """The fault's advice with the place it is about."""
    return f"At {fault.pointer}: {fault.advice}" if fault.pointer else fault.advice


def unfit(value: object, expected: str) -> WireError:
    """The error of a value that is not what was ``expected``."""
    return WireError([Fault("", shown(value), expected)])


def missing(name: str, expected: str) -> Fault:
    """The fault of an object that lacks a field it must have."""
    return Fault(f"/{escaped(name)}", NOTHING, expected)


def escaped(token: str | int) -> str:
    """A member's name or an index as a token of a JSON Pointer."""
    return str(token).replace("~", "~0").replace("/", "~1")


def shown(value: object) -> str:
    """A JSON value as it stands in a message: short, printable and never half a character."""
    if isinstance(value, list):
        return _shortened("[" + ", ".join(_element(v) for v in value[:QUOTED]) + "]")
    if isinstance(value, dict):
        members = (f"{_scalar(k)}: {_element(v)}" for k, v in list(value.items())[:QUOTED])
        return _shortened("{" + ", ".join(members) + "}")
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
        text = value[: QUOTED + 1].encode("utf-8", "backslashreplace").decode("utf-8")
        quoted = json.dumps(text, ensure_ascii=False)
        return quoted if len(quoted) <= QUOTED + 2 else f'{quoted[:QUOTED]}…" ({len(value)} characters)'
    if isinstance(value, int) and value.bit_length() > 4 * QUOTED:
        return "a number of very many digits"
    return _shortened(json.dumps(value))


def _shortened(text: str) -> str:
    return text if len(text) <= QUOTED else text[: QUOTED - 1] + "…"


def nearest(word: object, words: Iterable[str]) -> str | None:
    """The one of ``words`` that ``word`` was most likely meant to be, if any is near."""
    if not isinstance(word, str) or len(word) > QUOTED:
        return None
    return next(iter(get_close_matches(word.lower().replace("-", "_"), words, n=1, cutoff=0.6)), None)


def unknown_names(obj: dict[str, object], known: tuple[str, ...], owner: str) -> list[Fault]:
    """A fault for every member of ``obj`` that is not among the ``known`` ones.

    ``owner`` is what the object is: a type of event, or the class of an object inside one.
    """
    own = tuple(name for name in known if name not in RESERVED)
    faults: list[Fault] = []
    for name in obj:
        if name in known:
            continue
        if name in RESERVED and "type" in known:
            expected = f"only fields of {owner} ({', '.join(own)}); bookkeeping stands with the entry"
        else:
            near = nearest(name, known) if len(faults) < GUESSED else None
            expected = f"a field of {owner} ({', '.join(own)})" if near is None else f'"{near}"'
            expected += ", or leave it out"
        faults.append(Fault(f"/{escaped(name)}", shown(name), expected, of_name=True))
    return faults
