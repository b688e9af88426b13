"""Live streams: `python -m bench.live`.

Some hundred clients follow one deal over HTTP while another program appends to other deals as fast as it
receives answers. The time is from sending an event until the last client has all of it; an empty route and a
single client take turns with it in the same run. Server, clients and the other program share the machine.
"""

from __future__ import annotations

import selectors
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from bench.goals import BenchGoals, build_bench_parser
from bench.serving import DEAL_OPENING_BODY, OWNER_TOKEN_BY_PORT, ApiClient, run_server

DEALS_URL: Final = "/api/v1/deals"
NOTE: Final = {"type": "note_added", "text": "The same to everybody."}
GOAL_DELIVERY_SECONDS: Final = 0.25
PAUSE_BEFORE_SECONDS: Final = 0.1
WRITER_CODE: Final = """
import sys
from bench.serving import DEAL_OPENING_BODY, OWNER_TOKEN_BY_PORT, ApiClient
OWNER_TOKEN_BY_PORT[int(sys.argv[1])] = sys.argv[2]
caller = ApiClient(int(sys.argv[1]))
deal, version = None, 0
while True:
    if deal is None or version == 60:
        deal, version = caller.post("/api/v1/deals", DEAL_OPENING_BODY)["deal"], 1
    note = {"type": "note_added", "text": "Elsewhere."}
    version = caller.post(f"/api/v1/deals/{deal}/events", note, version)["version"]
    print("", flush=True)
"""


class StreamListeners:
    """Clients that follow one deal, all read by one thread."""

    def __init__(self, port: int, path: str, count: int) -> None:
        self._selector = selectors.DefaultSelector()
        self.sockets: list[socket.socket] = []
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", port), timeout=60)
            head = (
                f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                f"Authorization: Bearer {OWNER_TOKEN_BY_PORT[port]}"
            )
            one.sendall(f"{head}\r\n\r\n".encode())
            self.sockets.append(one)
            self._selector.register(one, selectors.EVENT_READ, bytearray())

    def wait_for(self, expected: bytes, seconds: float = 60) -> None:
        """Wait until every client has received `expected`. Raises `TimeoutError`."""
        left = len(self.sockets)
        deadline = time.monotonic() + seconds
        while left:
            for key, _ in self._selector.select(1):
                held: bytearray = key.data
                chunk = key.fileobj.recv(65536)  # type: ignore[union-attr]
                if not chunk or b" 503 " in chunk[:20]:
                    raise RuntimeError("a stream was refused, or ended")
                held += chunk
                if expected in held:
                    held.clear()
                    left -= 1
            if time.monotonic() > deadline:
                raise TimeoutError(f"{left} clients had nothing for {seconds} s")

    def close(self) -> None:
        for one in self.sockets:
            one.close()


def measure_delivery(caller: ApiClient, deal: str, listeners: StreamListeners) -> float:
    """Seconds from sending an event until every listener has it, after a pause."""
    time.sleep(PAUSE_BEFORE_SECONDS)
    event_id = str(uuid.uuid4())
    began = time.perf_counter()
    caller.post(f"{DEALS_URL}/{deal}/events", {**NOTE, "id": event_id}, "*")
    listeners.wait_for(event_id.encode())
    return time.perf_counter() - began


def measure_empty_route(caller: ApiClient) -> float:
    """Seconds for a nearly empty route."""
    began = time.perf_counter()
    caller.get("/api/v1/healthz")
    return time.perf_counter() - began


def main() -> int:
    """Run the rounds and print the results."""
    parser = build_bench_parser("Measures live streams over HTTP.")
    parser.add_argument("--streams", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--viewer", default="all", help="as whom they follow: a log that is cut costs more")
    parser.add_argument("--dir", type=Path, default=Path.cwd(), help="where the store is made: a real disk")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(dir=options.dir) as folder,
        run_server(Path(folder), SPADILLE_STREAMS=str(options.streams + 1)) as port,
    ):
        caller = ApiClient(port)
        deal, lone = (caller.post(DEALS_URL, DEAL_OPENING_BODY)["deal"] for _ in range(2))
        many = StreamListeners(port, f"{DEALS_URL}/{deal}/live?viewer={options.viewer}", options.streams)
        one = StreamListeners(port, f"{DEALS_URL}/{lone}/live?viewer={options.viewer}", 1)
        many.wait_for(b"deal_opened")
        one.wait_for(b"deal_opened")
        writing = subprocess.Popen(
            [sys.executable, "-c", WRITER_CODE, str(port), OWNER_TOKEN_BY_PORT[port]], stdout=subprocess.PIPE
        )
        try:
            began = time.perf_counter()
            rounds = [
                (
                    measure_delivery(caller, deal, many),
                    measure_delivery(caller, lone, one),
                    measure_empty_route(caller),
                )
                for _ in range(options.rounds)
            ]
            lasted = time.perf_counter() - began
        finally:
            writing.terminate()
        appended = len(writing.communicate()[0].splitlines())
        many.close()
        one.close()
    all_told, one_told, nothing = ([times[which] for times in rounds] for which in range(3))
    print(f"{options.rounds} rounds; meanwhile {appended / lasted:,.0f} appends/s elsewhere")
    for name, times in (
        (f"{options.streams} streams", all_told),
        ("one stream", one_told),
        ("an empty route", nothing),
    ):
        last = quantiles(times, n=100)[98]
        print(f"{name:16} median {median(times) * 1e3:7.1f} ms  p99 {last * 1e3:7.1f} ms")
    goal = f"(goal: each below {GOAL_DELIVERY_SECONDS * 1e3:.0f} ms)"
    print(f"slowest of {options.rounds}: {max(all_told) * 1e3:.0f} ms {goal}")
    goals = BenchGoals(options)
    goals.check_at_most("seconds of the slowest round", max(all_told), GOAL_DELIVERY_SECONDS)
    return goals.exit_status()


if __name__ == "__main__":
    sys.exit(main())
