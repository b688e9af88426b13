"""The processes of ``--jobs``: each is given pieces of the inputs, and answers what came of them.

Each has a pipe of its own to the parent. A process that is killed is noticed by its pipe, as a
parent that is killed is noticed by its workers: nobody waits for somebody who is gone. (A
``ProcessPoolExecutor`` leaves its workers behind when its process is killed, and in some versions
of Python waits for ever when a worker is killed that was just being sent something.)
"""

import gc
import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from types import TracebackType
from typing import Any, Final, cast

from service.cli.io.log_processor import FilePart, LogProcessor, PartResult, process_part
from service.cli.io.safe_group import EX_SOFTWARE, CommandFailed

PartBatch = Sequence[FilePart]


class WorkerLost(Exception):
    """A process was ended from outside while it was at work."""


class BatchTicket:
    """What was given to a worker. ``results`` is None until the answer is there.

    ``has_failed`` says that the worker made a mistake of its own instead.
    """

    def __init__(self) -> None:
        self.results: list[PartResult] | None = None
        self.has_failed = False

    @property
    def is_done(self) -> bool:
        """Whether the worker has answered."""
        return self.has_failed or self.results is not None


class WorkerPool:
    """Up to ``count`` processes that do the same ``processor``; they end with the ``with`` statement."""

    def __init__(self, processor: LogProcessor, count: int, context: BaseContext | None = None) -> None:
        self._processor = processor
        self._count = count
        self._context: Any = context or multiprocessing.get_context()
        self._processes: list[tuple[Any, Connection]] = []
        self._idle: list[Connection] = []
        self._busy: dict[Connection, BatchTicket] = {}

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the workers: they have nothing to do any more, or nobody wants it."""
        for process, pipe in self._processes:
            pipe.close()
            if kind is not None:
                process.kill()
        for process, _ in self._processes:
            process.join()

    def submit(self, batch: PartBatch) -> BatchTicket:
        """Gives a batch to a worker; waits until one is free.

        Raises:
            WorkerLost: one of them is gone.
        """
        while not self._idle and len(self._processes) >= self._count:
            self._collect_results()
        pipe = self._idle.pop() if self._idle else self._start_worker()
        try:
            pipe.send(batch)
        except OSError:
            raise WorkerLost from None
        ticket = self._busy[pipe] = BatchTicket()
        return ticket

    def wait_for(self, ticket: BatchTicket) -> None:
        """Waits until a batch is done.

        Raises:
            WorkerLost: a worker is gone.
        """
        while not ticket.is_done:
            self._collect_results()

    def poll(self) -> None:
        """Takes the answers that are there already."""
        self._collect_results(0)

    def _start_worker(self) -> Connection:
        parent_pipe, worker_pipe = self._context.Pipe()
        # A forked process has the parent's ends too, which would hide from it that the parent is gone.
        forked = self._context.get_start_method() == "fork"
        other_pipes = [parent_pipe, *(pipe for _, pipe in self._processes)] if forked else []
        process = self._context.Process(
            target=_run_worker, args=(worker_pipe, self._processor, other_pipes), daemon=True
        )
        try:
            with _block_interrupts():
                process.start()
        except OSError as error:
            reason = error.strerror or error
            raise CommandFailed(f"--jobs cannot start another process: {reason}.", EX_SOFTWARE) from None
        worker_pipe.close()
        self._processes.append((process, parent_pipe))
        pipe: Connection = parent_pipe
        return pipe

    def _collect_results(self, seconds: float | None = None) -> None:
        """Takes the answers that are there; if there is none, waits for one."""
        for ready in wait(list(self._busy), seconds):
            pipe = cast("Connection", ready)
            try:
                answer: list[PartResult] | None = pipe.recv()
            except (EOFError, OSError):
                raise WorkerLost from None
            ticket = self._busy.pop(pipe)
            ticket.results, ticket.has_failed = answer, answer is None
            self._idle.append(pipe)


_BLOCKED_SIGNALS: Final = {signal.SIGINT}


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Ctrl-C waits while a process starts, which begins with it waiting too: it is for the parent alone."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:
        yield
        return
    previous_mask = mask(signal.SIG_BLOCK, _BLOCKED_SIGNALS)
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, previous_mask)


def _run_worker(pipe: Connection, processor: LogProcessor, inherited_pipes: Sequence[Connection]) -> None:
    """A worker's life: batches in, answers out, until the parent has no more or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in inherited_pipes:
        other.close()
    gc.freeze()
    while True:
        try:
            batch = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = [process_part(part, processor) for part in batch]
        except Exception:
            # The parent does it again, and meets the mistake where it can tell of it.
            answer = None
        try:
            pipe.send(answer)
        except OSError:
            return
