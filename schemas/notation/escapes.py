"""What a backslash says in a note and in a text in quotation marks; which signs are written with one."""

import json
import re
from typing import Final

from engine.core.message import format_message
from schemas.notation.tokenizer import AmbiguousNotation, NotationError

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
