"""Notes in braces, ``{! A bold lead.} by Carl``: of the entry before them, or on a line of their own."""

import re
from typing import Any, Final

from schemas.notation.escapes import escape_note, unescape_note
from schemas.notation.field_values import format_name, take_value
from schemas.notation.token_cursor import TokenCursor
from schemas.notation.tokenizer import NOTE_TOKEN, NotationError
from schemas.wire.field_specs import EVENT_SPECS

_match_mark: Final = re.compile(r"(!!|\?\?|!\?|\?!|!|\?)(?:\s+|$)").match
_SPECS: Final = {spec.name: spec for spec in EVENT_SPECS["note_added"]}


def take_note(cursor: TokenCursor, mark: str | None = None) -> dict[str, Any]:
    """The note that comes next as an event's object; ``mark`` stood at the entry before it."""
    token = cursor.take_token()
    text, at = token.text[1:-1].strip(), token.offset + 1
    at += token.text.index(text, 1) - 1
    obj: dict[str, Any] = {"type": "note_added"}
    marked = _match_mark(text)
    if marked is not None:
        if mark is not None:
            raise NotationError(token.offset, f'"{marked[1]}"', "one mark, at the entry or in the note")
        mark, text = marked[1], text[marked.end() :]
        at += marked.end()
    obj["text"] = unescape_note(text, at)
    if mark is not None:
        obj["mark"] = mark
    for _ in range(2):
        for word, field in (("by", "author"), ("on", "on")):
            if field not in obj and cursor.take_form_of(word):
                obj[field] = take_value(_SPECS[field], cursor)
    return obj


def is_note_next(cursor: TokenCursor) -> bool:
    """Whether a note comes next."""
    return cursor.token is not None and cursor.token.kind == NOTE_TOKEN


def format_note(obj: dict[str, Any], subject: int | None) -> str:
    """A note from its object; ``subject`` is the entry that it stands beside, None on a line of its own."""
    text = "{" + " ".join(word for word in (obj.get("mark"), escape_note(obj["text"])) if word) + "}"
    if "author" in obj:
        text += f" by {format_name(obj['author'])}"
    if "on" in obj and obj["on"] != subject:
        text += f" on @{obj['on']}"
    return text
