"""A line of the notation as tokens, the escapes in its texts, and the cursor that reads it token by token."""

import json
import re
from collections.abc import Container, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.core.message import Message, format_message
from schemas.notation.alphabets import Alphabet
from schemas.notation.deal_progress import EntryReferences
from schemas.notation.notation_words import NO_GAME_NAMES, GameNames, is_form_of
from schemas.wire.wire_faults import NO_VALUE, advise_instead, as_message, quote_value

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


_CONTROLS: Final = "\0-\x1f\x7f-\x9f\u2028\u2029\ufeff"
"""Signs that do not show, or end a line, as what stands in the brackets of a regular expression."""
has_control_character: Final = re.compile(f"[{_CONTROLS}]").search

_control: Final = re.compile(f"[{_CONTROLS}]")
_find_note_specials: Final = re.compile(rf"[\\}}{_CONTROLS}]")
_find_outer_space: Final = re.compile(r"^\s|\s$")
_backslash: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_find_path: Final = re.compile(r"(?<!\w)[A-Za-z]:\\([nrtbf])")
"""The name of a file, or an escape that happens to stand where one would."""
_CHARACTER_BY_ESCAPE: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
NOTE_ESCAPES: Final = "\\\\ for a backslash, or one of \\} \\n \\u0000"
QUOTE_ESCAPES: Final = format_message("one of {choices}", choices='\\" \\\\ \\n \\t \\u0000')


def quote_text(text: str) -> str:
    """A text in quotation marks."""
    return _find_path.sub(
        _escape_path, _control.sub(_code_point_escape, json.dumps(text, ensure_ascii=False))
    )


def unquote_text(text: str, offset: int) -> str:
    """What stands in quotation marks, which are there; ``offset`` is where in the line."""
    if text[0] == "“" or "\\" not in text:
        return text[1:-1]
    _reject_ambiguous_path(text, offset)
    try:
        meant: str = json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        raise NotationError(offset + error.pos, "a backslash", QUOTE_ESCAPES) from None
    return meant


def escape_note(text: str) -> str:
    """A note's text as it stands between braces."""
    escaped = _find_outer_space.sub(_code_point_escape, _find_note_specials.sub(_escape_match, text))
    if escaped[:1] in ("!", "?"):
        escaped = "\\" + escaped
    return _find_path.sub(_escape_path, escaped)


def unescape_note(text: str, offset: int) -> str:
    """The text of a note from what stands between its braces; ``offset`` is where in the line."""
    if "\\" not in text:
        return text
    _reject_ambiguous_path(text, offset)

    def meant(found: re.Match[str]) -> str:
        sign = found[1]
        if len(sign) > 1:
            return chr(int(sign[1:], 16))
        if sign != "n" and (sign.isalnum() or sign.isspace()):
            raise NotationError(offset + found.start(), f"\\{sign}", NOTE_ESCAPES)
        return "\n" if sign == "n" else sign

    return _backslash.sub(meant, text)


def _reject_ambiguous_path(text: str, offset: int) -> None:
    path = _find_path.search(text)
    if path is not None:
        file_path = path[0]
        expected = f"{file_path[:-2]}\\\\{file_path[-1]} for a backslash, or a space before it"
        reason = format_message(
            "{read} may be the name of a file, or {sign} a sign", read=file_path, sign=file_path[-2:]
        )
        raise AmbiguousNotation(offset + path.start(), file_path, expected, reason)


def _escape_match(found: re.Match[str]) -> str:
    sign = found[0]
    if sign in "\\}":
        return "\\" + sign
    return "\\n" if sign == "\n" else _code_point_escape(found)


def _code_point_escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _escape_path(found: re.Match[str]) -> str:
    return f"{found[0][:-2]}\\u{ord(_CHARACTER_BY_ESCAPE[found[1]]):04x}"


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
