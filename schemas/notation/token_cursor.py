"""The words of a line, read one after the other, by what the deal has said so far."""

from collections.abc import Container, Mapping
from types import MappingProxyType
from typing import NamedTuple

from schemas.notation.alphabets import Alphabet
from schemas.notation.deal_progress import EntryReferences
from schemas.notation.notation_words import NO_GAME_NAMES, GameNames, is_form_of
from schemas.notation.tokenizer import (
    END_OF_LINE,
    NOTE_MARKS,
    NOTE_TOKEN,
    SIGN_TOKEN,
    WORD_TOKEN,
    NotationError,
    Token,
)
from schemas.wire.wire_faults import quote_value


class ParsingContext(NamedTuple):
    """By what the words of a deal are read: its letters, its ruleset's names, its players' seats.

    ``references`` are the entries that have been read, to which others may refer by their place.
    """

    alphabet: Alphabet
    game_names: GameNames = NO_GAME_NAMES
    seat_by_player: Mapping[str, str] = MappingProxyType({})
    references: EntryReferences = EntryReferences()


class TokenCursor:
    """The tokens of a line, read one after the other; ``depth`` corrections deep.

    ``has_loose_ranks`` is True once ranks were read that stand apart from their suit.
    """

    def __init__(self, tokens: list[Token], line_length: int, context: ParsingContext) -> None:
        self.tokens = tokens
        self.context = context
        self.index = 0
        self.line_length = line_length
        self.depth = 0
        self.has_loose_ranks = False

    @property
    def token(self) -> Token | None:
        """The token that comes next, None at the end."""
        return self.tokens[self.index] if self.index < len(self.tokens) else None

    @property
    def offset(self) -> int:
        """Where in the line the next token begins."""
        return self.tokens[self.index].offset if self.index < len(self.tokens) else self.line_length

    def word(self, ahead: int = 0) -> str:
        """The next word, or the one ``ahead`` of it; empty where something else stands."""
        place = self.index + ahead
        if place < len(self.tokens) and self.tokens[place].kind == WORD_TOKEN:
            return self.tokens[place].text
        return ""

    def take_sign(self, sign: str) -> bool:
        """Takes the next token if it is that sign."""
        if self.index < len(self.tokens) and self.tokens[self.index][:2] == (SIGN_TOKEN, sign):
            self.index += 1
            return True
        return False

    def is_sign_next(self, signs: str) -> bool:
        """Whether the next token is one of some signs."""
        token = self.token
        return token is not None and token.kind == SIGN_TOKEN and token.text in signs

    def take_token(self) -> Token:
        """The next token, which is then behind; there has to be one."""
        token = self.tokens[self.index]
        self.index += 1
        return token

    def is_sentence_over(self) -> bool:
        """Whether a sentence is at its end here: nothing more, a mark, or what surrounds one."""
        token = self.token
        if token is None or token.kind == NOTE_TOKEN:
            return True
        return (
            token.text in ";[)]"
            if token.kind == SIGN_TOKEN
            else token.kind == WORD_TOKEN and token.text in NOTE_MARKS
        )

    def take_symbol(self, symbol: str) -> bool:
        """Takes the next token if it is that symbol, standing alone as a word."""
        found = self.word() == symbol
        self.index += found
        return found

    def take_bracket_separator(self) -> None:
        """Takes the semicolon behind one of several things in brackets; there is none at their end."""
        if not self.take_sign(";") and not self.is_sign_next("]"):
            raise self.error_here("; or ]")

    def take_form_of(self, word: str) -> bool:
        """Takes the next word if it is a form of ``word`` of the notation."""
        found = is_form_of(self.word(), word)
        self.index += found
        return found

    def take_word(self, words: Container[str]) -> bool:
        """Takes the next word if it is one of some; a mark that is glued to it is then the next word."""
        word = self.word().lower()
        if word in words:
            self.index += 1
            return True
        without_marks = word.rstrip("!?")
        if without_marks == word or without_marks not in words:
            return False
        self.split_word(len(without_marks))
        return True

    def split_word(self, length: int) -> None:
        """Takes so much of the next word; the rest of it, which is not empty, is then the next one."""
        token = self.tokens[self.index]
        self.tokens[self.index] = token._replace(text=token.text[length:], offset=token.offset + length)

    def is_glued(self) -> bool:
        """Whether the next token stands right behind the last one."""
        if not 0 < self.index < len(self.tokens):
            return False
        last = self.tokens[self.index - 1]
        return last.offset + len(last.text) + last.has_colon == self.tokens[self.index].offset

    def word_at(self, offset: int) -> str:
        """The word that begins at a place in the line; empty where none does."""
        return next(
            (token.text for token in self.tokens if token.offset == offset and token.kind == WORD_TOKEN), ""
        )

    def error_here(self, expected: str) -> NotationError:
        """The error of what stands next."""
        token = self.token
        if token is None:
            return NotationError(self.line_length, END_OF_LINE, expected)
        return NotationError(token.offset, quote_value(token.text.strip('"')), expected)
