"""Text of a fixed width: aligned columns, wrapped lines."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from typing import Final

COLUMN_GAP: Final = "  "
"""Between two columns."""
INDENT: Final = "  "
"""Before the lines of a section."""

_ESCAPE_SEQUENCE: Final = re.compile(r"\x1b\[[0-9;]*m")


def display_width(text: str) -> int:
    """The columns of a terminal that ``text`` takes."""
    return sum(_character_width(sign) for sign in _ESCAPE_SEQUENCE.sub("", text))


def _character_width(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def pad_text(text: str, width: int, align_right: bool = False) -> str:
    """Pad ``text`` to ``width`` columns, on the left with ``align_right``."""
    room = " " * (width - display_width(text))
    return room + text if align_right else text + room


def clip_text(text: str, width: int) -> str:
    """Plain ``text`` of at most ``width`` columns; ends in "…" where it was longer."""
    if display_width(text) <= width:
        return text
    clipped = ""
    for sign in text:
        if display_width(clipped + sign) >= width:
            break
        clipped += sign
    return clipped.rstrip() + "…"


def align_columns(rows: Sequence[Sequence[str]], right_aligned: Collection[int] = ()) -> list[str]:
    """Align the columns of ``rows``, those numbered in ``right_aligned`` (from 0) to the right."""
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    return [
        COLUMN_GAP.join(
            pad_text(text, width, number in right_aligned)
            for number, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def wrap_text(text: str, width: int, first_prefix: str = "", other_prefix: str | None = None) -> list[str]:
    """Wrap each paragraph of ``text`` into lines of at most ``width`` columns.

    The first line begins with ``first_prefix``, all others with ``other_prefix``, by default as many spaces.
    """
    other_prefix = " " * display_width(first_prefix) if other_prefix is None else other_prefix
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines += _fill_paragraph(paragraph, width, other_prefix if lines else first_prefix, other_prefix)
    return lines


def _fill_paragraph(paragraph: str, width: int, first: str, rest: str) -> Iterator[str]:
    line, empty = first, True
    for word in paragraph.split():
        room = width - display_width(rest)
        for piece in _split_word(word, room):
            if empty:
                line, empty = line + piece, False
            elif display_width(line) + 1 + display_width(piece) <= width:
                line += " " + piece
            else:
                yield line.rstrip()
                line = rest + piece
    yield line.rstrip()


def _split_word(word: str, room: int) -> Iterator[str]:
    """A word, in pieces if it is longer than a line."""
    if display_width(word) <= room or "\x1b" in word:
        yield word
        return
    piece = ""
    for sign in word:
        if display_width(piece + sign) > room:
            yield piece
            piece = ""
        piece += sign
    yield piece
