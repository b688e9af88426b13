"""The store, compared with a bare SQLite loop of the same durability: `python -m bench.store`.

Both use the same SQLite module with a write-ahead log and `synchronous=FULL`. The bare loop writes into a
table with the same two guarantees (one event per version, one per id), with one INSERT and COMMIT for each
event, and knows its versions beforehand: no lookup of ids, no triggers, no fingerprint, no streams by name.

Sixteen callers are also compared with an application of the library `eventsourcing` on SQLite, which stores
an event in each call and may cache the deal that it appends to, so that it need not read it each time. It has
the same sixteen callers; as they slow each other down, the output also shows a single caller.

The machine may be shared, so the contestants take turns in short rounds, in alternating order, and the result
is the median of the ratios within a round.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate
from eventsourcing.domain import event as recorded_as

from bench.goals import BenchGoals, build_bench_parser
from service.eventstore import EventStore, NewEvent, SqliteStore, StreamAppend
from service.eventstore.sqlite.connections import sqlite3

EVENTS_PER_DEAL: Final = 60
"""Events of a deal, which is also the size of a batch."""

CALLER_COUNT: Final = 16

BARE_TABLE: Final = """
    CREATE TABLE events (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        stream INTEGER NOT NULL,
        version INTEGER NOT NULL,
        event_id TEXT NOT NULL,
        stored_at TEXT NOT NULL,
        body BLOB NOT NULL,
        UNIQUE (stream, version),
        UNIQUE (stream, event_id)
    ) STRICT"""
BARE_INSERT: Final = "INSERT INTO events (stream, version, event_id, stored_at, body) VALUES (?, ?, ?, ?, ?)"
STORED_AT_TEXT: Final = "2026-11-20T19:30:05.250Z"


def build_event_deals(count: int) -> list[list[NewEvent]]:
    """`count` deals of synthetic events of the usual size."""
    return [[_build_event(number) for number in range(EVENTS_PER_DEAL)] for _ in range(count)]


def _uuid7() -> str:
    """A UUID of version 7, as recommended to writers: it starts with the time, so that ids are in order."""
    moment = time.time_ns() // 1_000_000
    return str(
        uuid.UUID(
            int=moment << 80 | 0x7 << 76 | 0x2 << 62 | uuid.uuid4().int & 0xFFF << 64 | uuid.uuid4().int >> 66
        )
    )


def _build_event(number: int) -> NewEvent:
    event_id = _uuid7()
    body = (
        f'{{"type":"card_played","id":"{event_id}","recorded_at":"{STORED_AT_TEXT}","recorded_by":"scorer-17",'
        f'"basis":"seen","seat":"middlehand","card":"S7","trick":{number % 9 + 1}}}'
    )
    return NewEvent(event_id, body.encode())


@contextmanager
def open_bare_table(folder: Path) -> Iterator[sqlite3.Connection]:
    """A file as durable as the store, with only the table."""
    connection = sqlite3.connect(str(folder / "bare.db"), isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = wal")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(BARE_TABLE)
        yield connection
    finally:
        connection.close()


def time_bare_single_inserts(folder: Path, work: list[list[NewEvent]]) -> float:
    """Seconds for one INSERT and COMMIT per event."""
    with open_bare_table(folder) as connection:
        began = time.perf_counter()
        for stream, events in enumerate(work):
            for version, event in enumerate(events, 1):
                connection.execute("BEGIN")
                connection.execute(BARE_INSERT, (stream, version, event.event_id, STORED_AT_TEXT, event.body))
                connection.execute("COMMIT")
        return time.perf_counter() - began


def time_bare_batches(folder: Path, work: list[list[NewEvent]]) -> float:
    """Seconds for one `executemany` and COMMIT per deal."""
    with open_bare_table(folder) as connection:
        began = time.perf_counter()
        for stream, events in enumerate(work):
            rows = [
                (stream, version, e.event_id, STORED_AT_TEXT, e.body) for version, e in enumerate(events, 1)
            ]
            connection.execute("BEGIN")
            connection.executemany(BARE_INSERT, rows)
            connection.execute("COMMIT")
        return time.perf_counter() - began


def time_callers(caller: Callable[[int], None]) -> float:
    """Seconds until sixteen callers that start together are done. Raises an error of any of them."""
    start = threading.Barrier(CALLER_COUNT + 1)

    def run_caller(number: int) -> None:
        start.wait()
        caller(number)

    with ThreadPoolExecutor(CALLER_COUNT) as pool:
        callers = [pool.submit(run_caller, number) for number in range(CALLER_COUNT)]
        start.wait()
        began = time.perf_counter()
        for each in callers:
            each.result()
        return time.perf_counter() - began


def append_deal_singly(store: EventStore, root: str, name: str, events: list[NewEvent]) -> None:
    """Append a deal as a table's scorer sends it: event by event, each with the current version."""
    for version, event in enumerate(events):
        store.append(root, [StreamAppend(name, version, [event], "deal")])


def time_store_single_appends(folder: Path, work: list[list[NewEvent]]) -> float:
    """Seconds for one append per event by one caller."""
    with SqliteStore(folder / "store.db") as store:
        began = time.perf_counter()
        for number, events in enumerate(work):
            append_deal_singly(store, f"table {number // 20}", f"deal {number}", events)
        return time.perf_counter() - began


def time_store_callers(folder: Path, work: list[list[NewEvent]]) -> float:
    """Seconds for one append per event by sixteen callers, each at a table of its own."""
    with SqliteStore(folder / "store.db") as store:

        def caller(number: int) -> None:
            for deal in range(number, len(work), CALLER_COUNT):
                append_deal_singly(store, f"table {number}", f"deal {deal}", work[deal])

        return time_callers(caller)


def time_store_batches(folder: Path, work: list[list[NewEvent]]) -> float:
    """Seconds for one append per deal by one caller."""
    with SqliteStore(folder / "store.db") as store:
        began = time.perf_counter()
        for number, events in enumerate(work):
            store.append(f"table {number // 20}", [StreamAppend(f"deal {number}", 0, events, "deal")])
        return time.perf_counter() - began


class DealAggregate(Aggregate):
    """A deal as an aggregate of the library, whose events are the entries."""

    @recorded_as("Entered")
    def add_entry(self, body: str) -> None:
        """Add an entry; there is nothing to fold."""


@contextmanager
def open_eventsourcing(folder: Path) -> Iterator[Application[uuid.UUID]]:
    """An application of the library on its own file."""
    place = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / "library.db")}
    application: Application[uuid.UUID] = Application(env=place)
    try:
        yield application
    finally:
        application.close()


def save_deal_events(application: Application[uuid.UUID], events: list[NewEvent]) -> None:
    """Save a deal event by event."""
    deal = DealAggregate()
    for each in events:
        deal.add_entry(each.body.decode())
        application.save(deal)


def time_eventsourcing_single(folder: Path, work: list[list[NewEvent]]) -> float:
    """Seconds for one save per event by one caller of the library."""
    with open_eventsourcing(folder) as application:
        began = time.perf_counter()
        for events in work:
            save_deal_events(application, events)
        return time.perf_counter() - began


def time_eventsourcing_callers(folder: Path, work: list[list[NewEvent]]) -> float:
    """Seconds for one save per event by sixteen callers of the library."""
    with open_eventsourcing(folder) as application:

        def caller(number: int) -> None:
            for events in work[number::CALLER_COUNT]:
                save_deal_events(application, events)

        return time_callers(caller)


StoreContestant = Callable[[Path, list[list[NewEvent]]], float]


def measure_event_rate(contestant: StoreContestant, parent: Path, work: list[list[NewEvent]]) -> float:
    """Events per second on a new file."""
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        return sum(map(len, work)) / contestant(Path(folder), work)


def main() -> int:
    """Run the rounds and print a line for each pair."""
    parser = build_bench_parser("Measures the store beside a bare SQLite loop.")
    parser.add_argument("--rounds", type=int, default=9, help="rounds; an odd number has a true median")
    parser.add_argument(
        "--deals", type=int, default=32, help="deals of 60 events for each contestant and round"
    )
    parser.add_argument("--dir", type=Path, default=Path.cwd(), help="where the files are made: a real disk")
    options = parser.parse_args()
    goals = BenchGoals(options)
    pairs: list[tuple[str, StoreContestant, StoreContestant, int, float | None]] = [
        ("one caller, an event per append", time_store_single_appends, time_bare_single_inserts, 1, 0.9),
        ("16 callers, an event per append", time_store_callers, time_bare_single_inserts, 1, 2.0),
        ("16 callers beside 16 of eventsourcing", time_store_callers, time_eventsourcing_callers, 1, 4.0),
        ("16 callers beside one of eventsourcing", time_store_callers, time_eventsourcing_single, 1, None),
        ("one caller, 60 events per append", time_store_batches, time_bare_batches, 4, None),
    ]
    print(f"SQLite {sqlite3.sqlite_version}, WAL, synchronous=FULL, {options.rounds} rounds")
    results: dict[str, list[tuple[float, float]]] = {}
    for turn in range(options.rounds):
        for name, ours, other, factor, _ in pairs:
            work = build_event_deals(options.deals * factor)
            first, second = (ours, other) if turn % 2 else (other, ours)
            rates = (
                measure_event_rate(first, options.dir, work),
                measure_event_rate(second, options.dir, work),
            )
            results.setdefault(name, []).append(rates if turn % 2 else rates[::-1])
    for name, _, _, _, goal in pairs:
        told = results[name]
        ratio = median(ours / other for ours, other in told)
        aim = f" (goal {goal:.1f})" if goal else ""
        print(
            f"{name:38} {median(r[0] for r in told):9,.0f}/s  other {median(r[1] for r in told):9,.0f}/s  "
            f"ratio {ratio:.2f}{aim}"
        )
        goals.check_at_least(name, ratio, goal or 0)
    return goals.exit_status()


if __name__ == "__main__":
    sys.exit(main())
