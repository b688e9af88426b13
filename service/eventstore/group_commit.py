"""Group commit: many callers, one writer at a time, one disk sync for all who wait together.

A caller who finds the writer idle writes alone; callers who come meanwhile queue up, and the first of them
then writes for all.
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
"""Requests committed together at most, so that the first of a rush does not wait for all of it."""


class Ticket(Generic[Work, Answer]):
    """One caller's work and, once it is done, its answer or its error."""

    __slots__ = ("answer", "error", "is_leader", "wake_lock", "work")

    def __init__(self, work: Work) -> None:
        self.work = work
        self.answer: Answer | None = None
        self.error: BaseException | None = None
        # Held until the caller is called: to lead, or to take his answer.
        self.wake_lock = threading.Lock()
        self.wake_lock.acquire()
        self.is_leader = False

    def result(self) -> Answer:
        """The answer. Raises the error, where that is what became of the work."""
        if self.error is not None:
            raise self.error
        if self.answer is None:
            raise StoreUnavailable(
                "The store gave no answer to this append. Send it again with the same ids."
            )
        return self.answer


class GroupCommit(Generic[Work, Answer]):
    """Gives a writer its work, one piece or one group at a time.

    `commit_group` gives every ticket an answer or an error; what it raises is the error of the others.
    """

    def __init__(
        self,
        commit_one: Callable[[Work], Answer],
        commit_group: Callable[[Sequence[Ticket[Work, Answer]]], None],
    ) -> None:
        self._commit_one = commit_one
        self._commit_group = commit_group
        # Who holds the turn writes. It is passed on without being let go, as long as anyone waits.
        self._turn = threading.Lock()
        self._queue: deque[Ticket[Work, Answer]] = deque()
        self._closed = False

    def submit(self, work: Work) -> Answer:
        """Do the work, alone or together with others', and return its answer or raise its error."""
        if self._closed:
            raise StoreClosed("This store is closed.")
        if not self._turn.acquire(blocking=False):
            return self._wait_as_follower(Ticket(work))
        try:
            return self._commit_one(work)
        finally:
            self._hand_over_turn()

    def run_exclusively(self, action: Callable[[], Outcome]) -> Outcome:
        """Do something that is no piece of work, while nobody writes; what it returns, or raises."""
        if self._closed:
            raise StoreClosed("This store is closed.")
        self._turn.acquire()
        try:
            return action()
        finally:
            self._hand_over_turn()

    def close(self, on_closed: Callable[[], None]) -> None:
        """Accept no more work, finish all that was accepted, then call `on_closed`."""
        self._closed = True
        with self._turn:
            on_closed()
        self._wake_leader()

    def _wait_as_follower(self, ticket: Ticket[Work, Answer]) -> Answer:
        try:
            self._queue.append(ticket)
            # The leader may have looked at the queue for the last time just before this ticket came into it.
            self._wake_leader()
            ticket.wake_lock.acquire()
        except BaseException:
            # An interrupted caller must not stay in the queue: called to lead, he would not come.
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
        """The first in the queue, or none: an interrupted caller may have left it this moment."""
        try:
            return [self._queue.popleft()]
        except IndexError:
            return []

    def _hand_over_turn(self) -> None:
        """Give the turn to the first in the queue, or let it go."""
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
        """Where there are some in the queue and nobody has the turn, call the first to lead."""
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
        "The thread that was writing for several callers was stopped. "
        "Nothing of this append was acknowledged: send it again with the same ids."
    )
    stop.__cause__ = error
    return stop
