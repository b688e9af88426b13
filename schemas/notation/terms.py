"""Reading what a bid or a contract is called: as its ruleset has it, or in quotation marks."""

from typing import Final

from schemas.notation.tokens import Cursor, Misread
from schemas.notation.words import FORMS, RESERVED, Terms
from schemas.wire.faults import nearest, shown

PASS: Final = "pass"
LONGEST: Final = 3
"""The name of a game has at most so many words."""


def name_by_rules(cursor: Cursor, terms: Terms) -> str:
    """Takes the name of a bid or contract, of one word or several; what the ruleset calls it by.

    A mark that is glued to the name is left for what comes next.

    Raises:
        Misread: no name stands there, or the ruleset has none of that name.
    """
    if cursor.word().lower() in FORMS["passes"]:
        cursor.next += 1
        return PASS
    name, count, size = name_ahead(cursor, terms)
    word = cursor.word()
    if name is None:
        if not word or word.lower() in RESERVED:
            raise cursor.misread("a name")
        if terms.ids:
            raise _unknown(cursor, terms)
        name, count, size = word, 1, len(word)
    cursor.next += count - 1
    if size < len(cursor.word()):
        cursor.shed(size)
    else:
        cursor.next += 1
    return name


def name_ahead(cursor: Cursor, terms: Terms) -> tuple[str | None, int, int]:
    """The id of the bid or contract whose name comes next, None where none does.

    Beside it stands of how many words the name is, and how long it is in the last of them.
    """
    words: list[str] = []
    while len(words) < LONGEST and (word := cursor.word(len(words))):
        words.append(word)
    while words:
        last = words[-1]
        for ending in (last, last.rstrip("!?")) if last[-1] in "!?" else (last,):
            name = terms.id_of(" ".join((*words[:-1], ending)))
            if name is not None:
                return name, len(words), len(ending)
        words.pop()
    return None, 0, 0


def _unknown(cursor: Cursor, terms: Terms) -> Misread:
    word = cursor.word()
    near = nearest(word, sorted(terms.ids)) or min(terms.ids - {PASS, "self"}, default=PASS)
    expected = f"a name that these rules have, such as {near}, or this one in quotation marks"
    return Misread(cursor.at, shown(word), expected)
