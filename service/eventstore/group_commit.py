"""Group commit: many callers, one writer at a time, one disk sync for all that wait together.

A caller that finds the writer idle writes alone. Callers that arrive meanwhile queue up, and the first of
them then writes for all.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Generic, TypeVar

from service.eventstore.errors import StoreClosed, StoreUnavailable

Work = TypeVar("Work")
Answer = TypeVar("Answer")
Outcome = TypeVar("Outcome")

MAX_GROUP_SIZE: Final = 256
"""Maximum number of requests in one commit, so that the first of a rush does not wait for all others."""


class _Ticket(Generic[Work, Answer]):
    """A caller in the queue, with its work and later the outcome; None as work asks to write alone."""

    __slots__ = ("outcome", "wake_lock", "work")

    def __init__(self, work: Work | None) -> None:
        self.work = work
        self.outcome: Answer | Exception | None = None
        self.wake_lock: threading.Lock | None = None
        """Of a caller that waits; held until it is woken, to lead or to take its outcome."""

    def wake(self) -> None:
        """Wake the caller, if it waits."""
        if self.wake_lock is not None:
            self.wake_lock.release()


class GroupCommit(Generic[Work, Answer]):
    """Passes work to a writer, a group at a time.

    `commit_group` returns a result or an error for each request; an exception in it becomes the error of all.
    """

    def __init__(self, commit_group: Callable[[Sequence[Work]], Sequence[Answer | Exception]]) -> None:
        self._commit_group = commit_group
        self._mutex = threading.Lock()
        self._queue: deque[_Ticket[Work, Answer]] = deque()
        self._leader: _Ticket[Work, Answer] | None = None
        """The caller whose turn it is; until it writes, it is the first in the queue."""
        self._closed = False

    def submit(self, work: Work) -> Answer:
        """Do the work, alone or in a group, and return its result or raise its error."""
        ticket: _Ticket[Work, Answer] = _Ticket(work)
        self._wait_for_turn(ticket)
        if ticket.outcome is None:
            self._write_as_leader()
        if isinstance(ticket.outcome, Exception):
            raise ticket.outcome
        assert ticket.outcome is not None
        return ticket.outcome

    def run_exclusively(self, action: Callable[[], Outcome], *, closes: bool = False) -> Outcome:
        """Run an action while nobody writes, and return its result."""
        self._wait_for_turn(_Ticket(None), closes=closes)
        self._queue.popleft()
        try:
            return action()
        finally:
            self._pass_turn()

    def close(self, on_closed: Callable[[], None]) -> None:
        """Accept no more work, finish all accepted work, then call `on_closed`."""
        self.run_exclusively(on_closed, closes=True)

    def _wait_for_turn(self, ticket: _Ticket[Work, Answer], *, closes: bool = False) -> None:
        """Return when this caller leads, or has its outcome."""
        with self._mutex:
            if self._closed and not closes:
                raise StoreClosed("This store is closed.")
            self._closed = self._closed or closes
            self._queue.append(ticket)
            if self._leader is None:
                self._leader = ticket
                return
            ticket.wake_lock = threading.Lock()
            ticket.wake_lock.acquire()
        try:
            ticket.wake_lock.acquire()
        except BaseException:
            # An interrupted caller must leave the queue: it would never lead.
            with self._mutex, suppress(ValueError):
                self._queue.remove(ticket)
            if self._leader is ticket:
                self._pass_turn()
            raise

    def _write_as_leader(self) -> None:
        with self._mutex:
            group = [self._queue.popleft()]
            while self._queue and self._queue[0].work is not None and len(group) < MAX_GROUP_SIZE:
                group.append(self._queue.popleft())
        outcomes: Sequence[Answer | Exception] = ()
        try:
            outcomes = self._commit_group([ticket.work for ticket in group if ticket.work is not None])
        except Exception as error:
            outcomes = [error] * len(group)
        finally:
            for ticket, outcome in zip(group, outcomes or [_stopped_error()] * len(group), strict=True):
                ticket.outcome = outcome
            for ticket in group[1:]:
                ticket.wake()
            self._pass_turn()

    def _pass_turn(self) -> None:
        """Let the first in the queue lead."""
        with self._mutex:
            self._leader = self._queue[0] if self._queue else None
            if self._leader is not None:
                self._leader.wake()


def _stopped_error() -> StoreUnavailable:
    return StoreUnavailable(
        "The thread that wrote for several callers stopped. This append was not acknowledged: send it again "
        "with the same ids."
    )
