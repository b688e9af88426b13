"""How callers come together in groups, and what becomes of them when something goes wrong."""

import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from service.eventstore import StoreClosed, StoreUnavailable
from service.eventstore.group_commit import MAX_GROUP_SIZE, GroupCommit
from tests.support.waiting import until


class Scribe:
    """A writer that waits until a test lets it go on, so that the test decides who is written together."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self.threads = threads
        self.groups: list[list[int]] = []
        self.go_on = threading.Event()
        self.go_on.set()
        self.callers = GroupCommit(self.write)

    def write(self, works: Sequence[int]) -> list[str | Exception]:
        self.groups.append(list(works))
        self.go_on.wait(10)
        if 99 in works:
            raise SystemExit
        return [ValueError(work) if work < 0 else f"{work} of {len(works)}" for work in works]

    def call(self, work: int) -> Future[str]:
        return self.threads.submit(self.callers.submit, work)

    def wait_for_queue(self, count: int) -> None:
        until(lambda: len(self.callers._queue) >= count, f"{count} in the queue")

    def queue_up(self, works: Sequence[int]) -> list[Future[str]]:
        """Callers in the queue, in this order, after one that is writing."""
        self.go_on.clear()
        callers = [self.call(0)]
        until(lambda: bool(self.groups))
        for count, work in enumerate(works, 1):
            callers.append(self.call(work))
            self.wait_for_queue(count)
        return callers

    def finish(self, callers: Sequence[Future[str]]) -> list[str | BaseException]:
        """What each of them is told."""
        self.go_on.set()
        told = [caller.exception(10) or caller.result() for caller in callers]
        assert self.callers.submit(5) == "5 of 1", "the next is written as ever"
        return told


@pytest.fixture
def scribe() -> Iterator[Scribe]:
    with ThreadPoolExecutor(2 * MAX_GROUP_SIZE) as threads:
        yield Scribe(threads)


def test_who_comes_meanwhile_is_written_together(scribe: Scribe) -> None:
    first, one, two, three = scribe.finish(scribe.queue_up([1, -2, 3]))
    assert (first, one, three) == ("0 of 1", "1 of 3", "3 of 3")
    assert isinstance(two, ValueError)
    assert scribe.groups == [[0], [1, -2, 3], [5]]


def test_a_rush_is_written_in_groups_of_a_bounded_size(scribe: Scribe) -> None:
    scribe.finish(scribe.queue_up(range(1, MAX_GROUP_SIZE + 11)))
    assert [len(group) for group in scribe.groups] == [1, MAX_GROUP_SIZE, 10, 1]


def test_what_ends_the_writing_is_told_to_everyone(scribe: Scribe) -> None:
    _, leader, *others = scribe.finish(scribe.queue_up([99, 2, 3]))
    assert isinstance(leader, SystemExit)
    assert [type(told) for told in others] == [StoreUnavailable, StoreUnavailable]


def test_who_writes_alone_has_a_turn_of_his_own(scribe: Scribe) -> None:
    callers = scribe.queue_up([1])
    alone = scribe.threads.submit(scribe.callers.run_exclusively, lambda: list(scribe.groups))
    scribe.wait_for_queue(2)
    callers.append(scribe.call(2))
    scribe.wait_for_queue(3)
    assert scribe.finish(callers) == ["0 of 1", "1 of 1", "2 of 1"]
    assert alone.result(10) == [[0], [1]]


class Interruption(Exception):
    """What a signal brings into the main thread, as Ctrl-C does."""


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="This system has no such signal.")
def test_the_main_thread_can_be_interrupted_while_it_waits(scribe: Scribe) -> None:
    came = threading.Event()

    def interrupt(number: int, frame: object) -> None:
        if not came.is_set():
            came.set()
            raise Interruption

    callers = scribe.queue_up([1])
    before = signal.signal(signal.SIGUSR1, interrupt)

    def send() -> None:
        scribe.wait_for_queue(2)
        # A signal that comes just before the thread falls asleep does not wake it: the next one does.
        while not came.wait(0.01):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        with pytest.raises(Interruption):
            scribe.callers.submit(2)
    finally:
        sender.join(10)
        signal.signal(signal.SIGUSR1, before)
    assert scribe.finish(callers) == ["0 of 1", "1 of 1"]


def test_closing_finishes_what_was_accepted_and_takes_no_more(scribe: Scribe) -> None:
    callers = scribe.queue_up([1, 2])
    done: list[int] = []
    closing = scribe.threads.submit(scribe.callers.close, lambda: done.append(len(scribe.groups)))
    until(lambda: scribe.callers._closed)
    with pytest.raises(StoreClosed):
        scribe.callers.submit(3)
    assert done == []
    scribe.go_on.set()
    closing.result(10)
    assert [caller.result() for caller in callers] == ["0 of 1", "1 of 2", "2 of 2"]
    assert done == [2]
