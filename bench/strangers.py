"""What anonymous callers cost whoever records: `python -m bench.strangers`.

A recorder appends, an event at a time, first alone and then while one anonymous caller elsewhere asks again
and again what hidden cards can be, of a log that is as hard as can be (`tests.support.hidden.suits_only`);
meanwhile another one asks the same of an ordinary log. Then while four have logs judged, as large as they
may be.

What counts is how long an append takes then and alone: with the one caller less than twice as long at the
99th percentile, and the other caller is answered each time; else this ends with 1. Something is published, as
at most clubs: what everybody holds makes nobody less anonymous.
"""

from __future__ import annotations

import http.client
import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Final
from uuid import uuid4

from bench.goals import Goals, bench_options
from bench.serving import OPENING, as_owner, served
from service.auth.grants import Scope, Terms
from service.auth.register import Register
from service.config.data_files import REGISTER_NAME
from service.http.api.routes.hidden_cards import SEEN
from tests.properties.slow import generator
from tests.support.hidden.suits_only import suits_only

OK: Final = 200
STRANGERS: Final = 4
SIZES: Final = (8 << 20, 1 << 20, 1 << 18)
RATIO: Final = 2.0
"""So many times as long an append may take at the 99th percentile, with one anonymous caller."""
HAMMERING, ORDINARY, NETWORKS = 1, 2, 250
NOTE: Final = {"type": "note_added", "text": "A note."}


def log_of(size: int) -> bytes:
    """A log of whole deals with nearly so many bytes."""
    lines = b"".join(
        json.dumps(event).encode() + b"\n"
        for seed in range(20)
        for event in generator.random_deal(random.Random(seed))
    )
    return lines * ((size - 1) // len(lines))


def appended(port: int, seconds: float) -> list[float]:
    """How long each append took, in milliseconds."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    headers = {**as_owner(port), "Content-Type": "application/json", "If-Match": "*"}
    took: list[float] = []
    until = time.perf_counter() + seconds
    path = ""
    while (began := time.perf_counter()) < until:
        if len(took) % 1500 == 0:
            line.request("POST", "/api/v1/deals", json.dumps(OPENING), headers)
            path = f"/api/v1/deals/{json.loads(line.getresponse().read())['deal']}/events"
            began = time.perf_counter()
        line.request("POST", path, json.dumps(NOTE), headers)
        answer = line.getresponse()
        answer.read()
        assert answer.status == 201, answer.status
        took.append((time.perf_counter() - began) * 1000)
        time.sleep(0.01)
    return sorted(took)


def judged(port: int, number: int, body: bytes, stop: threading.Event, told: Counter[int]) -> None:
    """Have it judged again and again, as a stranger of another network."""
    headers = {"Content-Type": "application/jsonl", "X-Forwarded-For": f"192.0.2.{number + 1}"}
    while not stop.is_set():
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        try:
            line.request("POST", "/api/v1/validate", body, headers)
            answer = line.getresponse()
            answer.read()
            told[answer.status] += 1
        except OSError:
            told[0] += 1
        line.close()


def examined(
    port: int, body: bytes, network: int, stop: threading.Event, took: list[tuple[int, float]]
) -> None:
    """Have it said again and again what its hidden cards can be; the answers' status and seconds.

    From one address after another, so that the rate limit lets all of it through.
    """
    number = 0
    while not stop.is_set():
        number += 1
        address = f"192.0.{number % NETWORKS}.{network}"
        headers = {"Content-Type": "application/jsonl", "X-Forwarded-For": address}
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        begun = time.perf_counter()
        try:
            line.request("POST", "/api/v1/evidence", body, headers)
            answer = line.getresponse()
            answer.read()
            took.append((answer.status, time.perf_counter() - begun))
        except OSError:
            took.append((0, time.perf_counter() - begun))
        line.close()


def with_one(port: int, seconds: float, goals: Goals) -> None:
    """Measure and print the appends alone and with one anonymous caller."""
    before = appended(port, seconds / 2)
    stop, hard, ordinary = threading.Event(), list[tuple[int, float]](), list[tuple[int, float]]()
    asking = [
        threading.Thread(target=examined, args=(port, lines_of(events), network, stop, took))
        for events, network, took in ((suits_only(), HAMMERING, hard), (SEEN, ORDINARY, ordinary))
    ]
    for one in asking:
        one.start()
    took = appended(port, seconds)
    stop.set()
    for one in asking:
        one.join()
    alone = sorted(before + appended(port, seconds / 2))
    ratio = at(took, 0.99) / at(alone, 0.99)
    print(said("alone", alone))
    print(said("with one anonymous caller of /evidence", took))
    print(
        f"at the median {at(took, 0.5) / at(alone, 0.5):.2f} times as long, at p99 {ratio:.2f} (goal {RATIO})"
    )
    print("that one was answered:", dict(Counter(status for status, _ in hard)))
    waits = sorted(taken for status, taken in ordinary if status == OK)
    worst = max(waits, default=0.0)
    print(f"another one was answered {len(waits)} of {len(ordinary)} times, at worst in {worst:.1f} s")
    goals.at_most("the ratio of the slowest appends", ratio, RATIO)
    goals.at_least("answers to another one", len(waits), max(1, len(ordinary)))


def at(took: list[float], part: float) -> float:
    """A percentile."""
    return took[int(len(took) * part)]


def lines_of(events: Iterable[object]) -> bytes:
    """Events as JSON Lines."""
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def largest(port: int) -> bytes:
    """The largest log that a stranger may have judged."""
    for size in SIZES:
        body, told = log_of(size), Counter[int]()
        stop = threading.Event()
        asking = threading.Thread(target=judged, args=(port, 9, body, stop, told))
        asking.start()
        stop.set()
        asking.join()
        if 413 not in told:
            return body
    raise RuntimeError("no size is taken")


def publish(folder: Path) -> None:
    """Have something of this store be everybody's."""
    with Register(folder / REGISTER_NAME) as register:
        register.make(Terms("viewer", Scope("deal", str(uuid4())), public=True))


def said(name: str, took: list[float]) -> str:
    """A line of figures."""
    half, most = at(took, 0.5), at(took, 0.99)
    return f"{name}: {len(took)} appends, median {half:.1f} ms, p99 {most:.1f} ms, worst {took[-1]:.1f} ms"


def main() -> int:
    """Measure and print; 1 where the goal is missed."""
    parser = bench_options("Measures what anonymous callers cost those who record.")
    parser.add_argument("--seconds", type=float, default=10, help="for each of the two")
    parser.add_argument("--dir", type=Path, default=Path(), help="where the store is made: a real disk")
    chosen = parser.parse_args()
    goals = Goals(chosen)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=chosen.dir)))
        publish(folder)
        port = stack.enter_context(served(folder, SPADILLE_PROXIES="1"))
        appended(port, 1)
        with_one(port, chosen.seconds, goals)
        body, told, stop = largest(port), Counter[int](), threading.Event()
        asking = [
            threading.Thread(target=judged, args=(port, number, body, stop, told))
            for number in range(STRANGERS)
        ]
        for one in asking:
            one.start()
        took = appended(port, chosen.seconds)
        stop.set()
        for one in asking:
            one.join()
        print(
            said(
                f"with {STRANGERS} anonymous callers of /validate, {len(body) / (1 << 20):.1f} MiB each", took
            )
        )
        print("these were answered:", dict(told))
    return goals.status()


if __name__ == "__main__":
    sys.exit(main())
