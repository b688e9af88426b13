"""What strangers cost whoever records: `python -m bench.strangers`.

A recorder appends, an event at a time, first alone and then while four strangers elsewhere have logs judged,
as large as they may be, again and again. What counts is how long an append takes beside how long it takes
alone. Something is published, as at most clubs: what everybody holds makes nobody less of a stranger.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Final
from uuid import uuid4

from bench.serving import OPENING, as_owner, served
from service.identity.first_login import REGISTER_NAME
from service.identity.grants import Scope, Terms
from service.identity.register import Register
from tests.slow import generator

STRANGERS: Final = 4
SIZES: Final = (8 << 20, 1 << 20, 1 << 18)
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
    half, most = took[len(took) // 2], took[len(took) * 99 // 100]
    return f"{name}: {len(took)} appends, median {half:.1f} ms, p99 {most:.1f} ms, worst {took[-1]:.1f} ms"


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="Measures what strangers cost whoever records.")
    parser.add_argument("--seconds", type=float, default=10, help="for each of the two")
    parser.add_argument("--dir", type=Path, default=Path(), help="where the store is made: a real disk")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=chosen.dir)))
        publish(folder)
        port = stack.enter_context(served(folder, SPADILLE_PROXIES="1"))
        print(said("alone", appended(port, chosen.seconds)), flush=True)
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
        print(said(f"beside {STRANGERS} strangers with {len(body) / (1 << 20):.1f} MiB each", took))
        print("what they were answered:", dict(told))


if __name__ == "__main__":
    main()
