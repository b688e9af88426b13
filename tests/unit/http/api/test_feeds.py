"""What one who follows is sent: each event once, and in the end what `view` gives."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import PUBLIC_VIEWER, seat_viewer, view
from engine.core.cards import SEATS
from schemas.wire.event_writer import entry_object
from service.app import create_app
from service.config.settings import Settings
from service.eventstore import (
    ANY_VERSION,
    PAGE_SIZE,
    EventStore,
    MemoryStore,
    StoreDamaged,
    StoredEvent,
    StoreUnavailable,
    StreamInfo,
)
from service.records.append import append_to_deal
from service.records.deal_points import VIEWERS_BY_NAME
from service.records.deal_starts import complete_deals, start_deals
from service.records.live import EventCursor, Feed, InvalidCursor, LiveStreams, Subscription, fixed_viewer
from service.records.live.broadcaster import MAX_QUEUED_BATCHES, Broadcaster, Subscriber
from service.records.live.redacted_logs import RedactedLogCache
from service.records.repository import append_to_record, read_log
from tests.support.api.asking import API, Json, problem
from tests.support.api.clients import of_app
from tests.support.api.listening import Listening, messages_in
from tests.support.api.recording import (
    DEAL,
    OPENING,
    PLAYERS,
    TABLE,
    corrected,
    damaging,
    posted,
    recorded_deal,
    recorded_table,
    some_deal,
)
from tests.support.effort import examples

OTHER = "018f5e2a-7b1c-7d3e-9f40-bbbbbbbbbbbb"


def known(store: EventStore, stream: str, viewer: str) -> list[Json]:
    return [entry_object(entry) for entry in view(read_log(store, stream), VIEWERS_BY_NAME[viewer])]


class Follower:
    """A client that loses its connection now and then, and a feed for each connection."""

    def __init__(self, store: EventStore, stream: str, viewer: str = "public", **more: Any) -> None:
        resolver = fixed_viewer(VIEWERS_BY_NAME[viewer])
        self.store = store
        self.following = Subscription(store.stream_info(stream), viewer_resolver=resolver, **more)
        self.has = Listening(stream)
        self.connect()

    def connect(self, keep: int | None = None) -> None:
        """Connect anew from the last id; after `keep` messages the connection is lost again."""
        self.feed = Feed(self.store, RedactedLogCache(self.store), self.following)
        last = self.following.parse_cursor(self.has.last) if self.has.last else None
        self._take(self.feed.start(last), keep)

    def go_on(self, keep: int | None = None) -> None:
        self._take(self.feed.catch_up(), keep)

    def _take(self, chunks: Iterator[bytes], keep: int | None) -> None:
        for count, message in enumerate(messages_in(chunks)):
            if count == keep:
                return self.connect()
            self.has.take(message)
        return None


def append_events(store: EventStore, deal: str, *events: Json) -> None:
    new = [posted(event) for event in events]
    append_to_deal(store, store.stream_info(deal), ANY_VERSION, new, strict=False)


def deal_starts(store: EventStore) -> str:
    table = store.stream_info(TABLE)
    deals = complete_deals(store, table, [[{"players": PLAYERS}]], lambda _, events: [posted({**events[0]})])
    (deal,) = start_deals(store, table, ANY_VERSION, deals).deal_appends
    return deal.stream


@settings(max_examples=examples(60))
@given(st.integers(0, 10**9), st.sampled_from(["all", "public", "forehand", "middlehand", "backhand"]))
def test_who_follows_a_deal_has_in_the_end_what_view_gives(seed: int, viewer: str) -> None:
    rng = random.Random(seed)
    store = MemoryStore()
    opening, *rest = corrected(some_deal(seed, talon=rng.random() < 0.5), rng)
    deal = recorded_deal(store, [opening])
    follower = Follower(store, deal, viewer)
    while rest:
        size = rng.choice((1, 1, 1, 2, 5, 20))
        part, rest = rest[:size], rest[size:]
        append_events(store, deal, *part)
        act = rng.random()
        if act < 0.5:
            follower.go_on(rng.choice((None, None, 0, 1, 2)))
        elif act < 0.8:
            follower.connect(rng.choice((None, 0, 1, 2)))
    follower.go_on()
    assert follower.has.logs == {deal: known(store, deal, viewer)}


@settings(max_examples=examples(40))
@given(st.integers(0, 10**9), st.sampled_from(["all", "public"]))
def test_who_follows_a_table_has_in_the_end_what_view_gives_of_every_log(seed: int, viewer: str) -> None:
    rng = random.Random(seed)
    store = MemoryStore()
    recorded_table(store)
    recorded_deal(store)  # a deal elsewhere, of which the table's stream tells nothing
    follower = Follower(store, TABLE, viewer, with_deals=True)
    coming: dict[str, list[Json]] = {}
    for number in range(30):
        if len(coming) < 4 and rng.random() < 0.3:
            coming[deal_starts(store)] = corrected(some_deal(seed + number), rng)[1:]
        elif coming:
            deal = rng.choice(list(coming))
            size = rng.randrange(1, 12)
            part, coming[deal] = coming[deal][:size], coming[deal][size:]
            if part:
                append_events(store, deal, *part)
        if rng.random() < 0.1:
            guests_come(store, f"Guest {number}")
        act = rng.random()
        if act < 0.5:
            follower.go_on(rng.choice((None, None, 0, 1, 2)))
        elif act < 0.7:
            follower.connect(rng.choice((None, 0, 3)))
    follower.go_on()
    assert follower.has.logs == {one: known(store, one, viewer) for one in (TABLE, *coming)}


@pytest.mark.parametrize("with_deals", [True, False])
def test_who_has_an_event_that_is_not_there_begins_anew(store: EventStore, with_deals: bool) -> None:
    deal = recorded_deal(store)
    follower = Follower(store, deal, with_deals=with_deals)
    follower.has.last = f"{deal}:900" if with_deals else "900"
    follower.connect()
    assert follower.has.resets == 1
    assert follower.has.logs == {deal: known(store, deal, "public")}
    if with_deals:
        follower.has.last = f"{recorded_deal(store, deal=OTHER)}:1"
        follower.connect()
        assert follower.has.resets == 2
        assert follower.has.logs == {deal: known(store, deal, "public")}


@pytest.mark.parametrize("hidden", [False, True])
def test_a_browser_that_comes_back_begins_anew_only_where_something_is_hidden(
    store: EventStore, hidden: bool
) -> None:
    """It may have opened a further link meanwhile, or lost one."""
    slip = {"type": "result_recorded", "declarer": "forehand", "contract": "solo", "outcome": "won"}
    hand = {"type": "hand_dealt", "seat": "forehand", "cards": ["SA"] + ["??"] * 8}
    deal = recorded_deal(store, [OPENING, hand if hidden else slip])
    follower = Follower(store, deal, stable_viewer=False)
    append_events(store, deal, {"type": "ruling_made", "text": "So be it."})
    follower.connect()
    assert (follower.has.resets, follower.has.logs) == (hidden, {deal: known(store, deal, "public")})


def test_a_name_that_names_no_event_is_refused() -> None:
    following = Subscription(StreamInfo(TABLE, TABLE, "table", 1))
    with_deals = following._replace(with_deals=True)
    for name in ("", "x", "-1", "1.5", "12345678901", f"{TABLE}:1", "١"):
        with pytest.raises(InvalidCursor):
            following.parse_cursor(name)
    with pytest.raises(InvalidCursor):
        with_deals.parse_cursor("17")
    assert following.parse_cursor("17") == EventCursor(TABLE, 17)
    assert with_deals.parse_cursor(f"{OTHER}:17") == EventCursor(OTHER, 17)


def guests_come(store: EventStore, *names: str) -> None:
    joined = [posted({"type": "player_joined", "player": name}) for name in names]
    append_to_record(store, store.stream_info(TABLE), ANY_VERSION, joined)


@pytest.fixture
def table_id(store: EventStore) -> str:
    return recorded_table(store)


def test_news_come_to_those_whom_they_concern(store: EventStore, table_id: str) -> None:
    deal = recorded_deal(store)
    news = Broadcaster(store)
    with news.subscribe(deal) as of_deal, news.subscribe(TABLE) as of_table:
        with news.subscribe(TABLE, with_root=True) as of_all:
            deal_starts(store)
            told = [event.seq for event in of_all.wait(5).events]
            while len(told) < 2:
                told += [event.seq for event in of_all.wait(5).events]
        assert told == [2, 1]
        assert [event.stream for event in of_table.wait(5).events] == [TABLE]
        assert of_deal.wait(0.01) == ((), True)
    news.close()


def test_a_slow_listener_is_told_that_some_were_missed(store: EventStore, table_id: str) -> None:
    (event,) = store.read_stream(TABLE)
    slow = Subscriber()
    for _ in range(MAX_QUEUED_BATCHES):
        slow.put([event])
    assert slow.wait(0) == ((event,) * MAX_QUEUED_BATCHES, True)
    for _ in range(MAX_QUEUED_BATCHES + 3):
        slow.put([event])
    assert slow.wait(0) == ((), False)
    assert slow.wait(0) == ((), True)
    slow.put([event, event])
    assert slow.wait(0) == ((event, event), True)
    slow.mark_missed()
    slow.put([event])
    assert slow.wait(0) == ((), False)


def test_a_thread_runs_while_one_listens(
    store: EventStore, table_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.records.live.broadcaster.LISTENER_CHECK_SECONDS", 0.05)
    news = Broadcaster(store)
    for number in range(3):
        with news.subscribe(TABLE) as listener:
            thread = news._thread
            assert thread is not None and thread.is_alive()
            guests_come(store, f"Guest {number}")
            (event,) = listener.wait(5).events
            assert json.loads(event.body)["player"] == f"Guest {number}"
        thread.join(5)
        assert not thread.is_alive()
    news = Broadcaster(store)
    with news.subscribe(TABLE) as listener:
        store.close()
        listener.wait(5)
        assert news.is_closed


def test_a_failing_store_is_no_end(store: EventStore, table_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.records.live.broadcaster.LISTENER_CHECK_SECONDS", 0.05)
    news, follow = Broadcaster(store), store.read_all
    failures = [StoreUnavailable("No."), ZeroDivisionError()]

    def failing(after: int = 0, limit: int = PAGE_SIZE) -> list[StoredEvent]:
        if failures:
            raise failures.pop()
        return follow(after, limit)

    monkeypatch.setattr(store, "read_all", failing)
    with news.subscribe(TABLE) as listener:
        guests_come(store, "Dorte")
        arrived = [listener.wait(5) for _ in range(3)]
    assert [one.is_complete for one in arrived] == [False, False, True]
    assert [event.seq for event in arrived[2].events] == [2]


def test_a_damaged_log_ends_its_stream(
    store: EventStore, table_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = LiveStreams(store)
    damaged = Mock(side_effect=StoreDamaged("Event 1 cannot be read."))
    monkeypatch.setattr(live.redacted_logs, "redacted_bodies", damaged)
    whole = Subscription(store.stream_info(table_id))
    told = live.stream_messages(whole, None)
    public = whole._replace(viewer_resolver=fixed_viewer(PUBLIC_VIEWER))
    broken = live.stream_messages(public, None)
    assert next(told) == b"retry: 2000\n\n"
    with pytest.raises(StoreDamaged):
        next(broken)
    assert b"table_opened" in next(told)
    guests_come(store, "Dorte")
    assert b"Dorte" in next(told)
    live.close()


def test_cut_logs_are_kept_until_an_erasure(store: EventStore) -> None:
    deal = recorded_deal(store)
    live = LiveStreams(store)
    before = live.redacted_logs.redacted_bodies(deal, 3, seat_viewer(SEATS[0]))
    assert live.redacted_logs.redacted_bodies(deal, 3, seat_viewer(SEATS[0])) is before
    live.clear_caches()
    assert live.redacted_logs.redacted_bodies(deal, 3, seat_viewer(SEATS[0])) is not before


DEALS, TABLES = f"{API}/deals", f"{API}/tables"


@pytest.fixture
def app(store: EventStore) -> Flask:
    recorded_deal(store)
    recorded_table(store)
    return create_app(store, settings=Settings(streams=2))


@pytest.fixture
def live(app: Flask) -> LiveStreams:
    return of_app(app).live_streams


NOWHERE = "018f5e2a-7b1c-7d3e-9f40-ffffffffffff"


def test_what_cannot_be_followed_is_said(client: FlaskClient) -> None:
    asked: list[tuple[str, dict[str, str], str, int]] = [
        (f"{DEALS}/{NOWHERE}/live", {}, "unknown-deal", 404),
        (f"{DEALS}/{TABLE}/live", {}, "unknown-deal", 404),
        (f"{TABLES}/{NOWHERE}/live", {}, "unknown-table", 404),
        (f"{DEALS}/{DEAL}/live", {"Accept": "application/json"}, "not-acceptable", 406),
        (f"{TABLES}/{TABLE}/live", {"Accept": "text/html, */*;q=0"}, "not-acceptable", 406),
        (f"{DEALS}/{DEAL}/live", {"Last-Event-ID": "x"}, "malformed-header", 400),
        (f"{TABLES}/{TABLE}/live", {"Last-Event-ID": "17"}, "malformed-header", 400),
        (f"{TABLES}/{TABLE}/live?after=17", {}, "invalid-parameter", 422),
        (f"{DEALS}/{DEAL}/live?after=x", {}, "invalid-parameter", 422),
        (f"{DEALS}/{DEAL}/live?viewer=nobody", {}, "invalid-parameter", 422),
        (f"{TABLES}/{TABLE}/live?viewer=forehand", {}, "invalid-parameter", 422),
    ]
    for path, headers, kind, status in asked:
        assert problem(client.get(path, headers=headers)) == (status, kind), (path, headers)
    for headers, first in (({}, "4"), ({"Last-Event-ID": "20"}, "21")):
        answer = client.get(f"{DEALS}/{DEAL}/live?after=3", headers=headers, buffered=False)
        assert next(messages_in(answer.iter_encoded())).id == first, "the header goes before the address"
        answer.close()


def test_a_place_is_taken_until_the_answer_is_closed(
    client: FlaskClient, live: LiveStreams, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        answer = client.head(f"{DEALS}/{DEAL}/live")
        assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
    assert live.connection_limit.connection_count == 0
    first, second = (client.get(f"{DEALS}/{DEAL}/live", buffered=False) for _ in range(2))
    assert live.connection_limit.connection_count == 2
    assert client.get(f"{DEALS}/{DEAL}/live").status_code == 503
    next(iter(first.response))
    # Whether it was read or not.
    first.close()
    second.close()
    assert live.connection_limit.connection_count == 0
    # A browser would come back to a stream that breaks off, again and again; to a problem it does not.
    for damaged in (DEAL, TABLE):
        damaging(monkeypatch, store, damaged, 1)
    for followed in (f"{DEALS}/{DEAL}", f"{TABLES}/{TABLE}"):
        for method in ("GET", "HEAD"):
            answer = client.open(f"{followed}/live", method=method, buffered=False)
            assert (answer.status_code, answer.content_type) == (500, "application/problem+json"), followed
    assert live.connection_limit.connection_count == 0


def test_a_heartbeat_breaks_silence(
    client: FlaskClient, live: LiveStreams, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_heartbeat", 0.05)
    answer = client.get(f"{DEALS}/{DEAL}/live", buffered=False)
    chunks = iter(answer.response)
    assert next(chunks) == b"retry: 2000\n\n"
    next(chunks)
    assert [next(chunks) for _ in range(3)] == [b": nothing new\n\n"] * 3
    live.close()
    assert list(chunks) == []
    answer.close()
