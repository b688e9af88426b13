"""What is wrong with a line that is no JSON object, and how to correct it."""

import codecs
from dataclasses import dataclass
from typing import Any, Final

import orjson

from engine.core.message import format_message
from schemas.wire.json_text import MAX_JSON_DEPTH, JsonTooDeep
from schemas.wire.wire_faults import NO_VALUE, quote_value

EXPECTED_EVENT_LINE: Final = 'an event as one JSON object, such as {"type":"gap_noted"}'
EXPECTED_UTF8: Final = "text in UTF-8"
EXCERPT_LENGTH: Final = 20
"""How many characters of a line are shown from where it stops making sense."""
NUL_BYTE: Final = b"\0"


@dataclass(frozen=True, slots=True)
class BadLine:
    """Why a line is no event: the ``column`` (from 1), what was read, what was expected, what to do.

    ``continues_below`` is True where an event or a list begins that goes on over further lines.
    """

    column: int
    read: str
    expected: str
    message: str
    continues_below: bool = False


def diagnose_overlong_line(max_bytes: int) -> BadLine:
    """A line of more than ``max_bytes`` bytes, which was not read to its end."""
    return BadLine(
        1, f"a line of more than {max_bytes} bytes", EXPECTED_EVENT_LINE,
        f"A line is at most {max_bytes} bytes long; write one event per line.",
    )  # fmt: skip


def diagnose_non_object(value: Any) -> BadLine:
    """A line that is JSON, but a list or a bare value."""
    if isinstance(value, list):
        return _diagnose_list(1)
    return BadLine(
        1,
        quote_value(value),
        EXPECTED_EVENT_LINE,
        f"In place of {quote_value(value)}, write {EXPECTED_EVENT_LINE}.",
    )


def diagnose_duplicate_name(name: str, column: int) -> BadLine:
    """An object that has a name twice; the second stands at ``column``."""
    quoted = quote_value(name)
    return BadLine(
        column, f"{quoted} twice", "each name once in an object",
        f"{quoted} occurs twice in one object; leave one of them out.",
    )  # fmt: skip


def is_utf16(content: bytes) -> bool:
    """Whether a file that begins so is in UTF-16 or UTF-32: by its mark, or as every other byte is NUL."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    even, odd = content[::2].strip(NUL_BYTE), content[1::2].strip(NUL_BYTE)
    return len(content) > 1 and bool(even) != bool(odd)


def diagnose_utf16() -> BadLine:
    """A file that is not in UTF-8 from its first byte on."""
    return BadLine(
        1, "UTF-16 or UTF-32", EXPECTED_UTF8,
        "This file is in UTF-16 or UTF-32; save it as UTF-8 and read it again.",
    )  # fmt: skip


def diagnose_invalid_json(content: bytes, has_line_end: bool, error: orjson.JSONDecodeError) -> BadLine:
    """A line that is no JSON, as ``error`` says; ``has_line_end`` is False for a last one without a line
    end."""
    if isinstance(error, JsonTooDeep):
        return BadLine(
            error.colno, "one level more", f"at most {MAX_JSON_DEPTH} levels",
            f"Here {error.msg}; an event needs only a few. Write the event again.",
        )  # fmt: skip
    if NUL_BYTE in content:
        return diagnose_nul_byte(content)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as broken:
        return _diagnose_invalid_utf8(broken, has_line_end)
    stripped = text.strip()
    if stripped.startswith("["):
        return _diagnose_list(text.index("[") + 1, continues_below=True)
    if stripped == "{":
        return BadLine(
            text.index("{") + 1, "an object over several lines", EXPECTED_EVENT_LINE,
            "An event begins here and continues on further lines; write each event on one line.",
            continues_below=True,
        )  # fmt: skip
    return _diagnose_json_error(text, has_line_end, error)


def diagnose_nul_byte(content: bytes) -> BadLine:
    """A line with a NUL byte in it."""
    column = len(content[: content.find(NUL_BYTE)].decode("utf-8", "replace")) + 1
    return BadLine(
        column, "a NUL byte", EXPECTED_UTF8,
        format_message("There is a NUL byte here; the file is damaged or is not text. Write the line again."),
    )  # fmt: skip


def _diagnose_invalid_utf8(error: UnicodeDecodeError, has_line_end: bool) -> BadLine:
    content = error.object
    column = len(content[: error.start].decode("utf-8")) + 1
    if not has_line_end and error.end == len(content) and error.reason == "unexpected end of data":
        return _diagnose_truncated_line(column)
    return BadLine(
        column, f"the byte 0x{content[error.start]:02X}", EXPECTED_UTF8,
        f"The byte 0x{content[error.start]:02X} is not UTF-8 here; save the file as UTF-8 and read it again.",
    )  # fmt: skip


def _diagnose_list(column: int, continues_below: bool = False) -> BadLine:
    return BadLine(
        column, "a list", "one event per line, without a list around them",
        "A list begins here; write one event per line, without brackets and commas around them.",
        continues_below,
    )  # fmt: skip


def _diagnose_truncated_line(column: int) -> BadLine:
    return BadLine(
        column, NO_VALUE, "the rest of the event",
        "The file ends in the middle of this line; complete the event, or delete the line.",
    )  # fmt: skip


def _diagnose_json_error(text: str, has_line_end: bool, error: orjson.JSONDecodeError) -> BadLine:
    rest = text[error.colno - 1 :].lstrip()
    column = len(text) - len(rest) + 1
    rest = rest.rstrip()
    if not has_line_end and text.startswith("{") and (not rest or not text.endswith("}")):
        return _diagnose_truncated_line(len(text) + 1)
    if not rest:
        return BadLine(
            column, NO_VALUE, "the rest of the event",
            "The line ends before the event does; write the whole event on this line.",
        )  # fmt: skip
    read = quote_value(rest[:EXCERPT_LENGTH])
    return BadLine(
        column,
        read,
        EXPECTED_EVENT_LINE,
        f"From {read} on this is not JSON ({error.msg}); write {EXPECTED_EVENT_LINE}.",
    )
