"""A line of the notation as tokens, each with its place; and what cannot be read, said with its place."""

import re
from itertools import islice
from typing import Final, NamedTuple

from engine.core.message import Message, format_message
from schemas.wire.wire_faults import NO_VALUE, advise_instead, as_message

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
    """What stands at ``offset`` of a line is not what was expected there.

    Whatever takes something from a line or parses a text of it may raise this.
    """

    def __init__(self, offset: int, read: str, expected: str, reason: str = "", message: str = "") -> None:
        """``reason``: what is the matter, before "; write …". ``message``: the whole sentence."""
        self.offset = offset
        self.read = read
        self.expected = expected
        if not reason and read in (NO_VALUE, END_OF_LINE):
            reason = "Nothing more stands here"
        if reason and not message:
            message = give_reason(reason, expected)
        self.message = message or advise_instead(read, expected)
        super().__init__(self.message)


def give_reason(reason: str, expected: str) -> Message:
    """What is the matter, and what to write."""
    return format_message(
        "{reason}; write {expected}.", reason=as_message(reason), expected=as_message(expected)
    )


class AmbiguousNotation(NotationError):
    """What stands there may mean two things in the alphabet at hand."""


def tokenize_line(line: str) -> list[Token]:
    """The tokens of a line."""
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
        expected = f"at most {MAX_TOKENS} words and signs in a line"
        message = format_message(
            "This line has more than {count} words and signs; write a line for each thing that happens.",
            count=MAX_TOKENS,
        )
        raise NotationError(more.start(), "one word more", expected, message=message)
    return found


def _unmatched_sign_error(sign: str, at: int) -> NotationError:
    if sign in CLOSING_SIGNS:
        closing = CLOSING_SIGNS[sign]
        message = format_message(
            "This {read} is never closed; write {expected}, and indent the lines in which it goes on.",
            read=sign,
            expected=closing,
        )
        return NotationError(at, f"{sign} alone", closing, message=message)
    message = format_message("No brace is open that this {read} could close; leave it out.", read=sign)
    return NotationError(at, f"{sign} alone", "no brace", message=message)


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
