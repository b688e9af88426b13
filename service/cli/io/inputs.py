"""What a command line names: files, standard input, deals of the library. Each is read deal by deal."""

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from difflib import get_close_matches
from typing import BinaryIO, Final, NamedTuple

import replays
from engine import Log
from engine.core.table_events import TableOpened
from schemas.logs.logs import read_logs
from schemas.wire.jsonlines import LISTED, NOTHING_PASSED, Passed, Problem, Unreadable
from service.cli.io.safe_group import tell
from service.cli.io.terminal_text import file_name, printable

STANDARD_INPUT: Final = "-"


class Deal(NamedTuple):
    """A deal that could be read: the file as it was named, its number there (from 1), its log.

    ``line`` is where it begins. A table's log is read as one too, where a command asks for tables.
    """

    file: str
    number: int
    log: Log
    line: int = 1


class Inputs:
    """The inputs of one run. What cannot be read is told at once; the rest is still read.

    ``unreadable`` is True as soon as something could not be read; ``left_out`` counts the logs that
    were not. ``passed`` says how far the file at hand was read. ``tell`` is how sentences are told;
    ``standard`` gives standard input.
    """

    def __init__(
        self,
        names: Iterable[str] = (),
        tell: Callable[[str], None] = tell,
        standard: Callable[[], BinaryIO] | None = None,
    ) -> None:
        self.names = tuple(names)
        self.unreadable = False
        self.left_out = 0
        self.passed = NOTHING_PASSED
        self._say = tell
        self._standard = standard or standard_input

    def deals(self) -> Iterator[Deal]:
        """Every deal that can be read, in the order in which the inputs are named."""
        return self._deals_among(self.logs())

    def logs(self) -> Iterator[Deal]:
        """Every log that can be read, also those of tables."""
        for name in self.names:
            with self.opened(name) as stream:
                if stream is not None:
                    yield from self._read(stream, file_name(name), NOTHING_PASSED, 0)
                    self.count_unlisted(file_name(name), self.passed)

    def logs_in(
        self,
        stream: BinaryIO | Iterable[bytes],
        file: str,
        passed: Passed = NOTHING_PASSED,
        skipped: int = 0,
        with_tables: bool = False,
    ) -> Iterator[Deal]:
        """The deals of one input, or of what follows in it after what has ``passed``; or tables' logs too.

        Nothing is said or given of its first ``skipped`` logs.
        """
        logs = self._read(stream, file, passed, skipped)
        return logs if with_tables else self._deals_among(logs)

    def count_unlisted(self, file: str, passed: Passed) -> None:
        """At the end of a file: says how many of its logs were left out beyond those that were told."""
        more = passed.left_out - LISTED
        if more > 0:
            deals = "1 more deal is" if more == 1 else f"{more} more deals are"
            self.refuse(f"{shown_name(file)}: {deals} left out, which cannot be read.")

    def refuse(self, sentence: str) -> None:
        """Tells why something could not be read."""
        self.unreadable = True
        self._say(sentence)

    def opened(self, name: str) -> AbstractContextManager[BinaryIO | None]:
        """The input of that name, None where there is none; a file goes before a deal of the library."""
        try:
            if name == STANDARD_INPUT:
                # Standard input is borrowed: it is read, not closed.
                return nullcontext(self._standard())
            return open(name, "rb")
        except FileNotFoundError:
            return self._from_library(name)
        except (OSError, ValueError) as error:
            self.refuse(cannot_be_read(name, error))
            return nullcontext(None)

    def _from_library(self, name: str) -> AbstractContextManager[BinaryIO | None]:
        replay = replays.find(name)
        if replay is None:
            missing = f"There is no file {quoted(name)}, and no deal of the library is called so."
            self.refuse(missing + nearest_in_library(name))
            return nullcontext(None)
        return io.BytesIO(replay.lines())

    def _deals_among(self, logs: Iterable[Deal]) -> Iterator[Deal]:
        for one in logs:
            if is_table(one):
                shown = shown_name(one.file)
                self._say(f"{shown}, line {one.line}: the log of a table begins here; only deals are read.")
            else:
                yield one

    def _read(
        self, stream: BinaryIO | Iterable[bytes], file: str, passed: Passed, skipped: int
    ) -> Iterator[Deal]:
        self.passed = passed
        logs = read_logs(stream, shown_name(file), passed)
        while True:
            try:
                log = next(logs, None)
            except OSError as error:
                self.refuse(cannot_be_read(file, error))
                return
            if log is None:
                return
            told, left_out = self.passed.told + len(log.problems), self.passed.left_out
            bad = isinstance(log, Unreadable)
            self.passed = Passed(log.number, passed.lines, told, left_out + bad)
            if log.number <= skipped:
                continue
            if isinstance(log, Unreadable):
                self._tell(log)
            else:
                yield Deal(file, log.number, log.log, log.line)

    def _tell(self, log: Unreadable) -> None:
        self.left_out += 1
        self.unreadable = True
        for problem in log.problems:
            self._say(_sentence(problem))
        if self.passed.left_out > LISTED:
            return  # counted at the end of the file
        more = f" There are {log.unlisted} more such problems." if log.unlisted else ""
        self._say(f"{log.name}, deal {log.number} (from line {log.line}) is left out.{more}")


def is_table(log: Deal) -> bool:
    """Whether a log is that of a table."""
    return isinstance(log.log[0].event, TableOpened)


def shown_name(file: str) -> str:
    """What sentences call an input."""
    return "standard input" if file == STANDARD_INPUT else printable(file)


def standard_input() -> BinaryIO:
    """Standard input as bytes.

    Raises:
        OSError: it is closed.
    """
    if sys.stdin is None:
        raise OSError("closed")
    return sys.stdin.buffer


def _sentence(problem: Problem) -> str:
    return printable(f"{problem.file}, line {problem.line}, column {problem.column}: {problem.message}")


def cannot_be_read(name: str, error: Exception) -> str:
    """Why an input cannot be read, and what to do."""
    if name == STANDARD_INPUT:
        return "Standard input cannot be read; pipe a log into it, or name a file."
    if isinstance(error, IsADirectoryError):
        inside = os.path.join(printable(file_name(name)), "*.jsonl")
        return f"{quoted(name)} is a folder; name the files in it, such as {inside}."
    if isinstance(error, PermissionError):
        return f"You may not read {quoted(name)}; ask its owner, or whoever runs this machine."
    reason = getattr(error, "strerror", None) or "it is not the name of a file"
    return f"{quoted(name)} cannot be read: {reason}."


def quoted(name: str) -> str:
    """A name as it was typed, in quotation marks."""
    return f"“{printable(file_name(name))}”"


def nearest_in_library(name: str) -> str:
    """What may have been meant."""
    near = get_close_matches(name, [replay.name for replay in replays.library()], n=1)
    return f" Did you mean {near[0]}?" if near else " To see what the library has: spadille library"
