"""One run of a command over many deals: in this process, or cut into pieces for several.

Whatever the number of processes, what is written and told is the same. A piece is read on the
assumption of what stands before it in its file: how many logs, how many problems. Where that turns
out otherwise, it is read again, here.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, NamedTuple

from schemas.logs.file_pieces import FilePiece, StreamedPiece, split_into_pieces
from schemas.wire.jsonlines import MAX_LISTED_PROBLEMS, NO_PROGRESS, ReadProgress
from service.cli.io.inputs import Inputs, input_display_name
from service.cli.io.log_processor import Counts, FilePart, LogProcessor, PartResult, process_logs
from service.cli.io.output import ByteSink
from service.cli.io.progress import ProgressOutput, build_progress_output
from service.cli.io.safe_group import EX_SOFTWARE, CommandFailed
from service.cli.io.terminal_text import decode_file_name
from service.cli.io.worker_pool import BatchTicket, WorkerLost, WorkerPool

BATCHES_PER_WORKER: Final = 2
"""For each process so many batches are under way, or done and waiting for those before them."""
MAX_PIECES_PER_BATCH: Final = 64
"""So many small files are given to a process at once, if they are no longer than a piece together."""

WORKER_LOST_MESSAGE: Final = (
    "One of the processes that --jobs started was ended from outside; perhaps memory ran out. What was"
    " written until then is right; the rest is missing."
)


StdinOpener = Callable[[], BinaryIO]
"""Gives standard input."""


class InputSource(NamedTuple):
    """An input by its name, and how many of its first logs are passed over."""

    name: str
    skip_count: int = 0


class RunResult(NamedTuple):
    """What a run came to: whether something could not be read, how many logs were left out, the counts."""

    has_unreadable: bool
    omitted_count: int
    counts: Counts


def process_sources(
    sources: Iterable[InputSource],
    processor: LogProcessor,
    jobs: int = 1,
    show_progress: bool = True,
    sink: ByteSink | None = None,
    open_stdin: StdinOpener | None = None,
) -> RunResult:
    """Does the ``processor`` with every deal of ``sources``, in ``jobs`` processes beside this one if more
    than 1.

    What is written goes to ``sink``, to standard output if that is None; ``open_stdin`` gives standard input,
    where it is read in a way of its own.

    Raises:
        CommandFailed: a process was killed.
    """
    sources = tuple(sources)
    with build_progress_output((source.name for source in sources), show_progress, sink) as output:
        if jobs == 1:
            return _SequentialRun(processor, output, open_stdin).process(sources)
        with WorkerPool(processor, jobs) as workers:
            try:
                return _ParallelRun(
                    processor, output, workers, BATCHES_PER_WORKER * jobs, open_stdin
                ).process(sources)
            except WorkerLost:
                raise CommandFailed(WORKER_LOST_MESSAGE, EX_SOFTWARE) from None


class _SequentialRun:
    """A run in this process, deal by deal."""

    def __init__(
        self, processor: LogProcessor, output: ProgressOutput, open_stdin: StdinOpener | None
    ) -> None:
        self.processor = processor
        self.output = output
        self.inputs = Inputs(write_message=output.write_message, open_stdin=open_stdin)
        self.counts: Counter[Any] = Counter()

    def process(self, sources: Iterable[InputSource]) -> RunResult:
        """The whole run."""
        for source in sources:
            with self.inputs.open_input(source.name) as stream:
                if stream is not None:
                    self.read_input(source, self.output.track(stream), NO_PROGRESS)
                    self.finish_input(source, self.inputs.read_progress)
        return RunResult(self.inputs.has_unreadable, self.inputs.omitted_count, self.counts)

    def read_input(
        self, source: InputSource, chunks: BinaryIO | Iterable[bytes], read_progress: ReadProgress
    ) -> None:
        """Reads an input, or a part of it that begins at ``read_progress``."""
        logs = self.inputs.read_logs_from(
            chunks,
            decode_file_name(source.name),
            read_progress,
            source.skip_count,
            self.processor.includes_tables,
        )
        self.counts.update(process_logs(logs, self.inputs, self.processor, self.output))

    def finish_input(self, source: InputSource, read_progress: ReadProgress) -> None:
        """An input is at its end: what was only counted is said; it should have had what is passed over."""
        self.inputs.report_unlisted(decode_file_name(source.name), read_progress)
        if read_progress.log_count < source.skip_count:
            name = input_display_name(decode_file_name(source.name))
            self.inputs.report_unreadable(
                f"{name} ends with deal {read_progress.log_count}; there is no deal {source.skip_count} to "
                "go on after."
            )


@dataclass(slots=True)
class _SplitInput:
    """An input that is cut into pieces: what has passed of it, as far as that is settled.

    ``expected_progress`` is what has passed of it before the next piece, as far as that shows without
    reading; ``open_pieces``: how many pieces are not settled, and 1 more until all of it is cut.
    """

    source: InputSource
    read_progress: ReadProgress = NO_PROGRESS
    expected_progress: ReadProgress = NO_PROGRESS
    open_pieces: int = 1


class _AssignedPiece(NamedTuple):
    """A piece that is given to a worker, with what was assumed to stand before it."""

    input: _SplitInput
    piece: FilePiece
    line_count: int
    assumed_progress: ReadProgress


class _ParallelRun(_SequentialRun):
    """A run whose pieces are read by workers; what they answer is spoken here, in order."""

    def __init__(
        self,
        processor: LogProcessor,
        output: ProgressOutput,
        workers: WorkerPool,
        max_pending: int,
        open_stdin: StdinOpener | None,
    ) -> None:
        super().__init__(processor, output, open_stdin)
        self.opener = Inputs(write_message=self._write_message_in_order, open_stdin=open_stdin)
        self.workers = workers
        self.max_pending = max_pending
        self.batch: list[_AssignedPiece] = []
        self.pending_batches: deque[tuple[list[_AssignedPiece], BatchTicket]] = deque()

    def process(self, sources: Iterable[InputSource]) -> RunResult:
        """The whole run."""
        for source in sources:
            with self.opener.open_input(source.name) as stream:
                if stream is not None:
                    self._split_input(_SplitInput(source), self.output.track(stream))
        self._collect_all_batches()
        unreadable = self.inputs.has_unreadable or self.opener.has_unreadable
        return RunResult(unreadable, self.inputs.omitted_count, self.counts)

    def _write_message_in_order(self, message: str) -> None:
        self._collect_all_batches()
        self.output.write_message(message)

    def _split_input(self, one: _SplitInput, stream: BinaryIO | Iterable[bytes]) -> None:
        for piece in split_into_pieces(stream, self.processor.piece_bytes):
            if isinstance(piece, StreamedPiece):
                self._collect_all_batches()
                self._process_locally(one, piece.chunks())
                one.expected_progress = one.read_progress
            else:
                self._queue_piece(one, piece)
        self._finish_piece(one)

    def _finish_piece(self, one: _SplitInput) -> None:
        """A piece of an input is settled, or the last one cut: after both it is at its end."""
        one.open_pieces -= 1
        if not one.open_pieces:
            self.finish_input(one.source, one.read_progress)

    def _queue_piece(self, one: _SplitInput, piece: FilePiece) -> None:
        """Puts a piece with those that are given to a worker next."""
        one.open_pieces += 1
        lines = piece.data.count(b"\n")
        self.batch.append(_AssignedPiece(one, piece, lines, one.expected_progress))
        one.expected_progress = one.expected_progress._replace(
            log_count=one.expected_progress.log_count + piece.log_count,
            line_count=one.expected_progress.line_count + lines,
        )
        weight = sum(len(part.piece.data) for part in self.batch)
        if weight >= self.processor.piece_bytes or len(self.batch) >= MAX_PIECES_PER_BATCH:
            self._submit_batch()

    def _submit_batch(self) -> None:
        """Gives the batch to a worker, and speaks what is ready to be spoken."""
        parts = [
            FilePart(decode_file_name(one.source.name), piece, assumed, one.source.skip_count)
            for one, piece, _, assumed in self.batch
        ]
        self.pending_batches.append((self.batch, self.workers.submit(parts)))
        self.batch = []
        self.workers.poll()
        while self.pending_batches and (
            len(self.pending_batches) > self.max_pending or self.pending_batches[0][1].is_done
        ):
            self._collect_batch(*self.pending_batches.popleft())

    def _collect_all_batches(self) -> None:
        if self.batch:
            self._submit_batch()
        while self.pending_batches:
            self._collect_batch(*self.pending_batches.popleft())

    def _collect_batch(self, batch: list[_AssignedPiece], ticket: BatchTicket) -> None:
        """Speaks what came of a batch, when its turn has come."""
        self.workers.wait_for(ticket)
        results: Sequence[PartResult | None] = ticket.results or [None] * len(batch)
        for part, result in zip(batch, results, strict=True):
            split_input, progress_before = part.input, part.input.read_progress
            if result is not None and _is_result_valid(part.assumed_progress, result, progress_before):
                self._write_result(result)
                listed_count = (
                    progress_before.listed_count
                    + result.read_progress.listed_count
                    - part.assumed_progress.listed_count
                )
                unreadable_count = (
                    progress_before.unreadable_count
                    + result.read_progress.unreadable_count
                    - part.assumed_progress.unreadable_count
                )
                split_input.read_progress = ReadProgress(
                    result.read_progress.log_count,
                    progress_before.line_count + part.line_count,
                    listed_count,
                    unreadable_count,
                )
            else:
                self._process_locally(split_input, part.piece.chunks())
            unexpected_log_count = (
                split_input.read_progress.log_count - progress_before.log_count - part.piece.log_count
            )
            split_input.expected_progress = split_input.expected_progress._replace(
                log_count=split_input.expected_progress.log_count + unexpected_log_count,
                listed_count=split_input.read_progress.listed_count,
                unreadable_count=split_input.read_progress.unreadable_count,
            )
            self._finish_piece(split_input)

    def _write_result(self, result: PartResult) -> None:
        for is_message, content in result.output_parts:
            if is_message:
                self.output.write_message(str(content))
            else:
                self.output.write(content)
        self.inputs.has_unreadable |= result.has_unreadable
        self.inputs.omitted_count += result.omitted_count
        self.counts.update(result.counts)

    def _process_locally(self, split_input: _SplitInput, chunks: Iterable[bytes]) -> None:
        """Reads a part of an input in this process, knowing what stands before it."""
        counted_chunks = _LineCounter(chunks)
        progress_before = split_input.read_progress
        self.read_input(split_input.source, counted_chunks, progress_before)
        split_input.read_progress = self.inputs.read_progress._replace(
            line_count=progress_before.line_count + counted_chunks.lines
        )


def _is_result_valid(
    assumed_progress: ReadProgress, result: PartResult, actual_progress: ReadProgress
) -> bool:
    """Whether a piece that was read on an assumption would be read alike after ``actual_progress``.

    How many problems were told before, and how many logs left out, matters only where the last of those
    that are told are among them.
    """
    if assumed_progress[:2] != actual_progress[:2]:
        return False
    bad = result.read_progress.unreadable_count - assumed_progress.unreadable_count
    few, many = sorted((assumed_progress.unreadable_count, actual_progress.unreadable_count))
    if bad and few != many and few < MAX_LISTED_PROBLEMS < many + bad:
        return False
    more = result.read_progress.listed_count - assumed_progress.listed_count
    if assumed_progress.listed_count == actual_progress.listed_count or (
        not more and assumed_progress.listed_count < MAX_LISTED_PROBLEMS
    ):
        return True
    return max(assumed_progress.listed_count, actual_progress.listed_count) + more < MAX_LISTED_PROBLEMS


class _LineCounter:
    """The bytes of a part as they come, their lines counted."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self.chunks = chunks
        self.lines = 0

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self.chunks:
            self.lines += chunk.count(b"\n")
            yield chunk
