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

# Possessive quantifiers (*+): a brace that nobody closes costs no more than one that is closed.
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
"""Telephones put these after a suit's sign, to have it drawn in colour or plainly."""

CLOSING_SIGNS: Final = {'"': '"', "“": "”", "{": "}", "[": "]", "(": ")"}
NOTE_MARKS: Final = ("!!", "??", "!?", "?!", "!", "?")
"""Marks of an entry: after it, glued to it, or in its note."""
END_OF_LINE: Final = "the end of the line"
MAX_TOKENS: Final = 1 << 18
"""Limit of words and signs in a line with what is indented below it: no event needs more."""


class Token(NamedTuple):
    """A word, a text in quotation marks, a note in braces or a sign, at ``offset`` in the line.

    The colon after a word that is no number is not in ``text``: ``has_colon`` is True.
    """

    kind: str
    text: str
    offset: int
    has_colon: bool = False


class NotationError(ValueError):
    """What stands at ``offset`` of a line is not what was expected there.

    ``reason`` is what is wrong, before "; write …", ``message`` a whole sentence of its own. All functions
    that read from a line may raise this.
    """

    def __init__(self, offset: int, read: str, expected: str, reason: str = "", message: str = "") -> None:
        self.offset, self.read, self.expected = offset, read, expected
        if not reason and read in (NO_VALUE, END_OF_LINE):
            reason = "Nothing more follows"
        if reason and not message:
            message = give_reason(reason, expected)
        self.message = message or advise_instead(read, expected)
        super().__init__(self.message)


def give_reason(reason: str, expected: str) -> Message:
    """A sentence with what is wrong, and what to write."""
    return format_message(
        "{reason}; write {expected}.", reason=as_message(reason), expected=as_message(expected)
    )


class AmbiguousNotation(NotationError):
    """What stands there may mean two things in the current alphabet."""


def tokenize_line(line: str) -> list[Token]:
    """Split a line into tokens."""
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
            "This line has more than {count} words and signs; write a line for each event.",
            count=MAX_TOKENS,
        )
        raise NotationError(more.start(), "one word more", expected, message=message)
    return found


def _unmatched_sign_error(sign: str, at: int) -> NotationError:
    if closing := CLOSING_SIGNS.get(sign):
        message = format_message(
            "This {read} is never closed; write {expected}, and indent the lines that continue it.",
            read=sign,
            expected=closing,
        )
        return NotationError(at, f"{sign} alone", closing, message=message)
    message = format_message("There is no open brace for this {read}; leave it out.", read=sign)
    return NotationError(at, f"{sign} alone", "no brace", message=message)


class OpenSigns:
    """What is still open at the end of the lines fed so far: a text, a note, brackets."""

    def __init__(self) -> None:
        self.depth = 0
        self.open_text = ""

    def feed_line(self, line: str) -> bool:
        """Continue with a line; whether something is open at its end."""
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
"""Invisible characters, and those that end a line, for the brackets of a regular expression."""
_control: Final = re.compile(f"[{_CONTROLS}]")
has_control_character: Final = _control.search
_find_note_specials: Final = re.compile(rf"[\\}}{_CONTROLS}]")
_find_outer_space: Final = re.compile(r"^\s|\s$")
_backslash: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_find_path: Final = re.compile(r"(?<!\w)[A-Za-z]:\\([nrtbf])")
"""The name of a file, or an escape that happens to look like one."""
_CHARACTER_BY_ESCAPE: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
NOTE_ESCAPES: Final = "\\\\ for a backslash, or one of \\} \\n \\u0000"
QUOTE_ESCAPES: Final = format_message("one of {choices}", choices='\\" \\\\ \\n \\t \\u0000')


def quote_text(text: str) -> str:
    """Put a text in quotation marks."""
    return _find_path.sub(
        _escape_path, _control.sub(_code_point_escape, json.dumps(text, ensure_ascii=False))
    )


def unquote_text(text: str, offset: int) -> str:
    """The text inside quotation marks, which stand at ``offset`` in the line."""
    if text[0] == "“" or "\\" not in text:
        return text[1:-1]
    _reject_ambiguous_path(text, offset)
    try:
        meant: str = json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        raise NotationError(offset + error.pos, "a backslash", QUOTE_ESCAPES) from None
    return meant


def escape_note(text: str) -> str:
    """Escape a note's text for the place between its braces."""
    escaped = _find_outer_space.sub(_code_point_escape, _find_note_specials.sub(_escape_match, text))
    if escaped[:1] in ("!", "?"):
        escaped = "\\" + escaped
    return _find_path.sub(_escape_path, escaped)


def unescape_note(text: str, offset: int) -> str:
    """The text of a note from between its braces, which starts at ``offset`` in the line."""
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
    if path := _find_path.search(text):
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
    """What the words of a deal are read by: its letters, its ruleset's names, its players' seats.

    ``references`` finds entries read before, which later ones may refer to by their place.
    """

    alphabet: Alphabet
    game_names: GameNames = NO_GAME_NAMES
    seat_by_player: Mapping[str, str] = MappingProxyType({})
    references: EntryReferences = EntryReferences()


class TokenCursor:
    """The tokens of a line and the ``index`` of the next; ``depth`` counts the corrections around it.

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
        """The next token, None at the end."""
        return self.tokens[self.index] if self.index < len(self.tokens) else None

    @property
    def offset(self) -> int:
        """Where in the line the next token begins."""
        return self.tokens[self.index].offset if self.index < len(self.tokens) else self.line_length

    def word(self, ahead: int = 0) -> str:
        """The next word, or the one ``ahead`` tokens after it; empty where no word stands."""
        place = self.index + ahead
        if place < len(self.tokens) and self.tokens[place].kind == WORD_TOKEN:
            return self.tokens[place].text
        return ""

    def take_sign(self, sign: str) -> bool:
        """Take the next token if it is that sign."""
        found = self.index < len(self.tokens) and self.tokens[self.index][:2] == (SIGN_TOKEN, sign)
        self.index += found
        return found

    def is_sign_next(self, signs: str) -> bool:
        """Whether the next token is one of some signs."""
        token = self.token
        return token is not None and token.kind == SIGN_TOKEN and token.text in signs

    def take_token(self) -> Token:
        """Take the next token; there must be one."""
        token = self.tokens[self.index]
        self.index += 1
        return token

    def is_sentence_over(self) -> bool:
        """Whether a sentence ends here: before a note, a mark, bookkeeping or a closing sign."""
        token = self.token
        if token is None or token.kind == NOTE_TOKEN:
            return True
        return self.is_sign_next(";[)]") or self.word() in NOTE_MARKS

    def take_symbol(self, symbol: str) -> bool:
        """Take the next token if it is that symbol, as a word of its own."""
        found = self.word() == symbol
        self.index += found
        return found

    def take_bracket_separator(self) -> None:
        """Take the semicolon between two things in brackets; none stands after the last."""
        if not self.take_sign(";") and not self.is_sign_next("]"):
            raise self.error_here("; or ]")

    def take_form_of(self, word: str) -> bool:
        """Take the next word if it is a form of ``word``."""
        found = is_form_of(self.word(), word)
        self.index += found
        return found

    def take_word(self, words: Container[str]) -> bool:
        """Take the next word if it is one of ``words``; a mark glued to it becomes the next word."""
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
        """Take ``length`` characters of the next word; the rest, which is not empty, becomes the next."""
        token = self.tokens[self.index]
        self.tokens[self.index] = token._replace(text=token.text[length:], offset=token.offset + length)

    def is_glued(self) -> bool:
        """Whether the next token follows the last one without a space."""
        if not 0 < self.index < len(self.tokens):
            return False
        last = self.tokens[self.index - 1]
        return last.offset + len(last.text) + last.has_colon == self.tokens[self.index].offset

    def word_at(self, offset: int) -> str:
        """The word at a place in the line; empty where none begins."""
        words = (token.text for token in self.tokens if (token.offset, token.kind) == (offset, WORD_TOKEN))
        return next(words, "")

    def error_here(self, expected: str) -> NotationError:
        """The error that the next token is not what was expected."""
        token = self.token
        if token is None:
            return NotationError(self.line_length, END_OF_LINE, expected)
        return NotationError(token.offset, quote_value(token.text.strip('"')), expected)
