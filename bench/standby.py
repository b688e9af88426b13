"""The disk use of a store on PostgreSQL, and the cost of waiting for a standby.

``python -m bench.standby``.

A leader and a standby created by ``pg_basebackup`` run here with their files synced, on the disk of
``TMPDIR``.

* Random deals are recorded as the service records them; then the sizes of tables and indexes, and of what
  was written to the write-ahead log, are divided by the number of events.
* One caller and then sixteen append single events, in turns with and without waiting for the standby. Both
  servers share this machine: in production there is a network between them, and each has its own disk.
"""

from __future__ import annotations

import sys
import tempfile
import time
import uuid
from pathlib import Path
from statistics import median
from typing import Final

from bench.goals import BenchGoals, build_bench_parser
from bench.store import (
    CALLER_COUNT,
    EVENTS_PER_DEAL,
    append_deal_singly,
    build_event_deals,
    time_callers,
)
from service.eventstore.postgres.store import PostgresStore
from tests.support.api.recording import recorded_deal, some_deal
from tests.support.store.postgres_pair import Node, Pair

DATABASE_NAME: Final = "cards"
_LARGEST_RELATIONS_SQL: Final = """
    SELECT CASE WHEN c.relname LIKE 'events\\_%' THEN 'events' ELSE split_part(c.relname, '_', 1) END,
           c.relkind = 'i', sum(pg_relation_size(c.oid))
    FROM pg_class AS c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i')
    GROUP BY 1, 2 HAVING sum(pg_relation_size(c.oid)) > 1000000 ORDER BY 3 DESC"""
_BODY_SIZES_SQL: Final = "SELECT sum(octet_length(body)), count(*) FROM events"


def measure_disk_use(leader: Node, deal_count: int) -> None:
    """Record deals, and print the disk use of an event."""
    before = _wal_position(leader)
    with PostgresStore(leader.address(DATABASE_NAME)) as store:
        for seed in range(deal_count):
            recorded_deal(store, some_deal(seed), str(uuid.uuid4()))
    ((bodies, events),) = leader.execute(_BODY_SIZES_SQL, DATABASE_NAME)
    leader.execute("VACUUM ANALYZE", DATABASE_NAME)
    written = _wal_position(leader) - before
    ((whole,),) = leader.execute(f"SELECT pg_database_size('{DATABASE_NAME}')")
    print(f"{events:,} events in {deal_count:,} deals, {bodies / events:.0f} bytes of JSON each")
    for name, is_index, taken in leader.execute(_LARGEST_RELATIONS_SQL, DATABASE_NAME):
        print(f"  {name} {'indexes' if is_index else 'table':8} {taken / events:8.0f} bytes an event")
    print(f"  {'the database':15} {whole / events:8.0f} bytes an event")
    print(f"  {'write-ahead log':15} {written / events:8.0f} bytes an event")


def measure_synchronous_commit(pair: Pair, rounds: int, deal_count: int) -> None:
    """Append with and without waiting for the standby, in turns, and print the medians."""
    rates: dict[tuple[int, bool], list[float]] = {}
    for turn in range(rounds):
        for waiting in (True, False) if turn % 2 else (False, True):
            pair.make_synchronous(waiting)
            for callers in (1, CALLER_COUNT):
                rates.setdefault((callers, waiting), []).append(_append_rate(pair, callers, deal_count))
    for callers in (1, CALLER_COUNT):
        waited, alone = rates[callers, True], rates[callers, False]
        ratio = median(one / other for one, other in zip(waited, alone, strict=True))
        print(
            f"{callers:2} caller{'s' * (callers > 1):1} {median(alone):8,.0f} appends/s alone, "
            f"{median(waited):8,.0f}/s with a standby waited for: {ratio:.2f}"
        )


def _append_rate(pair: Pair, caller_count: int, deals_per_caller: int) -> float:
    work = build_event_deals(deals_per_caller * caller_count)
    turn = uuid.uuid4()
    with PostgresStore(pair.leader.address(DATABASE_NAME)) as store:

        def caller(number: int) -> None:
            for deal in range(number, len(work), caller_count):
                append_deal_singly(store, f"{turn} table {number}", f"{turn} deal {deal}", work[deal])

        if caller_count == CALLER_COUNT:
            return len(work) * EVENTS_PER_DEAL / time_callers(caller)
        began = time.perf_counter()
        caller(0)
        return len(work) * EVENTS_PER_DEAL / (time.perf_counter() - began)


def _wal_position(leader: Node) -> int:
    ((position,),) = leader.execute("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')")
    return int(position)


def main() -> int:
    """Run both parts and print the results."""
    parser = build_bench_parser("A store with a standby.")
    parser.add_argument("--deals", type=int, default=2000, help="deals recorded to see what they take")
    parser.add_argument("--rounds", type=int, default=5, help="rounds; an odd number has a true median")
    parser.add_argument("--round-deals", type=int, default=4, help="deals of a caller in each round")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pair-") as folder:
        pair = Pair(Path(folder), synced=True)
        try:
            pair.leader.execute(f"CREATE DATABASE {DATABASE_NAME} TEMPLATE template0")
            pair.make_synchronous(False)
            measure_disk_use(pair.leader, asked.deals)
            measure_synchronous_commit(pair, asked.rounds, asked.round_deals)
        finally:
            pair.stop()
    return BenchGoals(asked).exit_status()


if __name__ == "__main__":
    sys.exit(main())
