"""Logs in a file, JSON Lines or the notation, read whole or in pieces.

Several processes can read the pieces of a file. A cut is made only where a log certainly begins, so that
reading the pieces gives what reading the file gives.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO, Final, NamedTuple

from schemas import notation
from schemas.wire import jsonlines
from schemas.wire.bad_lines import is_utf16
from schemas.wire.jsonlines import NO_PROGRESS, ParsedLog, ReadProgress, UnreadableLog
from schemas.wire.line_reader import CHUNK_BYTES, iterate_chunks

DEFAULT_PIECE_BYTES: Final = 256 << 10
MAX_UNCUT_BYTES: Final = 4 << 20
"""The most bytes to hold in memory while looking for a place to cut."""

_UTF8_MARK: Final = b"\xef\xbb\xbf"
_MAX_LETTER_BYTES: Final = 4
"""The most bytes of a letter in UTF-8."""


def read_log_file(
    stream: BinaryIO | Iterable[bytes], name: str, read_progress: ReadProgress = NO_PROGRESS
) -> Iterator[ParsedLog | UnreadableLog]:
    """The logs of a file, one after the other, each as soon as the next one begins.

    ``stream`` is a binary file, or its bytes in pieces of any size; ``name`` is what problems call the
    file. What begins with a letter is the notation, anything else JSON Lines; where nothing is in it,
    the name says. ``read_progress`` is what of the file was read before.
    """
    beginning, chunks = peek_beginning(stream)
    empty = not beginning.strip() and name.endswith(notation.NOTATION_SUFFIX)
    if empty or is_in_notation(beginning):
        yield from notation.read_notation_logs(chunks, name, read_progress)
    else:
        yield from jsonlines.read_json_lines_logs(chunks, name, read_progress)


def peek_beginning(stream: BinaryIO | Iterable[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Enough of a file's beginning to detect its form; and all its bytes, including those."""
    chunks = iterate_chunks(stream)
    beginning = b""
    while len(beginning) < CHUNK_BYTES and len(_strip_mark_and_space(beginning)) < _MAX_LETTER_BYTES:
        chunk = next(chunks, None)
        if chunk is None:
            break
        beginning += chunk
    return beginning[:CHUNK_BYTES], chain((beginning,), chunks)


def is_in_notation(beginning: bytes) -> bool:
    """Whether what begins so is the notation: with a letter. JSON begins with a brace."""
    return _strip_mark_and_space(beginning)[:_MAX_LETTER_BYTES].decode("utf-8", "ignore")[:1].isalpha()


def _strip_mark_and_space(beginning: bytes) -> bytes:
    return beginning.removeprefix(_UTF8_MARK).lstrip()


class LogFormat(NamedTuple):
    """How a log begins in a form of writing.

    ``opening_pattern`` is found in every line that begins a log; ``is_opening`` says of such a line, without
    its end, whether it certainly does. Beginnings that are missed cost time, nothing else. ``branch_pattern``
    is found in the opening of every variation, which is read together with the deal before it.
    """

    opening_pattern: re.Pattern[bytes]
    is_opening: Callable[[bytes], bool]
    branch_pattern: re.Pattern[bytes]


JSON_LINES_LOG_FORMAT: Final = LogFormat(
    re.compile(b"_opened"), jsonlines.is_json_lines_opening, re.compile(b'"branch"')
)
NOTATION_LOG_FORMAT: Final = LogFormat(
    re.compile(rb"(?:deal|giv|evening|aften)[ \t]*:", re.IGNORECASE),
    notation.is_notation_opening,
    re.compile(rb"(?:branch|variation|variant)[ \t]*:", re.IGNORECASE),
)


@dataclass(frozen=True, slots=True)
class FilePiece:
    """Whole logs of a file. ``log_count`` is how many seem to begin here; a bad line can begin one more.

    ``error`` is why the file could not be read on after this piece, if that is so.
    """

    data: bytes
    log_count: int
    error: OSError | None = None

    @property
    def line_count(self) -> int:
        """How many lines end in this piece."""
        return self.data.count(b"\n")

    def chunks(self) -> Iterator[bytes]:
        """The bytes of the piece; raises ``error`` where the file broke off."""
        yield self.data
        if self.error is not None:
            raise self.error


@dataclass(frozen=True, slots=True)
class StreamedPiece:
    """The rest of a file that has no place to cut it; its bytes are read on demand, once."""

    bytes_read: Iterator[bytes]

    def chunks(self) -> Iterator[bytes]:
        """The bytes of the piece, once."""
        return self.bytes_read


def split_into_pieces(
    stream: BinaryIO | Iterable[bytes], size: int = DEFAULT_PIECE_BYTES
) -> Iterator[FilePiece | StreamedPiece]:
    """A file as pieces of about ``size`` bytes, in their order; at least one, if an empty one.

    A file that cannot be read any further ends with a piece that says so.
    """
    held, is_first, log_format = b"", True, JSON_LINES_LOG_FORMAT
    error: OSError | None = None
    try:
        beginning, chunks = peek_beginning(stream)
        if is_in_notation(beginning):
            log_format = NOTATION_LOG_FORMAT
        for chunk in chunks:
            held += chunk
            if len(held) < size:
                continue
            cut = _find_cut(held, log_format)
            if cut is None and len(held) <= MAX_UNCUT_BYTES:
                continue
            if cut is None or (is_first and _must_stay_whole(held, log_format)):
                yield StreamedPiece(chain((held,), chunks))
                return
            log_count, offset = cut
            yield FilePiece(held[:offset], log_count)
            held, is_first = held[offset:], False
    except OSError as reason:
        error = reason
    if held or is_first or error is not None:
        yield FilePiece(held, len(_find_log_starts(held, log_format)), error)


def _find_cut(data: bytes, log_format: LogFormat) -> tuple[int, int] | None:
    """Where to cut ``data``: how many logs begin before that, and the offset; None where no place is certain.

    The first log is never cut off from what stands before it.
    """
    starts = _find_log_starts(data[: data.rfind(b"\n") + 1], log_format)
    for count in range(len(starts) - 1, 0, -1):
        offset, is_independent = starts[count]
        if is_independent:
            return count, offset
    return None


def _must_stay_whole(data: bytes, log_format: LogFormat) -> bool:
    """Whether a file that begins so is in UTF-16, or is an evening in the notation, which its deals need."""
    if is_utf16(data.partition(b"\n")[0]):
        return True
    first_line = data.lstrip().partition(b"\n")[0]
    return log_format is NOTATION_LOG_FORMAT and notation.is_evening_opening(first_line)


def _find_log_starts(data: bytes, log_format: LogFormat) -> list[tuple[int, bool]]:
    """Where in ``data`` logs certainly begin, and whether each is certainly no variation of one before it."""
    starts = []
    found = log_format.opening_pattern.search(data)
    while found is not None:
        begin = data.rfind(b"\n", 0, found.start()) + 1
        end = data.find(b"\n", found.end())
        end = len(data) if end < 0 else end
        following = log_format.opening_pattern.search(data, end)
        if log_format.is_opening(data[begin:end]):
            starts.append((begin, not _may_be_variation(data, begin, end, log_format, following)))
        found = following
    return starts


def _may_be_variation(
    data: bytes, begin: int, end: int, log_format: LogFormat, next_match: re.Match[bytes] | None
) -> bool:
    """Whether the log that begins in the line up to ``end`` may be a variation.

    In the notation that stands below that line: as long as the opening does not end in ``data``, it may be.
    """
    if log_format is NOTATION_LOG_FORMAT:
        blank = _find_blank_line(data, end)
        candidate_ends = [one.start() for one in (blank, next_match) if one is not None]
        if not candidate_ends:
            return True
        end = min(candidate_ends)
    return log_format.branch_pattern.search(data, begin, end) is not None


_find_blank_line: Final = re.compile(rb"\n[ \t\r]*\n").search
