"""Text of a record made safe for a terminal.

Strangers write records. A control character could move the cursor, colour the screen or reverse the reading
direction; a replacement character is shown instead.
"""

import os
import re
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from engine import Entry, Log
from engine.core.events import NoteAdded
from service.records.hidden_characters import BIDI_CONTROLS, INVISIBLE_CHARACTERS

TERMINAL_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
"""Stands for a character that a terminal must not get."""

_WHITESPACE_RUN: Final = re.compile(r"[\t-\r\x1c-\x1f\x85\u2028\u2029]+")
_UNSAFE_CHARACTER: Final = re.compile(
    rf"[\x00-\x1f\x7f-\x9f\ud800-\udfff{''.join(sorted(BIDI_CONTROLS | INVISIBLE_CHARACTERS))}]"
)


def sanitize_line(text: str) -> str:
    """``text`` on one line, without control characters."""
    if text.isprintable():
        return text
    return _UNSAFE_CHARACTER.sub(TERMINAL_REPLACEMENT, _WHITESPACE_RUN.sub(" ", text))


def sanitize_lines(text: str) -> str:
    """As ``sanitize_line``, but with its line breaks."""
    return "\n".join(sanitize_line(line) for line in text.splitlines())


def decode_file_name(name: str) -> str:
    """A file's name as text, with replacement characters for bytes that are not UTF-8."""
    return os.fsencode(name).decode("utf-8", "replace")


def sanitize_log(log: Log) -> Log:
    """``log`` with all its texts made printable; only notes keep their line breaks."""
    return tuple(Entry(entry.seq, _sanitize_value(entry.event), entry.metadata) for entry in log)


def _sanitize_value(value: Any) -> Any:
    if isinstance(value, str):
        return sanitize_line(value)
    if isinstance(value, tuple):
        return tuple(_sanitize_value(part) for part in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed = {}
    for one in fields(value):
        before = getattr(value, one.name)
        after = _sanitize_value(before)
        if isinstance(value, NoteAdded) and one.name == "text":
            after = sanitize_lines(before)
        if after != before:
            changed[one.name] = after
    return replace(value, **changed) if changed else value
