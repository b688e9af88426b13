"""How callers come together in groups, and what becomes of them when something goes wrong."""

import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from service.eventstore import StoreClosed, StoreUnavailable
from service.eventstore.group_commit import MAX_GROUP_SIZE, GroupCommit, Ticket
from tests.support.waiting import until

Group = Sequence[Ticket[int, str]]


class Scribe:
    """A writer that waits until a test lets it go on, so that the test decides who is written together."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self.threads = threads
        self.groups: list[list[int]] = []
        self.writing = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()
        self.callers = GroupCommit(self.alone, self.together)

    def write(self, works: list[int]) -> None:
        self.groups.append(works)
        self.writing.set()
        self.go_on.wait(10)

    def alone(self, work: int) -> str:
        self.write([work])
        return f"{work} alone"

    def together(self, group: Group) -> None:
        self.write([ticket.work for ticket in group])
        for ticket in group:
            if ticket.work < 0:
                ticket.error = ValueError(ticket.work)
            else:
                ticket.answer = f"{ticket.work} of {len(group)}"

    def call(self, work: int) -> Future[str]:
        return self.threads.submit(self.callers.submit, work)

    def wait_for_queue(self, count: int) -> None:
        until(lambda: len(self.callers._queue) >= count, f"{count} in the queue")

    def queue_up(self, works: Sequence[int]) -> list[Future[str]]:
        """Callers in the queue, in this order, after one that is writing."""
        self.go_on.clear()
        callers = [self.call(0)]
        assert self.writing.wait(10)
        for count, work in enumerate(works, 1):
            callers.append(self.call(work))
            self.wait_for_queue(count)
        return callers

    def finish(self, callers: Sequence[Future[str]]) -> list[str | BaseException]:
        """What each of them is told."""
        self.go_on.set()
        told = [caller.exception(10) or caller.result() for caller in callers]
        assert self.callers.submit(5) == "5 alone", "the next is written as ever"
        return told


@pytest.fixture
def scribe() -> Iterator[Scribe]:
    with ThreadPoolExecutor(2 * MAX_GROUP_SIZE) as threads:
        yield Scribe(threads)


def test_who_comes_meanwhile_is_written_together(scribe: Scribe) -> None:
    callers = scribe.queue_up([1, -2, 3])
    gone = Ticket[int, str](9)  # whose caller is interrupted while it waits
    scribe.callers._queue.appendleft(gone)
    scribe.callers._withdraw(gone)
    first, one, two, three = scribe.finish(callers)
    assert (first, one, three) == ("0 alone", "1 of 3", "3 of 3")
    assert isinstance(two, ValueError)
    assert scribe.groups == [[0], [1, -2, 3], [5]]


def test_a_rush_is_written_in_groups_of_a_bounded_size(scribe: Scribe) -> None:
    scribe.finish(scribe.queue_up(range(1, MAX_GROUP_SIZE + 11)))
    assert [len(group) for group in scribe.groups] == [1, MAX_GROUP_SIZE, 10, 1]


def test_what_ends_the_writing_is_told_to_everyone(scribe: Scribe, monkeypatch: pytest.MonkeyPatch) -> None:
    callers = scribe.queue_up([1, 2, 3])

    def broken(group: Group) -> None:
        group[0].answer = "written"
        raise SystemExit

    monkeypatch.setattr(scribe.callers, "_commit_group", broken)
    _, one, two, three = scribe.finish(callers)
    assert one == "written"
    for told in (two, three):
        assert isinstance(told, StoreUnavailable)
        assert isinstance(told.__cause__, SystemExit)
    with pytest.raises(StoreUnavailable, match="did not answer"):
        Ticket[int, str](1).result()


def test_a_caller_who_is_interrupted_when_called_to_lead_passes_it_on(scribe: Scribe) -> None:
    scribe.callers._turn.acquire()
    gone = Ticket[int, str](9)
    scribe.callers._queue.append(gone)
    waiting = scribe.call(1)
    scribe.wait_for_queue(2)
    scribe.callers._hand_over_turn()
    assert gone.is_leader
    scribe.callers._withdraw(gone)
    assert scribe.finish([waiting]) == ["1 of 1"]


class LateQueue(deque[Ticket[int, str]]):
    """A queue into which a ticket comes just after the leader has looked for the last time and gone."""

    def __init__(self, scribe: Scribe) -> None:
        super().__init__()
        self.scribe = scribe

    def append(self, ticket: Ticket[int, str]) -> None:
        self.scribe.callers._turn.release()
        super().append(ticket)


def test_who_queues_up_just_as_the_leader_goes_leads_himself(scribe: Scribe) -> None:
    scribe.callers._queue = LateQueue(scribe)
    scribe.callers._turn.acquire()
    assert scribe.finish([scribe.call(1)]) == ["1 of 1"]


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
    assert scribe.finish(callers) == ["0 alone", "1 of 1"]


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
    assert [caller.result() for caller in callers] == ["0 alone", "1 of 2", "2 of 2"]
    assert done == [2]
