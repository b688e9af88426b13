"""Who waits for what another process appends is called at once; where the call is lost he looks."""

import threading
import time
from collections.abc import Iterator

import psycopg
import pytest

from service.eventstore import ANY
from service.eventstore.postgres import poller as lookout
from service.eventstore.postgres.notify_channel import Calls
from service.eventstore.postgres.store import PostgresStore
from tests.store.writing import deal, event
from tests.support.store.postgres_server import server
from tests.support.waiting import until

pytestmark = pytest.mark.postgres

LISTENING = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"


@pytest.fixture
def here(postgres_url: str) -> Iterator[PostgresStore]:
    with PostgresStore(postgres_url) as store:
        yield store


@pytest.fixture
def there(postgres_url: str) -> Iterator[PostgresStore]:
    """Another process's store over the same tables."""
    with PostgresStore(postgres_url) as store:
        yield store


@pytest.fixture
def no_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks by himself for ten minutes: what is met is met because it was called."""
    monkeypatch.setattr(lookout, "LOOKS_EVERY", 600.0)


def listeners(url: str) -> list[int]:
    with psycopg.connect(url, autocommit=True) as connection:
        return [pid for (pid,) in connection.execute(LISTENING)]


class Waiter(threading.Thread):
    """Waits for whatever comes behind a position, or to one stream, and says how far it has come then."""

    def __init__(self, store: PostgresStore, after: int, stream: str | None = None) -> None:
        super().__init__(daemon=True)
        self._store, self._after, self._stream, self.found = store, after, stream, -1
        self.start()

    def run(self) -> None:
        if self._stream is None:
            self.found = self._store.wait(self._after, 60)
        else:
            self.found = self._store.wait_for(self._stream, self._after, 60)

    def came(self) -> int:
        self.join(30)
        assert not self.is_alive(), "nobody called"
        return self.found


@pytest.mark.usefixtures("no_looks")
def test_who_waits_is_called_by_another_process(
    here: PostgresStore, there: PostgresStore, postgres_url: str
) -> None:
    here.append("r", [deal("s", 0, event()), deal("other", 0, event())])
    anything, stream = Waiter(here, 2), Waiter(here, 1, "s")
    until(lambda: len(listeners(postgres_url)) == 1)
    until(lambda: here._wakeups.awaited)
    there.append("r", [deal("other", 1, event())])
    assert anything.came() == 3
    assert stream.is_alive()  # nothing has come to his
    there.append("r", [deal("s", 1, event())])
    assert stream.came() == 2


@pytest.mark.usefixtures("no_looks")
def test_many_appends_are_all_met(here: PostgresStore, there: PostgresStore, postgres_url: str) -> None:
    done, head = threading.Event(), 0

    def write() -> None:
        for number in range(100):
            there.append(f"r{number % 3}", [deal(f"s{number % 3}", ANY, event())])
        done.set()

    until_listening = Waiter(here, 0)
    until(lambda: len(listeners(postgres_url)) == 1)
    writer = threading.Thread(target=write)
    writer.start()
    until_listening.came()
    while head < 100:
        head = here.wait(head, 20)
    writer.join()
    assert done.is_set() and [one.position for one in here.follow()] == list(range(1, 101))


@pytest.mark.usefixtures("no_looks")
def test_a_connection_that_breaks_is_opened_again_and_what_came_meanwhile_is_met(
    here: PostgresStore, there: PostgresStore, postgres_url: str
) -> None:
    waiter = Waiter(here, 0)
    until(lambda: len(listeners(postgres_url)) == 1)
    (first,) = listeners(postgres_url)
    server().execute(f"SELECT pg_terminate_backend({first})")
    until(lambda: listeners(postgres_url) not in ([], [first]))
    there.append("r", [deal("s", 0, event())])
    assert waiter.came() == 1
    # What was appended while nobody listened is looked for as soon as somebody does.
    waiter = Waiter(here, 1)
    (second,) = listeners(postgres_url)
    server().execute(f"SELECT pg_terminate_backend({second})")
    there.append("r", [deal("s", 1, event())])
    assert waiter.came() == 2


@pytest.mark.usefixtures("no_looks")
def test_a_call_says_nothing_that_is_believed(here: PostgresStore, postgres_url: str) -> None:
    waiter = Waiter(here, 0)
    until(lambda: len(listeners(postgres_url)) == 1)
    channel = Calls.of("public").channel
    with psycopg.connect(postgres_url, autocommit=True) as stranger:
        for said in ("", "999", "{}", "x" * 7000):
            stranger.execute("SELECT pg_notify(%s, %s)", (channel, said))
    time.sleep(0.3)
    assert waiter.is_alive()
    here.append("r", [deal("s", 0, event())])
    assert waiter.came() == 1


def test_a_process_listens_once_and_no_longer_than_it_is_open(postgres_url: str) -> None:
    with PostgresStore(postgres_url) as store:
        assert listeners(postgres_url) == []  # nobody waits yet
        for _ in range(3):
            store.wait(0, 0.01)
        until(lambda: len(listeners(postgres_url)) == 1)
    until(lambda: listeners(postgres_url) == [])
