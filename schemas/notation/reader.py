"""The notation as a file: many deals and evenings in one text, each read as soon as the next begins.

A deal begins with a line ``Deal: …``, an evening's log with ``Evening: …``; in a file that begins with an
evening, its deals may leave out what it says; what stands before the first
is a deal too, if it is anything. Every deal is read, also after a bad one; memory is bounded by one deal.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from sys import getsizeof
from typing import BinaryIO, Final

from schemas.notation.evenings import Evening, evening_of
from schemas.notation.in_letters import read_deal
from schemas.notation.opening import TABLE, opener_of, opens
from schemas.wire.faults import NOTHING
from schemas.wire.jsonlines import LISTED, NOTHING_PASSED, DealLog, Passed, Problem, Unreadable
from schemas.wire.lines import LONGEST, lines_of
from schemas.wire.unparsable import UTF_8, BadLine, in_utf16, not_text, utf16

SIZE: Final = 32 << 20
"""A deal's lines take at most so many bytes of memory; put together and taken apart, they take more."""
BESIDE: Final = 100
"""What a line costs in memory beside its text."""
_MARK: Final = "\ufeff"
A_DEAL: Final = "a deal, such as one that begins with Deal: and its title"


@dataclass(slots=True)
class _Lines:
    """The lines of a deal as they come, and what is wrong with the bytes of some."""

    number: int
    line: int
    lines: list[tuple[int, str]] = field(default_factory=list)
    size: int = 0
    bad: list[tuple[int, BadLine]] = field(default_factory=list)
    unlisted: int = 0
    full: bool = False

    def take(self, number: int, text: str) -> None:
        """Takes a line, as long as there is room for it."""
        self.size += getsizeof(text) + BESIDE
        if self.size <= SIZE:
            self.lines.append((number, text))
        elif self.full:
            self.unlisted += 1
        else:
            self.full = True
            self.bad.append((number, _FULL))


_FULL: Final = BadLine(
    1, "one line more", f"a deal that takes at most {SIZE >> 20} MiB",
    f"This deal takes more than {SIZE >> 20} MiB; begin the next one with Deal: and its title.",
)  # fmt: skip
_TOO_LONG: Final = BadLine(
    1, f"a line of more than {LONGEST} bytes", "a shorter line",
    f"A line is at most {LONGEST} bytes long; go on in an indented line below it.",
)  # fmt: skip


def read_logs(
    stream: BinaryIO | Iterable[bytes], name: str, passed: Passed = NOTHING_PASSED
) -> Iterator[DealLog | Unreadable]:
    """The logs of a text, one after the other, each as soon as the next one begins.

    ``stream`` is a binary file, or its bytes in pieces of any size; ``name`` is what problems call the file.
    Where ``stream`` is but what follows in a file from a line on that ``opens_log``, ``passed`` says what
    stood before it.
    """
    file = _File(name, passed)
    deal: _Lines | None = None
    for number, content in enumerate(_lines_of_any_end(stream), passed.lines + 1):
        if number == 1 and content is not None and in_utf16(content):
            yield file.finished(_Lines(1, 1, bad=[(1, utf16())]))
            return
        text = _text(content)
        if isinstance(text, str) and opens(text) and deal is not None:
            yield file.finished(deal)
            deal = None
        if deal is None:
            if isinstance(text, str) and not text.strip():
                continue
            deal = file.begun(number)
        if isinstance(text, str):
            deal.take(number, text)
        elif len(deal.bad) < LISTED:
            deal.bad.append((number, text))
        else:
            deal.unlisted += 1
    if deal is None and file.number == 0:
        deal = _Lines(1, 1, bad=[(1, BadLine(1, NOTHING, A_DEAL, f"There is nothing here; write {A_DEAL}."))])
    if deal is not None:
        yield file.finished(deal)


def _lines_of_any_end(stream: BinaryIO | Iterable[bytes]) -> Iterator[bytes | None]:
    """The lines of a text, also where each ends as on an old Macintosh, with a carriage return alone."""
    for content, _ in lines_of(stream):
        if content is None or b"\r" not in content or content.find(b"\r") == len(content) - 1:
            yield content
        else:
            yield from content.removesuffix(b"\r").split(b"\r")


def opens_log(content: bytes) -> bool:
    """Whether a line, without its end, begins a log, whatever stood before it."""
    text = _text(content if len(content) <= LONGEST else None)
    return isinstance(text, str) and opens(text) is not None


def opens_evening(content: bytes) -> bool:
    """Whether a line, without its end, begins the log of an evening."""
    text = _text(content if len(content) <= LONGEST else None)
    return isinstance(text, str) and opens(text) is not None and opener_of(text) == TABLE


def _text(content: bytes | None) -> str | BadLine:
    """A line as text, without a byte order mark, or why it is none. Files joined to one keep their marks."""
    if content is None:
        return _TOO_LONG
    if b"\0" in content:
        return not_text(content)
    try:
        return content.decode("utf-8").removeprefix(_MARK)
    except UnicodeDecodeError as error:
        column = len(content[: error.start].decode("utf-8")) + 1
        byte = f"0x{content[error.start]:02X}"
        return BadLine(
            column, f"the byte {byte}", UTF_8,
            f"The byte {byte} is not UTF-8 here; save the file as UTF-8 and read it again.",
        )  # fmt: skip


class _File:
    """A file that is being read: how many logs it has had, and how many problems were told."""

    def __init__(self, name: str, passed: Passed) -> None:
        self.name = name
        self.number = passed.logs
        self.listed = passed.told
        self.evening: Evening | None = None
        """In a file that begins with one, the evening to which the deals belong."""

    def begun(self, line: int) -> _Lines:
        """The lines of the next log, none yet."""
        self.number += 1
        return _Lines(self.number, line)

    def finished(self, deal: _Lines) -> DealLog | Unreadable:
        """A log, now that all its lines are there."""
        read = read_deal(deal.lines, self.evening)
        if deal.number == 1 or self.evening is not None:
            self.evening = evening_of(read.log) or self.evening
        problems = [
            Problem(self.name, line, bad.column, "", bad.read, bad.expected, bad.message)
            for line, bad in deal.bad
        ]
        problems += [
            Problem(self.name, one.line, one.column, "", one.read, one.expected, one.message)
            for one in read.troubles
        ]
        if not problems:
            return DealLog(self.name, deal.number, deal.line, read.log)
        problems.sort(key=lambda one: (one.line, one.column))
        room = LISTED - self.listed
        told, untold = problems[:room], len(problems[room:])
        self.listed += len(told)
        return Unreadable(self.name, deal.number, deal.line, read.log, tuple(told), untold + deal.unlisted)
