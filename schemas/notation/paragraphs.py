"""The lines of a deal put together: what goes on in indented lines is one line; each place is remembered."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Final, NamedTuple

from schemas.notation.letters import says_in_any
from schemas.notation.opening import ALL_TAGS, DATES, like_a_tag, tag_of
from schemas.notation.sentences import by_key
from schemas.notation.tokens import Open
from schemas.notation.words import SEATS, SECTIONS
from schemas.wire.faults import nearest
from schemas.wire.lines import LONGEST


class Piece(NamedTuple):
    """Where a physical line begins in a joined one: its number, and how far it was indented."""

    at: int
    line: int
    indent: int


_begin: Final = attrgetter("at")


class Line(NamedTuple):
    """A line with what is indented below it joined on, and the pieces that it is made of."""

    text: str
    pieces: tuple[Piece, ...]
    tag: tuple[str, str, int] | None = None

    def place(self, at: int) -> tuple[int, int]:
        """The number of the physical line and the column, both from 1, of a place in the joined line."""
        before = bisect_right(self.pieces, at, key=_begin)
        piece = self.pieces[max(0, before - 1)]
        return piece.line, at - piece.at + piece.indent + 1


def lines_of_deal(lines: Sequence[tuple[int, str]]) -> Iterator[Line]:
    """The lines of a deal as they belong together; each comes as its number and its text.

    A tag goes on in the lines that are indented below it, anything else only while a bracket, a brace or a
    quotation mark is open. What goes on for ``LONGEST`` signs ends there, as a single line would.
    """
    base = next((_indent(text) for _, text in lines if text.strip()), 0)
    heading = True
    above: list[str] = []
    index = 0
    while index < len(lines):
        number, raw = lines[index]
        index += 1
        text = raw.strip()
        if not text:
            continue
        indent = len(raw) - len(raw.lstrip())
        pieces = [Piece(0, number, indent)]
        tag = _heading_tag(text, lines, index) if heading else None
        if heading:
            if tag is None and _meant_as_tag(text, above):
                tag = like_a_tag(text)
            above.append(text)
        heading = heading and tag is not None
        parts, length, opened = [text], len(text), Open()
        goes_on = tag is not None or opened.feed(text)
        while goes_on and index < len(lines) and _goes_on(lines[index][1], base, LONGEST - length):
            number, raw = lines[index]
            part = raw.strip()
            pieces.append(Piece(length + 1, number, _indent(raw)))
            parts.append(part)
            length += 1 + len(part)
            goes_on = tag is not None or opened.feed(part)
            index += 1
        text = " ".join(parts)
        # What goes on below a tag belongs to its value.
        yield Line(text, tuple(pieces), like_a_tag(text) if tag is not None else None)


def _heading_tag(text: str, lines: Sequence[tuple[int, str]], index: int) -> tuple[str, str, int] | None:
    """A line of the heading as a tag; also one that no log has, if a tag stands on the next line."""
    tag = tag_of(text)
    if tag is not None:
        return tag
    below = next((below for _, below in islice(lines, index, None) if below.strip()), "")
    return like_a_tag(text) if tag_of(below) is not None else None


def _meant_as_tag(text: str, above: list[str]) -> bool:
    """Whether a line below the tags is one that is misspelt, or a date: no seat, no player, nothing done."""
    found = like_a_tag(text)
    if found is None:
        return False
    name, value, _ = found
    if name in SEATS or name in SECTIONS or (False, name) in by_key():
        return False
    if name not in DATES and nearest(name, ALL_TAGS) is None:
        return False
    said = value.split(maxsplit=1)
    called = any(name in line.lower() for line in above)
    return not called and not (said and not said[0].isdecimal() and says_in_any(said[0].rstrip(",")))


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _goes_on(text: str, base: int, room: int) -> bool:
    return len(text) <= room and bool(text.strip()) and _indent(text) > base
