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

from service.cli.io.safe_group import OWN_MISTAKE, Ended
from service.cli.io.work import Done, Part, Work, done

Batch = Sequence[Part]


class WorkerLost(Exception):
    """A process was ended from outside while it was at work."""


class Ticket:
    """What was given to a worker. ``answer`` is None until it is there.

    ``failed`` says that the worker made a mistake of its own instead.
    """

    def __init__(self) -> None:
        self.answer: list[Done] | None = None
        self.failed = False

    @property
    def settled(self) -> bool:
        """Whether the worker has answered."""
        return self.failed or self.answer is not None


class Workers:
    """Up to ``count`` processes that do the same ``work``; they end with the ``with`` statement."""

    def __init__(self, work: Work, count: int, context: BaseContext | None = None) -> None:
        self._work = work
        self._count = count
        self._context: Any = context or multiprocessing.get_context()
        self._all: list[tuple[Any, Connection]] = []
        self._idle: list[Connection] = []
        self._busy: dict[Connection, Ticket] = {}

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the workers: they have nothing to do any more, or nobody wants it."""
        for process, pipe in self._all:
            pipe.close()
            if kind is not None:
                process.kill()
        for process, _ in self._all:
            process.join()

    def give(self, batch: Batch) -> Ticket:
        """Gives a batch to a worker; waits until one is free.

        Raises:
            WorkerLost: one of them is gone.
        """
        while not self._idle and len(self._all) >= self._count:
            self._collect()
        pipe = self._idle.pop() if self._idle else self._hire()
        try:
            pipe.send(batch)
        except OSError:
            raise WorkerLost from None
        ticket = self._busy[pipe] = Ticket()
        return ticket

    def wait_for(self, ticket: Ticket) -> None:
        """Waits until a batch is done.

        Raises:
            WorkerLost: a worker is gone.
        """
        while not ticket.settled:
            self._collect()

    def look(self) -> None:
        """Takes the answers that are there already."""
        self._collect(0)

    def _hire(self) -> Connection:
        here, there = self._context.Pipe()
        # A forked process has the parent's ends too, which would hide from it that the parent is gone.
        forked = self._context.get_start_method() == "fork"
        not_its_own = [here, *(pipe for _, pipe in self._all)] if forked else []
        process = self._context.Process(target=_serve, args=(there, self._work, not_its_own), daemon=True)
        try:
            with _interrupts_held():
                process.start()
        except OSError as error:
            reason = error.strerror or error
            raise Ended(f"--jobs cannot start another process: {reason}.", OWN_MISTAKE) from None
        there.close()
        self._all.append((process, here))
        pipe: Connection = here
        return pipe

    def _collect(self, seconds: float | None = None) -> None:
        """Takes the answers that are there; if there is none, waits for one."""
        for ready in wait(list(self._busy), seconds):
            pipe = cast("Connection", ready)
            try:
                answer: list[Done] | None = pipe.recv()
            except (EOFError, OSError):
                raise WorkerLost from None
            ticket = self._busy.pop(pipe)
            ticket.answer, ticket.failed = answer, answer is None
            self._idle.append(pipe)


_HELD: Final = {signal.SIGINT}


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits while a process starts, which begins with it waiting too: it is for the parent alone."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:
        yield
        return
    before = mask(signal.SIG_BLOCK, _HELD)
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection, work: Work, not_its_own: Sequence[Connection]) -> None:
    """A worker's life: batches in, answers out, until the parent has no more or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in not_its_own:
        other.close()
    gc.freeze()
    while True:
        try:
            batch = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = [done(part, work) for part in batch]
        except Exception:
            # The parent does it again, and meets the mistake where it can tell of it.
            answer = None
        try:
            pipe.send(answer)
        except OSError:
            return
