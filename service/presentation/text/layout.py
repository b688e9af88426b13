"""Text set on a page of a fixed width: columns that line up, lines that are wrapped."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from typing import Final

GAP: Final = "  "
"""Between two columns."""

_INK: Final = re.compile(r"\x1b\[[0-9;]*m")


def cells(text: str) -> int:
    """How many columns of a terminal ``text`` takes."""
    return sum(_cells_of(sign) for sign in _INK.sub("", text))


def _cells_of(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def padded(text: str, width: int, right: bool = False) -> str:
    """``text`` filled up to ``width`` columns, on its left where it stands to the ``right``."""
    room = " " * (width - cells(text))
    return room + text if right else text + room


def clipped(text: str, width: int) -> str:
    """Plain ``text`` of at most ``width`` columns; where some is left out, it ends in "…"."""
    if cells(text) <= width:
        return text
    kept = ""
    for sign in text:
        if cells(kept + sign) >= width:
            break
        kept += sign
    return kept.rstrip() + "…"


def columns(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """``rows`` with their columns lined up; those numbered in ``right`` (from 0) to the right."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    return [
        GAP.join(
            padded(text, width, number in right)
            for number, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def wrapped(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    """``text`` in lines of at most ``width`` columns, each paragraph of it anew.

    The first line begins with ``first``, every other with ``rest`` (as many spaces, if not said).
    """
    rest = " " * cells(first) if rest is None else rest
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines += _filled(paragraph, width, rest if lines else first, rest)
    return lines


def _filled(paragraph: str, width: int, first: str, rest: str) -> Iterator[str]:
    line, empty = first, True
    for word in paragraph.split():
        room = width - cells(rest)
        for piece in _pieces(word, room):
            if empty:
                line, empty = line + piece, False
            elif cells(line) + 1 + cells(piece) <= width:
                line += " " + piece
            else:
                yield line.rstrip()
                line = rest + piece
    yield line.rstrip()


def _pieces(word: str, room: int) -> Iterator[str]:
    """A word, or where it is longer than a line, as much of it as fits, again and again."""
    if cells(word) <= room or "\x1b" in word:
        yield word
        return
    piece = ""
    for sign in word:
        if cells(piece + sign) > room:
            yield piece
            piece = ""
        piece += sign
    yield piece
