"""The store on PostgreSQL, compared with other uses of the same server: `python -m bench.postgres`.

The server is the one of the tests, with its files synced at every commit, on the disk of ``TMPDIR``. Sixteen
callers of one process, each at a table of its own, are compared with sixteen clients of

* ``pgbench`` with exactly the statements of the store for one append: the rows with their keys and triggers,
  their positions in the log, and the notification of other nodes, in one transaction (a program in C, which
  receives its versions and hashes nothing, but shares no transaction among clients as the store does);
* ``pgbench`` that only inserts the events into these tables, and leaves them without a position;
* ``pgbench`` on a bare table with the same two guarantees: one event per version and one per id;
* the library ``eventsourcing``, which stores an event in each call and may cache the deal.

Only the first gives events a place in a log. Reading a stream is compared with a bare psycopg select that
names its keys.

The machine may be shared, so the contestants take turns in short rounds, in alternating order, and the result
is the median of the ratios within a round.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from statistics import median
from typing import Final

import psycopg
from eventsourcing.application import Application

from bench.goals import BenchGoals, build_bench_parser
from bench.store import (
    CALLER_COUNT,
    EVENTS_PER_DEAL,
    STORED_AT_TEXT,
    append_deal_singly,
    build_event_deals,
    save_deal_events,
    time_callers,
)
from service.eventstore import StreamAppend
from service.eventstore.postgres.insert_statement import SYNCED_INSERT_STATEMENT
from service.eventstore.postgres.sequencer import ASSIGN_POSITIONS_QUERY
from service.eventstore.postgres.store import PostgresStore
from tests.support.store.postgres_server import Server

READS_PER_TURN: Final = 1000
LOG_PAGE_SIZE: Final = 2000
WARM_UP_ROUNDS: Final = 1
"""Rounds that open the connections, and do not count."""

EVENT_BODY: Final = (
    build_event_deals(1)[0][0].build_body(build_event_deals(1)[0][0].body, 7, STORED_AT_TEXT).decode()
)
_VALUES: Final = {
    "locks": ":client_id + 1",
    "roots": "'table ' || :client_id",
    **dict.fromkeys(("names", "streams"), "'deal ' || :client_id"),
    "versions": ":version",
    "seqs": ":version + 1",
    "ids": "gen_random_uuid()::text",
    "digests": f"'\\x{'5a' * 16}'::bytea",
    "moments": f"'{STORED_AT_TEXT}'",
    "bodies": f"'{EVENT_BODY}'::bytea",
    "salts": f"'\\x{'5a' * 16}'::bytea",
    "leaves": f"'\\x{'5a' * 32}'::bytea",
}
"""The parameters of an append of one event, in ``pgbench``'s syntax."""


def _one_line(statement: str) -> str:
    return " ".join(statement.split())


STORE_INSERT_SQL: Final = _one_line(
    re.sub(r"%\((\w+)\)[sb]", lambda found: f"ARRAY[{_VALUES[found[1]]}]", SYNCED_INSERT_STATEMENT.decode())
)
STORE_PLACE_SQL: Final = _one_line(ASSIGN_POSITIONS_QUERY.replace("%s", "{}").format(1, "'bench'"))
STORE_APPEND_SCRIPT: Final = f"""
    \\startpipeline
    {STORE_INSERT_SQL};
    {STORE_PLACE_SQL};
    \\endpipeline
    \\set version :version + 1
"""
INSERT_ONLY_SCRIPT: Final = f"""
    \\set version :version + 1
    INSERT INTO events (
        root_key, stream_key, version, event_id, digest, stored_at, body, salt, leaf, ordinal)
    VALUES (
        :client_id + 1, :client_id + 1, :version, gen_random_uuid()::text, '\\x{"5a" * 16}',
        '{STORED_AT_TEXT}', '{EVENT_BODY}', '\\x{"5a" * 16}', '\\x{"5a" * 32}', 1);
"""
BARE_INSERT_SCRIPT: Final = f"""
    \\set version :version + 1
    INSERT INTO bare (stream, version, event_id, stored_at, body)
    VALUES (:client_id, :version, gen_random_uuid()::text, '{STORED_AT_TEXT}', '{EVENT_BODY}');
"""
BARE_TABLE_SQL: Final = """
    CREATE TABLE bare (
        position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        stream integer NOT NULL,
        version integer NOT NULL,
        event_id text NOT NULL,
        stored_at text NOT NULL,
        body bytea NOT NULL,
        UNIQUE (stream, version),
        UNIQUE (stream, event_id)
    )"""
BARE_SELECT_SQL: Final = """
    SELECT version, event_id, stored_at, body FROM events
    WHERE root_key = %s AND stream_key = %s ORDER BY version"""

RateMeasurement = Callable[[], float]
"""Runs once; returns events, or streams, a second."""


@contextmanager
def append_by_store_callers(url: str, deal_count: int) -> Iterator[RateMeasurement]:
    """Sixteen callers of one process, one event in each append."""
    with PostgresStore(url) as store:
        if store.warning:
            raise RuntimeError(store.warning)
        tables = count()

        def run() -> float:
            work, turn = build_event_deals(deal_count), next(tables)

            def caller(number: int) -> None:
                for deal in range(number, len(work), CALLER_COUNT):
                    append_deal_singly(store, f"table {number}", f"deal {turn} {deal}", work[deal])

            return deal_count * EVENTS_PER_DEAL / time_callers(caller)

        yield run


@contextmanager
def append_by_eventsourcing_callers(server: Server, name: str, deal_count: int) -> Iterator[RateMeasurement]:
    """Sixteen callers of the library in one process, one event in each call."""
    place = {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": name,
        "POSTGRES_HOST": str(server.socket),
        "POSTGRES_USER": "postgres",
        "POSTGRES_PASSWORD": "",
        "POSTGRES_POOL_SIZE": str(CALLER_COUNT),
        "POSTGRES_MAX_OVERFLOW": str(CALLER_COUNT),
    }
    application: Application[uuid.UUID] = Application(env=place)
    try:

        def run() -> float:
            work = build_event_deals(deal_count)

            def caller(number: int) -> None:
                for events in work[number::CALLER_COUNT]:
                    save_deal_events(application, events)

            return deal_count * EVENTS_PER_DEAL / time_callers(caller)

        yield run
    finally:
        application.close()


@contextmanager
def run_pgbench(server: Server, name: str, script: str, seconds: int) -> Iterator[RateMeasurement]:
    """Sixteen clients that each insert one row per transaction, at the ends of streams."""
    reached = count(1, 1_000_000)  # a bare table takes a stream up anywhere

    def run() -> float:
        with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
            file.write(script)
            file.flush()
            options = ["-n", "-M", "prepared", "-c", str(CALLER_COUNT), "-j", str(os.cpu_count() or 1)]
            options += ["-T", str(seconds), "-D", f"version={next(reached)}", "-f", file.name]
            told = subprocess.run(
                [server.programs / "pgbench", *options, "-h", str(server.socket), "-U", "postgres", name],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        failed = re.search(r"number of failed transactions: (\d+)", told)
        tps = re.search(r"tps = ([0-9.]+)", told)
        if failed is None or int(failed[1]) or tps is None:
            raise RuntimeError(f"pgbench did not do its part: {told}")
        return float(tps[1])

    yield run


@contextmanager
def run_pgbench_in_store(server: Server, script: str, seconds: int) -> Iterator[RateMeasurement]:
    """The same rows as the store's, in the tables of a store that is created again for each turn."""

    def run() -> float:
        name = server.new_database()
        with PostgresStore(server.url(name)) as store:
            for number in range(CALLER_COUNT):  # their keys are 1 to 16, so that clients can name them
                store.append(
                    f"table {number}",
                    [StreamAppend(f"deal {number}", 0, build_event_deals(1)[0][:1], "deal")],
                )
        try:
            with run_pgbench(server, name, script, seconds) as inserting:
                return inserting()
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")

    yield run


@contextmanager
def read_streams_by_store(url: str) -> Iterator[RateMeasurement]:
    """Read deals of sixty events from the store, one after the other."""
    with PostgresStore(url) as store:

        def run() -> float:
            began = time.perf_counter()
            for number in range(READS_PER_TURN):
                if len(store.read_stream(f"deal 0 {number % CALLER_COUNT}")) != EVENTS_PER_DEAL:
                    raise RuntimeError("a deal is not whole")
            return READS_PER_TURN / (time.perf_counter() - began)

        yield run


@contextmanager
def read_streams_by_select(url: str) -> Iterator[RateMeasurement]:
    """Read the same deals with a bare select."""
    with psycopg.connect(url, autocommit=True) as connection:

        def run() -> float:
            named = [f"deal 0 {number}" for number in range(CALLER_COUNT)]
            keys = connection.execute(
                "SELECT root_key, stream_key FROM streams WHERE stream = ANY(%s)", (named,)
            ).fetchall()
            began = time.perf_counter()
            for number in range(READS_PER_TURN):
                if (
                    len(connection.execute(BARE_SELECT_SQL, keys[number % CALLER_COUNT]).fetchall())
                    != EVENTS_PER_DEAL
                ):
                    raise RuntimeError("a deal is not whole")
            return READS_PER_TURN / (time.perf_counter() - began)

        yield run


@contextmanager
def follow_log(url: str) -> Iterator[RateMeasurement]:
    """Read the whole log from its beginning, page by page; returns events a second."""
    with PostgresStore(url) as store:

        def run() -> float:
            began = time.perf_counter()
            position = 0
            while page := store.read_all(position, LOG_PAGE_SIZE):
                position = page[-1].position
            return position / (time.perf_counter() - began)

        yield run


def main() -> int:
    """Run the rounds and print a line for each baseline."""
    parser = build_bench_parser("Measures the store on PostgreSQL beside its server.")
    parser.add_argument("--rounds", type=int, default=5, help="rounds; an odd number has a true median")
    parser.add_argument("--deals", type=int, default=64, help="deals of 60 events for each turn")
    parser.add_argument("--seconds", type=int, default=3, help="how long pgbench takes for each turn")
    options = parser.parse_args()
    goals, server = BenchGoals(options), Server(synced=True)
    try:
        with ExitStack() as opened:
            url = server.url(server.new_database())
            compare_contestant_pairs(
                open_append_contestants(opened, server, url, options.deals, options.seconds),
                options.rounds,
                goals,
            )
            compare_contestant_pairs(open_read_contestants(opened, url), options.rounds, goals)
    finally:
        server.stop()
    return goals.exit_status()


ContestantPair = tuple[str, RateMeasurement, RateMeasurement | None, float | None]
"""What is compared: its name, ours, the other's and the required ratio."""


def open_append_contestants(
    exit_stack: ExitStack, server: Server, url: str, deal_count: int, seconds: int
) -> list[ContestantPair]:
    """All contestants that append, in their order within a round."""
    bare, other = server.new_database(), server.new_database()
    server.execute(BARE_TABLE_SQL, bare)
    store = exit_stack.enter_context(append_by_store_callers(url, deal_count))
    same = exit_stack.enter_context(run_pgbench_in_store(server, STORE_APPEND_SCRIPT, seconds))
    alone = exit_stack.enter_context(run_pgbench_in_store(server, INSERT_ONLY_SCRIPT, seconds))
    beside = exit_stack.enter_context(run_pgbench(server, bare, BARE_INSERT_SCRIPT, seconds))
    library = exit_stack.enter_context(append_by_eventsourcing_callers(server, other, deal_count))
    return [
        ("16 callers beside pgbench, the same append", store, same, 0.8),
        ("16 callers beside pgbench, without positions", store, alone, None),
        ("16 callers beside pgbench, a bare table", store, beside, None),
        ("16 callers beside 16 of eventsourcing", store, library, 2.0),
    ]


def open_read_contestants(exit_stack: ExitStack, url: str) -> list[ContestantPair]:
    """All contestants that read what was appended."""
    read = exit_stack.enter_context(read_streams_by_store(url))
    selected = exit_stack.enter_context(read_streams_by_select(url))
    return [
        ("a stream read beside a bare select", read, selected, 0.5),
        ("the log followed", exit_stack.enter_context(follow_log(url)), None, None),
    ]


def compare_contestant_pairs(pairs: list[ContestantPair], rounds: int, goals: BenchGoals) -> None:
    """Run in turns, and print the medians."""
    print(
        f"PostgreSQL with fsync, {rounds} rounds, load {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors"
    )
    results: dict[str, list[tuple[float, float]]] = {}
    for turn in range(WARM_UP_ROUNDS + rounds):
        for name, ours, other, _ in pairs:
            rates = (0.0, 1.0)
            if other is None:
                rates = ours(), 1.0
            elif turn % 2:
                rates = ours(), other()
            else:
                rates = (other(), ours())[::-1]
            if turn >= WARM_UP_ROUNDS:
                results.setdefault(name, []).append(rates)
    for name, _, other, goal in pairs:
        told = results[name]
        line = f"{name:44} {median(r[0] for r in told):9,.0f}/s"
        if other is not None:
            ratio = median(ours / theirs for ours, theirs in told)
            line += f"  other {median(r[1] for r in told):9,.0f}/s  ratio {ratio:.2f}"
            goals.check_at_least(name, ratio, goal or 0)
        print(line + (f" (goal {goal:.1f})" if goal else ""))


if __name__ == "__main__":
    sys.exit(main())
