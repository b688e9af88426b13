"""Many threads at one store: no gap, no double, one winner, and a follower who misses nothing."""

import os
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.eventstore import ANY_VERSION, EventStore, StaleVersion, StoreClosed, StoredEvent
from tests.support.store.concurrency import assert_whole, follow, in_threads
from tests.support.store.writing import deal, event, events

THREADS = 16


def test_sixteen_threads_at_one_stream_and_at_their_own(store: EventStore) -> None:
    sent: Counter[str] = Counter()
    told: list[StoredEvent] = []
    mutex = threading.Lock()

    def write(number: int) -> None:
        for _ in range(8):
            shared, own = event(), events(2)
            both = store.append(
                "r",
                [
                    deal("shared", ANY_VERSION, shared),
                    deal(f"stream {number % 5} of many", ANY_VERSION, *own),
                ],
            )
            assert [len(a.events) for a in both] == [1, 2]
            with mutex:
                sent.update([shared.event_id, *(e.event_id for e in own)])
                told.extend(e for appended in both for e in appended.events)

    in_threads(THREADS, write)
    assert_whole(store, sent)
    assert sorted(told) == store.read_all(limit=1000)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="This system does not fork.")
@pytest.mark.parametrize("open_store", ["sqlite", "postgresql"], indirect=True)
def test_a_forked_process_must_open_its_own(store: EventStore) -> None:
    store.append("r", [deal("s", 0, event())])
    if (child := os.fork()) == 0:
        told = 0
        for ask in (store.head, lambda: store.append("r", [deal("s", 1, event())])):
            try:
                ask()
            except StoreClosed as error:
                told += "forked" in str(error)
        store.close()
        os._exit(told)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 2
    store.append("r", [deal("s", 1, event())])
    assert store.stream_version("s") == 2


def test_of_writers_to_one_version_exactly_one_wins(store: EventStore) -> None:
    store.append("r", [deal("s", 0, event())])
    won: Counter[int] = Counter()
    lost: Counter[int] = Counter()
    mutex = threading.Lock()

    def write(number: int) -> None:
        for version in range(1, 9):
            store.wait_for_stream("s", version - 1, 20)
            try:
                (appended,) = store.append("r", [deal("s", version, event())])
            except StaleVersion as stale:
                assert stale.actual > version
                with mutex:
                    lost[version] += 1
            else:
                assert appended.events[0].seq == version + 1
                with mutex:
                    won[version] += 1

    in_threads(THREADS, write)
    assert won == dict.fromkeys(range(1, 9), 1)
    assert lost == dict.fromkeys(range(1, 9), THREADS - 1)
    assert store.stream_version("s") == 9


def test_a_follower_misses_nothing_while_writers_write(store: EventStore) -> None:
    sent: Counter[str] = Counter()
    mutex = threading.Lock()
    done = threading.Event()

    def write(number: int) -> None:
        for count in range(12):
            new = events(1 + count % 3)
            store.append(f"r{number % 3}", [deal(f"s{number}", ANY_VERSION, *new)])
            with mutex:
                sent.update(e.event_id for e in new)

    with ThreadPoolExecutor(1) as threads:
        following = threads.submit(follow, store, done, 7)
        try:
            in_threads(8, write)
        finally:
            done.set()
        followed = following.result(30)
    assert Counter(e.event_id for e in followed) == sent
    assert [e.position for e in followed] == sorted(e.position for e in followed)
    for stream in {e.stream for e in followed}:
        assert [e for e in followed if e.stream == stream] == store.read_stream(stream)
