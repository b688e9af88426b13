"""Join the lines of a deal that belong together, and remember where each part stood."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Final, NamedTuple

from engine.core.tuples import new_tuple
from schemas.notation.alphabets import is_card_word_in_any
from schemas.notation.notation_words import SEAT_BY_WORD, SECTION_HEADING_WORDS
from schemas.notation.opening_tags import ALL_TAG_NAMES, parse_possible_tag, parse_tag
from schemas.notation.sentence_forms import SENTENCE_FORMS_BY_KEYWORD
from schemas.notation.tokens import NotationError, OpenSigns
from schemas.wire.bad_lines import BadLine
from schemas.wire.line_reader import MAX_LINE_BYTES
from schemas.wire.wire_faults import find_nearest_word


class LinePiece(NamedTuple):
    """Where a physical line begins in a joined one, its number, and its indent."""

    offset: int
    line_number: int
    indent: int


NO_PIECES: Final[tuple[LinePiece, ...]] = ()


class NotationLine(NamedTuple):
    """A line joined with the indented lines below it, which are the ``continuations``."""

    text: str
    line_number: int
    indent: int
    continuations: tuple[LinePiece, ...] = NO_PIECES
    tag: tuple[str, str, int] | None = None

    def locate(self, offset: int) -> tuple[int, int]:
        """The physical line and column, both from 1, of a place in the joined line."""
        before = bisect_right(self.continuations, offset, key=attrgetter("offset"))
        if before == 0:
            return self.line_number, offset + self.indent + 1
        piece = self.continuations[before - 1]
        return piece.line_number, offset - piece.offset + piece.indent + 1

    def problem(self, read: str, expected: str, message: str, offset: int = 0) -> "LocatedProblem":
        """A problem at a place in the joined line."""
        number, column = self.locate(offset)
        return number, BadLine(column, read, expected, message)

    def describe_error(self, error: NotationError, offset: int = 0) -> "LocatedProblem":
        """The problem of an error in a part of the line that begins at ``offset``."""
        return self.problem(error.read, error.expected, error.message, error.offset + offset)


LocatedProblem = tuple[int, BadLine]
"""The number of a physical line, and what is wrong in it."""


def join_lines(lines: Sequence[tuple[int, str]]) -> Iterator[NotationLine]:
    """Join the numbered lines of a deal.

    A tag continues in the indented lines below it, anything else only while a bracket, a brace or a quotation
    mark is open. A joined line has at most ``MAX_LINE_BYTES`` characters, as a single line would.
    """
    base = next((_indent_width(text) for _, text in lines if text.strip()), 0)
    in_heading = True
    tag_lines: list[str] = []
    index = 0
    while index < len(lines):
        number, raw = lines[index]
        index += 1
        text = raw.strip()
        if not text:
            continue
        tag = parse_possible_tag(text) if in_heading else None
        if tag is not None and not (
            tag[0] in ALL_TAG_NAMES
            or _is_tag_next(lines, index)
            or _looks_like_misspelled_tag(tag[0], tag[1], tag_lines)
        ):
            tag = None
        in_heading = tag is not None
        if in_heading:
            tag_lines.append(text)
        indent, pieces = raw.index(text), NO_PIECES
        if index < len(lines) and lines[index][1][:1].isspace():
            below = map(lines.__getitem__, range(index, len(lines)))
            text, pieces = _add_continuations(text, below, base, in_heading)
            index += len(pieces)
            tag = parse_possible_tag(text) if in_heading else None
        yield new_tuple(NotationLine, (text, number, indent, pieces, tag))


def _add_continuations(
    text: str, below: Iterable[tuple[int, str]], base: int, is_tag: bool
) -> tuple[str, tuple[LinePiece, ...]]:
    """A line joined with those of the lines below that continue it, and where they stand."""
    parts, length, open_signs = [text], len(text), OpenSigns()
    pieces = []
    for number, raw in below:
        part = raw.strip()
        is_open = open_signs.feed_line(parts[-1])
        # What goes on below a tag belongs to its value.
        is_continued = (is_tag or is_open) and part and _indent_width(raw) > base
        if not is_continued or len(raw) > MAX_LINE_BYTES - length:
            break
        pieces.append(LinePiece(length + 1, number, raw.index(part)))
        parts.append(part)
        length += 1 + len(part)
    return " ".join(parts), tuple(pieces)


def _is_tag_next(lines: Sequence[tuple[int, str]], next_index: int) -> bool:
    """Whether a tag stands on the next line: what stands above it is one too, of an unknown name."""
    below = (line for _, line in islice(lines, next_index, None))
    return parse_tag(next(filter(str.strip, below), "")) is not None


def _looks_like_misspelled_tag(name: str, value: str, tag_lines: list[str]) -> bool:
    """Whether a line below the tags is a misspelled tag: no seat, no player, no sentence."""
    if name in SEAT_BY_WORD or name in SECTION_HEADING_WORDS or (False, name) in SENTENCE_FORMS_BY_KEYWORD:
        return False
    if find_nearest_word(name, ALL_TAG_NAMES) is None:
        return False
    words = value.split(maxsplit=1)
    is_known_name = any(name in line.lower() for line in tag_lines)
    return not is_known_name and not (
        words and not words[0].isdecimal() and is_card_word_in_any(words[0].rstrip(","))
    )


def _indent_width(text: str) -> int:
    return len(text) - len(text.lstrip())
