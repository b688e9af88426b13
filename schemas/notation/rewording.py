"""What players write in other words, put as the notation has it: token for token, before it is read.

``exchanges 3`` is ``discards 3; draws 3``, ``gives up`` is ``abandons``, ``B revokes`` is an irregularity
of B, and a full stop between two sentences is a semicolon.
"""

import re
from collections.abc import Container
from typing import Final

from schemas.notation.notation_words import SEAT_BY_WORD, SECTION_HEADING_WORDS, WORD_FORMS, is_form_of
from schemas.notation.sentence_forms import sentence_forms_by_keyword
from schemas.notation.tokenizer import NOTE_TOKEN, SIGN_TOKEN, WORD_TOKEN, Token

EXCHANGE_WORDS: Final = frozenset({"exchanges", "bytter"})
GIVE_UP_WORDS: Final = {"gives": "up", "giver": "op"}
REVOKE_WORDS: Final = frozenset({"revokes", "revoked"})
ALL_WORDS: Final = frozenset({"all", "alle"})
"""Who passes where nobody bids any more: ``All pass``."""
COUNT_WORDS: Final = EXCHANGE_WORDS | WORD_FORMS["discards"] | WORD_FORMS["draws"] | {"takes", "tager"}
"""Words behind which a number is how many cards, and never that of a trick."""
REWORDED_WORDS: Final = EXCHANGE_WORDS | GIVE_UP_WORDS.keys() | REVOKE_WORDS
"""Words, in small letters, at which a line may have to be put otherwise."""

_number: Final = re.compile(r"[0-9]{1,2}").fullmatch
_is_trick_number: Final = re.compile(r"[0-9]{1,10}[.:]?").fullmatch
_has_full_stop: Final = re.compile(r".*[^.]\.").fullmatch


def reword_tokens(tokens: list[Token]) -> list[Token]:
    """The tokens of a line with what is said in other words put as the notation has it."""
    found: list[Token] = []
    skip = 0
    for index, token in enumerate(tokens):
        if skip:
            skip -= 1
            continue
        next_token = tokens[index + 1] if index + 1 < len(tokens) else token
        word, next_word = _lower_word(token), _lower_word(next_token)
        if word in EXCHANGE_WORDS and found and _number(next_word):
            more = (
                ("discards", WORD_TOKEN), (next_word, WORD_TOKEN), (";", SIGN_TOKEN),
                ("draws", WORD_TOKEN), (next_word, WORD_TOKEN),
            )  # fmt: skip
            found += [token._replace(text=text, kind=kind) for text, kind in more]
            skip = 1
        elif word in GIVE_UP_WORDS and next_word == GIVE_UP_WORDS[word]:
            found.append(token._replace(text="abandons"))
            skip = 1
        elif word in REVOKE_WORDS and found and found[-1].kind == WORD_TOKEN:
            seat_token = found.pop()
            found += [seat_token._replace(text="Irregularity"), seat_token, token._replace(text="revoke")]
        else:
            found.append(token)
    return found


def _lower_word(token: Token) -> str:
    return token.text.lower() if token.kind == WORD_TOKEN else ""


def insert_semicolons(tokens: list[Token], players: Container[str]) -> list[Token]:
    """The tokens of a line with a semicolon for each full stop behind which a sentence begins."""
    found: list[Token] = []
    for index, token in enumerate(tokens):
        next_token = tokens[index + 1] if index + 1 < len(tokens) else None
        number = _is_trick_number(token.text) and not (found and _lower_word(found[-1]) in COUNT_WORDS)
        if next_token is None or token.kind != WORD_TOKEN or not _has_full_stop(token.text) or number:
            found.append(token)
        elif next_token.kind == NOTE_TOKEN:
            found.append(token._replace(text=token.text[:-1]))
        elif next_token.kind == WORD_TOKEN and _begins_sentence(next_token.text.lower(), players):
            end = token.offset + len(token.text) - 1
            found += [token._replace(text=token.text[:-1]), Token(SIGN_TOKEN, ";", end)]
        else:
            found.append(token)
    return found


def _begins_sentence(word: str, players: Container[str]) -> bool:
    if (
        word in SEAT_BY_WORD
        or word in players
        or word in SECTION_HEADING_WORDS
        or word in ALL_WORDS
        or _is_trick_number(word)
    ):
        return True
    return (False, word) in sentence_forms_by_keyword() or is_form_of(word, "trick")
