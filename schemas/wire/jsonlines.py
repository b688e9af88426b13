"""Logs as JSON Lines: many deals and tables in one file, one event to a line.

A log begins with ``deal_opened`` or ``table_opened`` and ends where the next one begins. Every
line is read, also after a bad one; what cannot be read is said with its line and column. Memory
is bounded by one log, whatever the file holds. A line that tells a ruleset belongs to no log and is
passed over (`schemas.rulesets.published`).
"""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, ClassVar, Final, NamedTuple

import orjson

from engine.core.log import Entry, Log
from engine.core.vocabulary import Seq
from engine.play.state import new
from schemas.wire.doubled_names import Doubled, doubled_name
from schemas.wire.faults import NOTHING, Fault, WireError, placed, shown
from schemas.wire.json_text import read_json
from schemas.wire.lines import LONGEST, lines_of
from schemas.wire.positions import columns_of, nearest_column
from schemas.wire.reader import read_parts, seq_fault
from schemas.wire.unparsable import BadLine, in_utf16, not_an_object, not_json, too_long, twice_named, utf16

ENTRIES: Final = 2_000
"""A log has at most so many entries …"""
BYTES: Final = 64 << 20
"""… and at most so many bytes."""
LISTED: Final = 100
"""So many problems of a file are told in full; the rest is counted."""

_MARK: Final = codecs.BOM_UTF8
OPENERS: Final = ("deal_opened", "table_opened")
RULESET: Final = "ruleset_published"
"""The type of a line that belongs to no log."""
_BETWEEN: Final = (*OPENERS, RULESET)
"""Types of lines that belong to no log before them."""
_opens: Final = re.compile(rb'"type"\s*:\s*"(?:deal|table)_opened"').search
"""Whether a line that cannot be read was meant to open a log: what follows is then not the last one's."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a line cannot be read: where it is, what was read, what was expected, what to do.

    ``line`` and ``column`` count from 1, columns in characters. ``pointer`` is a JSON Pointer into
    the line's object, empty where the line as a whole is at fault.
    """

    file: str
    line: int
    column: int
    pointer: str
    read: str
    expected: str
    message: str


@dataclass(frozen=True, slots=True)
class DealLog:
    """A log that could be read: the ``number``-th of its file (from 1), which begins at ``line``.

    It has no problems; callers may ask either kind of log for them.
    """

    name: str
    number: int
    line: int
    log: Log
    problems: ClassVar[tuple[Problem, ...]] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A log with bad lines: the problems, and as much of it as could be read.

    Entries keep the place they have in the file, so there are gaps in ``log`` where lines are
    bad. ``unlisted`` is how many problems there are beyond those in ``problems``.
    """

    name: str
    number: int
    line: int
    log: Log
    problems: tuple[Problem, ...]
    unlisted: int = 0


class Passed(NamedTuple):
    """What of a file was read before: how many logs and lines, and how many problems were told.

    ``left_out``: how many of the logs cannot be read.
    """

    logs: int = 0
    lines: int = 0
    told: int = 0
    left_out: int = 0


NOTHING_PASSED: Final = Passed()


def read_logs(
    stream: BinaryIO | Iterable[bytes], name: str, passed: Passed = NOTHING_PASSED
) -> Iterator[DealLog | Unreadable]:
    """The logs of a file, one after the other, each as soon as the next one begins.

    ``stream`` is a binary file, or its bytes in pieces of any size; ``name`` is what problems call
    the file. A file without any event is one unreadable log. Where ``stream`` is but what follows
    in a file from a line on that ``opens_log``, ``passed`` says what stood before it.
    """
    file = _File(name, passed)
    for number, (content, ended) in enumerate(lines_of(stream), passed.lines + 1):
        if number == 1 and content is not None:
            if in_utf16(content):
                file.begin(number)
                file.tell(number, utf16())
                break
            content = content.removeprefix(_MARK)
        if content is not None and (not content or content.isspace()):
            continue
        before = file.log
        file.take(number, content, ended)
        if before is not None and before is not file.log:
            yield before.finished(name)
    if file.log is None and not file.ruleset:
        file.begin(1)
        file.tell(1, _EMPTY)
    if file.log is not None:
        yield file.log.finished(name)


def opens_log(content: bytes) -> bool:
    """Whether a line, without its end, certainly begins a log, whatever stood before it."""
    if len(content) > LONGEST:
        return False
    try:
        obj = read_json(content.removeprefix(_MARK))
    except orjson.JSONDecodeError:
        return False
    return type(obj) is dict and obj.get("type") in OPENERS


_EMPTY: Final = BadLine(
    1, NOTHING, "an event on each line", "There is no event here; write one on each line, deal_opened first."
)
_FULL: Final = BadLine(
    1, "one entry more", f"at most {ENTRIES} entries and {BYTES >> 20} MiB in a log",
    f"A log has at most {ENTRIES} entries and {BYTES >> 20} MiB; begin the next one with deal_opened.",
)  # fmt: skip
_OPENING: Final = "deal_opened (or table_opened for a table)"
_BEGINS: Final = "A deal begins with deal_opened (a table with table_opened); put that line before this one."


@dataclass(slots=True)
class _Log:
    """A log that is being read. ``place`` counts its lines, bad ones too: a bad one was an entry.

    ``shift`` is how far the seqs that the lines claim are off their places, as was told already.
    """

    number: int
    line: int
    place: int = 0
    size: int = 0
    shift: int = 0
    full: bool = False
    entries: list[Entry] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unlisted: int = 0

    def finished(self, name: str) -> DealLog | Unreadable:
        """What was read, now that the log is at its end."""
        log = tuple(self.entries)
        if self.problems or self.unlisted:
            return Unreadable(name, self.number, self.line, log, tuple(self.problems), self.unlisted)
        return DealLog(name, self.number, self.line, log)


class _File:
    """A file that is being read: the log at hand, and how many problems were told.

    ``spread`` is True while an event or a list seems to go on over several lines: of these only
    the first is told, the rest is counted. ``ruleset`` is True where a line told a ruleset.
    """

    def __init__(self, name: str, passed: Passed) -> None:
        self.name = name
        self.number = passed.logs
        self.listed = passed.told
        self.spread = False
        self.ruleset = False
        self.log: _Log | None = None

    def begin(self, line: int) -> _Log:
        """A new log begins."""
        self.number += 1
        self.log = _Log(self.number, line)
        return self.log

    def take(self, line: int, content: bytes | None, ended: bool) -> None:
        """Reads one line into the log at hand, or into one that begins with it.

        ``content`` is None for a line that is too long, ``ended`` False for a last one that
        has no line end.
        """
        if content is None:
            self._take_bad(line, b"", lambda: too_long(LONGEST))
            return
        try:
            obj = read_json(content)
        except orjson.JSONDecodeError as error:
            # It outlives this clause, without its traceback, which would hold the line for long.
            self._take_unparsed(line, content, ended, error.with_traceback(None))
            return
        if type(obj) is not dict:
            self._take_no_object(line, content, obj)
            return
        self.spread = False
        doubled = doubled_name(content, obj)
        if doubled is not None:
            self._take_doubled(line, content, doubled)
            return
        log = self.log
        if log is None or obj.get("type") in _BETWEEN:
            if obj.get("type") == RULESET:
                self.ruleset = True
                return
            log = self._begin_with(line, content, obj)
        if not self._has_room(log, line, len(content)):
            return
        try:
            event, record, claimed = read_parts(obj)
        except WireError as error:
            self._tell_faults(line, content, error.faults)
            return
        log.entries.append(new(Entry, (log.place, event, record)))
        if claimed is not None and claimed != log.place + log.shift:
            self._tell_claim(log, line, content, claimed)

    def _take_unparsed(self, line: int, content: bytes, ended: bool, reason: orjson.JSONDecodeError) -> None:
        # Files joined to one keep their marks, one each.
        if content.startswith(_MARK) and not content.startswith(_MARK * 2):
            self.take(line, content.removeprefix(_MARK), ended)
        else:
            self._take_bad(line, content, lambda: not_json(content, ended, reason))

    def _take_no_object(self, line: int, content: bytes, obj: object) -> None:
        self._take_bad(line, content, lambda: not_an_object(obj))

    def _take_doubled(self, line: int, content: bytes, doubled: Doubled) -> None:
        column = nearest_column(columns_of(content.decode("utf-8"), [doubled.pointer]), doubled.pointer, True)
        self._take_bad(line, content, lambda: twice_named(doubled.name, column), doubled.pointer)

    def _take_bad(
        self, line: int, content: bytes, describe: Callable[[], BadLine], pointer: str = ""
    ) -> None:
        log = self.log
        if log is None or (_opens(content) and not self.spread):
            log = self.begin(line)
        self._has_room(log, line, len(content))
        # Of an event that is spread out only the first line is told.
        if self.spread or self.listed >= LISTED:
            log.unlisted += 1
            return
        bad = describe()
        self.spread = bad.spreads
        self.tell(line, bad, pointer)

    def _begin_with(self, line: int, content: bytes, obj: dict[str, Any]) -> _Log:
        log = self.begin(line)
        if obj.get("type") not in OPENERS:
            read = shown(obj["type"]) if "type" in obj else NOTHING
            column = nearest_column(columns_of(content.decode("utf-8"), ["/type"]), "/type")
            self.tell(line, BadLine(column, read, _OPENING, _BEGINS), "/type")
        return log

    def _has_room(self, log: _Log, line: int, size: int) -> bool:
        """Counts a line in; False for one beyond what a log may hold."""
        log.place += 1
        log.size += size
        if log.place <= ENTRIES and log.size <= BYTES:
            return True
        if not log.full:
            log.full = True
            self.tell(line, _FULL)
        return False

    def _tell_claim(self, log: _Log, line: int, content: bytes, claimed: Seq) -> None:
        """Tells of an entry that claims another place; those after it are off by as much, untold."""
        if isinstance(claimed, int):
            log.shift = claimed - log.place
        if claimed != log.place:
            self._tell_faults(line, content, [seq_fault(claimed, log.place)])

    def _tell_faults(self, line: int, content: bytes, faults: Sequence[Fault]) -> None:
        columns = None
        for fault in faults:
            if columns is None and self.listed < LISTED:
                columns = columns_of(content.decode("utf-8"), [f.pointer for f in faults])
            column = nearest_column(columns or {}, fault.pointer, fault.of_name)
            self.tell(line, BadLine(column, fault.read, fault.expected, placed(fault)), fault.pointer)

    def tell(self, line: int, bad: BadLine, pointer: str = "") -> None:
        """Adds a problem to the log at hand, or counts it when enough were told of this file."""
        log = self.log or self.begin(line)
        if self.listed >= LISTED:
            log.unlisted += 1
            return
        self.listed += 1
        log.problems.append(
            Problem(self.name, line, bad.column, pointer, bad.read, bad.expected, bad.message)
        )
