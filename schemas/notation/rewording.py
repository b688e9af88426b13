"""Replace other words of players with those of the notation, token by token, before a line is read.

``exchanges 3`` becomes ``discards 3; draws 3``, ``gives up`` becomes ``abandons``, ``B revokes`` an
irregularity of B, and a full stop between two sentences a semicolon.
"""

import re
from collections.abc import Container
from itertools import pairwise
from typing import Final

from schemas.notation.notation_words import SEAT_BY_WORD, SECTION_HEADING_WORDS, WORD_FORMS
from schemas.notation.sentence_forms import SENTENCE_FORMS_BY_KEYWORD
from schemas.notation.tokens import NOTE_TOKEN, SIGN_TOKEN, WORD_TOKEN, Token

GIVE_UP_WORDS: Final = {"gives": "up", "giver": "op"}
_COUNT_WORDS: Final = frozenset().union(
    *(WORD_FORMS[word] for word in ("exchanges", "discards", "draws", "takes"))
)
"""Words before a number of cards, which is then never the number of a trick."""
_FIRST_WORDS: Final = frozenset(
    {*SEAT_BY_WORD, *SECTION_HEADING_WORDS, *WORD_FORMS["all"], *WORD_FORMS["trick"]}
)
"""Words that begin a sentence, besides the keywords of sentences without a seat."""
REWORDED_WORDS: Final = WORD_FORMS["exchanges"] | GIVE_UP_WORDS.keys() | WORD_FORMS["revokes"]
"""Words, in small letters, that a line may have to be reworded for."""

_is_card_count: Final = re.compile(r"[0-9]{1,2}").fullmatch
_is_trick_number: Final = re.compile(r"[0-9]{1,10}[.:]?").fullmatch
_has_full_stop: Final = re.compile(r".*[^.]\.").fullmatch


def reword_tokens(tokens: list[Token]) -> list[Token]:
    """Replace the tokens of other words with those of the notation."""
    found: list[Token] = []
    rest = iter(zip(tokens, [*tokens[1:], tokens[-1]], strict=True))
    for token, next_token in rest:
        word, next_word = _lower_word(token), _lower_word(next_token)
        if word in WORD_FORMS["exchanges"] and found and _is_card_count(next_word):
            next(rest)
            found += [token._replace(text="discards"), token._replace(text=next_word)]
            found.append(token._replace(text=";", kind=SIGN_TOKEN))
            found += [token._replace(text="draws"), token._replace(text=next_word)]
        elif word in GIVE_UP_WORDS and next_word == GIVE_UP_WORDS[word]:
            next(rest)
            found.append(token._replace(text="abandons"))
        elif word in WORD_FORMS["revokes"] and found and found[-1].kind == WORD_TOKEN:
            seat_token = found.pop()
            found += [seat_token._replace(text="Irregularity"), seat_token, token._replace(text="revoke")]
        else:
            found.append(token)
    return found


def _lower_word(token: Token) -> str:
    return token.text.lower() if token.kind == WORD_TOKEN else ""


def strip_full_stop(tokens: list[Token]) -> list[Token]:
    """Remove the full stop at the end of a line. Names that end with one are quoted."""
    if len(tokens) < 2 or not _has_full_stop(_lower_word(tokens[-1])):
        return tokens
    return [*tokens[:-1], tokens[-1]._replace(text=tokens[-1].text[:-1])]


def insert_semicolons(tokens: list[Token], players: Container[str]) -> list[Token]:
    """Replace each full stop before another sentence with a semicolon."""
    found: list[Token] = []
    for token, next_token in pairwise(tokens):
        is_number = _is_trick_number(token.text) and not (found and _lower_word(found[-1]) in _COUNT_WORDS)
        if is_number or not _has_full_stop(_lower_word(token)):
            found.append(token)
        elif next_token.kind == NOTE_TOKEN:
            found.append(token._replace(text=token.text[:-1]))
        elif _begins_sentence(_lower_word(next_token), players):
            end = token.offset + len(token.text) - 1
            found += [token._replace(text=token.text[:-1]), Token(SIGN_TOKEN, ";", end)]
        else:
            found.append(token)
    return found + tokens[-1:]


def _begins_sentence(word: str, players: Container[str]) -> bool:
    return bool(word) and (
        word in _FIRST_WORDS
        or word in players
        or bool(_is_trick_number(word))
        or (False, word) in SENTENCE_FORMS_BY_KEYWORD
    )
