"""Notes in braces, ``{! A bold lead.} by Carl``: of the entry before them, or on a line of their own."""

import re
from typing import Any, Final

from schemas.notation.escapes import in_braces, out_of_braces
from schemas.notation.tokens import NOTE, Cursor, Misread
from schemas.notation.values import Reading, read_value
from schemas.notation.words import is_word
from schemas.notation.written import written_name
from schemas.wire.declaration import EVENT_SPECS

_marked: Final = re.compile(r"(!!|\?\?|!\?|\?!|!|\?)(?:\s+|$)").match
_SPECS: Final = {spec.name: spec for spec in EVENT_SPECS["note_added"]}


def read_note(cursor: Cursor, reading: Reading, mark: str | None = None) -> dict[str, Any]:
    """The note that comes next as an event's object; ``mark`` stood at the entry before it.

    Raises:
        Misread: what stands behind the note is no author and no entry.
    """
    token = cursor.take()
    inner, at = token.text[1:-1].strip(), token.at + 1
    at += token.text.index(inner, 1) - 1
    obj: dict[str, Any] = {"type": "note_added"}
    marked = _marked(inner)
    if marked is not None and mark is not None:
        raise Misread(token.at, f'"{marked[1]}"', "one mark, at the entry or in the note")
    if marked is not None:
        mark, inner = marked[1], inner[marked.end() :]
        at += marked.end()
    obj["text"] = out_of_braces(inner, at)
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


def is_note(cursor: Cursor) -> bool:
    """Whether a note comes next."""
    return cursor.token is not None and cursor.token.kind == NOTE


def written_note(obj: dict[str, Any], to: int | None) -> str:
    """A note from its object; ``to`` is the entry that it stands beside, None on a line of its own."""
    said = "{" + " ".join(word for word in (obj.get("mark"), in_braces(obj["text"])) if word) + "}"
    if "author" in obj:
        said += f" by {written_name(obj['author'])}"
    if "on" in obj and obj["on"] != to:
        said += f" on @{obj['on']}"
    return said
