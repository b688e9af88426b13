"""What has to hold whatever is read: the laws by which a reader of logs is fuzzed."""

from __future__ import annotations

import io
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Final

from engine.core.log import Log
from schemas import notation
from schemas.logs import log_file
from schemas.wire import jsonlines
from schemas.wire.event_writer import entry_bytes
from schemas.wire.jsonlines import MAX_LISTED_PROBLEMS, LineProblem, ParsedLog, UnreadableLog
from tests.support.costs import Work, assert_grows_evenly, calls

NAME: Final = "fuzz"
QUICK: Final = 0.25
"""Fewer seconds than these do not say how time grows."""

Reader = Callable[[BinaryIO, str], Iterator[ParsedLog | UnreadableLog]]
READERS: Final[dict[str, tuple[Reader, ...]]] = {
    "notation": (notation.read_notation_logs,),
    "jsonlines": (jsonlines.read_json_lines_logs,),
    "both": (notation.read_notation_logs, jsonlines.read_json_lines_logs, log_file.read_log_file),
}


def hold(data: bytes, readers: tuple[Reader, ...] = READERS["both"]) -> None:
    """Reads ``data`` by each reader; what breaks a law is an ``AssertionError``, or whatever was raised."""
    # The notation takes a lone carriage return for a line's end, as old machines wrote it; JSON Lines do not.
    ways = (data.split(b"\n"), re.split(rb"\r\n|\r|\n", data))
    for reader in readers:
        read = list(reader(io.BytesIO(data), NAME))
        assert read, "nothing at all was said"
        for number, log in enumerate(read, 1):
            assert log.number == number and 1 <= log.line <= max(map(len, ways)), (log.number, log.line)
            for problem in log.problems:
                _told_well(problem, ways)
            if isinstance(log, ParsedLog):
                _comes_back(log.log)
            else:
                assert log.problems or log.unlisted, "left out without a reason"
        assert sum(len(log.problems) for log in read) <= MAX_LISTED_PROBLEMS


def _told_well(problem: LineProblem, ways: Iterable[list[bytes]]) -> None:
    # A line that is cut short by an error in its bytes has at least one column for each character before it.
    named = [lines[problem.line - 1] for lines in ways if 1 <= problem.line <= len(lines)]
    assert any(1 <= problem.column <= len(line.decode("utf-8", "replace")) + 1 for line in named), problem
    assert problem.message.endswith((".", "}.", "….")), problem
    assert problem.read and problem.expected, problem
    assert len(problem.message) < 1_000, problem
    problem.message.encode("utf-8")


def _comes_back(log: Log) -> None:
    """A log that was read is written, in either form, and read as the same."""
    written = b"".join(entry_bytes(entry) + b"\n" for entry in log)
    _same(log, list(jsonlines.read_json_lines_logs(io.BytesIO(written), NAME)))
    text = notation.format_notation_log(log)
    again = list(notation.read_notation_logs(io.BytesIO(text.encode("utf-8")), NAME))
    _same(log, again)
    assert notation.format_notation_log(again[0].log) == text, "the canonical form is not canonical"


def _same(log: Log, again: list[ParsedLog | UnreadableLog]) -> None:
    assert len(again) == 1, [one.problems for one in again]
    assert isinstance(again[0], ParsedLog), again[0].problems
    assert again[0].log == log, [pair for pair in zip(log, again[0].log, strict=False) if pair[0] != pair[1]]


def grows_evenly(
    make: Callable[[int], bytes], size: int, reader: Reader, cost: Callable[[Work], float] = calls
) -> None:
    """Twice the input costs about twice as much to read; ``make`` gives an input of about a size in bytes."""

    def work(size: int) -> Work:
        data = make(size)
        return lambda: deque(reader(io.BytesIO(data), NAME), maxlen=0)

    assert_grows_evenly(work, size, cost)


def seconds(work: Work) -> float:
    """How long the processor is at it, for `python -m tests.properties.fuzz`: tests do not look at the clock.

    Nothing where that is too short to say how it grows.
    """
    begun = time.process_time()
    work()
    took = time.process_time() - begun
    return took if took >= QUICK else 0.0
