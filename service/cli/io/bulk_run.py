"""One run of a command over many deals: in this process, or in pieces for several.

The output does not depend on the number of processes. A worker reads a piece under an assumption: how many
logs and problems the file has before it. If the assumption proves wrong, this process reads the piece again.
"""

import gc
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, BinaryIO, ClassVar, Final, NamedTuple

from schemas.logs.log_file import DEFAULT_PIECE_BYTES, FilePiece, StreamedPiece, split_into_pieces
from schemas.wire.jsonlines import MAX_LISTED_PROBLEMS, NO_PROGRESS, ReadProgress
from service.cli.io.deals import PointOptions, deals_at_point
from service.cli.io.inputs import InputLog, Inputs, input_display_name
from service.cli.io.output import (
    ByteSink,
    OutputData,
    ProgressOutput,
    format_json_line,
    format_lines,
    open_progress_output,
)
from service.cli.io.safe_group import EX_SOFTWARE, EXIT_FAULTY, EXIT_SOUND, EXIT_UNREADABLE, CommandFailed
from service.cli.io.terminal_text import decode_file_name
from service.config.process_pool import CannotStartProcess, open_process_pool
from service.presentation.text.style import TextStyle
from service.records.deal_points import DealPoint

PIECES_PER_WORKER: Final = 2
"""How many pieces per process are being read, or wait for earlier ones to be written."""

WORKER_LOST_MESSAGE: Final = (
    "A process that --jobs started was killed, perhaps because memory ran out. The output so far is "
    "correct; the rest is missing."
)

StdinOpener = Callable[[], BinaryIO]
"""Gives standard input."""

Counts = Mapping[Any, int]
"""What a command counts."""
LogResults = Iterator[tuple[Iterable[OutputData], Counts]]
"""What is written of each log, and what it adds to the counts."""


class LogProcessor(ABC):
    """What a command does with each log; workers get it pickled.

    ``piece_bytes``: about how many bytes a worker gets in one piece. ``includes_tables``: whether the logs of
    tables are processed too.
    """

    piece_bytes: int = DEFAULT_PIECE_BYTES
    includes_tables: ClassVar[bool] = False

    @abstractmethod
    def process(self, logs: Iterable[InputLog], inputs: Inputs) -> LogResults:
        """What is written of each log, and what it adds to the counts; ``inputs`` gets the problems."""


@dataclass(frozen=True, slots=True)
class DealProcessor(LogProcessor):
    """Writes each deal at ``point``, as ``lines`` for a terminal, else as ``objects``.

    Counts the deals as "sound" or "faulty". ``has_size_limit``: deals too large for an answer that looks at
    every entry are reported instead.
    """

    point: PointOptions
    for_terminal: bool
    style: TextStyle
    lines: Callable[[InputLog, DealPoint, TextStyle], Iterable[str]]
    objects: Callable[[InputLog, DealPoint], Iterable[dict[str, Any]]]
    has_size_limit: bool = False
    piece_bytes: int = DEFAULT_PIECE_BYTES

    def process(self, logs: Iterable[InputLog], inputs: Inputs) -> LogResults:
        """What is written of each deal, and what it adds to the counts."""
        for deal, deal_point in deals_at_point(
            logs, inputs.report_unreadable, self.point, self.for_terminal, self.has_size_limit
        ):
            yield self._render(deal, deal_point), {"sound" if deal_point.audit.ok else "faulty": 1}

    def _render(self, deal: InputLog, deal_point: DealPoint) -> Iterator[OutputData]:
        if self.for_terminal:
            yield format_lines(self.lines(deal, deal_point, self.style), self.style)
        else:
            yield from map(format_json_line, self.objects(deal, deal_point))


class InputSource(NamedTuple):
    """An input by its name, and how many of its first logs to skip."""

    name: str
    skip_count: int = 0


class RunResult(NamedTuple):
    """Whether something could not be read, how many logs were left out and processed, and the counts."""

    has_unreadable: bool
    omitted_count: int
    log_count: int
    counts: Counts

    @property
    def exit_status(self) -> int:
        """The exit status of a command that judges nothing."""
        return EXIT_UNREADABLE if self.has_unreadable else EXIT_SOUND

    @property
    def verdict_status(self) -> int:
        """The exit status of a command that judges deals."""
        return self.exit_status or (EXIT_FAULTY if self.counts.get("faulty", 0) else EXIT_SOUND)


def process_sources(
    sources: tuple[InputSource, ...],
    processor: LogProcessor,
    jobs: int,
    show_progress: bool,
    sink: ByteSink | None,
    open_stdin: StdinOpener | None,
) -> RunResult:
    """Process every deal of ``sources``, in ``jobs`` more processes if that is not 1.

    Results are written to ``sink``, by default standard output; ``open_stdin`` replaces standard input.

    Raises:
        CommandFailed: a process could not be started, or was killed.
    """
    with open_progress_output([source.name for source in sources], show_progress, sink) as output:
        if jobs == 1:
            return _SequentialRun(processor, output, open_stdin).process(sources)
        try:
            with open_process_pool(jobs, partial(_initialize_worker, processor)) as pool:
                return _ParallelRun(processor, output, open_stdin, pool, PIECES_PER_WORKER * jobs).process(
                    sources
                )
        except CannotStartProcess as error:
            raise CommandFailed(f"--jobs cannot start another process: {error}.", EX_SOFTWARE) from None
        except BrokenProcessPool:
            raise CommandFailed(WORKER_LOST_MESSAGE, EX_SOFTWARE) from None


OutputParts = list[tuple[bool, OutputData]]
"""What a `BufferedOutput` holds: messages (True) and parts of the output."""


class BufferedOutput(ProgressOutput):
    """Holds data and messages in memory, to be written later in order."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: OutputParts = []

    def write(self, data: OutputData) -> None:
        """Add data."""
        self._parts.append((False, data))

    def write_message(self, message: str) -> None:
        """Add a message."""
        self._parts.append((True, message))

    def joined_parts(self) -> OutputParts:
        """Everything written, with neighbours of the same kind joined."""
        joined: OutputParts = []
        for (is_message, kind), group in groupby(self._parts, lambda part: (part[0], type(part[1]))):
            contents: list[Any] = [content for _, content in group]
            joined.append((is_message, ("\n" if is_message else kind()).join(contents)))
        return joined


class FilePart(NamedTuple):
    """Whole logs of a file for a worker, and what the file is assumed to have before them."""

    source: InputSource
    piece: FilePiece
    read_progress: ReadProgress


class PartResult(NamedTuple):
    """What to write for a part, how far the file was read, and the result."""

    output_parts: OutputParts
    read_progress: ReadProgress
    run: RunResult


def process_part(part: FilePart, processor: LogProcessor) -> PartResult:
    """Process a part, with the output in memory."""
    output = BufferedOutput()
    run = _SequentialRun(processor, output, None)
    run.read_input(part.source, part.piece.chunks(), part.read_progress)
    return PartResult(output.joined_parts(), run.inputs.read_progress, run.result())


class _SequentialRun:
    """A run in this process, deal by deal."""

    def __init__(
        self, processor: LogProcessor, output: ProgressOutput, open_stdin: StdinOpener | None
    ) -> None:
        self.processor = processor
        self.output = output
        self.inputs = Inputs(write_message=output.write_message, open_stdin=open_stdin)
        self.log_count = 0
        self.counts: Counter[Any] = Counter()

    def process(self, sources: Iterable[InputSource]) -> RunResult:
        """The whole run."""
        for source in sources:
            with self.inputs.open_input(source.name) as stream:
                if stream is not None:
                    self.read_input(source, self.output.track(stream), NO_PROGRESS)
                    self.finish_input(source, self.inputs.read_progress)
        return self.result()

    def result(self) -> RunResult:
        """What the run has come to so far."""
        return RunResult(self.inputs.has_unreadable, self.inputs.omitted_count, self.log_count, self.counts)

    def read_input(
        self, source: InputSource, stream: BinaryIO | Iterable[bytes], read_progress: ReadProgress
    ) -> None:
        """Process an input, or a part of it that begins at ``read_progress``."""
        logs = self.inputs.read_logs_from(
            stream,
            decode_file_name(source.name),
            read_progress,
            source.skip_count,
            self.processor.includes_tables,
        )
        for chunks, new_counts in self.processor.process(logs, self.inputs):
            for chunk in chunks:
                self.output.write(chunk)
            self.log_count += 1
            self.counts.update(new_counts)

    def finish_input(self, source: InputSource, read_progress: ReadProgress) -> None:
        """Report problems that were only counted, and an input too short for ``--resume-after``."""
        self.inputs.report_unlisted(decode_file_name(source.name), read_progress)
        if read_progress.log_count < source.skip_count:
            name = input_display_name(decode_file_name(source.name))
            self.inputs.report_unreadable(
                f"{name} ends with deal {read_progress.log_count}, so the run cannot resume after deal "
                f"{source.skip_count}."
            )


@dataclass(slots=True)
class _SplitInput:
    """An input cut into pieces: how far it is written, and what its pending pieces have."""

    source: InputSource
    read_progress: ReadProgress = NO_PROGRESS
    pending_logs: int = 0
    pending_lines: int = 0

    def expected_progress(self) -> ReadProgress:
        """How far it will be written after the pending pieces, if they add no problems."""
        return self.read_progress._replace(
            log_count=self.read_progress.log_count + self.pending_logs,
            line_count=self.read_progress.line_count + self.pending_lines,
        )


class _ParallelRun(_SequentialRun):
    """A run whose pieces are read by workers; ``pending`` holds what is to be written, in order."""

    def __init__(
        self,
        processor: LogProcessor,
        output: ProgressOutput,
        open_stdin: StdinOpener | None,
        pool: ProcessPoolExecutor,
        max_pending: int,
    ) -> None:
        super().__init__(processor, output, open_stdin)
        self.opener = Inputs(
            write_message=lambda message: self._do_in_turn(partial(output.write_message, message)),
            open_stdin=open_stdin,
        )
        self.pool = pool
        self.max_pending = max_pending
        self.pending: deque[Callable[[], None]] = deque()

    def process(self, sources: Iterable[InputSource]) -> RunResult:
        """The whole run."""
        for source in sources:
            with self.opener.open_input(source.name) as stream:
                if stream is not None:
                    self._split_input(_SplitInput(source), self.output.track(stream))
        self._do_pending()
        self.inputs.has_unreadable |= self.opener.has_unreadable
        return self.result()

    def _do_in_turn(self, action: Callable[[], None]) -> None:
        self.pending.append(action)
        self._do_pending(self.max_pending)

    def _do_pending(self, max_pending: int = 0) -> None:
        while len(self.pending) > max_pending:
            self.pending.popleft()()

    def _split_input(self, split_input: _SplitInput, stream: BinaryIO | Iterable[bytes]) -> None:
        for piece in split_into_pieces(stream, self.processor.piece_bytes):
            if isinstance(piece, StreamedPiece):
                self._do_pending()
                self._process_locally(split_input, piece.chunks())
            else:
                self._submit(split_input, piece)
        self._do_in_turn(lambda: self.finish_input(split_input.source, split_input.read_progress))

    def _submit(self, split_input: _SplitInput, piece: FilePiece) -> None:
        part = FilePart(split_input.source, piece, split_input.expected_progress())
        split_input.pending_logs += piece.log_count
        split_input.pending_lines += piece.line_count
        future = self.pool.submit(_process_part_in_worker, part)
        self._do_in_turn(lambda: self._collect(split_input, part, future))

    def _collect(self, split_input: _SplitInput, part: FilePart, future: Future[PartResult]) -> None:
        """Write the result of a piece."""
        split_input.pending_logs -= part.piece.log_count
        split_input.pending_lines -= part.piece.line_count
        assumed, before = part.read_progress, split_input.read_progress
        result = _wait_for_result(future)
        if result is None or not _is_result_valid(assumed, result.read_progress, before):
            self._process_locally(split_input, part.piece.chunks())
            return
        self._write_result(result)
        split_input.read_progress = ReadProgress(
            result.read_progress.log_count,
            before.line_count + part.piece.line_count,
            before.listed_count + result.read_progress.listed_count - assumed.listed_count,
            before.unreadable_count + result.read_progress.unreadable_count - assumed.unreadable_count,
        )

    def _write_result(self, result: PartResult) -> None:
        for is_message, content in result.output_parts:
            if is_message:
                self.output.write_message(str(content))
            else:
                self.output.write(content)
        self.inputs.has_unreadable |= result.run.has_unreadable
        self.inputs.omitted_count += result.run.omitted_count
        self.log_count += result.run.log_count
        self.counts.update(result.run.counts)

    def _process_locally(self, split_input: _SplitInput, chunks: Iterable[bytes]) -> None:
        """Read a part of an input in this process, which knows what comes before it."""
        before, line_count = split_input.read_progress, 0

        def count_lines() -> Iterator[bytes]:
            nonlocal line_count
            for chunk in chunks:
                line_count += chunk.count(b"\n")
                yield chunk

        self.read_input(split_input.source, count_lines(), before)
        split_input.read_progress = self.inputs.read_progress._replace(
            line_count=before.line_count + line_count
        )


class _Worker:
    """The processor of this process, if it is a worker."""

    processor: LogProcessor


def _initialize_worker(processor: LogProcessor) -> None:
    gc.freeze()
    _Worker.processor = processor


def _process_part_in_worker(part: FilePart) -> PartResult:
    return process_part(part, _Worker.processor)


def _wait_for_result(future: Future[PartResult]) -> PartResult | None:
    """The result; None after an error in the worker, which this process will meet again and report."""
    try:
        return future.result()
    except BrokenProcessPool:
        raise
    except Exception:
        return None


def _is_result_valid(assumed: ReadProgress, result: ReadProgress, actual: ReadProgress) -> bool:
    """Whether a piece that was read under an assumption would give the same result after ``actual``.

    The number of earlier problems matters only if the piece adds some below the limit.
    """
    if assumed[:2] != actual[:2]:
        return False
    return result[2:] == assumed[2:] or _problem_counts(assumed) == _problem_counts(actual)


def _problem_counts(progress: ReadProgress) -> tuple[int, ...]:
    """How many problems and unreadable logs there are, up to the limit."""
    return tuple(min(count, MAX_LISTED_PROBLEMS) for count in progress[2:])
