"""A line of the notation as tokens, each with its place; and what cannot be read, said with its place."""

import re
from collections.abc import Container
from itertools import islice
from typing import Final, NamedTuple

from schemas.wire.wire_faults import NO_VALUE, quote_value

WORD_TOKEN, STRING_TOKEN, NOTE_TOKEN, SIGN_TOKEN = "word", "string", "note", "sign"

# What is taken is never given back (*+): a brace that nobody closes costs no more than one that is closed.
_find_tokens: Final = re.compile(
    r"""(?P<string>"(?:[^"\\]++|\\.)*+"|“[^”]*+”)"""
    r"""|(?P<note>\{(?:[^}\\]++|\\.)*+\})"""
    r"""|(?P<word>[0-9]{1,10}[.:](?=[^\W\d]|[♠♥♦♣♤♡♢♧?])|[^\s"“{}\[\]();,]+)"""
    r"""|(?P<sign>[\[\]();,])"""
    r"""|(?P<odd>\S)""",
    re.DOTALL,
).finditer
_is_numbered: Final = re.compile(r"[0-9]{1,10}:").fullmatch

_replace_variation_selectors: Final = re.compile("(?<=[♠♥♦♣♤♡♢♧])[\ufe0e\ufe0f]").sub
"""What a telephone puts behind a sign, so that it is drawn in colours or plainly."""

CLOSING_SIGNS: Final = {'"': '"', "“": "”", "{": "}", "[": "]", "(": ")"}


NOTE_MARKS: Final = ("!!", "??", "!?", "?!", "!", "?")
"""What may stand behind an entry, in a note or glued to it."""


class Token(NamedTuple):
    """A word, a text in quotation marks, a note in braces or a sign; it begins at ``offset`` in the line.

    A word has lost the colon behind it, unless it is a number; ``has_colon`` is True for such a word.
    """

    kind: str
    text: str
    offset: int
    has_colon: bool = False


END_OF_LINE: Final = "the end of the line"
MAX_TOKENS: Final = 1 << 18
"""A line, with what is indented below it, has at most so many words and signs: no event needs more."""


class NotationError(ValueError):
    """What stands at ``offset`` of a line is not what was expected there."""

    def __init__(self, offset: int, read: str, expected: str, custom_message: str = "") -> None:
        self.offset = offset
        self.read = read
        self.expected = expected
        self.custom_message = custom_message
        super().__init__(self.advice)

    @property
    def advice(self) -> str:
        """One sentence: what was read and what to write instead."""
        if self.custom_message:
            return self.custom_message
        if self.read in (NO_VALUE, END_OF_LINE):
            return f"Nothing more stands here; write {self.expected}."
        return f"In place of {self.read}, write {self.expected}."


class AmbiguousNotation(NotationError):
    """What stands there may mean two things in the alphabet at hand."""


def tokenize_line(line: str) -> list[Token]:
    """The tokens of a line.

    Raises:
        NotationError: a quotation mark or a brace is not closed, or closes what was not opened; or the line
            has more than ``MAX_TOKENS`` tokens.
    """
    found: list[Token] = []
    each_token = _find_tokens(line)
    styled = not line.isascii()
    for each in islice(each_token, MAX_TOKENS):
        kind, text = each.lastgroup, each[0]
        if kind == "odd":
            raise _unmatched_sign_error(text, each.start())
        if styled and kind == WORD_TOKEN:
            text = _replace_variation_selectors("", text) or text
        colon = kind == WORD_TOKEN and text[-1] == ":" and len(text) > 1 and not _is_numbered(text)
        found.append(Token(str(kind), text[:-1] if colon else text, each.start(), colon))
    if (more := next(each_token, None)) is not None:
        message = (
            f"This line has more than {MAX_TOKENS} words and signs; write a line for each thing that happens."
        )
        raise NotationError(
            more.start(), "one word more", f"at most {MAX_TOKENS} words and signs in a line", message
        )
    return found


def strip_full_stop(tokens: list[Token]) -> list[Token]:
    """The tokens of a line without the full stop at its end, if it has one. Names that end so are quoted."""
    last = tokens[-1] if len(tokens) > 1 else None
    if last is None or last.kind != WORD_TOKEN or not _ends_with_full_stop(last.text):
        return tokens
    return [*tokens[:-1], last._replace(text=last.text[:-1])]


_ends_with_full_stop: Final = re.compile(r".*[^.]\.").fullmatch


def _unmatched_sign_error(sign: str, at: int) -> NotationError:
    if sign in CLOSING_SIGNS:
        closing = CLOSING_SIGNS[sign]
        message = f"This {sign} is never closed; write {closing}, and indent the lines in which it goes on."
        return NotationError(at, f"{sign} alone", closing, message)
    return NotationError(
        at, f"{sign} alone", "no brace", f"No brace is open that this {sign} could close; leave it out."
    )


class OpenSigns:
    """What is still open at the end of the lines that were fed in: a text, a note, brackets."""

    def __init__(self) -> None:
        self.depth = 0
        self.open_text = ""

    def feed_line(self, line: str) -> bool:
        """Goes on with a line; whether something is open behind it."""
        for sign in _find_opening_signs(line):
            if self.open_text:
                if sign[-1] == CLOSING_SIGNS[self.open_text] and (len(sign) == 1 or self.open_text == "“"):
                    self.open_text = ""
            elif sign in '"“{':
                self.open_text = sign
            elif sign in "[(":
                self.depth += 1
            elif sign in "])":
                self.depth -= 1
        return bool(self.open_text) or self.depth > 0


_find_opening_signs: Final = re.compile(r"\\.|[\"“”{}\[\]()]").findall


class TokenCursor:
    """The tokens of a line, read one after the other; ``depth`` corrections deep.

    ``has_loose_ranks`` is True once ranks were read that stand apart from their suit.
    """

    def __init__(self, tokens: list[Token], line_length: int) -> None:
        self.tokens = tokens
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
