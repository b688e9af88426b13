"""A file cut into pieces of whole logs, cheaply, so that several processes can read it.

Lines are not read for this, but for those that may begin a log: the file is searched for what the
form of writing has at the beginning of a log (``Form``), and the line that has it is looked at. A
cut is made only where a log certainly begins, so that what is read of the pieces is what is read
of the whole file.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final, NamedTuple

from schemas import notation
from schemas.logs.logs import begun, in_notation
from schemas.wire import jsonlines
from schemas.wire.lines import LONGEST, chunks_of
from schemas.wire.unparsable import in_utf16

PIECE: Final = 256 << 10
"""A piece has about so many bytes, if it is not said otherwise."""
UNCUT: Final = 4 << 20
"""What has no place to cut it for so many bytes is no longer held in memory."""


class Form(NamedTuple):
    """How a log begins in a form of writing.

    ``sign`` is found in every line that begins a log; ``opens`` says of such a line, without its
    end, whether it certainly does. Beginnings that are missed cost time, nothing else. ``branches`` is
    found in the opening of every variation, which is read together with the deal before it.
    """

    sign: re.Pattern[bytes]
    opens: Callable[[bytes], bool]
    branches: re.Pattern[bytes]


JSON_LINES: Final = Form(re.compile(b"_opened"), jsonlines.opens_log, re.compile(b'"branch"'))
NOTATION: Final = Form(
    re.compile(rb"(?:deal|giv|evening|aften)[ \t]*:", re.IGNORECASE),
    notation.opens_log,
    re.compile(rb"(?:branch|variation|variant)[ \t]*:", re.IGNORECASE),
)


def form_of(beginning: bytes) -> Form:
    """The form in which a file is written, by how it begins."""
    return NOTATION if in_notation(beginning) else JSON_LINES


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole logs of a file. ``logs`` is how many seem to begin here; a bad line can begin one more.

    ``error`` is why the file could not be read on after this piece, if that is so.
    """

    data: bytes
    logs: int
    error: OSError | None = None

    def chunks(self) -> Iterator[bytes]:
        """The bytes of the piece; raises ``error`` where the file broke off."""
        yield self.data
        if self.error is not None:
            raise self.error


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a file that has no place to cut it for long; its bytes are read as they are asked for.

    It must be read before the next piece is asked for, to its end or not at all any more.
    """

    bytes_read: Iterator[bytes]

    def chunks(self) -> Iterator[bytes]:
        """The bytes of the stretch, once."""
        return self.bytes_read


def pieces_of(stream: BinaryIO | Iterable[bytes], size: int = PIECE) -> Iterator[Piece | Stretch]:
    """A file as pieces of about ``size`` bytes, in their order; at least one, if an empty one.

    A file that cannot be read any further ends with a piece that says so.
    """
    return _Cutting(stream, size).pieces()


class Start(NamedTuple):
    """Where in a block a log begins; ``alone`` if it is certainly none that leaves another one before it."""

    at: int
    alone: bool


Block = tuple[bool, bytes]
"""Bytes that end with a line, or inside one that is too long; and whether they begin with one."""


class _Cutting:
    """A file that is being cut: what was read since the last cut, and how many logs begin in it."""

    def __init__(self, stream: BinaryIO | Iterable[bytes], size: int) -> None:
        self.size = size
        beginning, chunks = begun(stream)
        self.blocks = _blocks(chunks, size)
        self.form: Form | None = form_of(beginning)
        self.held: list[bytes] = []
        self.logs = 0
        self.at_start = True

    def pieces(self) -> Iterator[Piece | Stretch]:
        error = None
        try:
            for fresh, data in self.blocks:
                starts = self._starts(fresh, data)
                if self.form is None:
                    self.held.append(data)
                    yield Stretch(self._stretch())
                    return
                weight = len(data) + sum(map(len, self.held))
                # The last of a file, or a small file, stays whole.
                last = max((n for n, start in enumerate(starts) if start.alone), default=-1)
                if self.logs + last > 0 and last >= 0 and 2 * weight >= self.size:
                    yield self._cut(data, starts, last)
                    continue
                self.held.append(data)
                self.logs += len(starts)
                if weight > UNCUT:
                    yield Stretch(self._stretch())
        except OSError as reason:
            error = reason
        if self.held or self.at_start or error is not None:
            yield Piece(b"".join(self.held), self.logs, error)

    def _starts(self, fresh: bool, data: bytes) -> list[Start]:
        """Where in a block logs begin for certain."""
        if self.at_start and (in_utf16(data.partition(b"\n")[0]) or self._begins_an_evening(data)):
            self.form = None  # a file that must not be cut: told of once, or read with its evening in mind
        self.at_start = False
        return [] if self.form is None else list(_beginnings(fresh, data, self.form))

    def _begins_an_evening(self, data: bytes) -> bool:
        """Whether the file is in the notation and begins with an evening, from which its deals take."""
        return self.form is NOTATION and notation.opens_evening(data.lstrip().partition(b"\n")[0])

    def _cut(self, data: bytes, starts: list[Start], last: int) -> Piece:
        """All up to one of the logs that begin in ``data``, which is held for the next piece."""
        at = starts[last].at
        piece = Piece(b"".join((*self.held, data[:at])), self.logs + last)
        self.held, self.logs = [data[at:]], len(starts) - last
        return piece

    def _stretch(self) -> Iterator[bytes]:
        """What is held and what follows, up to where a log begins after another."""
        held, self.held = self.held, []
        yield from held
        for fresh, data in self.blocks:
            starts = self._starts(fresh, data)
            # The first log of a file has what stands before it in its piece.
            first = 0 if self.logs else 1
            self.logs += len(starts)
            for n, start in enumerate(starts[first:], first):
                if start.alone:
                    yield data[: start.at]
                    self.held, self.logs = [data[start.at :]], len(starts) - n
                    return
            yield data


def _beginnings(fresh: bool, data: bytes, form: Form) -> Iterator[Start]:
    """Where in a block lines stand that certainly begin a log."""
    found = form.sign.search(data)
    while found is not None:
        begin = data.rfind(b"\n", 0, found.start()) + 1
        end = data.find(b"\n", found.end())
        end = len(data) if end < 0 else end
        following = form.sign.search(data, end)
        if (begin or fresh) and form.opens(data[begin:end]):
            yield Start(begin, not _branches(data, begin, end, form, following))
        found = following


def _branches(data: bytes, begin: int, end: int, form: Form, following: re.Match[bytes] | None) -> bool:
    """Whether the log that begins in the line up to ``end`` may be a variation.

    In the notation that stands below that line: as long as the opening does not end in the block, it may be.
    """
    if form is NOTATION:
        blank = _blank(data, end)
        ends = [one.start() for one in (blank, following) if one is not None]
        if not ends:
            return True
        end = min(ends)
    return form.branches.search(data, begin, end) is not None


_blank: Final = re.compile(rb"\n[ \t\r]*\n").search


def _blocks(stream: BinaryIO | Iterable[bytes], size: int) -> Iterator[Block]:
    """The bytes of a stream in blocks of about ``size``."""
    held, fresh = b"", True
    for gathered in _gathered(stream, size):
        data = held + gathered
        cut = data.rfind(b"\n") + 1
        if not cut:
            if len(data) <= LONGEST:
                held = data
                continue
            cut = len(data)
        yield fresh, data[:cut]
        fresh, held = data[cut - 1 : cut] == b"\n", data[cut:]
    if held:
        yield fresh, held


def _gathered(stream: BinaryIO | Iterable[bytes], size: int) -> Iterator[bytes]:
    """What a stream gives, put together to at least ``size`` bytes; what came before an error comes too."""
    parts: list[bytes] = []
    weight, error = 0, None
    try:
        for chunk in chunks_of(stream):
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
