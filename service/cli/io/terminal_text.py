"""Text of a record as a terminal may show it.

A record is written by strangers. A control character in it could move the cursor, colour the
screen or turn the reading direction round; for people it is shown as a sign that something is
there, never obeyed.
"""

import os
import re
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from engine import Entry, Log
from engine.core.events import NoteAdded
from service.records.hidden_characters import INVISIBLE, TURNS_TEXT

REPLACED: Final = "\N{REPLACEMENT CHARACTER}"
"""Stands for a character that a terminal must not be given."""

_SPACE: Final = re.compile(r"[\t-\r\x1c-\x1f\x85\u2028\u2029]+")
_COMMAND: Final = re.compile(rf"[\x00-\x1f\x7f-\x9f\ud800-\udfff{''.join(sorted(TURNS_TEXT | INVISIBLE))}]")


def printable(text: str) -> str:
    """``text`` on one line, with nothing in it that a terminal would obey."""
    return text if text.isprintable() else _COMMAND.sub(REPLACED, _SPACE.sub(" ", text))


def printable_lines(text: str) -> str:
    """As ``printable``, but with the line breaks of ``text`` kept."""
    return "\n".join(printable(line) for line in text.splitlines())


def file_name(name: str) -> str:
    """A file's name as text: bytes that are no UTF-8 are shown as a sign that they are there."""
    return os.fsencode(name).decode("utf-8", "replace")


def readable(log: Log) -> Log:
    """``log`` with all its texts made printable; of notes alone the line breaks are kept."""
    return tuple(Entry(entry.seq, _readable(entry.event), entry.record) for entry in log)


def _readable(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, tuple):
        return tuple(_readable(part) for part in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed = {}
    for one in fields(value):
        before = getattr(value, one.name)
        after = _readable(before)
        if isinstance(value, NoteAdded) and one.name == "text":
            after = printable_lines(before)
        if after != before:
            changed[one.name] = after
    return replace(value, **changed) if changed else value
