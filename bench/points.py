"""The state at any point of a deal, out of a store with a thousand events and with a million.

    python -m bench.points [--events 1000000] [--dir FOLDER]

What the API does for `/deals/{id}/state?at=N` is done in this process: the record is read as its owner may
know it, folded up to the entry and written as JSON. The deals have 60 entries each; which deal and which
entry is chance. Both stores are asked in turns, and what counts is the ratio within a round.
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
from typing import Final

import orjson

import replays
from bench.goals import Goals, bench_options
from engine import Log
from engine.core.events import NoteAdded
from engine.core.log import Entry
from engine.rulesets import PUBLISHED
from engine.view import EVERYTHING, view
from schemas.answers.states import state_object
from schemas.wire.writer import entry_object
from service.eventstore import Append, NewEvent, SqliteStore
from service.records.points import point_of
from service.records.records import DEAL, log_in

ENTRIES: Final = 60
FEW: Final = 1_000
ROUNDS: Final = 15
QUESTIONS: Final = 200
"""So many a round, of each store."""
AT_ONCE: Final = 50
"""So many deals are appended in one step."""
GOAL_MS: Final = 2.0
GOAL_RATIO: Final = 1.2


def deal() -> Log:
    """A deal of the library with its notes, as long as was asked for."""
    replay = replays.find("belinda")
    assert replay is not None
    log = replay.log()
    notes = (Entry(seq, NoteAdded("Thought about.")) for seq in range(len(log) + 1, ENTRIES + 1))
    return (*log, *notes)


def filled(store: SqliteStore, events: int, log: Log) -> list[str]:
    """Fills a store with so many events of such deals; their ids."""
    bodies = [entry_object(entry, bare=True) for entry in log]
    names: list[str] = []
    while len(names) * ENTRIES < events:
        appends = [_append(bodies) for _ in range(min(AT_ONCE, -(-events // ENTRIES) - len(names)))]
        store.append(appends[0].stream, appends)
        names += [one.stream for one in appends]
    return names


def _append(bodies: list[dict[str, object]]) -> Append:
    name = str(uuid.uuid4())
    ids = [name, *(str(uuid.uuid4()) for _ in bodies[1:])]
    events = [NewEvent(one, orjson.dumps({**body, "id": one})) for one, body in zip(ids, bodies, strict=True)]
    return Append(name, 0, events, DEAL)


def asked(store: SqliteStore, names: list[str], chance: random.Random) -> Iterator[float]:
    """Milliseconds for each of some questions."""
    for _ in range(QUESTIONS):
        name, at = chance.choice(names), chance.randint(1, ENTRIES)
        began = time.perf_counter()
        point = point_of(view(log_in(store, name), EVERYTHING), at, None, PUBLISHED)
        assert orjson.dumps(state_object(point.state))
        yield (time.perf_counter() - began) * 1_000


def main() -> int:
    """Fill both stores, ask them in turns, print what it took."""
    parser = bench_options("Measures the state at any point of a deal.")
    parser.add_argument("--events", type=int, default=1_000_000, help="events in the larger store")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--dir", type=Path, default=Path.cwd(), help="where the stores are made: a real disk")
    options = parser.parse_args()
    chance, log = random.Random(1), deal()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.dir)))
        few, many = (stack.enter_context(SqliteStore(folder / name)) for name in ("few.db", "many.db"))
        in_few, in_many = filled(few, FEW, log), filled(many, options.events, log)
        gc.collect()
        gc.freeze()  # as the service does
        took: list[float] = []
        ratios: list[float] = []
        for number in range(options.rounds + 1):
            of_few, of_many = list(asked(few, in_few, chance)), list(asked(many, in_many, chance))
            if number:  # the first warms up
                took += of_many
                ratios.append(median(of_many) / median(of_few))
    p99 = quantiles(took, n=100)[98]
    print(f"state at any point of a deal with {ENTRIES} entries, {options.events:,} events stored:")
    print(f"  median {median(took):.2f} ms, 99 of 100 in {p99:.2f} ms (goal {GOAL_MS})")
    print(f"  {median(ratios):.2f} times what it takes with {FEW:,} stored (goal at most {GOAL_RATIO})")
    goals = Goals(options)
    goals.at_most("milliseconds in 99 of 100", p99, GOAL_MS)
    goals.at_most("the ratio to a small store", median(ratios), GOAL_RATIO)
    return goals.status()


if __name__ == "__main__":
    sys.exit(main())
