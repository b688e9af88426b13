"""What players write in other words, put as the notation has it: token for token, before it is read.

``exchanges 3`` is ``discards 3; draws 3``, ``gives up`` is ``abandons``, ``B revokes`` is an irregularity
of B, and a full stop between two sentences is a semicolon.
"""

import re
from collections.abc import Container
from typing import Final

from schemas.notation.sentences import by_key
from schemas.notation.tokens import NOTE, SIGN, WORD, Token
from schemas.notation.words import FORMS, SEATS, SECTIONS, is_word

EXCHANGING: Final = frozenset({"exchanges", "bytter"})
GIVING: Final = {"gives": "up", "giver": "op"}
REVOKING: Final = frozenset({"revokes", "revoked"})
ALL: Final = frozenset({"all", "alle"})
"""Who passes where nobody bids any more: ``All pass``."""
COUNTING: Final = EXCHANGING | FORMS["discards"] | FORMS["draws"] | {"takes", "tager"}
"""Words behind which a number is how many cards, and never that of a trick."""
OTHERWISE: Final = EXCHANGING | GIVING.keys() | REVOKING
"""Words, in small letters, at which a line may have to be put otherwise."""

_number: Final = re.compile(r"[0-9]{1,2}").fullmatch
_numbered: Final = re.compile(r"[0-9]{1,10}[.:]?").fullmatch
_stopped: Final = re.compile(r".*[^.]\.").fullmatch


def put_otherwise(tokens: list[Token]) -> list[Token]:
    """The tokens of a line with what is said in other words put as the notation has it."""
    found: list[Token] = []
    skip = 0
    for index, token in enumerate(tokens):
        if skip:
            skip -= 1
            continue
        behind = tokens[index + 1] if index + 1 < len(tokens) else token
        word, after = _word(token), _word(behind)
        if word in EXCHANGING and found and _number(after):
            more = (
                ("discards", WORD), (after, WORD), (";", SIGN), ("draws", WORD), (after, WORD),
            )  # fmt: skip
            found += [token._replace(text=text, kind=kind) for text, kind in more]
            skip = 1
        elif word in GIVING and after == GIVING[word]:
            found.append(token._replace(text="abandons"))
            skip = 1
        elif word in REVOKING and found and found[-1].kind == WORD:
            who = found.pop()
            found += [who._replace(text="Irregularity"), who, token._replace(text="revoke")]
        else:
            found.append(token)
    return found


def _word(token: Token) -> str:
    return token.text.lower() if token.kind == WORD else ""


def with_semicolons(tokens: list[Token], players: Container[str]) -> list[Token]:
    """The tokens of a line with a semicolon for each full stop behind which a sentence begins."""
    found: list[Token] = []
    for index, token in enumerate(tokens):
        behind = tokens[index + 1] if index + 1 < len(tokens) else None
        number = _numbered(token.text) and not (found and _word(found[-1]) in COUNTING)
        if behind is None or token.kind != WORD or not _stopped(token.text) or number:
            found.append(token)
        elif behind.kind == NOTE:
            found.append(token._replace(text=token.text[:-1]))
        elif behind.kind == WORD and _begins_sentence(behind.text.lower(), players):
            end = token.at + len(token.text) - 1
            found += [token._replace(text=token.text[:-1]), Token(SIGN, ";", end)]
        else:
            found.append(token)
    return found


def _begins_sentence(word: str, players: Container[str]) -> bool:
    if word in SEATS or word in players or word in SECTIONS or word in ALL or _numbered(word):
        return True
    return (False, word) in by_key() or is_word(word, "trick")
