"""Who waits for what another process appends is called at once; where the call is lost he looks."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from service.eventstore.postgres import poller
from service.eventstore.postgres.sequencer import notify_channel
from service.eventstore.postgres.store import PostgresStore
from tests.support.store.postgres_server import rows, server
from tests.support.store.writing import deal, event
from tests.support.waiting import until

pytestmark = pytest.mark.postgres

LISTENING = (
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'spadille'"
)


@pytest.fixture
def there(postgres_url: str) -> Iterator[PostgresStore]:
    """Another process's store over the same tables."""
    with PostgresStore(postgres_url) as store:
        yield store


@pytest.fixture
def no_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks by himself for ten minutes: what is met is met because it was called."""
    monkeypatch.setattr(poller, "POLL_INTERVAL_SECONDS", 600.0)


def listeners(url: str) -> list[int]:
    return [pid for (pid,) in rows(url, LISTENING)]


def one_listens(url: str) -> bool:
    return len(listeners(url)) == 1


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


@pytest.mark.usefixtures("no_looks")
def test_who_waits_is_called_by_another_process(
    postgres: PostgresStore, there: PostgresStore, postgres_url: str, threads: ThreadPoolExecutor
) -> None:
    postgres.append("r", [deal("s", 0, event())])
    waiting = threads.submit(postgres.wait_for_events, 1, 60)
    until(lambda: one_listens(postgres_url))
    until(lambda: postgres._notifier.has_waiters)
    channel = notify_channel("public")
    with psycopg.connect(postgres_url, autocommit=True) as stranger:
        for said in ("", "999", "{}", "x" * 7000):  # a call says nothing that is believed
            stranger.execute("SELECT pg_notify(%s, %s)", (channel, said))
    time.sleep(0.3)
    assert not waiting.done()
    there.append("r", [deal("s", 1, event())])
    assert waiting.result(30) == 2


@pytest.mark.usefixtures("no_looks")
def test_a_connection_that_breaks_is_opened_again_and_what_came_meanwhile_is_met(
    postgres: PostgresStore, there: PostgresStore, postgres_url: str, threads: ThreadPoolExecutor
) -> None:
    waiting = threads.submit(postgres.wait_for_events, 0, 60)
    until(lambda: one_listens(postgres_url))
    (first,) = listeners(postgres_url)
    server().execute(f"SELECT pg_terminate_backend({first})")
    until(lambda: listeners(postgres_url) not in ([], [first]))
    there.append("r", [deal("s", 0, event())])
    assert waiting.result(30) == 1
    # What was appended while nobody listened is looked for as soon as somebody does.
    waiting = threads.submit(postgres.wait_for_events, 1, 60)
    (second,) = listeners(postgres_url)
    server().execute(f"SELECT pg_terminate_backend({second})")
    there.append("r", [deal("s", 1, event())])
    assert waiting.result(30) == 2


def test_a_process_listens_once_and_no_longer_than_it_is_open(postgres_url: str) -> None:
    with PostgresStore(postgres_url) as store:
        assert listeners(postgres_url) == []  # nobody waits yet
        for _ in range(3):
            store.wait_for_events(0, 0.01)
        until(lambda: one_listens(postgres_url))
    until(lambda: listeners(postgres_url) == [])
