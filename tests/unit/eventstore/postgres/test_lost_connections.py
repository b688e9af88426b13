"""Connections that break while something is written: nothing is lost and nothing doubled."""

import itertools
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import pytest

from service.app import create_app
from service.auth.access_register import AccessRegister
from service.auth.postgres_repository import PostgresRepository
from service.eventstore import ANY_VERSION, AppendResult, StoredEvent, StoreUnavailable, StreamAppend
from service.eventstore.postgres.connections import PostgresAddress, PostgresPool
from service.eventstore.postgres.store import PostgresStore
from tests.support.api.clients import owner_of
from tests.support.store.concurrency import assert_whole, in_threads
from tests.support.store.cutting import AFTER, BEFORE
from tests.support.store.postgres_cut import At, over_a_wire
from tests.support.store.postgres_server import Server, a_store, execute
from tests.support.store.writing import deal, event, events
from tests.support.waiting import until

pytestmark = pytest.mark.postgres


@pytest.mark.smoke
@pytest.mark.parametrize("moment", [BEFORE, AFTER])
@pytest.mark.parametrize("said", [b"COMMIT", b"INSERT INTO events", b"place_events"])
def test_an_append_that_is_cut_off_is_stored_once(postgres_url: str, said: bytes, moment: str) -> None:
    with over_a_wire(postgres_url, At(said, moment)) as (store, wire):
        store.append("r", [deal("table", 0, event())])
        # What holds a stream is written in a transaction with a COMMIT of its own.
        new = events(3)
        held, appended = store.append("r", [StreamAppend("table", 1, []), deal("s", 0, *new)])
        assert wire.cuts == 1
        assert (held.version, appended.version, appended.repeated_count) == (1, 3, 0)
        assert [one.event_id for one in appended.events] == [one.event_id for one in new]
        assert list(appended.events) == store.read_stream("s")
        assert [one.position for one in store.read_all()] == [1, 2, 3, 4]


def send_until_told(store: PostgresStore, *appends: StreamAppend) -> list[AppendResult]:
    """Append, again with the same ids where the store says that it is not available."""
    while True:
        with suppress(StoreUnavailable):
            return store.append("r", appends)


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server that the test may stop."""
    server = Server()
    yield server
    server.stop()


END_SESSIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND application_name LIKE 'spadille %'"
)


def test_nothing_is_lost_or_doubled_over_a_bad_wire(postgres_url: str) -> None:
    chance = random.Random(11)
    mutex = threading.Lock()
    pieces = itertools.count(1)

    def cut(piece: bytes) -> str | None:
        with mutex:
            return None if next(pieces) % 12 else chance.choice((BEFORE, AFTER))

    acknowledged: Counter[str] = Counter()
    answers: list[AppendResult] = []

    def write(number: int) -> None:
        for turn in range(15):
            new = events(2)
            if turn == 2 * number + 1:
                execute(postgres_url, END_SESSIONS)
            (answer,) = send_until_told(store, deal(f"s{number}", 2 * turn, *new))
            with mutex:
                answers.append(answer)
                acknowledged.update(one.event_id for one in new)

    with over_a_wire(postgres_url, cut) as (store, wire):
        in_threads(6, write)
    assert wire.cuts > 5
    with PostgresStore(postgres_url) as whole:
        assert_whole(whole, acknowledged)
        stored = {one.event_id: one for one in whole.read_all(limit=1000)}
    assert all(stored[one.event_id] == one for answer in answers for one in answer.events)


def test_what_was_acknowledged_is_there_after_a_crash_of_the_server(own_server: Server) -> None:
    """An append's own commit does not wait for the disk: that of its position does for both."""
    told: dict[str, StoredEvent] = {}
    crashed = threading.Event()

    def write(number: int) -> None:
        while not crashed.is_set():
            new = event()
            (answer,) = send_until_told(store, deal(f"s{number}", ANY_VERSION, new))
            told[new.event_id] = answer.events[0]

    def has_told(count: int) -> bool:
        return len(told) >= count

    def crash() -> None:
        try:
            for count in (40, 80, 120):
                until(partial(has_told, count))
                own_server.crash()
        finally:
            crashed.set()

    with PostgresStore(own_server.url()) as store, ThreadPoolExecutor(1) as threads:
        crashing = threads.submit(crash)
        in_threads(6, write)
        crashing.result()
        assert {one.event_id: one for one in store.read_all(limit=100_000)} == told
        assert_whole(store, Counter(list(told)))


def test_connections_are_set_to_notice_a_server_that_goes_without_a_word() -> None:
    """TCP itself would wait for a quarter of an hour; an address may say how long it is to be."""
    with a_store() as url:
        for address, told in ((url, ("10", "20000")), (f"{url}&keepalives_idle=3", ("3", "20000"))):
            connections = PostgresPool(PostgresAddress(address))
            with connections.connection() as connection:
                said = connection.info.get_parameters()
            connections.close()
            assert (said["keepalives_idle"], said["tcp_user_timeout"]) == told


@pytest.mark.parametrize("before", range(1, 13))
def test_however_often_a_connection_was_used_a_repeat_leaves_it_of_use(before: int) -> None:
    """After some uses a statement is prepared, behind whatever is sent then: here a repeat."""
    with a_store() as url, PostgresStore(url, max_connections=1) as store:
        sent = events(before)
        store.append("r", [deal("s", 0, event())])
        for one in sent:
            store.append("r", [deal("s", ANY_VERSION, one)])
        assert store.append("r", [deal("s", before + 1, sent[0])])[0].repeated_count == 1
        for one in events(14):
            store.append("r", [deal("s", ANY_VERSION, one)])
        assert (store.stream_version("s"), store.head()) == (before + 15, before + 15)


def test_a_server_that_is_away_is_reported_at_once_and_met_again(own_server: Server) -> None:
    """Requests do not wait for it one by one; that the process lives is answered without it."""
    with (
        PostgresStore(own_server.url()) as store,
        AccessRegister(PostgresRepository(own_server.url())) as register,
    ):
        store.append("r", [deal("s", 0, event())])
        asker = create_app(store, register=register).test_client()
        owner = owner_of(create_app(store))
        assert (asker.get("/readyz").status_code, asker.get("/").status_code) == (200, 200)
        own_server.shut_down()
        try:
            cases = [
                (asker, "/", 200), (asker, "/deals", 503), (asker, "/api/v1/deals", 503),
                (asker, "/readyz", 503), (owner, "/tables", 503), (owner, "/api/v1/deals", 503),
                (asker, "/healthz", 200), (asker, "/metrics", 200),
            ]  # fmt: skip
            for client, path, status in 2 * cases:
                began = time.monotonic()
                answer = client.get(path, headers={"Accept": "text/html"})
                assert time.monotonic() - began < 2, path
                assert answer.status_code == status, path
                assert ("Retry-After" in answer.headers) == (status == 503)
            with pytest.raises(StoreUnavailable, match="accepts no connections"):
                store.append("r", [deal("s", 1, event())])
            time.sleep(3)  # however often it was tried, nobody waits longer because of that
        finally:
            own_server.come_back()
        until(lambda: asker.get("/readyz").status_code != 503, seconds=3)
        assert asker.get("/").status_code == 200
        store.append("r", [deal("s", 1, event())])
