"""Names that look alike: people who read them take two members for one."""

import unicodedata
from collections.abc import Iterable
from typing import Final

from service.auth.grants import Member
from service.records.hidden_characters import BIDI_CONTROLS, INVISIBLE_CHARACTERS

_HIDDEN: Final = BIDI_CONTROLS | INVISIBLE_CHARACTERS | frozenset("\u200c\u200d")
_CONFUSABLES: Final = {
    "a": "\u0430\u03b1",
    "b": "\u0432\u03b2",
    "c": "\u0441",
    "e": "\u0435\u03b5",
    "h": "\u043d\u03b7",
    "j": "\u0458",
    "k": "\u043a\u03ba",
    "l": "i1|\u0131\u0456\u03b9",
    "m": "\u043c\u03bc",
    "n": "\u03bd",
    "o": "0\u043e\u03bf",
    "p": "\u0440\u03c1",
    "s": "\u0455",
    "t": "\u0442\u03c4",
    "x": "\u0445\u03c7",
    "y": "\u0443\u03c5",
    "z": "\u03b6",
}
"""Small letters, of the Cyrillic and Greek alphabets too, that look like a Latin one, small or capital."""
_CONFUSABLE_TO_LATIN: Final = {
    ord(letter): latin for latin, letters in _CONFUSABLES.items() for letter in letters
}


def skeleton(name: str) -> str:
    """The same for all names that look alike: without case, accents, invisible characters and spaces.

    >>> skeleton("Anna") == skeleton(" \\u0410NNA\\u200d")  # a Cyrillic A, and a joiner
    True
    >>> skeleton("Bo") == skeleton("Ib")
    False
    """
    parts = unicodedata.normalize("NFKD", name.casefold())
    visible = "".join(one for one in parts if not unicodedata.combining(one) and one not in _HIDDEN)
    return "".join(visible.translate(_CONFUSABLE_TO_LATIN).split())


def find_lookalike(member: Member, others: Iterable[Member]) -> Member | None:
    """Another member whose name looks like this one's; None where there is none."""
    member_skeleton = skeleton(member.name)
    return next(
        (one for one in others if one.id != member.id and skeleton(one.name) == member_skeleton), None
    )
