"""Notes in braces, ``{! A bold lead.} by Carl``: of the entry before them, or on a line of their own."""

import re
from typing import Any, Final

from schemas.declaration import EVENT_SPECS
from schemas.notation.tokens import NOTE, Cursor, Misread
from schemas.notation.values import Reading, read_value
from schemas.notation.words import is_word
from schemas.notation.written import written_name

_marked: Final = re.compile(r"(!!|\?\?|!\?|\?!|!|\?)(?:\s+|$)").match
_escaped: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_awkward: Final = re.compile("[\\\\}\0-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_trailing: Final = re.compile(r"^\s|\s$")
_SPECS: Final = {spec.name: spec for spec in EVENT_SPECS["note_added"]}


def read_note(cursor: Cursor, reading: Reading, mark: str | None = None) -> dict[str, Any]:
    """The note that comes next as an event's object; ``mark`` stood at the entry before it.

    Raises:
        Misread: what stands behind the note is no author and no entry.
    """
    token = cursor.take()
    inner = token.text[1:-1].strip()
    obj: dict[str, Any] = {"type": "note_added"}
    marked = _marked(inner)
    if marked is not None and mark is not None:
        raise Misread(token.at, f'"{marked[1]}"', "one mark, at the entry or in the note")
    if marked is not None:
        mark, inner = marked[1], inner[marked.end() :]
    obj["text"] = _escaped.sub(_meant, inner)
    if mark is not None:
        obj["mark"] = mark
    return _with_more(obj, cursor, reading)


def _with_more(obj: dict[str, Any], cursor: Cursor, reading: Reading) -> dict[str, Any]:
    """Who wrote the note, and which entry it is on, where that is said behind it."""
    while True:
        if is_word(cursor.word(), "by") and "author" not in obj:
            cursor.next += 1
            obj["author"] = read_value(_SPECS["author"], cursor, reading)
        elif is_word(cursor.word(), "on") and "on" not in obj:
            cursor.next += 1
            obj["on"] = read_value(_SPECS["on"], cursor, reading)
        else:
            return obj


def _meant(found: re.Match[str]) -> str:
    sign = found[1]
    if len(sign) > 1:
        return chr(int(sign[1:], 16))
    return {"n": "\n", "t": "\t"}.get(sign, sign)


def is_note(cursor: Cursor) -> bool:
    """Whether a note comes next."""
    return cursor.token is not None and cursor.token.kind == NOTE


def written_note(obj: dict[str, Any], to: int | None) -> str:
    """A note from its object; ``to`` is the entry that it stands beside, None on a line of its own."""
    text = _trailing.sub(_code, _awkward.sub(_escape, obj["text"]))
    if text[:1] in ("!", "?"):
        text = "\\" + text
    said = "{" + " ".join(word for word in (obj.get("mark"), text) if word) + "}"
    if "author" in obj:
        said += f" by {written_name(obj['author'])}"
    if "on" in obj and obj["on"] != to:
        said += f" on @{obj['on']}"
    return said


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    if sign in "\\}":
        return "\\" + sign
    return "\\n" if sign == "\n" else _code(found)


def _code(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
