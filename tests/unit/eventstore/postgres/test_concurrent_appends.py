"""Callers of one process who append to PostgreSQL at the same time share a statement, and nothing else."""

import threading
from collections import Counter
from collections.abc import Sequence
from functools import partial

import psycopg
import pytest

from service.eventstore import ANY_VERSION, AppendResult, IdConflict, NewEvent, StaleVersion, StreamAppend
from service.eventstore.postgres.insert_statement import lock_streams
from service.eventstore.postgres.store import PostgresStore
from tests.support.store.concurrency import assert_whole
from tests.support.store.cutting import AFTER, BEFORE
from tests.support.store.postgres_cut import At, over_a_wire
from tests.support.store.postgres_server import rows
from tests.support.store.writing import deal, event, events
from tests.support.waiting import until

pytestmark = pytest.mark.postgres

Told = list[AppendResult] | Exception
Sent = tuple[str, Sequence[StreamAppend]]


def begin(store: PostgresStore, sent: Sequence[Sent], told: dict[int, Told]) -> list[threading.Thread]:
    """Callers who are written together: they come while somebody writes, each in his own thread."""

    def call(number: int) -> None:
        try:
            told[number] = store.append(*sent[number])
        except Exception as error:
            told[number] = error

    callers = [threading.Thread(target=call, args=(number,)) for number in range(len(sent))]
    turns = store._writer._group_commit

    def queued(count: int) -> bool:
        return len(turns._queue) >= count

    def gather() -> None:
        for waiting, caller in enumerate(callers, 1):  # one after the other, so that their order is known
            caller.start()
            until(partial(queued, waiting))

    turns.run_exclusively(gather)
    return callers


def together(store: PostgresStore, *sent: Sent) -> list[Told]:
    told: dict[int, Told] = {}
    for caller in begin(store, sent, told):
        caller.join()
    return [told[number] for number in range(len(sent))]


def transactions(url: str) -> Counter[str]:
    """How many events each transaction wrote."""
    return Counter(tx for (tx,) in rows(url, "SELECT tx::text FROM events"))


def test_those_who_come_together_share_a_transaction(postgres_url: str, postgres: PostgresStore) -> None:
    for number in range(4):
        postgres.append(f"r{number % 2}", [deal(f"s{number}", 0, event())])
    before = transactions(postgres_url)
    new = events(6)
    told = together(
        postgres,
        ("r0", [deal("s0", 1, new[0])]),
        ("r1", [deal("s1", ANY_VERSION, *new[1:3])]),
        ("r0", [deal("s0", ANY_VERSION, new[3]), deal("s2", 1, new[4])]),
        ("r1", [StreamAppend("s3", 1, [new[5]])]),
    )
    assert sorted((transactions(postgres_url) - before).values()) == [6]
    answers = [one for each in told if isinstance(each, list) for one in each]
    versions = [(one.stream, one.version, one.repeated_count) for one in answers]
    assert versions == [("s0", 2, 0), ("s1", 3, 0), ("s0", 3, 0), ("s2", 2, 0), ("s3", 2, 0)]
    assert [event for one in answers for event in one.events] == postgres.read_all(4)
    assert [one.event_id for one in postgres.read_all(4)] == [one.event_id for one in new]


def broken(body: bytes, seq: int, stored_at: str) -> bytes:
    raise ValueError("broken")


def refused(known: NewEvent) -> dict[str, tuple[StreamAppend, type[Exception]]]:
    """Appends that a store refuses which has `known` in stream s1, with what they are told."""
    unfinished = event()._replace(build_body=broken)
    return {
        "an old version": (deal("s1", 0, event()), StaleVersion),
        "an id with other contents": (deal("s1", ANY_VERSION, event("other", known.event_id)), IdConflict),
        "an id of another stream": (deal("s2", ANY_VERSION, known), IdConflict),
        "an event that cannot be finished": (deal("s1", ANY_VERSION, unfinished), ValueError),
    }


@pytest.mark.parametrize("case", refused(event()))
def test_who_is_refused_is_refused_alone(postgres: PostgresStore, case: str) -> None:
    known = event()
    for number in range(3):
        postgres.append("r", [deal(f"s{number}", 0, known if number == 1 else event())])
    append, why = refused(known)[case]
    first, told, last = together(
        postgres, ("r", [deal("s0", 1, event())]), ("r", [append]), ("r", [deal("s2", 1, event())])
    )
    assert isinstance(first, list) and isinstance(last, list)
    assert isinstance(told, why)
    assert [info.version for info in postgres.list_streams()] == [2, 1, 2]


def test_who_waits_for_a_stream_keeps_nobody_else_waiting(postgres_url: str, postgres: PostgresStore) -> None:
    for number in range(3):
        postgres.append("r", [deal(f"s{number}", 0, event())])
    told: dict[int, Told] = {}
    with psycopg.connect(postgres_url, autocommit=True) as other, other.transaction():
        lock_streams(other, "public", ["s1"])
        callers = begin(postgres, [("r", [deal(f"s{number}", 1, event())]) for number in range(3)], told)
        callers[0].join(5)
        callers[2].join(5)
        assert sorted(told) == [0, 2]
    callers[1].join()
    assert all(isinstance(one, list) for one in told.values()) and len(told) == 3


@pytest.mark.parametrize("moment", [BEFORE, AFTER])
@pytest.mark.parametrize("said", [b"INSERT INTO events", b"place_events"])
def test_a_group_that_is_cut_off_is_stored_once(postgres_url: str, said: bytes, moment: str) -> None:
    armed, at = threading.Event(), At(said, moment)
    first, new = events(4), events(4)
    with over_a_wire(postgres_url, lambda piece: at(piece) if armed.is_set() else None) as (store, wire):
        store.append("r", [deal(f"s{number}", 0, first[number]) for number in range(4)])
        armed.set()
        told = together(store, *(("r", [deal(f"s{number}", 1, new[number])]) for number in range(4)))
        assert wire.cuts == 1
        for answer in told:
            assert isinstance(answer, list)
            assert (answer[0].version, answer[0].repeated_count) == (2, 0)
            assert answer[0].events == tuple(store.read_stream(answer[0].stream, 1))
        assert_whole(store, Counter(one.event_id for one in (*first, *new)))
