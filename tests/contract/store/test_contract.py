"""What every store promises, to many at once too."""

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from service.eventstore import (
    ANY_VERSION,
    EventStore,
    MemoryStore,
    NewEvent,
    StoredEvent,
    StreamAppend,
    StreamInfo,
    errors,
    stamp_event,
)
from service.http.store_health import require_ready
from tests.support.store.concurrency import assert_whole, follow, in_threads
from tests.support.store.writing import deal, event, events, table


def test_events_are_numbered_and_stamped_inside_their_bodies(store: EventStore) -> None:
    first, second = events(2)
    (appended,) = store.append("table", [deal("a deal", 0, first, second)])
    assert (appended.stream, appended.version, appended.repeated_count) == ("a deal", 2, 0)
    for seq, (sent, stored) in enumerate(zip((first, second), appended.events, strict=True), 1):
        told = json.loads(stored.body)
        assert (stored.seq, told["seq"], told["stored_at"]) == (seq, seq, stored.stored_at)
        assert stored.body == stamp_event(sent.body, seq, stored.stored_at)
        assert (stored.root, stored.stream, stored.event_id) == ("table", "a deal", sent.event_id)
    assert store.read_stream("a deal") == list(appended.events)


def test_an_event_that_cannot_be_finished_refuses_the_whole_append(store: EventStore) -> None:
    def fail(body: bytes, seq: int, stored_at: str) -> bytes:
        raise RuntimeError("no ink")

    with pytest.raises(RuntimeError, match="no ink"):
        store.append("r", [deal("s", 0, event(), NewEvent("id", b"{}", fail))])
    with pytest.raises(TypeError, match="a stored body is bytes"):
        store.append("r", [deal("s", 0, NewEvent("id", b"{}", lambda *_: "text"))])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="JSON object in braces"):
        store.append("r", [deal("s", 0, NewEvent("id", b"[]"))])
    assert store.list_streams() == []


def test_what_does_not_fit_its_stream_is_refused(store: EventStore) -> None:
    store.append("r", [deal("s", 0, *events(2))])
    refused: list[tuple[str, StreamAppend, type[Exception], str]] = [
        *(("r", deal("s", n, event()), errors.StaleVersion, f"at version 2, not at {n}") for n in (0, 1, 4)),
        ("r", deal("new", 1, event()), errors.StaleVersion, "at version 0, not at 1"),
        ("r", StreamAppend("new", 0, events(1)), errors.UnknownStream, "no stream new"),
        (
            "q",
            deal("s", 2, event()),
            errors.StreamMismatch,
            "created with the root r, but this append says q",
        ),
        (
            "r",
            table("s", 2, event()),
            errors.StreamMismatch,
            "created with the kind deal, .* append says table",
        ),
    ]
    for root, append, error, told in refused:
        with pytest.raises(error, match=told) as refusal:
            store.append(root, [append])
        if isinstance(said := refusal.value, errors.StaleVersion):
            due = (append.stream, append.expected_version, 2 if append.stream == "s" else 0)
            assert (said.stream, said.expected, said.actual) == due
    assert store.list_streams() == [StreamInfo("s", "r", "deal", 2)]
    for expected in (2, ANY_VERSION):
        store.append("r", [deal("s", expected, event())])
    store.append("r", [StreamAppend("t", ANY_VERSION, events(1), "table")])
    assert store.list_streams() == [StreamInfo("s", "r", "deal", 4), StreamInfo("t", "r", "table", 1)]


def test_a_stream_grows_as_far_as_its_append_allows(store: EventStore) -> None:
    held = deal("s", 0, *events(2))._replace(max_version=3)
    store.append("r", [held])
    for new in ([event()], events(2)):
        bounded = deal("s", ANY_VERSION, *new)._replace(max_version=2)
        with pytest.raises(errors.StreamFull, match="its limit of 2 entries") as full:
            store.append("r", [deal("other", 0, event()), bounded])
        assert (full.value.stream, full.value.version, full.value.max_version) == ("s", 2, 2)
        with pytest.raises(errors.StreamFull):
            store.append("r", [bounded])
    last = deal("s", 2, event())._replace(max_version=3)
    for repeated in (0, 1):
        assert store.append("r", [last])[0].repeated_count == repeated
    assert store.append("r", [held])[0].repeated_count == 2
    with pytest.raises(errors.StaleVersion):
        store.append("r", [deal("s", 1, event())._replace(max_version=3)])
    with pytest.raises(errors.StreamFull):
        store.append("r", [deal("new", 0, *events(2))._replace(max_version=1)])
    store.append("r", [deal("s", ANY_VERSION, event())])
    assert [(one.stream, one.version) for one in store.list_streams()] == [("s", 4)]


def test_a_batch_goes_on_only_from_where_its_beginning_was_stored_as_one(store: EventStore) -> None:
    batch = events(3)
    store.append("r", [deal("s", 0, event())])
    store.append("r", [deal("s", 1, *batch[:2])])
    store.append("r", [deal("s", 3, event("between"))])
    a, b, c = events(3)
    store.append("r", [deal("pieces", 0, b)])
    store.append("r", [deal("pieces", 1, a)])
    for stale in (*(deal("s", expected, *batch) for expected in (0, 2, 3)), deal("pieces", 0, a, b, c)):
        with pytest.raises(errors.StaleVersion):
            store.append("r", [stale])
    between, pieces = store.append("r", [deal("s", ANY_VERSION, *batch), deal("pieces", 2, a, b, c)])
    assert [e.seq for e in between.events] == [2, 3, 5]
    assert [e.seq for e in pieces.events] == [2, 1, 3]


def test_an_id_names_one_event_of_its_root(store: EventStore) -> None:
    same = event("one", "id")
    store.append("r", [deal("s", 0, same)])
    with pytest.raises(errors.IdConflict, match="stored as event 1 with other contents") as conflict:
        # The version, which is wrong too, is looked at afterwards.
        store.append("r", [deal("other", 9, event()), deal("s", 7, event("two", "id"))])
    assert (conflict.value.event_id, conflict.value.stream, conflict.value.seq) == ("id", "s", 1)
    with pytest.raises(errors.IdConflict, match="but an event sent before it is new"):
        store.append("r", [deal("s", 1, event(), same)])
    with pytest.raises(errors.IdConflict, match="already names event 1 of stream s"):
        store.append("r", [deal("t", 0, same)])
    (elsewhere,) = store.append("another root", [deal("u", 0, same)])
    assert elsewhere.repeated_count == 0
    found = {root: store.find_events(root, ["id"])["id"].stream for root in ("r", "another root")}
    assert found == {"r": "s", "another root": "u"}


def test_a_stream_is_read_in_pages(store: EventStore) -> None:
    store.append("r", [deal("s", 0, *events(7))])
    pages = [store.read_stream("s", after, 3) for after in (0, 3, 6, 7)]
    assert [[e.seq for e in page] for page in pages] == [[1, 2, 3], [4, 5, 6], [7], []]
    everything = store.read_all()
    assert store.read_all(everything[1].position, 2) == everything[2:4]
    for read in (partial(store.read_stream, "s"), store.read_all, store.list_streams):
        with pytest.raises(ValueError, match="at least 1"):
            read(limit=0)
    for ask in (store.read_stream, store.stream_version, store.stream_info):
        with pytest.raises(errors.UnknownStream, match="There is no stream t"):
            ask("t")
    with pytest.raises(errors.UnknownStream):
        store.list_streams(after="t")
    assert store.find_events("no root", ["id"]) == {}


def test_streams_are_listed_in_the_order_they_were_made(store: EventStore) -> None:
    for number in range(3):
        both = [table(f"t{number}", 0, event()), deal(f"d{number}", 0, *events(2))]
        store.append(f"r{number % 2}", both)
    everything = store.list_streams()
    assert [s.stream for s in everything] == ["t0", "d0", "t1", "d1", "t2", "d2"]
    assert everything[3] == StreamInfo("d1", "r1", "deal", 2)
    assert [s.stream for s in store.list_streams(root="r0", kind="deal")] == ["d0", "d2"]
    assert [s.stream for s in store.list_streams(kind="table", after="d0", limit=1)] == ["t1"]
    assert store.list_streams(after="d2") == []
    assert store.list_streams(root="r9") == []
    assert store.list_streams(newest_first=True) == everything[::-1]
    (before,) = store.list_streams(kind="deal", after="t2", limit=1, newest_first=True)
    assert before.stream == "d1"
    assert [s.stream for s in store.list_streams(root="r0", newest_first=True)] == ["d2", "t2", "d0", "t0"]
    assert store.list_streams(after="t0", newest_first=True) == []


def test_records_that_leave_others_are_found_without_reading_all(store: EventStore) -> None:
    """By the field that their first event has; a word in a text, or in a later event, makes none."""
    leaves = b'{"type":"deal_opened","branch":{"deal":"d0","at":1}}'
    quotes = rb'{"type":"deal_opened","note":"a \"branch\" of it"}'
    store.append("r", [deal("d0", 0, event("a", "a")), deal("d1", 0, NewEvent("b", leaves))])
    store.append("r", [deal("d2", 0, NewEvent("c", quotes), NewEvent("d", leaves))])
    store.append("s", [deal("d3", 0, NewEvent("e", leaves), event("f", "f"))])
    (first, second) = found = store.list_branches()
    assert [stream for _, stream in found] == ["d1", "d3"]
    assert [store.read_stream(stream)[0].position for _, stream in found] == [first[0], second[0]]
    assert store.list_branches(limit=1) == [first]
    assert store.list_branches(first[0]) == [second]
    assert store.list_branches(second[0]) == []


def test_news_wakes_who_waits_for_it(store: EventStore) -> None:
    same = event()
    store.append("r", [deal("s", 0, same), deal("t", 0, event())])
    with ThreadPoolExecutor(1) as threads:
        quiet = threads.submit(store.wait_for_events, 2, 0.2)
        store.append("r", [deal("s", 0, same)])
        with pytest.raises(errors.StaleVersion):
            store.append("r", [deal("s", 0, event())])
        assert quiet.result() == 2, "a repeat or a refusal is no news"
        waiting = threads.submit(store.wait_for_events, 2, 60)
        time.sleep(0.05)  # for them to wait; where they do not yet, they find the news at once
        began = time.monotonic()
        store.append("r", [deal("s", 1, event())])
        assert waiting.result() == 3
        assert time.monotonic() - began < 30


def test_a_closed_store_says_so_and_wakes_who_waits(store: EventStore) -> None:
    store.append("r", [deal("s", 0, event())])
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(store.wait_for_events, 1, 60)
        time.sleep(0.05)
        store.close()
        store.close()
        with pytest.raises(errors.StoreClosed):
            waiting.result(10)
    asks: list[Callable[[], object]] = [
        *(store.list_streams, store.read_all, store.head),
        *(partial(ask, "s") for ask in (store.read_stream, store.stream_info)),
        partial(store.append, "r", [deal("s", 1, event())]),
        partial(store.find_events, "r", ["id"]),
        partial(store.wait_for_events, 0, 1),
    ]
    for ask in asks:
        with pytest.raises(errors.StoreClosed, match="closed"):
            ask()


def test_a_store_says_what_it_takes(store: EventStore) -> None:
    if isinstance(store, MemoryStore):
        assert store.disk_usage() is None
        return
    before = after = store.disk_usage()
    assert before is not None and after is not None and before.used > 0
    # PostgreSQL may fill the room that it has first.
    for number in range(2000):
        store.append("r", [deal(f"s{number}", 0, event())])
        after = store.disk_usage()
        assert after is not None
        if after.used > before.used:
            break
    assert after.used > before.used
    assert after.free is None or after.free > 0


def test_to_look_whether_it_can_be_written_to_writes_nothing(store: EventStore) -> None:
    store.append("r", [deal("s", 0, event())])
    for _ in range(3):
        require_ready(store)
    assert store.head() == 1
    assert [info.stream for info in store.list_streams()] == ["s"]


THREADS = 16


def test_sixteen_threads_at_one_stream_and_at_their_own(store: EventStore) -> None:
    sent: Counter[str] = Counter()
    told: list[StoredEvent] = []
    mutex = threading.Lock()

    def write(number: int) -> None:
        for _ in range(8):
            shared, own = event(), events(2)
            many = deal(f"stream {number % 5} of many", ANY_VERSION, *own)
            both = store.append("r", [deal("shared", ANY_VERSION, shared), many])
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
            except errors.StoreClosed as error:
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
            store.wait_for_events(version - 1, 20)
            try:
                (appended,) = store.append("r", [deal("s", version, event())])
            except errors.StaleVersion as stale:
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
