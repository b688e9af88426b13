"""A file cut into pieces of whole logs, cheaply, so that several processes can read it.

Lines are not read for this, but for those that may begin a log: the file is searched for what the
form of writing has at the beginning of a log (``LogFormat``), and the line that has it is looked at. A
cut is made only where a log certainly begins, so that what is read of the pieces is what is read
of the whole file.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final, NamedTuple

from schemas import notation
from schemas.logs.log_file import is_in_notation, peek_beginning
from schemas.wire import jsonlines
from schemas.wire.bad_lines import is_utf16
from schemas.wire.line_reader import MAX_LINE_BYTES, iterate_chunks

DEFAULT_PIECE_BYTES: Final = 256 << 10
"""A piece has about so many bytes, if it is not said otherwise."""
MAX_UNCUT_BYTES: Final = 4 << 20
"""What has no place to cut it for so many bytes is no longer held in memory."""


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


def detect_log_format(beginning: bytes) -> LogFormat:
    """The form in which a file is written, by how it begins."""
    return NOTATION_LOG_FORMAT if is_in_notation(beginning) else JSON_LINES_LOG_FORMAT


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
    """A part of a file that has no place to cut it for long; its bytes are read as they are asked for.

    It must be read before the next piece is asked for, to its end or not at all any more.
    """

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
    return _FileCutter(stream, size).pieces()


class LogStart(NamedTuple):
    """Where in a block a log begins; ``is_independent`` if it is certainly none that leaves another one
    before it."""

    offset: int
    is_independent: bool


ByteBlock = tuple[bool, bytes]
"""Bytes that end with a line, or inside one that is too long; and whether they begin with one."""


class _FileCutter:
    """A file that is being cut: what was read since the last cut, and how many logs begin in it."""

    def __init__(self, stream: BinaryIO | Iterable[bytes], size: int) -> None:
        self.size = size
        beginning, chunks = peek_beginning(stream)
        self.blocks = _iterate_blocks(chunks, size)
        self.log_format: LogFormat | None = detect_log_format(beginning)
        self.held_blocks: list[bytes] = []
        self.log_count = 0
        self.at_start = True

    def pieces(self) -> Iterator[FilePiece | StreamedPiece]:
        error = None
        try:
            for fresh, data in self.blocks:
                starts = self._find_log_starts(fresh, data)
                if self.log_format is None:
                    self.held_blocks.append(data)
                    yield StreamedPiece(self._stream_until_next_log())
                    return
                weight = len(data) + sum(map(len, self.held_blocks))
                # The last of a file, or a small file, stays whole.
                last = max((n for n, start in enumerate(starts) if start.is_independent), default=-1)
                if self.log_count + last > 0 and last >= 0 and 2 * weight >= self.size:
                    yield self._cut_piece(data, starts, last)
                    continue
                self.held_blocks.append(data)
                self.log_count += len(starts)
                if weight > MAX_UNCUT_BYTES:
                    yield StreamedPiece(self._stream_until_next_log())
        except OSError as reason:
            error = reason
        if self.held_blocks or self.at_start or error is not None:
            yield FilePiece(b"".join(self.held_blocks), self.log_count, error)

    def _find_log_starts(self, begins_line: bool, data: bytes) -> list[LogStart]:
        """Where in a block logs begin for certain."""
        if self.at_start and (is_utf16(data.partition(b"\n")[0]) or self._begins_with_evening(data)):
            self.log_format = (
                None  # a file that must not be cut: told of once, or read with its evening in mind
            )
        self.at_start = False
        return (
            [] if self.log_format is None else list(_iterate_log_starts(begins_line, data, self.log_format))
        )

    def _begins_with_evening(self, data: bytes) -> bool:
        """Whether the file is in the notation and begins with an evening, from which its deals take."""
        return self.log_format is NOTATION_LOG_FORMAT and notation.is_evening_opening(
            data.lstrip().partition(b"\n")[0]
        )

    def _cut_piece(self, data: bytes, starts: list[LogStart], start_index: int) -> FilePiece:
        """All up to one of the logs that begin in ``data``, which is held for the next piece."""
        at = starts[start_index].offset
        piece = FilePiece(b"".join((*self.held_blocks, data[:at])), self.log_count + start_index)
        self.held_blocks, self.log_count = [data[at:]], len(starts) - start_index
        return piece

    def _stream_until_next_log(self) -> Iterator[bytes]:
        """What is held and what follows, up to where a log begins after another."""
        blocks, self.held_blocks = self.held_blocks, []
        yield from blocks
        for fresh, data in self.blocks:
            starts = self._find_log_starts(fresh, data)
            # The first log of a file has what stands before it in its piece.
            first = 0 if self.log_count else 1
            self.log_count += len(starts)
            for n, start in enumerate(starts[first:], first):
                if start.is_independent:
                    yield data[: start.offset]
                    self.held_blocks, self.log_count = [data[start.offset :]], len(starts) - n
                    return
            yield data


def _iterate_log_starts(begins_line: bool, data: bytes, log_format: LogFormat) -> Iterator[LogStart]:
    """Where in a block lines stand that certainly begin a log."""
    found = log_format.opening_pattern.search(data)
    while found is not None:
        begin = data.rfind(b"\n", 0, found.start()) + 1
        end = data.find(b"\n", found.end())
        end = len(data) if end < 0 else end
        following = log_format.opening_pattern.search(data, end)
        if (begin or begins_line) and log_format.is_opening(data[begin:end]):
            yield LogStart(begin, not _may_be_variation(data, begin, end, log_format, following))
        found = following


def _may_be_variation(
    data: bytes, begin: int, end: int, log_format: LogFormat, next_match: re.Match[bytes] | None
) -> bool:
    """Whether the log that begins in the line up to ``end`` may be a variation.

    In the notation that stands below that line: as long as the opening does not end in the block, it may be.
    """
    if log_format is NOTATION_LOG_FORMAT:
        blank = _find_blank_line(data, end)
        candidate_ends = [one.start() for one in (blank, next_match) if one is not None]
        if not candidate_ends:
            return True
        end = min(candidate_ends)
    return log_format.branch_pattern.search(data, begin, end) is not None


_find_blank_line: Final = re.compile(rb"\n[ \t\r]*\n").search


def _iterate_blocks(stream: BinaryIO | Iterable[bytes], size: int) -> Iterator[ByteBlock]:
    """The bytes of a stream in blocks of about ``size``."""
    pending, begins_line = b"", True
    for gathered in _gather_chunks(stream, size):
        data = pending + gathered
        cut = data.rfind(b"\n") + 1
        if not cut:
            if len(data) <= MAX_LINE_BYTES:
                pending = data
                continue
            cut = len(data)
        yield begins_line, data[:cut]
        begins_line, pending = data[cut - 1 : cut] == b"\n", data[cut:]
    if pending:
        yield begins_line, pending


def _gather_chunks(stream: BinaryIO | Iterable[bytes], size: int) -> Iterator[bytes]:
    """What a stream gives, put together to at least ``size`` bytes; what came before an error comes too."""
    parts: list[bytes] = []
    weight, error = 0, None
    try:
        for chunk in iterate_chunks(stream):
            parts.append(chunk)
            weight += len(chunk)
            if weight >= size:
                yield b"".join(parts)
                parts, weight = [], 0
    except OSError as reason:
        error = reason
    if parts:
        yield b"".join(parts)
    if error is not None:
        raise error
