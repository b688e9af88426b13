"""Followers of a store on PostgreSQL, where transactions end in another order than they begin."""

import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import psycopg
import pytest

from service.eventstore import ANY_VERSION, EventReader, StaleVersion, StoreClosed, StreamAppend
from service.eventstore.postgres.connections import Connection
from service.eventstore.postgres.store import PostgresReader, PostgresStore
from tests.support.store.concurrency import follow, in_threads
from tests.support.store.postgres_cut import insert_in
from tests.support.store.writing import deal, event, events
from tests.support.waiting import until

pytestmark = pytest.mark.postgres

WRITERS = 16


def test_followers_miss_nothing_while_writers_roll_back(postgres_url: str, postgres: PostgresStore) -> None:
    chance = random.Random(7)
    seeds = [chance.random() for _ in range(WRITERS)]
    committed: Counter[str] = Counter()
    rolled_back: set[str] = set()
    mutex = threading.Lock()
    done = threading.Event()

    def write(number: int) -> None:
        mine = random.Random(seeds[number])
        with psycopg.connect(postgres_url, autocommit=True) as own:
            for turn in range(12):
                new = events(mine.randint(1, 3))
                append = deal(f"stream {number % 10}", ANY_VERSION, *new)
                if mine.random() < 0.4:
                    postgres.append("r" if number % 10 < 5 else "q", [append])
                    kept = True
                else:
                    kept = in_a_slow_transaction(own, f"{number} {turn}", append, mine)
                with mutex:
                    if kept:
                        committed.update(one.event_id for one in new)
                    else:
                        rolled_back.update(one.event_id for one in new)

    def in_a_slow_transaction(
        own: Connection, stream: str, append: StreamAppend, mine: random.Random
    ) -> bool:
        """Write to a stream of its own, so that nobody waits; for some time it is not decided what comes."""
        with own.transaction():
            insert_in(own, f"root {stream}", append._replace(stream=stream))
            time.sleep(mine.random() * 0.02)
            if mine.random() < 0.5:
                raise psycopg.Rollback
        there = own.execute("SELECT EXISTS (SELECT FROM streams WHERE stream = %s)", (stream,))
        return there.fetchone() == (True,)

    with (
        PostgresStore(postgres_url) as other,
        PostgresReader(postgres_url) as reader,
        ThreadPoolExecutor(3) as threads,
    ):
        # Somebody's transaction that stays open holds nobody up.
        with psycopg.connect(postgres_url) as idle:
            idle.execute("SELECT pg_current_xact_id()")
            readers: list[tuple[EventReader, int]] = [(postgres, 3), (other, 50), (reader, 500)]
            following = [threads.submit(follow, one, done, size) for one, size in readers]
            try:
                in_threads(WRITERS, write)
                postgres.append("last", [deal("last", 0, event())])  # by which all get their positions
            finally:
                done.set()
            idle.rollback()
        committed.update(one.event_id for one in postgres.read_stream("last"))
        found = [one.result(60) for one in following]
    assert rolled_back and len(committed) > 200
    for followed in found:
        assert [one.position for one in followed] == list(range(1, len(committed) + 1))
        assert Counter(one.event_id for one in followed) == committed
        for stream in {one.stream for one in followed}:
            seqs = [one.seq for one in followed if one.stream == stream]
            assert seqs == list(range(1, len(seqs) + 1))


def test_what_is_committed_late_comes_later_in_the_log(postgres_url: str, postgres: PostgresStore) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as slow:
        with slow.transaction():
            insert_in(slow, "r", deal("slow", 0, event("first", "first")))
            (quick,) = postgres.append("q", [deal("quick", 0, event("second", "second"))])
            assert quick.events[0].position == 1
            assert [one.event_id for one in postgres.read_all()] == ["second"]
        # It began first: who followed by the numbers of transactions would not meet it any more.
        numbers = slow.execute("SELECT event_id FROM events ORDER BY tx").fetchall()
        assert numbers == [("first",), ("second",)]
    assert postgres.read_all(1) == []
    postgres.append("q", [deal("quick", 1, event("third", "third"))])
    assert [one.event_id for one in postgres.read_all(1)] == ["first", "third"]


def test_unplaced_events_are_not_seen_and_not_forgotten(postgres_url: str, postgres: PostgresStore) -> None:
    sent = deal("s", 0, event("left", "left"))
    with psycopg.connect(postgres_url, autocommit=True) as stopped:
        # Whoever wrote these was stopped before they had their positions.
        insert_in(stopped, "r", sent)
        assert (postgres.head(), postgres.list_streams(), postgres.find_events("r", ["left"])) == (0, [], {})
        # Who sends it again is told where it stands now.
        (again,) = postgres.append("r", [sent])
        assert (again.repeated_count, again.version, again.events[0].position) == (1, 1, 1)
        insert_in(stopped, "r", deal("s", 1, event("two", "two")))
        with pytest.raises(StaleVersion) as stale:
            postgres.append("r", [deal("s", 1, event())])
        assert postgres.stream_version("s") == stale.value.actual == 2
        insert_in(stopped, "r", deal("s", 2, event("three", "three")))
    assert postgres.wait_for_events(2, 30) == 3  # who waits sees to it


def test_of_two_who_hold_each_others_stream_one_is_refused(postgres: PostgresStore) -> None:
    for turn in range(8):
        a, b = f"a{turn}", f"b{turn}"
        postgres.append("r", [deal(a, 0, event()), deal(b, 0, event())])
        told: list[object] = []

        def hold(number: int, a: str = a, b: str = b, told: list[object] = told) -> None:
            held, written = (a, b) if number else (b, a)
            try:
                told += postgres.append("r", [StreamAppend(held, 1, []), deal(written, ANY_VERSION, event())])
            except StaleVersion as stale:
                told.append(stale)

        in_threads(2, hold)
        assert sum(isinstance(one, StaleVersion) for one in told) == 1


def test_what_was_begun_is_finished_when_the_store_is_closed(postgres_url: str) -> None:
    acknowledged: set[str] = set()
    store = PostgresStore(postgres_url)

    def write(number: int) -> None:
        with suppress(StoreClosed):
            while True:
                new = event()
                store.append("r", [deal(f"s{number}", ANY_VERSION, new)])
                acknowledged.add(new.event_id)

    with ThreadPoolExecutor(4) as threads:
        writing = [threads.submit(write, number) for number in range(4)]
        until(lambda: len(acknowledged) >= 20)
        store.close()
    assert [one.result() for one in writing] == [None] * 4
    with PostgresReader(postgres_url) as reader:
        assert {one.event_id for one in reader.read_all(limit=10_000)} == acknowledged
