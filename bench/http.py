"""Appending over HTTP: `python -m bench.http`.

A recorder sends whole deals event by event, each with the current version, over a few persistent connections.
Two baselines take turns with it in the same run: an empty Flask route in the same server; and our own route
with a store that keeps nothing and without the fold, so that reading, checking and answering remain. Server
and client are two processes on one machine; the client takes about a tenth of what the server takes. The
result is the median of the ratios. The processor time of the server shows what other programs disturb less.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final, NamedTuple

from bench.goals import BenchGoals, build_bench_parser
from bench.serving import OWNER_TOKEN_BY_PORT, SERVER_CODE, processor_seconds, run_server
from tests.properties.slow import generator

DEALS_PATH: Final = "/api/v1/deals"
CONNECTIONS: Final = 16
EMPTY_ROUTE_GOAL: Final = 0.45
P99_GOAL: Final = 4.0

EMPTY_ROUTE_CODE: Final = """
import pathlib, sys
from flask import Flask
import service.server.run as server
from service.server.run import run_service
from service.config.settings import load_settings

made = server.create_app

def create_app(*args, **options):
    app, empty = made(*args, **options), Flask("empty")
    empty.add_url_rule("/<path:path>", view_func=lambda path: "", methods=["POST"])
    app.wsgi_app = empty.wsgi_app
    return app

server.create_app = create_app
run_service(load_settings(data=pathlib.Path(sys.argv[1]), port=int(sys.argv[2])), False)
"""

STORELESS_SERVER_CODE: Final = (
    """
import service.records.append
from service.eventstore import AppendResult, SqliteStore, StoredEvent, StreamInfo

def append(self, root, appends):
    (one,) = appends
    expected = one.expected_version
    now = "2026-11-20T19:30:05.250Z"
    stored = [
        StoredEvent(seq, root, one.stream, seq, event.event_id, now, event.build_body(event.body, seq, now))
        for seq, event in enumerate(one.events, expected + 1)
    ]
    return [AppendResult(one.stream, expected + len(stored), tuple(stored), 0)]

SqliteStore.append = append
SqliteStore.stream_info = lambda self, stream: StreamInfo(stream, stream, "deal", 1)
SqliteStore.stream_version = lambda self, stream: 0
service.records.append.audit_appended_events = lambda *_: ()
"""
    + SERVER_CODE
)


def build_append_requests(deal: list[dict[str, Any]], port: int) -> Iterator[bytes]:
    """The requests that record a deal, one event each."""
    name = str(uuid.uuid4())
    for version, event in enumerate(deal):
        path = f"{DEALS_PATH}/{name}/events" if version else DEALS_PATH
        body = json.dumps({**event, "id": str(uuid.uuid4()) if version else name}).encode()
        condition = f'If-Match: "{version}"\r\n' if version else ""
        yield (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {OWNER_TOKEN_BY_PORT[port]}\r\n"
            f"{condition}Content-Length: {len(body)}\r\n\r\n"
        ).encode() + body


class RecordingConnection:
    """A connection that sends the given requests one after the other."""

    def __init__(self, port: int, requests: list[bytes]) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._requests = iter(requests)
        self._received = b""
        self._sent_at = 0.0
        self.waits: list[float] = []
        """Seconds from each request to its response."""

    def send_next(self) -> bool:
        """Send the next request; False if there is none."""
        request = next(self._requests, None)
        if request is not None:
            self._sent_at = time.perf_counter()
            self.socket.sendall(request)
        return request is not None

    def receive(self) -> bool:
        """Read available data; returns whether the response is complete. Raises if it is not a success."""
        came = self.socket.recv(65536)
        if not came:
            raise RuntimeError("The server closed the connection.")
        self._received += came
        head, end, body = self._received.partition(b"\r\n\r\n")
        if not end:
            return False
        if not head.startswith(b"HTTP/1.1 2"):
            raise RuntimeError(self._received.decode())
        length = next(
            int(line.partition(b":")[2])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length")
        )
        if len(body) < length:
            return False
        self._received = b""
        self.waits.append(time.perf_counter() - self._sent_at)
        return True


class Measurement(NamedTuple):
    """Answered requests a second, what each took of the server's processor, and how long each took."""

    rate: float
    processor_microseconds: float
    median_milliseconds: float
    p99_milliseconds: float

    def __str__(self) -> str:
        return (
            f"{self.rate:7,.0f}/s, {self.processor_microseconds:5,.0f} µs of the server's processor, "
            f"median {self.median_milliseconds:5.1f} ms, 99 of 100 in {self.p99_milliseconds:5.1f} ms"
        )


def measure_requests(port: int, deals: list[list[dict[str, Any]]]) -> Measurement:
    """Record the deals over all connections at once."""
    shares = [deals[number::CONNECTIONS] for number in range(min(CONNECTIONS, len(deals)))]
    requests = [[one for deal in share for one in build_append_requests(deal, port)] for share in shares]
    selector = selectors.DefaultSelector()
    recorders = [RecordingConnection(port, share) for share in requests]
    began, processor_began = time.perf_counter(), processor_seconds(port)
    for recorder in recorders:
        selector.register(recorder.socket, selectors.EVENT_READ, recorder)
        recorder.send_next()
    while selector.get_map():
        for key, _ in selector.select():
            recorder = key.data
            if recorder.receive() and not recorder.send_next():
                selector.unregister(recorder.socket)
                recorder.socket.close()
    elapsed, processor = time.perf_counter() - began, processor_seconds(port) - processor_began
    processor = max(processor, 1 / os.sysconf("SC_CLK_TCK"))  # it is counted in ticks of the clock
    waits = [wait * 1e3 for recorder in recorders for wait in recorder.waits]
    return Measurement(
        len(waits) / elapsed, processor / len(waits) * 1e6, median(waits), quantiles(waits, n=100)[98]
    )


def main() -> int:
    """Run the rounds and print a line for each baseline."""
    parser = build_bench_parser("Measures appending over HTTP.")
    parser.add_argument("--rounds", type=int, default=9, help="rounds; an odd number has a true median")
    parser.add_argument("--deals", type=int, default=24, help="deals for each contestant and round")
    parser.add_argument("--dir", type=Path, default=Path.cwd(), help="where the stores are made: a real disk")
    options = parser.parse_args()
    with ExitStack() as stack:
        ports = {}
        for name, code in (
            ("appends", SERVER_CODE),
            ("empty", EMPTY_ROUTE_CODE),
            ("forgetful", STORELESS_SERVER_CODE),
        ):
            folder = stack.enter_context(tempfile.TemporaryDirectory(dir=options.dir))
            ports[name] = stack.enter_context(run_server(Path(folder), code))
        rounds = []
        for number in range(options.rounds + 1):
            deals = [generator.random_deal(_seeded_random(number, n)) for n in range(options.deals)]
            measured = {name: measure_requests(port, deals) for name, port in ports.items()}
            if number:  # the first warms up
                rounds.append(measured)
    print(f"an event per request, {CONNECTIONS} connections, medians of {options.rounds} rounds")
    medians = {
        name: Measurement(*map(median, zip(*(one[name] for one in rounds), strict=True))) for name in ports
    }
    ours, goals = medians["appends"], BenchGoals(options)
    print(f"{'appends':38} {ours}")
    for name, told, goal in (
        ("empty", "an empty Flask route", EMPTY_ROUTE_GOAL),
        ("forgetful", "the same route without store and fold", 0.6),
    ):
        theirs = medians[name]
        ratio = median(one["appends"].rate / one[name].rate for one in rounds)
        processor_ratio = theirs.processor_microseconds / ours.processor_microseconds
        print(f"{told:38} {theirs}")
        print(f"  ratio {ratio:.2f} (goal {goal}), of processor time {processor_ratio:.2f}")
        goals.check_at_least(f"the ratio to {told}", ratio, goal)
    spread = median(one["appends"].p99_milliseconds / one["appends"].median_milliseconds for one in rounds)
    print(f"99 of 100 in {spread:.1f} times the median (goal {P99_GOAL})")
    goals.check_at_most("the time of 99 in 100, in medians", spread, P99_GOAL)
    return goals.exit_status()


def _seeded_random(*seed: int) -> Any:
    import random

    return random.Random(str(seed))


if __name__ == "__main__":
    sys.exit(main())
