"""One run of a command over many deals.

This process reads the logs and writes the output, and processes the logs itself or sends them to workers. The
output does not depend on the number of processes.
"""

import gc
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO, ClassVar, Final, NamedTuple

from engine.branching import branch_of
from service.cli.io.deals import PointOptions, deals_at_point
from service.cli.io.inputs import InputLog, Inputs
from service.cli.io.output import (
    OutputData,
    ProgressOutput,
    format_json_line,
    format_lines,
    open_progress_output,
)
from service.cli.io.safe_group import EX_SOFTWARE, EXIT_FAULTY, EXIT_SOUND, EXIT_UNREADABLE, CommandFailed
from service.config.process_pool import CannotStartProcess, open_process_pool
from service.presentation.text.style import TextStyle
from service.records.deal_points import DealPoint

BATCH_ENTRIES: Final = 1_000
"""About how many entries a worker gets at a time."""
BATCHES_PER_WORKER: Final = 2
"""How many batches per process are being processed, or wait for earlier ones to be written."""

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

    ``includes_tables``: whether the logs of tables are processed too.
    """

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


def process_inputs(
    names: Sequence[str],
    skip_count: int,
    processor: LogProcessor,
    jobs: int,
    show_progress: bool,
    sink: BinaryIO | None,
    open_stdin: StdinOpener | None,
) -> RunResult:
    """Process the deals of inputs but the first ``skip_count``, in ``jobs`` more processes if that is not 1.

    Results are written to ``sink``, by default standard output; ``open_stdin`` replaces standard input.

    Raises:
        CommandFailed: a process could not be started, or was killed.
    """
    with open_progress_output(names, show_progress, sink) as output:
        if jobs == 1:
            return _Run(processor, output).process(names, skip_count, open_stdin)
        try:
            with open_process_pool(jobs, partial(_initialize_worker, processor)) as pool:
                run = _ParallelRun(processor, output, pool, BATCHES_PER_WORKER * jobs)
                return run.process(names, skip_count, open_stdin)
        except CannotStartProcess as error:
            raise CommandFailed(f"--jobs cannot start another process: {error}.", EX_SOFTWARE) from None
        except BrokenProcessPool:
            raise CommandFailed(WORKER_LOST_MESSAGE, EX_SOFTWARE) from None


class _Run:
    """A run in this process, log by log."""

    def __init__(self, processor: LogProcessor, output: ProgressOutput) -> None:
        self.processor = processor
        self.output = output
        self.inputs = Inputs(write_message=self.write_message)
        self.log_count = 0
        self.counts: Counter[Any] = Counter()

    def process(self, names: Sequence[str], skip_count: int, open_stdin: StdinOpener | None) -> RunResult:
        """The whole run."""
        self.inputs = Inputs(names, self.write_message, open_stdin, self.output.track, skip_count)
        includes_tables = self.processor.includes_tables
        self.process_logs(self.inputs.read_all_logs() if includes_tables else self.inputs.read_deals())
        return self.result()

    def result(self) -> RunResult:
        """What the run has come to so far."""
        return RunResult(self.inputs.has_unreadable, self.inputs.omitted_count, self.log_count, self.counts)

    def write_message(self, message: str) -> None:
        """Write a message about an input."""
        self.output.write_message(message)

    def process_logs(self, logs: Iterable[InputLog]) -> None:
        """Process logs."""
        for chunks, new_counts in self.processor.process(logs, self.inputs):
            for chunk in chunks:
                self.output.write(chunk)
            self.log_count += 1
            for name, count in new_counts.items():
                self.counts[name] += count


class BufferedOutput(ProgressOutput):
    """Holds messages (True) and parts of the output in memory, to be written later in order."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[tuple[bool, OutputData]] = []

    def write(self, data: OutputData) -> None:
        """Add data."""
        self.parts.append((False, data))

    def write_message(self, message: str) -> None:
        """Add a message."""
        self.parts.append((True, message))


class BatchResult(NamedTuple):
    """What to write for a batch of logs, and the result."""

    output_parts: list[tuple[bool, OutputData]]
    run: RunResult


def process_batch(logs: Iterable[InputLog], processor: LogProcessor) -> BatchResult:
    """Process logs, with the output in memory."""
    output = BufferedOutput()
    run = _Run(processor, output)
    run.process_logs(logs)
    return BatchResult(output.parts, run.result())


class _ParallelRun(_Run):
    """A run whose logs are processed by workers; ``pending`` holds what is to be written, in order."""

    def __init__(
        self, processor: LogProcessor, output: ProgressOutput, pool: ProcessPoolExecutor, max_pending: int
    ) -> None:
        super().__init__(processor, output)
        self.pool = pool
        self.max_pending = max_pending
        self.batch: list[InputLog] = []
        self.pending: deque[Callable[[], None]] = deque()

    def result(self) -> RunResult:
        """What the run has come to, when everything is written."""
        self._do_pending(0)
        return super().result()

    def write_message(self, message: str) -> None:
        """Write a message after what was read before it."""
        self._submit_batch()
        self._do_in_turn(partial(self.output.write_message, message))

    def process_logs(self, logs: Iterable[InputLog]) -> None:
        """Send logs to the workers, a variation together with the deal before it."""
        entry_count = 0
        for log in logs:
            if entry_count >= BATCH_ENTRIES and branch_of(log.log) is None:
                self._submit_batch()
                entry_count = 0
            self.batch.append(log)
            entry_count += len(log.log)
        self._submit_batch()

    def _submit_batch(self) -> None:
        if self.batch:
            batch, self.batch = self.batch, []
            self._do_in_turn(partial(self._collect, batch, self.pool.submit(_process_batch_in_worker, batch)))

    def _do_in_turn(self, action: Callable[[], None]) -> None:
        self.pending.append(action)
        self._do_pending(self.max_pending)

    def _do_pending(self, max_pending: int) -> None:
        while len(self.pending) > max_pending:
            self.pending.popleft()()

    def _collect(self, batch: list[InputLog], future: Future[BatchResult]) -> None:
        """Write the result of a batch."""
        try:
            result = future.result()
        except BrokenProcessPool:
            raise
        except Exception:
            # This process meets the error again, after the output before it.
            local_run = _Run(self.processor, self.output)
            local_run.process_logs(batch)
            result = BatchResult([], local_run.result())
        for is_message, content in result.output_parts:
            if is_message:
                self.output.write_message(str(content))
            else:
                self.output.write(content)
        self.inputs.has_unreadable |= result.run.has_unreadable
        self.log_count += result.run.log_count
        self.counts.update(result.run.counts)


class _Worker:
    """The processor of this process, if it is a worker."""

    processor: LogProcessor


def _initialize_worker(processor: LogProcessor) -> None:
    gc.freeze()
    _Worker.processor = processor


def _process_batch_in_worker(logs: list[InputLog]) -> BatchResult:
    return process_batch(logs, _Worker.processor)
