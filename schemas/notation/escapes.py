"""What a backslash says in a note and in a text in quotation marks; which signs are written with one."""

import json
import re
from typing import Final

from schemas.notation.tokens import Ambiguous, Misread

CONTROL: Final = "\0-\x1f\x7f-\x9f\u2028\u2029\ufeff"
"""Signs that do not show, or end a line, as what stands in the brackets of a regular expression."""
has_control: Final = re.compile(f"[{CONTROL}]").search

_control: Final = re.compile(f"[{CONTROL}]")
_in_note: Final = re.compile(rf"[\\}}{CONTROL}]")
_at_ends: Final = re.compile(r"^\s|\s$")
_backslash: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_path: Final = re.compile(r"(?<!\w)[A-Za-z]:\\([nrtbf])")
"""The name of a file, or an escape that happens to stand where one would."""
_MEANT: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
IN_NOTES: Final = "\\\\ for a backslash, or one of \\} \\n \\u0000"
IN_QUOTES: Final = 'one of \\" \\\\ \\n \\t \\u0000'


def quoted(text: str) -> str:
    """A text in quotation marks."""
    return _path.sub(_no_path, _control.sub(_coded, json.dumps(text, ensure_ascii=False)))


def unquoted(text: str, at: int) -> str:
    """What stands in quotation marks, which are there; ``at`` is where in the line.

    Raises:
        Misread: a backslash in it says nothing, or two things.
    """
    if text[0] == "“" or "\\" not in text:
        return text[1:-1]
    _ask_about_paths(text, at)
    try:
        meant: str = json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        raise Misread(at + error.pos, "a backslash", IN_QUOTES) from None
    return meant


def in_braces(text: str) -> str:
    """A note's text as it stands between braces."""
    written = _at_ends.sub(_coded, _in_note.sub(_escaped, text))
    if written[:1] in ("!", "?"):
        written = "\\" + written
    return _path.sub(_no_path, written)


def out_of_braces(inner: str, at: int) -> str:
    """The text of a note from what stands between its braces; ``at`` is where in the line.

    Raises:
        Misread: a backslash in it says nothing, or two things.
    """
    if "\\" not in inner:
        return inner
    _ask_about_paths(inner, at)

    def meant(found: re.Match[str]) -> str:
        sign = found[1]
        if len(sign) > 1:
            return chr(int(sign[1:], 16))
        if sign != "n" and (sign.isalnum() or sign.isspace()):
            raise Misread(at + found.start(), f"\\{sign}", IN_NOTES)
        return "\n" if sign == "n" else sign

    return _backslash.sub(meant, inner)


def _ask_about_paths(text: str, at: int) -> None:
    path = _path.search(text)
    if path is not None:
        written = path[0]
        expected = f"{written[:-2]}\\\\{written[-1]} for a backslash, or a space before it"
        said = f"{written} may be the name of a file, or {written[-2:]} a sign; write {expected}."
        raise Ambiguous(at + path.start(), written, expected, said)


def _escaped(found: re.Match[str]) -> str:
    sign = found[0]
    if sign in "\\}":
        return "\\" + sign
    return "\\n" if sign == "\n" else _coded(found)


def _coded(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _no_path(found: re.Match[str]) -> str:
    return f"{found[0][:-2]}\\u{ord(_MEANT[found[1]]):04x}"
