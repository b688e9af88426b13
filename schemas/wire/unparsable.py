"""What is the matter with a line that is no JSON object, said to somebody who wants to mend it."""

import codecs
from dataclasses import dataclass
from typing import Any, Final

import orjson

from schemas.wire.faults import NOTHING, shown
from schemas.wire.json_text import DEEPEST, TooDeep

AN_EVENT: Final = 'an event as one JSON object, such as {"type":"gap_noted"}'
UTF_8: Final = "text in UTF-8"
GLIMPSE: Final = 20
"""So much of a line is shown from where it stops making sense."""
NUL: Final = b"\0"


@dataclass(frozen=True, slots=True)
class BadLine:
    """Why a line is no event: the ``column`` (from 1), what was read, what was expected, what to do.

    ``spreads`` is True where an event or a list begins that goes on over further lines.
    """

    column: int
    read: str
    expected: str
    message: str
    spreads: bool = False


def too_long(longest: int) -> BadLine:
    """A line of more than ``longest`` bytes, which was not read to its end."""
    return BadLine(
        1, f"a line of more than {longest} bytes", AN_EVENT,
        f"A line is at most {longest} bytes long; write one event per line.",
    )  # fmt: skip


def not_an_object(value: Any) -> BadLine:
    """A line that is JSON, but a list or a bare value."""
    if isinstance(value, list):
        return _a_list(1)
    return BadLine(1, shown(value), AN_EVENT, f"In place of {shown(value)}, write {AN_EVENT}.")


def twice_named(name: str, column: int) -> BadLine:
    """An object that has a name twice; the second stands at ``column``."""
    told = shown(name)
    return BadLine(
        column, f"{told} twice", "each name once in an object",
        f"{told} stands twice in one object; which is meant, nobody can say. Leave one of them out.",
    )  # fmt: skip


def in_utf16(content: bytes) -> bool:
    """Whether a file that begins so is in UTF-16 or UTF-32: by its mark, or as every other byte is NUL."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    even, odd = content[::2].strip(NUL), content[1::2].strip(NUL)
    return len(content) > 1 and bool(even) != bool(odd)


def utf16() -> BadLine:
    """A file that is not in UTF-8 from its first byte on."""
    return BadLine(
        1, "UTF-16 or UTF-32", UTF_8,
        "This file is in UTF-16 or UTF-32; save it as UTF-8 and read it again.",
    )  # fmt: skip


def not_json(content: bytes, ended: bool, error: orjson.JSONDecodeError) -> BadLine:
    """A line that is no JSON, as ``error`` says; ``ended`` is False for a last one without a line end."""
    if isinstance(error, TooDeep):
        return BadLine(
            error.colno, "one level more", f"at most {DEEPEST} levels",
            f"Here {error.msg}; an event needs a few. Write the event again.",
        )  # fmt: skip
    if NUL in content:
        return not_text(content)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as broken:
        return _not_utf8(broken, ended)
    bare = text.strip()
    if bare.startswith("["):
        return _a_list(text.index("[") + 1, spreads=True)
    if bare == "{":
        return BadLine(
            text.index("{") + 1, "an object over several lines", AN_EVENT,
            "An event begins here and goes on over further lines; write each event on one line.",
            spreads=True,
        )  # fmt: skip
    return _wrong_json(text, ended, error)


def not_text(content: bytes) -> BadLine:
    """A line with a NUL byte in it."""
    column = len(content[: content.find(NUL)].decode("utf-8", "replace")) + 1
    return BadLine(
        column, "a NUL byte", UTF_8,
        "There is a NUL byte here; the file is damaged or is no text. Write the line again.",
    )  # fmt: skip


def _not_utf8(error: UnicodeDecodeError, ended: bool) -> BadLine:
    content = error.object
    column = len(content[: error.start].decode("utf-8")) + 1
    if not ended and error.end == len(content) and error.reason == "unexpected end of data":
        return _broken_off(column)
    return BadLine(
        column, f"the byte 0x{content[error.start]:02X}", UTF_8,
        f"The byte 0x{content[error.start]:02X} is not UTF-8 here; save the file as UTF-8 and read it again.",
    )  # fmt: skip


def _a_list(column: int, spreads: bool = False) -> BadLine:
    return BadLine(
        column, "a list", "one event per line, without a list around them",
        "A list begins here; write one event per line, without brackets and commas around them.",
        spreads,
    )  # fmt: skip


def _broken_off(column: int) -> BadLine:
    return BadLine(
        column, NOTHING, "the rest of the event",
        "The file breaks off in the middle of this line; write the event to its end, or delete the line.",
    )  # fmt: skip


def _wrong_json(text: str, ended: bool, error: orjson.JSONDecodeError) -> BadLine:
    rest = text[error.colno - 1 :].lstrip()
    column = len(text) - len(rest) + 1
    rest = rest.rstrip()
    if not ended and text.startswith("{") and (not rest or not text.endswith("}")):
        return _broken_off(len(text) + 1)
    if not rest:
        return BadLine(
            column, NOTHING, "the rest of the event",
            "The line ends before the event does; write the whole event on this line.",
        )  # fmt: skip
    read = shown(rest[:GLIMPSE])
    return BadLine(column, read, AN_EVENT, f"This is no JSON from {read} on ({error.msg}); write {AN_EVENT}.")
