"""What every store promises."""

import json
import threading
import time

import pytest

from service.eventstore import (
    ANY,
    Append,
    EventStore,
    IdConflict,
    NewEvent,
    StaleVersion,
    StoreClosed,
    StreamFull,
    StreamInfo,
    StreamMismatch,
    UnknownStream,
    stamp,
)
from tests.store.writing import deal, event, events


def test_events_are_numbered_and_stamped_inside_their_bodies(store: EventStore) -> None:
    first, second = events(2)
    (appended,) = store.append("table", [deal("a deal", 0, first, second)])
    assert (appended.stream, appended.version, appended.repeated) == ("a deal", 2, 0)
    for seq, (sent, stored) in enumerate(zip((first, second), appended.events, strict=True), 1):
        told = json.loads(stored.body)
        assert (stored.seq, told["seq"], told["stored_at"]) == (seq, seq, stored.stored_at)
        assert stored.body == stamp(sent.body, seq, stored.stored_at)
        assert (stored.root, stored.stream, stored.event_id) == ("table", "a deal", sent.event_id)
    assert store.read("a deal") == list(appended.events)


def test_an_event_that_cannot_be_finished_refuses_the_whole_append(store: EventStore) -> None:
    def fail(body: bytes, seq: int, stored_at: str) -> bytes:
        raise RuntimeError("no ink")

    with pytest.raises(RuntimeError, match="no ink"):
        store.append("r", [deal("s", 0, event(), NewEvent("id", b"{}", fail))])
    with pytest.raises(TypeError, match="a stored body is bytes"):
        store.append("r", [deal("s", 0, NewEvent("id", b"{}", lambda *_: "text"))])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="JSON object in braces"):
        store.append("r", [deal("s", 0, NewEvent("id", b"[]"))])
    assert store.streams() == []


@pytest.mark.parametrize("expected", [0, 1, 2, 4, ANY])
def test_the_expected_version_decides(store: EventStore, expected: int) -> None:
    store.append("r", [deal("s", 0, *events(2))])
    if expected in (2, ANY):
        store.append("r", [deal("s", expected, event())])
        assert store.version("s") == 3
    else:
        with pytest.raises(StaleVersion) as stale:
            store.append("r", [deal("s", expected, event())])
        assert (stale.value.stream, stale.value.expected, stale.value.actual) == ("s", expected, 2)
        assert "at version 2, not at" in str(stale.value)
        assert store.version("s") == 2


def test_a_stream_grows_as_far_as_its_append_allows(store: EventStore) -> None:
    held = deal("s", 0, *events(2))._replace(most=3)
    store.append("r", [held])
    for new in ([event()], events(2)):
        bounded = deal("s", ANY, *new)._replace(most=2)
        with pytest.raises(StreamFull, match="more than 2 entries") as full:
            store.append("r", [deal("other", 0, event()), bounded])
        assert (full.value.stream, full.value.version, full.value.most) == ("s", 2, 2)
        with pytest.raises(StreamFull):
            store.append("r", [bounded])
    last = deal("s", 2, event())._replace(most=3)
    for repeated in (0, 1):
        assert store.append("r", [last])[0].repeated == repeated
    assert store.append("r", [held])[0].repeated == 2
    with pytest.raises(StaleVersion):
        store.append("r", [deal("s", 1, event())._replace(most=3)])
    with pytest.raises(StreamFull):
        store.append("r", [deal("new", 0, *events(2))._replace(most=1)])
    store.append("r", [deal("s", ANY, event())])
    assert [(one.stream, one.version) for one in store.streams()] == [("s", 4)]


def test_a_new_stream_needs_a_kind_and_version_nought(store: EventStore) -> None:
    with pytest.raises(UnknownStream, match="no stream s"):
        store.append("r", [Append("s", 0, events(1))])
    with pytest.raises(StaleVersion, match="at version 0, not at 1"):
        store.append("r", [deal("s", 1, event())])
    store.append("r", [Append("s", ANY, events(1), "table")])
    assert store.describe("s") == StreamInfo("s", "r", "table", 1)


def test_a_stream_keeps_its_root_and_kind(store: EventStore) -> None:
    store.append("r", [deal("s", 0, event())])
    with pytest.raises(StreamMismatch, match="made with the root r, and this append says other"):
        store.append("other", [deal("s", 1, event())])
    with pytest.raises(StreamMismatch, match="made with the kind deal, and this append says table"):
        store.append("r", [Append("s", 1, events(1), "table")])
    assert store.version("s") == 1


def test_several_streams_take_all_or_nothing(store: EventStore) -> None:
    store.append("r", [deal("a", 0, event()), deal("b", 0, event())])
    with pytest.raises(StaleVersion, match="Stream b"):
        store.append("r", [deal("a", 1, event()), deal("new", 0, event()), deal("b", 7, event())])
    assert [(s.stream, s.version) for s in store.streams()] == [("a", 1), ("b", 1)]
    assert store.head() == store.follow()[-1].position
    a, b = store.append("r", [deal("b", 1, *events(2)), deal("a", 1, event())])
    assert (a.stream, a.version, b.stream, b.version) == ("b", 3, "a", 2)
    assert [*a.events, *b.events] == store.follow(after=2)


def test_a_repeat_returns_what_is_stored_whatever_its_version(store: EventStore) -> None:
    first, second = events(2)
    (stored,) = store.append("r", [deal("s", 0, first, second)])
    store.append("r", [deal("s", 2, event())])
    for expected in (0, 3, 99, ANY):
        (again,) = store.append("r", [deal("s", expected, first, second)])
        assert (again.events, again.repeated, again.version) == (stored.events, 2, 3)
    (single,) = store.append("r", [Append("s", 0, [second])])
    assert (single.events, single.repeated) == (stored.events[1:], 1)
    assert store.version("s") == 3


def test_a_batch_whose_beginning_is_stored_appends_the_rest(store: EventStore) -> None:
    batch = events(5)
    store.append("r", [deal("s", 0, event())])
    (first,) = store.append("r", [deal("s", 1, *batch[:2])])
    # By the version from which the batch began.
    (more,) = store.append("r", [deal("s", 1, *batch[:4])])
    assert (more.version, more.repeated, more.events[:2]) == (5, 2, first.events)
    # By the current version.
    (all_of_it,) = store.append("r", [deal("s", 5, *batch)])
    assert (all_of_it.version, all_of_it.repeated, all_of_it.events[:4]) == (6, 4, more.events)
    assert [e.event_id for e in store.read("s", after=1)] == [e.event_id for e in batch]


@pytest.mark.parametrize("expected", [0, 2, 3])
def test_the_rest_of_a_batch_is_stale_where_somebody_came_between(store: EventStore, expected: int) -> None:
    batch = events(3)
    store.append("r", [deal("s", 0, event())])
    store.append("r", [deal("s", 1, *batch[:2])])
    store.append("r", [deal("s", 3, event("between"))])
    with pytest.raises(StaleVersion):
        store.append("r", [deal("s", expected, *batch)])
    (fits,) = store.append("r", [deal("s", ANY, *batch)])
    assert [e.seq for e in fits.events] == [2, 3, 5]


def test_a_beginning_that_was_stored_in_pieces_does_not_count_as_one(store: EventStore) -> None:
    a, b, c = events(3)
    store.append("r", [deal("s", 0, b)])
    store.append("r", [deal("s", 1, a)])
    with pytest.raises(StaleVersion):
        store.append("r", [deal("s", 0, a, b, c)])
    (fits,) = store.append("r", [deal("s", 2, a, b, c)])
    assert [e.seq for e in fits.events] == [2, 1, 3]


def test_an_id_with_other_contents_is_refused_before_the_version_is_looked_at(store: EventStore) -> None:
    store.append("r", [deal("s", 0, event("one", "id"))])
    with pytest.raises(IdConflict, match="stored as event 1 with other contents") as conflict:
        store.append("r", [deal("other", 9, event()), deal("s", 7, event("two", "id"))])
    assert (conflict.value.event_id, conflict.value.stream, conflict.value.seq) == ("id", "s", 1)


def test_an_id_is_unique_within_its_root_and_free_in_another(store: EventStore) -> None:
    same = event("one", "id")
    store.append("r", [deal("s", 0, same)])
    with pytest.raises(IdConflict, match="already names event 1 of stream s"):
        store.append("r", [deal("t", 0, same)])
    (elsewhere,) = store.append("another root", [deal("u", 0, same)])
    assert elsewhere.repeated == 0
    assert store.find("r", ["id"])["id"].stream == "s"
    assert store.find("another root", ["id"])["id"].stream == "u"


def test_a_stream_is_read_in_pages(store: EventStore) -> None:
    store.append("r", [deal("s", 0, *events(7))])
    pages = [store.read("s", after, 3) for after in (0, 3, 6, 7)]
    assert [[e.seq for e in page] for page in pages] == [[1, 2, 3], [4, 5, 6], [7], []]
    for read in (lambda: store.read("s", 0, 0), lambda: store.follow(0, 0), lambda: store.streams(limit=-1)):
        with pytest.raises(ValueError, match="at least 1"):
            read()


def test_a_stream_that_is_not_there_is_said_not_to_be(store: EventStore) -> None:
    for ask in (store.read, store.version, store.describe, lambda s: store.wait_for(s, 0, 0.0)):
        with pytest.raises(UnknownStream, match="There is no stream s"):
            ask("s")
    with pytest.raises(UnknownStream):
        store.streams(after="s")
    assert store.find("no root", ["id"]) == {}


def test_streams_are_listed_in_the_order_they_were_made(store: EventStore) -> None:
    for number in range(3):
        root = f"r{number % 2}"
        store.append(root, [Append(f"t{number}", 0, events(1), "table"), deal(f"d{number}", 0, *events(2))])
    everything = store.streams()
    assert [s.stream for s in everything] == ["t0", "d0", "t1", "d1", "t2", "d2"]
    assert everything[3] == StreamInfo("d1", "r1", "deal", 2)
    assert [s.stream for s in store.streams(root="r0", kind="deal")] == ["d0", "d2"]
    assert [s.stream for s in store.streams(kind="table", after="d0", limit=1)] == ["t1"]
    assert store.streams(after="d2") == []
    assert store.streams(root="r9") == []
    assert store.streams(backwards=True) == everything[::-1]
    assert [s.stream for s in store.streams(kind="deal", after="t2", limit=1, backwards=True)] == ["d1"]
    assert [s.stream for s in store.streams(root="r0", backwards=True)] == ["d2", "t2", "d0", "t0"]
    assert store.streams(after="t0", backwards=True) == []


def test_records_that_leave_others_are_found_without_reading_all(store: EventStore) -> None:
    """By the field that their first event has; a word in a text, or in a later event, makes none."""
    leaves = b'{"type":"deal_opened","branch":{"deal":"d0","at":1}}'
    quotes = rb'{"type":"deal_opened","note":"a \"branch\" of it"}'
    store.append("r", [deal("d0", 0, event("a", "a")), deal("d1", 0, NewEvent("b", leaves))])
    store.append("r", [deal("d2", 0, NewEvent("c", quotes), NewEvent("d", leaves))])
    store.append("s", [deal("d3", 0, NewEvent("e", leaves), event("f", "f"))])
    (first, second) = found = store.branches()
    assert [stream for _, stream in found] == ["d1", "d3"]
    assert [store.read(stream)[0].position for _, stream in found] == [first[0], second[0]]
    assert store.branches(limit=1) == [first]
    assert store.branches(first[0]) == [second]
    assert store.branches(second[0]) == []


def test_all_streams_are_followed_by_position(store: EventStore) -> None:
    assert (store.head(), store.follow()) == (0, [])
    for number in range(6):
        store.append(f"r{number % 2}", [deal(f"s{number % 3} of r{number % 2}", ANY, event())])
    followed = store.follow()
    assert [e.position for e in followed] == sorted({e.position for e in followed})
    assert store.head() == followed[-1].position
    assert store.follow(followed[1].position, 2) == followed[2:4]
    for info in store.streams():
        assert [e for e in followed if e.stream == info.stream] == store.read(info.stream)


def test_who_waits_wakes_when_something_is_stored(store: EventStore) -> None:
    store.append("r", [deal("s", 0, event()), deal("t", 0, event())])
    head = store.head()
    woken: dict[str, int] = {}
    waiting = [
        threading.Thread(target=lambda: woken.update(position=store.wait(head, 600))),
        threading.Thread(target=lambda: woken.update(version=store.wait_for("s", 1, 600))),
        threading.Thread(target=lambda: woken.update(other=store.wait_for("t", 1, 0.3))),
    ]
    for thread in waiting:
        thread.start()
    time.sleep(0.05)
    began = time.monotonic()
    store.append("r", [deal("s", 1, event())])
    for thread in waiting:
        thread.join()
    assert time.monotonic() - began < 60
    assert woken == {"position": store.head(), "version": 2, "other": 1}


def test_a_repeat_or_refusal_is_no_news(store: EventStore) -> None:
    same = event()
    store.append("r", [deal("s", 0, same)])
    woken: list[int] = []
    waiting = threading.Thread(target=lambda: woken.append(store.wait_for("s", 1, 0.2)))
    waiting.start()
    store.append("r", [deal("s", 0, same)])
    with pytest.raises(StaleVersion):
        store.append("r", [deal("s", 0, event())])
    waiting.join()
    assert woken == [1]


def test_a_closed_store_says_so_and_wakes_who_waits(store: EventStore) -> None:
    store.append("r", [deal("s", 0, event())])
    errors: list[Exception] = []

    def wait() -> None:
        try:
            store.wait_for("s", 1, 600)
        except StoreClosed as error:
            errors.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    time.sleep(0.05)
    store.close()
    store.close()
    waiting.join(10)
    assert len(errors) == 1
    asks = [
        lambda: store.append("r", [deal("s", 1, event())]),
        lambda: store.read("s"),
        lambda: store.describe("s"),
        store.streams,
        store.follow,
        store.head,
        lambda: store.find("r", ["id"]),
        lambda: store.wait(0, 1),
    ]
    for ask in asks:
        with pytest.raises(StoreClosed, match="closed"):
            ask()
