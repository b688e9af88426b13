"""Group commit: many callers, one writer at a time, one disk sync for all that wait together.

A caller that finds the writer idle writes alone. Callers that arrive meanwhile queue up, and the first of
them then writes for all.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

from service.eventstore.errors import StoreClosed, StoreUnavailable

Work = TypeVar("Work")
Answer = TypeVar("Answer")
Outcome = TypeVar("Outcome")

MAX_GROUP_SIZE: Final = 256
"""Maximum number of requests in one commit, so that the first of a rush does not wait for all others."""


class Ticket(Generic[Work, Answer]):
    """One caller's work and, once it is done, its result or error."""

    __slots__ = ("answer", "error", "is_leader", "wake_lock", "work")

    def __init__(self, work: Work) -> None:
        self.work = work
        self.answer: Answer | None = None
        self.error: BaseException | None = None
        # Held until the caller is woken, to lead or to take its result.
        self.wake_lock = threading.Lock()
        self.wake_lock.acquire()
        self.is_leader = False

    def result(self) -> Answer:
        """The result. Raises the error if the work failed."""
        if self.error is not None:
            raise self.error
        if self.answer is None:
            raise StoreUnavailable("The store did not answer this append. Send it again with the same ids.")
        return self.answer


class GroupCommit(Generic[Work, Answer]):
    """Passes work to a writer, one request or one group at a time.

    `commit_group` sets a result or an error on every ticket; an exception in it becomes the error of the
    other tickets.
    """

    def __init__(
        self,
        commit_one: Callable[[Work], Answer],
        commit_group: Callable[[Sequence[Ticket[Work, Answer]]], None],
    ) -> None:
        self._commit_one = commit_one
        self._commit_group = commit_group
        # The thread that holds this lock writes. While others wait, it is handed over without being released.
        self._turn = threading.Lock()
        self._queue: deque[Ticket[Work, Answer]] = deque()
        self._closed = False

    def submit(self, work: Work) -> Answer:
        """Do the work, alone or in a group, and return its result or raise its error."""
        if self._closed:
            raise StoreClosed("This store is closed.")
        if not self._turn.acquire(blocking=False):
            return self._wait_as_follower(Ticket(work))
        try:
            return self._commit_one(work)
        finally:
            self._hand_over_turn()

    def run_exclusively(self, action: Callable[[], Outcome]) -> Outcome:
        """Run an action while nobody writes, and return its result."""
        if self._closed:
            raise StoreClosed("This store is closed.")
        self._turn.acquire()
        try:
            return action()
        finally:
            self._hand_over_turn()

    def close(self, on_closed: Callable[[], None]) -> None:
        """Accept no more work, finish all accepted work, then call `on_closed`."""
        self._closed = True
        with self._turn:
            on_closed()
        self._wake_leader()

    def _wait_as_follower(self, ticket: Ticket[Work, Answer]) -> Answer:
        try:
            self._queue.append(ticket)
            # The leader may have checked the queue for the last time just before this ticket was added.
            self._wake_leader()
            ticket.wake_lock.acquire()
        except BaseException:
            # An interrupted caller must leave the queue: it would never take over as leader.
            self._withdraw(ticket)
            raise
        if ticket.is_leader:
            self._commit_as_leader(ticket)
        return ticket.result()

    def _commit_as_leader(self, ticket: Ticket[Work, Answer]) -> None:
        group = [ticket]
        while self._queue and len(group) < MAX_GROUP_SIZE:
            group.extend(self._pop_first())
        try:
            self._commit_group(group)
        except BaseException as error:
            for member in group:
                if member.answer is None and member.error is None:
                    member.error = error if member is ticket else _interrupted(error)
        finally:
            for member in group[1:]:
                member.wake_lock.release()
            self._hand_over_turn()

    def _pop_first(self) -> list[Ticket[Work, Answer]]:
        """The first in the queue, or None: an interrupted caller may just have left it."""
        try:
            return [self._queue.popleft()]
        except IndexError:
            return []

    def _hand_over_turn(self) -> None:
        """Hand the lock to the first in the queue, or release it."""
        while True:
            if self._queue:
                for leader in self._pop_first():
                    leader.is_leader = True
                    leader.wake_lock.release()
                    return
            self._turn.release()
            if not self._queue or not self._turn.acquire(blocking=False):
                return

    def _wake_leader(self) -> None:
        """If callers are queued and nobody holds the lock, wake the first to lead."""
        if self._queue and self._turn.acquire(blocking=False):
            self._hand_over_turn()

    def _withdraw(self, ticket: Ticket[Work, Answer]) -> None:
        try:
            self._queue.remove(ticket)
        except ValueError:
            if ticket.is_leader:
                self._hand_over_turn()


def _interrupted(error: BaseException) -> StoreUnavailable:
    stop = StoreUnavailable(
        "The thread that wrote for several callers stopped. This append was not acknowledged: send it "
        "again with the same ids."
    )
    stop.__cause__ = error
    return stop
