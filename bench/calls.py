"""How soon a follower in another process sees an append: `python -m bench.calls`.

Two stores on one PostgreSQL server represent two processes: they share nothing but the server, the one of the
tests, with its files synced. One appends single events at random times, the other waits for them. The first
run uses notifications; in the second they are suppressed, so that the follower sees an event only when it
next polls.
"""

from __future__ import annotations

import random
import sys
import threading
import time
from statistics import quantiles
from typing import Final

from bench.goals import BenchGoals, build_bench_parser
from service.eventstore import ANY_VERSION, NewEvent, StreamAppend
from service.eventstore.ids import new_id
from service.eventstore.postgres.store import PostgresStore
from tests.support.store.postgres_server import Server

MAX_PAUSE_SECONDS: Final = 0.25
"""Maximum pause between two appends; the poll interval is a tenth of a second."""


def main() -> int:
    """Measure both, and print medians and 95th percentiles."""
    parser = build_bench_parser("How soon a follower in another process hears of an append.")
    parser.add_argument("--appends", type=int, default=200)
    options = parser.parse_args()
    server = Server(synced=True)
    try:
        for said, calling in (("with calls", True), ("by looking alone", False)):
            waited = measure_delays(server.url(server.new_database()), calling, options.appends)
            cut = quantiles(waited, n=20)
            print(f"{said}: {cut[9] * 1000:.1f} ms, 19 of 20 within {cut[18] * 1000:.1f} ms")
    finally:
        server.stop()
    return BenchGoals(options).exit_status()


def measure_delays(url: str, with_notifications: bool, append_count: int) -> list[float]:
    """Seconds from an acknowledged append until the follower in the other process has seen it."""
    with PostgresStore(url) as writer, PostgresStore(url) as follower:
        if not with_notifications:
            writer._sequencer._channel = "nobody_listens"
        met, sent = [0.0] * (append_count + 1), [0.0] * (append_count + 1)
        thread = threading.Thread(target=record_arrivals, args=(follower, met))
        thread.start()
        chance = random.Random(5)
        for position in range(1, append_count + 1):
            time.sleep(chance.uniform(0.05, MAX_PAUSE_SECONDS))
            writer.append("r", [StreamAppend("s", ANY_VERSION, [NewEvent(new_id(), b"{}")], "deal")])
            sent[position] = time.monotonic()
        thread.join()
    # An event seen before the writer had its own answer took no time.
    return [max(0.0, there - here) for here, there in zip(sent, met, strict=True) if there]


def record_arrivals(store: PostgresStore, arrival_times: list[float]) -> None:
    """Record when each position is seen; a position skipped by a later one is left out."""
    position = 0
    while position < len(arrival_times) - 1:
        position = store.wait_for_events(position, 60)
        arrival_times[position] = time.monotonic()


if __name__ == "__main__":
    sys.exit(main())
