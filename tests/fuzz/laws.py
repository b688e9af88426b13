"""What has to hold whatever is read: the laws by which a reader of logs is fuzzed."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

from engine.log import Log
from schemas import jsonlines, logs, notation
from schemas.jsonlines import LISTED, DealLog, Problem, Unreadable
from schemas.writer import entry_bytes

NAME: Final = "fuzz"
QUICK: Final = 0.25
"""So many seconds are too few to say how time grows."""
GROWTH: Final = 2.5
"""Twice the input may take at most so many times the time."""
TRIES: Final = 4
"""So many sizes in a row have to take too long: another process may have been at work."""

Reader = Callable[[BinaryIO, str], Iterator[DealLog | Unreadable]]
READERS: Final[dict[str, tuple[Reader, ...]]] = {
    "notation": (notation.read_logs,),
    "jsonlines": (jsonlines.read_logs,),
    "both": (notation.read_logs, jsonlines.read_logs, logs.read_logs),
}


def hold(data: bytes, readers: tuple[Reader, ...] = READERS["both"]) -> None:
    """Reads ``data`` by each reader; what breaks a law is an ``AssertionError``, or whatever was raised."""
    for reader in readers:
        _hold_for(data, reader)


def _hold_for(data: bytes, reader: Reader) -> None:
    read = list(reader(io.BytesIO(data), NAME))
    assert read, "nothing at all was said"
    # The notation takes a lone carriage return for a line's end, as old machines wrote it; JSON Lines do not.
    ways = (data.split(b"\n"), _ends(data))
    told = 0
    for number, log in enumerate(read, 1):
        assert log.number == number and 1 <= log.line <= max(map(len, ways)), (log.number, log.line)
        told += len(log.problems)
        for problem in log.problems:
            assert any(_is_within(problem, lines) for lines in ways), problem
            assert problem.message.endswith((".", "}.", "….")), problem
            assert problem.read and problem.expected, problem
        if isinstance(log, DealLog):
            _comes_back(log.log)
        else:
            assert log.problems or log.unlisted, "left out without a reason"
    assert told <= LISTED


_ends: Final = re.compile(rb"\r\n|\r|\n").split


def _is_within(problem: Problem, lines: list[bytes]) -> bool:
    """Whether the place that is told is in the file."""
    if not 1 <= problem.line <= len(lines):
        return False
    # A line that is cut short by an error in its bytes has at least one column for each character before it.
    return 1 <= problem.column <= len(lines[problem.line - 1].decode("utf-8", "replace")) + 1
    assert len(problem.message) < 1_000, problem
    problem.message.encode("utf-8")


def _comes_back(log: Log) -> None:
    """A log that was read is written, in either form, and read as the same."""
    written = b"".join(entry_bytes(entry) + b"\n" for entry in log)
    _same(log, list(jsonlines.read_logs(io.BytesIO(written), NAME)))
    text = notation.written_log(log)
    again = list(notation.read_logs(io.BytesIO(text.encode("utf-8")), NAME))
    _same(log, again)
    assert notation.written_log(again[0].log) == text, "the canonical form is not canonical"


def _same(log: Log, again: list[DealLog | Unreadable]) -> None:
    assert len(again) == 1, [one.problems for one in again]
    assert isinstance(again[0], DealLog), again[0].problems
    assert again[0].log == log, [pair for pair in zip(log, again[0].log, strict=False) if pair[0] != pair[1]]


def grows_evenly(make: Callable[[int], bytes], size: int, reader: Reader) -> None:
    """Twice the input takes at most ``GROWTH`` times the time; ``make`` gives an input of about a size."""
    for attempt in range(1, TRIES + 1):
        once, twice = (_seconds(make(n), reader) for n in (size, 2 * size))
        if twice < QUICK or twice <= GROWTH * once:
            return
        assert attempt < TRIES, f"{size} bytes take {once:.2f} s, twice as many {twice:.2f} s"
        size *= 2  # A step, as where one problem more is told, is none at twice the size.


def _seconds(data: bytes, reader: Reader) -> float:
    begun = time.process_time()
    for _ in reader(io.BytesIO(data), NAME):
        pass
    return time.process_time() - begun
