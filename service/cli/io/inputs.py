"""The inputs of a command: files, standard input, deals of the library, read deal by deal."""

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from difflib import get_close_matches
from typing import IO, BinaryIO, Final, NamedTuple, cast

import replays
from engine import Log
from schemas.logs.log_file import read_log_file
from schemas.wire.jsonlines import MAX_LISTED_PROBLEMS, LineProblem, UnreadableLog
from service.cli.io.safe_group import print_to_stderr
from service.cli.io.terminal_text import decode_file_name, sanitize_line
from service.records.log_grouping import is_table_log

STDIN_NAME: Final = "-"
MAX_MEMORY_BYTES: Final = 16 * 1024 * 1024
"""How much of standard input is kept in memory to be read again; if there is more, a file holds it."""


class InputLog(NamedTuple):
    """A deal or a table's log: the file as named, its number there (from 1), its first line."""

    file: str
    number: int
    log: Log
    line: int = 1


class Inputs:
    """The inputs of one run. What cannot be read is reported by ``write_message``; the rest is still read.

    ``has_unreadable`` is True once something could not be read; ``omitted_count`` counts the logs left out.
    ``open_stdin`` opens standard input; ``track`` is called with each input and gives the bytes to be read;
    the first ``skip_count`` logs of the first input are skipped in silence.
    """

    def __init__(
        self,
        names: Iterable[str] = (),
        write_message: Callable[[str], None] = print_to_stderr,
        open_stdin: Callable[[], BinaryIO] | None = None,
        track: Callable[[BinaryIO], BinaryIO | Iterable[bytes]] = lambda stream: stream,
        skip_count: int = 0,
    ) -> None:
        self.names = tuple(names)
        self.has_unreadable = False
        self.omitted_count = 0
        self._write_message = write_message
        self._open_stdin = open_stdin or binary_stdin
        self._track = track
        self._skip_count = skip_count

    def read_deals(self) -> Iterator[InputLog]:
        """Every readable deal, in the order of the inputs."""
        return without_tables(self.read_all_logs())

    def read_all_logs(self) -> Iterator[InputLog]:
        """Every readable log, also those of tables."""
        for place, name in enumerate(self.names):
            with self._open_input(name) as stream:
                if stream is not None:
                    skip_count = 0 if place else self._skip_count
                    yield from self.read_logs_from(self._track(stream), name, skip_count)

    def report_unreadable(self, message: str) -> None:
        """Report why something could not be read."""
        self.has_unreadable = True
        self._write_message(message)

    def _open_input(self, name: str) -> AbstractContextManager[BinaryIO | None]:
        """The input of that name, None if there is none; a file precedes a deal of the library."""
        try:
            if name == STDIN_NAME:
                # Standard input is not ours to close.
                return nullcontext(self._open_stdin())
            return open(name, "rb")
        except FileNotFoundError:
            return self._open_library_deal(name)
        except (OSError, ValueError) as error:
            self.report_unreadable(format_read_error(name, error))
            return nullcontext(None)

    def _open_library_deal(self, name: str) -> AbstractContextManager[BinaryIO | None]:
        replay = replays.find_library_deal(name)
        if replay is None:
            missing = f"There is no file {quote_file_name(name)} and no library deal with that name."
            self.report_unreadable(missing + library_suggestion(name))
            return nullcontext(None)
        return io.BytesIO(replay.jsonl)

    def read_logs_from(
        self, stream: BinaryIO | Iterable[bytes], name: str, skip_count: int = 0
    ) -> Iterator[InputLog]:
        """The logs of one input; its first ``skip_count`` logs are skipped in silence."""
        file = decode_file_name(name)
        log_count = unreadable_count = 0
        try:
            for log in read_log_file(stream, input_display_name(file)):
                log_count = log.number
                if isinstance(log, UnreadableLog):
                    unreadable_count += 1
                    if log.number > skip_count:
                        self._report_unreadable_log(log, unreadable_count <= MAX_LISTED_PROBLEMS)
                elif log.number > skip_count:
                    yield InputLog(file, log.number, log.log, log.line)
        except OSError as error:
            self.report_unreadable(format_read_error(file, error))
        if (more := unreadable_count - MAX_LISTED_PROBLEMS) > 0:
            deals = "1 more deal is" if more == 1 else f"{more} more deals are"
            self.report_unreadable(f"{input_display_name(file)}: {deals} unreadable and left out.")
        if log_count < skip_count:
            self.report_unreadable(
                f"{input_display_name(file)} ends with deal {log_count}, so the run cannot resume after deal "
                f"{skip_count}."
            )

    def _report_unreadable_log(self, log: UnreadableLog, is_listed: bool) -> None:
        """Report the problems of a log; one that is not listed is counted at the end of the file."""
        self.omitted_count += 1
        self.has_unreadable = True
        for problem in log.problems:
            self._write_message(_format_problem(problem))
        if is_listed:
            more = f" {log.unlisted} more such problems." if log.unlisted else ""
            self._write_message(f"{log.name}, deal {log.number} (from line {log.line}) is left out.{more}")


def without_tables(logs: Iterable[InputLog]) -> Iterator[InputLog]:
    """The deals: the log of a table often comes with them, and other commands are for it."""
    return (one for one in logs if not is_table_log(one.log))


def input_display_name(file: str) -> str:
    """The name of an input in messages."""
    return "standard input" if file == STDIN_NAME else sanitize_line(file)


def binary_stdin() -> BinaryIO:
    """Standard input as bytes.

    Raises:
        OSError: it is closed.
    """
    if sys.stdin is None:
        raise OSError("closed")
    return sys.stdin.buffer


class RereadableStdin:
    """Standard input, copied to ``spool`` as it is read, so that it can be read again."""

    def __init__(self, spool: IO[bytes]) -> None:
        self._spool = spool

    def open_first(self) -> BinaryIO:
        """Standard input for the first reading. Raises `OSError` if it is closed."""
        stream = binary_stdin()
        self._read = getattr(stream, "read1", None) or stream.read
        return cast(BinaryIO, self)

    def read1(self, size: int = -1) -> bytes:
        """Read at most ``size`` bytes."""
        chunk: bytes = self._read(size)
        self._spool.write(chunk)
        return chunk

    def reopen(self) -> BinaryIO:
        """What was read, from its beginning."""
        self._spool.seek(0)
        return cast(BinaryIO, self._spool)


def _format_problem(problem: LineProblem) -> str:
    return sanitize_line(f"{problem.file}, line {problem.line}, column {problem.column}: {problem.message}")


def format_read_error(name: str, error: Exception) -> str:
    """Why an input cannot be read, and what to do."""
    if name == STDIN_NAME:
        return "Standard input cannot be read; pipe a log into it, or name a file."
    if isinstance(error, IsADirectoryError):
        pattern = os.path.join(sanitize_line(decode_file_name(name)), "*.jsonl")
        return f"{quote_file_name(name)} is a folder; name the files in it, such as {pattern}."
    if isinstance(error, PermissionError):
        return (
            f"You may not read {quote_file_name(name)}; ask its owner or the administrator of this computer."
        )
    reason = getattr(error, "strerror", None) or "it is not a valid file name"
    return f"{quote_file_name(name)} cannot be read: {reason}."


def quote_file_name(name: str) -> str:
    """A file's name in quotation marks, safe for a terminal."""
    return f"“{sanitize_line(decode_file_name(name))}”"


def library_suggestion(name: str) -> str:
    """A sentence with the most similar name of the library."""
    nearest = get_close_matches(name, [replay.name for replay in replays.list_library()], n=1)
    return f" Did you mean {nearest[0]}?" if nearest else " To list the library: spadille library"
