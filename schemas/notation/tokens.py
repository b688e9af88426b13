"""A line of the notation as tokens, each with its place; and what cannot be read, said with its place."""

import re
from collections.abc import Container
from itertools import islice
from typing import Final, NamedTuple

from schemas.wire.faults import NOTHING, shown

WORD, STRING, NOTE, SIGN = "word", "string", "note", "sign"

# What is taken is never given back (*+): a brace that nobody closes costs no more than one that is closed.
_token: Final = re.compile(
    r"""(?P<string>"(?:[^"\\]++|\\.)*+"|“[^”]*+”)"""
    r"""|(?P<note>\{(?:[^}\\]++|\\.)*+\})"""
    r"""|(?P<word>[0-9]{1,10}[.:](?=[^\W\d]|[♠♥♦♣♤♡♢♧?])|[^\s"“{}\[\]();,]+)"""
    r"""|(?P<sign>[\[\]();,])"""
    r"""|(?P<odd>\S)""",
    re.DOTALL,
).finditer
_numbered: Final = re.compile(r"[0-9]{1,10}:").fullmatch

_styled: Final = re.compile("(?<=[♠♥♦♣♤♡♢♧])[\ufe0e\ufe0f]").sub
"""What a telephone puts behind a sign, so that it is drawn in colours or plainly."""

CLOSING: Final = {'"': '"', "“": "”", "{": "}", "[": "]", "(": ")"}


MARKS: Final = ("!!", "??", "!?", "?!", "!", "?")
"""What may stand behind an entry, in a note or glued to it."""


class Token(NamedTuple):
    """A word, a text in quotation marks, a note in braces or a sign; ``at`` is where in the line it begins.

    A word has lost the colon behind it, unless it is a number; ``colon`` is True for such a word.
    """

    kind: str
    text: str
    at: int
    colon: bool = False


END: Final = "the end of the line"
WORDS: Final = 1 << 18
"""A line, with what is indented below it, has at most so many words and signs: no event needs more."""


class Misread(ValueError):
    """What stands at ``at`` of a line is not what was expected there."""

    def __init__(self, at: int, read: str, expected: str, said: str = "") -> None:
        self.at = at
        self.read = read
        self.expected = expected
        self.said = said
        super().__init__(self.advice)

    @property
    def advice(self) -> str:
        """One sentence: what was read and what to write instead."""
        if self.said:
            return self.said
        if self.read in (NOTHING, END):
            return f"Nothing more stands here; write {self.expected}."
        return f"In place of {self.read}, write {self.expected}."


class Ambiguous(Misread):
    """What stands there may mean two things in the alphabet at hand."""


def tokens_of(line: str) -> list[Token]:
    """The tokens of a line.

    Raises:
        Misread: a quotation mark or a brace is not closed, or closes what was not opened; or the line
            has more than ``WORDS`` tokens.
    """
    found: list[Token] = []
    each_token = _token(line)
    styled = not line.isascii()
    for each in islice(each_token, WORDS):
        kind, text = each.lastgroup, each[0]
        if kind == "odd":
            raise _stray(text, each.start())
        if styled and kind == WORD:
            text = _styled("", text) or text
        colon = kind == WORD and text[-1] == ":" and len(text) > 1 and not _numbered(text)
        found.append(Token(str(kind), text[:-1] if colon else text, each.start(), colon))
    if (more := next(each_token, None)) is not None:
        said = f"This line has more than {WORDS} words and signs; write a line for each thing that happens."
        raise Misread(more.start(), "one word more", f"at most {WORDS} words and signs in a line", said)
    return found


def without_full_stop(tokens: list[Token]) -> list[Token]:
    """The tokens of a line without the full stop at its end, if it has one. Names that end so are quoted."""
    last = tokens[-1] if len(tokens) > 1 else None
    if last is None or last.kind != WORD or not _stopped(last.text):
        return tokens
    return [*tokens[:-1], last._replace(text=last.text[:-1])]


_stopped: Final = re.compile(r".*[^.]\.").fullmatch


def _stray(sign: str, at: int) -> Misread:
    if sign in CLOSING:
        closing = CLOSING[sign]
        said = f"This {sign} is never closed; write {closing}, and indent the lines in which it goes on."
        return Misread(at, f"{sign} alone", closing, said)
    return Misread(
        at, f"{sign} alone", "no brace", f"No brace is open that this {sign} could close; leave it out."
    )


class Open:
    """What is still open at the end of the lines that were fed in: a text, a note, brackets."""

    def __init__(self) -> None:
        self.depth = 0
        self.inside = ""

    def feed(self, line: str) -> bool:
        """Goes on with a line; whether something is open behind it."""
        for sign in _opening(line):
            if self.inside:
                if sign[-1] == CLOSING[self.inside] and (len(sign) == 1 or self.inside == "“"):
                    self.inside = ""
            elif sign in '"“{':
                self.inside = sign
            elif sign in "[(":
                self.depth += 1
            elif sign in "])":
                self.depth -= 1
        return bool(self.inside) or self.depth > 0


_opening: Final = re.compile(r"\\.|[\"“”{}\[\]()]").findall


class Cursor:
    """The tokens of a line, read one after the other; ``depth`` corrections deep.

    ``apart`` is True once ranks were read that stand apart from their suit.
    """

    def __init__(self, tokens: list[Token], length: int) -> None:
        self.tokens = tokens
        self.next = 0
        self.length = length
        self.depth = 0
        self.apart = False

    @property
    def token(self) -> Token | None:
        """The token that comes next, None at the end."""
        return self.tokens[self.next] if self.next < len(self.tokens) else None

    @property
    def at(self) -> int:
        """Where in the line the next token begins."""
        return self.tokens[self.next].at if self.next < len(self.tokens) else self.length

    def word(self, ahead: int = 0) -> str:
        """The next word, or the one ``ahead`` of it; empty where something else stands."""
        place = self.next + ahead
        if place < len(self.tokens) and self.tokens[place].kind == WORD:
            return self.tokens[place].text
        return ""

    def sign(self, sign: str) -> bool:
        """Takes the next token if it is that sign."""
        if self.next < len(self.tokens) and self.tokens[self.next][:2] == (SIGN, sign):
            self.next += 1
            return True
        return False

    def is_sign(self, signs: str) -> bool:
        """Whether the next token is one of some signs."""
        token = self.token
        return token is not None and token.kind == SIGN and token.text in signs

    def take(self) -> Token:
        """The next token, which is then behind; there has to be one."""
        token = self.tokens[self.next]
        self.next += 1
        return token

    def ended(self) -> bool:
        """Whether a sentence is at its end here: nothing more, a mark, or what surrounds one."""
        token = self.token
        if token is None or token.kind == NOTE:
            return True
        return token.text in ";[)]" if token.kind == SIGN else token.kind == WORD and token.text in MARKS

    def takes(self, words: Container[str]) -> bool:
        """Takes the next word if it is one of some; a mark that is glued to it is then the next word."""
        word = self.word().lower()
        if word in words:
            self.next += 1
            return True
        bare = word.rstrip("!?")
        if bare == word or bare not in words:
            return False
        self.shed(len(bare))
        return True

    def shed(self, size: int) -> None:
        """Takes so much of the next word; the rest of it, which is not empty, is then the next one."""
        token = self.tokens[self.next]
        self.tokens[self.next] = token._replace(text=token.text[size:], at=token.at + size)

    def glued(self) -> bool:
        """Whether the next token stands right behind the last one."""
        if not 0 < self.next < len(self.tokens):
            return False
        last = self.tokens[self.next - 1]
        return last.at + len(last.text) + last.colon == self.tokens[self.next].at

    def word_at(self, at: int) -> str:
        """The word that begins at a place in the line; empty where none does."""
        return next((token.text for token in self.tokens if token.at == at and token.kind == WORD), "")

    def misread(self, expected: str) -> Misread:
        """The error of what stands next."""
        token = self.token
        if token is None:
            return Misread(self.length, END, expected)
        return Misread(token.at, shown(token.text.strip('"')), expected)
