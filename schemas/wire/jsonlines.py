"""Logs as JSON Lines: many deals and tables in one file, one event to a line.

A log begins with ``deal_opened`` or ``table_opened`` and ends where the next one begins. Every line is read,
also after a bad one; problems have a line and a column. Memory is bounded by one log. A line that publishes a
ruleset belongs to no log and is skipped (`schemas.rulesets.published_rulesets`).
"""

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final, NamedTuple

import orjson

from engine.core.field_types import Seq
from engine.core.log import EVENT_TYPES, Entry, Log
from engine.core.tuples import new_tuple
from schemas.wire.bad_lines import (
    BadLine,
    diagnose_duplicate_name,
    diagnose_invalid_json,
    diagnose_non_object,
    diagnose_overlong_line,
    diagnose_utf16,
    is_utf16,
)
from schemas.wire.event_reader import read_entry_parts, seq_mismatch_fault
from schemas.wire.json_text import (
    DuplicateName,
    find_column,
    find_duplicate_name,
    find_nearest_column,
    find_pointer_columns,
    parse_json,
)
from schemas.wire.line_reader import MAX_LINE_BYTES, iterate_lines
from schemas.wire.quick_reader import EntryParts, read_line
from schemas.wire.wire_faults import NO_VALUE, WireError, WireFault, format_fault, quote_value

MAX_ENTRIES_PER_LOG: Final = 2_000
MAX_BYTES_PER_LOG: Final = 64 << 20
MAX_LISTED_PROBLEMS: Final = 100
"""The most problems of a file that are listed; the rest are counted."""

_BYTE_ORDER_MARK: Final = codecs.BOM_UTF8
OPENING_TYPES: Final = ("deal_opened", "table_opened")
_OPENING_CLASSES: Final = frozenset(EVENT_TYPES[type_name] for type_name in OPENING_TYPES)
RULESET_PUBLISHED_TYPE: Final = "ruleset_published"
"""The type of a line that belongs to no log."""
_TYPES_STARTING_ANEW: Final = (*OPENING_TYPES, RULESET_PUBLISHED_TYPE)
"""Types of lines that belong to no log before them."""
_looks_like_opening: Final = re.compile(rb'"type"\s*:\s*"(?:deal|table)_opened"').search
"""Whether a line that cannot be read was meant to open a log: what follows is then not the last one's."""


class LineProblem(NamedTuple):
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


class ParsedLog(NamedTuple):
    """A log that could be read: the ``number``-th of its file (from 1), which begins at ``line``."""

    name: str
    number: int
    line: int
    log: Log

    @property
    def problems(self) -> tuple[LineProblem, ...]:
        """None; callers may ask either kind of log for them."""
        return ()


class UnreadableLog(NamedTuple):
    """A log with bad lines: the problems, and as much of it as could be read.

    Entries keep the place they have in the file, so there are gaps in ``log`` where lines are
    bad. ``unlisted`` is how many problems there are beyond those in ``problems``.
    """

    name: str
    number: int
    line: int
    log: Log
    problems: tuple[LineProblem, ...]
    unlisted: int = 0


def read_json_lines_logs(
    stream: BinaryIO | Iterable[bytes], name: str
) -> Iterator[ParsedLog | UnreadableLog]:
    """The logs of a file, one after the other, each as soon as the next one begins.

    ``stream`` is a binary file, or its bytes in pieces of any size; ``name`` is what problems call
    the file. A file without any event is one unreadable log.
    """
    file = _JsonLinesFile(name)
    for number, (content, ended) in enumerate(iterate_lines(stream), 1):
        if number == 1 and content is not None:
            if is_utf16(content):
                file.start_log(number)
                file.add_problem(number, diagnose_utf16())
                break
            content = content.removeprefix(_BYTE_ORDER_MARK)
        before = file.log
        file.add_line(number, content, ended)
        if before is not None and before is not file.log:
            yield before.build(name)
    if file.log is None and not file.has_ruleset:
        file.start_log(1)
        file.add_problem(1, _EMPTY_FILE)
    if file.log is not None:
        yield file.log.build(name)


_EMPTY_FILE: Final = BadLine(
    1, NO_VALUE, "an event on each line", "There is no event here; write one on each line, deal_opened first."
)
_LOG_FULL: Final = BadLine(
    1, "one entry more", f"at most {MAX_ENTRIES_PER_LOG} entries and {MAX_BYTES_PER_LOG >> 20} MiB in a log",
    f"A log has at most {MAX_ENTRIES_PER_LOG} entries and {MAX_BYTES_PER_LOG >> 20} MiB; "
    "begin the next one with deal_opened.",
)  # fmt: skip
_EXPECTED_OPENING: Final = "deal_opened (or table_opened for a table)"
_MISSING_OPENING_ADVICE: Final = (
    "A deal begins with deal_opened (a table with table_opened); put that line before this one."
)


@dataclass(slots=True)
class _LogBuilder:
    """A log that is being read. ``entry_count`` counts its lines, bad ones too: a bad one was an entry.

    ``seq_offset`` is how far the seqs that the lines claim are off their places, as reported already.
    """

    number: int
    line: int
    entry_count: int = 0
    size: int = 0
    seq_offset: int = 0
    is_full: bool = False
    entries: list[Entry] = field(default_factory=list)
    problems: list[LineProblem] = field(default_factory=list)
    unlisted: int = 0

    def build(self, name: str) -> ParsedLog | UnreadableLog:
        """What was read, now that the log is at its end."""
        log = tuple(self.entries)
        if self.problems or self.unlisted:
            return UnreadableLog(name, self.number, self.line, log, tuple(self.problems), self.unlisted)
        return ParsedLog(name, self.number, self.line, log)


class _JsonLinesFile:
    """A file being read: the current log, and how many problems were reported.

    ``inside_spread_event`` is True while an event or a list seems to span several lines: the first of these
    is reported, the rest are counted. ``has_ruleset`` is True once a line has published a ruleset.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = 0
        self.listed_count = 0
        self.inside_spread_event = False
        self.has_ruleset = False
        self.log: _LogBuilder | None = None

    def start_log(self, line: int) -> _LogBuilder:
        """A new log begins."""
        self.number += 1
        self.log = _LogBuilder(self.number, line)
        return self.log

    def add_line(self, line: int, content: bytes | None, has_line_end: bool) -> None:
        """Reads one line into the current log, or into one that begins with it.

        ``content`` is None for a line that is too long, ``has_line_end`` False for a last one that has none.
        """
        if content is None:
            self._add_bad_line(line, b"", diagnose_overlong_line(MAX_LINE_BYTES))
            return
        log, parts = self.log, read_line(content)
        if parts is not None and type(parts[0]) in _OPENING_CLASSES:
            log = self.start_log(line)
        if log is None or parts is None:
            self._add_unusual_line(line, content, has_line_end)
            return
        self.inside_spread_event = False
        if self._count_line(log, line, len(content)):
            self._add_entry(log, line, content, parts)

    def _add_unusual_line(self, line: int, content: bytes, has_line_end: bool) -> None:
        """Read a line that is empty or no ordinary event, or comes before all logs."""
        if not content or content.isspace():
            return
        try:
            obj = parse_json(content)
        except orjson.JSONDecodeError as error:
            self._add_unparsed_line(line, content, has_line_end, error)
            return
        if type(obj) is not dict:
            self._add_bad_line(line, content, diagnose_non_object(obj))
            return
        self.inside_spread_event = False
        doubled = find_duplicate_name(content, obj)
        if doubled is not None:
            self._add_object_with_duplicate(line, content, doubled)
            return
        log = self.log
        if log is None or obj.get("type") in _TYPES_STARTING_ANEW:
            if obj.get("type") == RULESET_PUBLISHED_TYPE:
                self.has_ruleset = True
                return
            log = self._start_log_with(line, content, obj)
        if not self._count_line(log, line, len(content)):
            return
        try:
            self._add_entry(log, line, content, read_entry_parts(obj))
        except WireError as error:
            self._report_faults(line, content, error.faults)

    def _add_entry(self, log: _LogBuilder, line: int, content: bytes, parts: EntryParts) -> None:
        event, metadata, claimed_seq = parts
        log.entries.append(new_tuple(Entry, (log.entry_count, event, metadata)))
        if claimed_seq is not None and claimed_seq != log.entry_count + log.seq_offset:
            self._report_seq_mismatch(log, line, content, claimed_seq)

    def _add_unparsed_line(
        self, line: int, content: bytes, has_line_end: bool, reason: orjson.JSONDecodeError
    ) -> None:
        # Files joined to one keep their marks, one each.
        if content.startswith(_BYTE_ORDER_MARK) and not content.startswith(_BYTE_ORDER_MARK * 2):
            self.add_line(line, content.removeprefix(_BYTE_ORDER_MARK), has_line_end)
        else:
            self._add_bad_line(line, content, diagnose_invalid_json(content, has_line_end, reason))

    def _add_object_with_duplicate(self, line: int, content: bytes, duplicate: DuplicateName) -> None:
        column = find_column(content.decode(), duplicate.pointer, at_name=True)
        bad = diagnose_duplicate_name(duplicate.name, column)
        self._add_bad_line(line, content, bad, duplicate.pointer)

    def _add_bad_line(self, line: int, content: bytes, bad: BadLine, pointer: str = "") -> None:
        log = self.log
        if log is None or (_looks_like_opening(content) and not self.inside_spread_event):
            log = self.start_log(line)
        self._count_line(log, line, len(content))
        # Of an event over several lines only the first line is listed.
        if self.inside_spread_event or self.listed_count >= MAX_LISTED_PROBLEMS:
            log.unlisted += 1
            return
        self.inside_spread_event = bad.continues_below
        self.add_problem(line, bad, pointer)

    def _start_log_with(self, line: int, content: bytes, obj: dict[str, Any]) -> _LogBuilder:
        log = self.start_log(line)
        if obj.get("type") not in OPENING_TYPES:
            read = quote_value(obj["type"]) if "type" in obj else NO_VALUE
            column = find_column(content.decode(), "/type")
            self.add_problem(line, BadLine(column, read, _EXPECTED_OPENING, _MISSING_OPENING_ADVICE), "/type")
        return log

    def _count_line(self, log: _LogBuilder, line: int, size: int) -> bool:
        """Count a line in; False for one beyond what a log may hold."""
        log.entry_count += 1
        log.size += size
        if log.entry_count <= MAX_ENTRIES_PER_LOG and log.size <= MAX_BYTES_PER_LOG:
            return True
        if not log.is_full:
            log.is_full = True
            self.add_problem(line, _LOG_FULL)
        return False

    def _report_seq_mismatch(self, log: _LogBuilder, line: int, content: bytes, claimed_seq: Seq) -> None:
        """Reports an entry that claims another place; later ones that are off by as much are not reported."""
        if isinstance(claimed_seq, int):
            log.seq_offset = claimed_seq - log.entry_count
        if claimed_seq != log.entry_count:
            self._report_faults(line, content, [seq_mismatch_fault(claimed_seq, log.entry_count)])

    def _report_faults(self, line: int, content: bytes, faults: Sequence[WireFault]) -> None:
        columns = None
        for fault in faults:
            if columns is None and self.listed_count < MAX_LISTED_PROBLEMS:
                columns = find_pointer_columns(content.decode("utf-8"), [f.pointer for f in faults])
            column = find_nearest_column(columns or {}, fault.pointer, fault.is_about_name)
            self.add_problem(
                line, BadLine(column, fault.read, fault.expected, format_fault(fault)), fault.pointer
            )

    def add_problem(self, line: int, bad_line: BadLine, pointer: str = "") -> None:
        """Adds a problem to the current log, or only counts it once enough are listed."""
        log = self.log or self.start_log(line)
        if self.listed_count >= MAX_LISTED_PROBLEMS:
            log.unlisted += 1
            return
        self.listed_count += 1
        log.problems.append(
            LineProblem(
                self.name, line, bad_line.column, pointer, bad_line.read, bad_line.expected, bad_line.message
            )
        )
