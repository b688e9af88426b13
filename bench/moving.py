"""A store verified and copied, as a file and on PostgreSQL: `python -m bench.moving`.

The server is the tests' own, on the disk of ``TMPDIR``; its files are synced. Each run of a command is a
process of its own, so that what it holds at most in memory can be told; its start counts too, and is about a
second. A machine that is shared tells less than it can: the load stands beside the figures.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from bench.evidence import fill
from bench.goals import Goals, bench_options
from service.eventstore import SqliteStore
from tests.support.store.postgres_server import Server

ENDS_WELL = 0
KIB = 1024


class Run(NamedTuple):
    """How long a command took, its processor time, and the most memory that one process had, in MiB."""

    seconds: float
    processor: float
    memory: float


def run(*words: str) -> Run:
    """Runs ``spadille``; raises `RuntimeError` where it does not end well."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "service.cli", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != ENDS_WELL:
        raise RuntimeError(f"{' '.join(words)} ended with {process.returncode}")
    seconds = time.perf_counter() - began
    return Run(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / KIB)


def tell(name: str, events: int, done: Run) -> None:
    """Prints a line of a run."""
    print(
        f"{name:28} {events:9,} events {done.seconds:7.1f} s {events / done.seconds:9,.0f}/s "
        f"{done.processor / events * 1e6:6.1f} µs of processor each {done.memory:6.0f} MiB   "
        f"load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def measured(server: Server, events: int, folder: Path) -> None:
    """Prints what verifying and copying a store of so many events takes, on each, with its start."""
    file = folder / f"{events}.db"
    with SqliteStore(file) as store:
        fill(store, events)
        events = store.head()
    address = server.url(server.new_database())
    tell("a file copied to PostgreSQL", events, run("copy", str(file), address, "--data", str(folder)))
    for _ in range(2):
        tell("verify of the file", events, run("verify", str(file)))
        tell("verify on PostgreSQL", events, run("verify", address, "--data", str(folder)))
    back = str(folder / f"{events}-back.db")
    tell("PostgreSQL copied to a file", events, run("copy", address, back, "--data", str(folder)))
    tell("the same when all is there", events, run("copy", address, back, "--data", str(folder)))


def main() -> int:
    """Run and print."""
    parser = bench_options("Measures how stores are verified and copied.")
    parser.add_argument("--events", type=int, nargs="+", default=[24_000, 240_000], help="sizes of the store")
    options = parser.parse_args()
    server = Server(synced=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for events in options.events:
                measured(server, events, Path(folder))
    finally:
        server.stop()
    return Goals(options).status()


if __name__ == "__main__":
    sys.exit(main())
