"""Another server leads: who appends goes on there, and what the former leader has decides nothing."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from service.eventstore import ANY_VERSION, AppendResult, StoreUnavailable, StreamAppend
from service.eventstore.postgres.store import PostgresStore
from tests.support.store.concurrency import assert_whole, in_threads
from tests.support.store.cutting import BEFORE, Wire
from tests.support.store.postgres_pair import Node, Pair, pair
from tests.support.store.writing import deal, event, events
from tests.support.waiting import until

pytestmark = pytest.mark.postgres

NAME = "failover"


@pytest.fixture
def failing() -> Iterator[Pair]:
    """A pair with an empty store, of which the leader acknowledges what it alone has."""
    whole = pair()
    whole.make_synchronous(False)
    whole.leader.execute(f"CREATE DATABASE {NAME} TEMPLATE template0")
    PostgresStore(whole.leader.address(NAME)).close()
    whole.wait_for_replay()
    yield whole
    whole.leader.set("default_transaction_read_only", "off")
    whole.mend()
    whole.leader.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


@contextmanager
def by_a_name(
    leader: Node, cut: Callable[[bytes], str | None] = lambda piece: None
) -> Iterator[tuple[PostgresStore, Wire]]:
    """A store that is reached by a name in front of the servers, which leads to one of them."""
    with TemporaryDirectory(prefix="wire-") as folder:
        wire = Wire(Path(folder), leader.folder, cut)
        with PostgresStore(f"postgresql://postgres@/{NAME}?host={folder}") as store:
            yield store, wire
        wire.close()


def test_appends_go_on_with_another_leader_while_the_former_takes_no_writes(failing: Pair) -> None:
    former = failing.leader
    acknowledged: Counter[str] = Counter()
    with PostgresStore(failing.address(NAME)) as store:

        def write(number: int) -> None:
            for _ in range(5):
                new = event()
                store.append("r", [deal(f"s{number}", ANY_VERSION, new)])
                acknowledged[new.event_id] += 1

        in_threads(6, write)  # so that there are connections to it in stock
        failing.wait_for_replay()
        former.set("default_transaction_read_only", "on")
        failing.change_over()
        in_threads(6, write)
        assert_whole(store, acknowledged)
    with PostgresStore(failing.leader.address(NAME)) as there:
        assert there.head() == len(acknowledged) == 60


def test_a_name_that_leads_to_a_standby_for_a_while_is_waited_for(failing: Pair) -> None:
    with by_a_name(failing.leader) as (store, wire):
        store.append("r", [deal("s", 0, event())])
        failing.wait_for_replay()
        wire.lead_to(failing.standby.folder)
        failing.leader.kill()
        failing.exchange()
        promoting = threading.Timer(0.5, failing.leader.promote)
        promoting.start()
        (later,) = store.append("r", [deal("s", 1, event())])
        promoting.join()
        assert (later.version, later.repeated_count) == (2, 0)
        assert [one.position for one in store.read_all()] == [1, 2]


def test_a_read_only_server_acknowledges_no_repeat(failing: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.eventstore.postgres.connections.WAIT_TIMEOUT_SECONDS", 0.5)
    sent = event()
    with PostgresStore(failing.leader.address(NAME)) as store:
        store.append("r", [deal("s", 0, sent)])
        failing.leader.set("default_transaction_read_only", "on")
        for repeat in (deal("s", 0, sent), deal("s", 1)):
            with pytest.raises(StoreUnavailable, match=r"accepts no writes.*send it again"):
                store.append("r", [repeat])
        failing.leader.set("default_transaction_read_only", "off")
        assert store.append("r", [deal("s", 0, sent)])[0].repeated_count == 1


def test_what_was_committed_and_not_placed_is_written_where_it_is_lost(failing: Pair) -> None:
    armed = threading.Event()

    def cut(piece: bytes) -> str | None:
        """The leader ends between an event's commit and its position."""
        if b"place_events" not in piece or not armed.is_set():
            return None
        armed.clear()
        wire.lead_to(failing.standby.folder)
        failing.fail_over()
        return BEFORE

    with by_a_name(failing.leader, cut) as (store, wire):
        store.append("r", [deal("s", 0, event())])
        failing.wait_for_replay()
        failing.cut()
        new = events(2)
        armed.set()
        (appended,) = store.append("r", [deal("s", 1, *new)])
        assert (appended.version, appended.repeated_count) == (3, 0)
        assert [one.event_id for one in appended.events] == [one.event_id for one in new]
        assert list(appended.events) == store.read_stream("s", 1)
        assert [one.position for one in store.read_all()] == [1, 2, 3]


WAITING = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' ORDER BY query_start"


@contextmanager
def waiting_append(
    failing: Pair, store: PostgresStore, append: StreamAppend
) -> Iterator[Future[list[AppendResult]]]:
    """An append that the leader has written and that waits for a standby that is gone."""
    failing.leader.set("synchronous_standby_names", "*")
    # Commits wait once the checkpointer has read the setting, which it does before a checkpoint.
    failing.leader.execute("CHECKPOINT")
    with ThreadPoolExecutor(1) as threads:
        appending = threads.submit(store.append, "r", [append])
        until(lambda: len(failing.leader.execute(WAITING)) == 1, "the append to wait for the standby")
        yield appending


@pytest.mark.parametrize("ends", ["pg_terminate_backend", "pg_cancel_backend"])
def test_an_ended_wait_for_a_standby_acknowledges_nothing(failing: Pair, ends: str) -> None:
    """Who ends it makes the event seen, by the leader that alone has it."""
    failing.cut()
    new = event()
    with (
        PostgresStore(failing.address(NAME)) as store,
        waiting_append(failing, store, deal("s", 0, new)) as appending,
    ):
        ((waiting,),) = failing.leader.execute(WAITING)
        failing.leader.execute(f"SELECT {ends}({waiting})")
        until(lambda: bool(failing.leader.execute("SELECT 1 FROM log", NAME)), "the event to be seen")
        until(
            lambda: appending.done() or bool(failing.leader.execute(WAITING)),
            "it to be acknowledged, or waited for again",
        )
        failing.fail_over()
        (acknowledged,) = appending.result(30)
        assert list(acknowledged.events) == store.read_stream("s")
        assert [one.event_id for one in acknowledged.events] == [new.event_id]


def test_appends_behind_a_waiting_one_are_told_so(failing: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    failing.cut()
    with PostgresStore(failing.leader.address(NAME)) as store:
        store.append("r", [deal("s", 0, event())])
        with waiting_append(failing, store, deal("s", 1, event())) as appending:
            monkeypatch.setattr("service.eventstore.postgres.in_flight.STALLED_APPEND_SECONDS", 0.0)
            with pytest.raises(StoreUnavailable, match="not started: send it again"):
                store.append("r", [deal("other", 0, event())])
            assert store.stream_version("s") == 1  # who reads does not wait
            monkeypatch.undo()
            failing.leader.set("synchronous_standby_names", "")
            assert [one.version for one in appending.result(30)] == [2]
        assert store.append("r", [deal("other", 0, event())])[0].version == 1
