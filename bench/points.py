"""The state at any point of a deal, in a store with a thousand events and in one with a million.

    python -m bench.points [--events 1000000] [--dir FOLDER]

This process does what the API does for `/deals/{id}/state?at=N`: it reads the record as its owner may know
it, folds it up to the entry and writes JSON. The deals have 60 entries each; deal and entry are random. The
two stores take turns, and the result is the ratio within a round. The goal is for processor time, as other
programs may interrupt this one; the elapsed time is printed too.
"""

from __future__ import annotations

import gc
import random
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles
from typing import Final, NamedTuple

import orjson

import replays
from bench.goals import BenchGoals, build_bench_parser
from engine import Log
from engine.core.events import NoteAdded
from engine.core.log import Entry
from engine.rulesets import PUBLISHED_RULESETS
from engine.view import FULL_VIEWER, view
from schemas.answers.states import state_object
from schemas.wire.event_reader import ParsedEntry
from service.eventstore import SqliteStore, StreamAppend
from service.records.deal_points import build_deal_point
from service.records.record_streams import (
    DEAL_KIND,
    SubmittedEvent,
    assign_event_ids,
    build_new_event,
    set_recorded_by,
)
from service.records.repository import read_log

ENTRIES_PER_DEAL: Final = 60
SMALL_STORE_EVENTS: Final = 1_000
DEFAULT_ROUNDS: Final = 15
QUERIES_PER_ROUND: Final = 200
"""Queries to each store in a round."""
DEALS_PER_APPEND: Final = 50
"""Deals in one append."""
RECORDER_GRANT_ID: Final = "00000000-0000-4000-8000-000000000000"
GOAL_STATE_MS: Final = 2.0
GOAL_RATIO: Final = 1.2


def build_deal_log() -> Log:
    """A deal of the library, with notes up to the required length."""
    replay = replays.find_library_deal("belinda")
    assert replay is not None
    log = replay.read_log()
    notes = (Entry(seq, NoteAdded("Thought about.")) for seq in range(len(log) + 1, ENTRIES_PER_DEAL + 1))
    return (*log, *notes)


def fill_with_deals(store: SqliteStore, event_count: int, log: Log) -> list[str]:
    """Fill a store with this many events of such deals; returns their ids."""
    names: list[str] = []
    while len(names) * ENTRIES_PER_DEAL < event_count:
        appends = [
            _build_append(log)
            for _ in range(min(DEALS_PER_APPEND, -(-event_count // ENTRIES_PER_DEAL) - len(names)))
        ]
        store.append(appends[0].stream, appends)
        names += [one.stream for one in appends]
    return names


def _build_append(log: Log) -> StreamAppend:
    """The deal as the service stores it."""
    name = str(uuid.uuid4())
    submitted = [SubmittedEvent(ParsedEntry(entry.event, entry.metadata)) for entry in log]
    submitted[0] = SubmittedEvent(ParsedEntry(log[0].event, log[0].metadata._replace(id=name)))
    signed = set_recorded_by(RECORDER_GRANT_ID, submitted)
    return StreamAppend(name, 0, list(map(build_new_event, assign_event_ids(signed))), DEAL_KIND)


class QueryTimes(NamedTuple):
    """Milliseconds that a query took: of the processor, and in all."""

    processor: float
    elapsed: float


def measure_state_queries(store: SqliteStore, streams: list[str], rng: random.Random) -> Iterator[QueryTimes]:
    """The times of each of several queries."""
    for _ in range(QUERIES_PER_ROUND):
        name, at = rng.choice(streams), rng.randint(1, ENTRIES_PER_DEAL)
        began, processor_began = time.perf_counter(), time.thread_time()
        point = build_deal_point(view(read_log(store, name), FULL_VIEWER), at, None, PUBLISHED_RULESETS)
        assert orjson.dumps(state_object(point.state))
        processor, elapsed = time.thread_time() - processor_began, time.perf_counter() - began
        yield QueryTimes(processor * 1_000, elapsed * 1_000)


def main() -> int:
    """Fill both stores, query them in turns, print the results."""
    parser = build_bench_parser("Measures the state at any point of a deal.")
    parser.add_argument("--events", type=int, default=1_000_000, help="events in the larger store")
    parser.add_argument("--rounds", type=int, default=DEFAULT_ROUNDS)
    parser.add_argument("--dir", type=Path, default=Path.cwd(), help="where the stores are made: a real disk")
    options = parser.parse_args()
    chance, log = random.Random(1), build_deal_log()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.dir)))
        few, many = (stack.enter_context(SqliteStore(folder / name)) for name in ("few.db", "many.db"))
        in_few, in_many = (
            fill_with_deals(few, SMALL_STORE_EVENTS, log),
            fill_with_deals(many, options.events, log),
        )
        gc.collect()
        gc.freeze()  # as the service does
        took: list[QueryTimes] = []
        ratios: list[float] = []
        for number in range(options.rounds + 1):
            of_few, of_many = (
                list(measure_state_queries(few, in_few, chance)),
                list(measure_state_queries(many, in_many, chance)),
            )
            if number:  # the first warms up
                took += of_many
                ratios.append(_median_processor(of_many) / _median_processor(of_few))
    p99, elapsed_p99 = (quantiles(times, n=100)[98] for times in zip(*took, strict=True))
    print(f"state at any point of a deal with {ENTRIES_PER_DEAL} entries, {options.events:,} events stored:")
    print(
        f"  median {_median_processor(took):.2f} ms of the processor, 99 of 100 in {p99:.2f} ms "
        f"(goal {GOAL_STATE_MS}); elapsed {median(one.elapsed for one in took):.2f} and {elapsed_p99:.2f} ms"
    )
    print(
        f"  {median(ratios):.2f} times what it takes with {SMALL_STORE_EVENTS:,} stored "
        f"(goal at most {GOAL_RATIO})"
    )
    goals = BenchGoals(options)
    goals.check_at_most("milliseconds in 99 of 100", p99, GOAL_STATE_MS)
    goals.check_at_most("the ratio to a small store", median(ratios), GOAL_RATIO)
    return goals.exit_status()


def _median_processor(times: list[QueryTimes]) -> float:
    return median(one.processor for one in times)


if __name__ == "__main__":
    sys.exit(main())
