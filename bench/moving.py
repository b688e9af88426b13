"""Verifying and copying a store, as a file and on PostgreSQL: `python -m bench.moving`.

The server is the one of the tests, on the disk of ``TMPDIR``; its files are synced. Each command runs in its
own process, so that its peak memory can be measured; its start, about a second, is included. On a shared
machine the results are less reliable: the output shows the load.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from bench.evidence import fill_store
from bench.goals import BenchGoals, build_bench_parser
from service.eventstore import SqliteStore
from tests.support.store.postgres_server import Server

EXIT_SUCCESS = 0
VERIFY_RUNS = 2
KIB = 1024


class CommandRun(NamedTuple):
    """The wall time of a command, its CPU time, and the peak memory of one process in MiB."""

    seconds: float
    cpu_seconds: float
    max_memory_mib: float


def run_spadille(*words: str) -> CommandRun:
    """Run ``spadille``; raises `RuntimeError` if it fails."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "service.cli", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != EXIT_SUCCESS:
        raise RuntimeError(f"{' '.join(words)} ended with {process.returncode}")
    seconds = time.perf_counter() - began
    return CommandRun(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / KIB)


def print_run(name: str, events: int, command_run: CommandRun) -> None:
    """Print a line on a run."""
    print(
        f"{name:28} {events:9,} events {command_run.seconds:7.1f} s {events / command_run.seconds:9,.0f}/s "
        f"{command_run.cpu_seconds / events * 1e6:6.1f} µs of processor each "
        f"{command_run.max_memory_mib:6.0f} MiB   "
        f"load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def measure_verify_and_copy(server: Server, event_count: int, folder: Path) -> None:
    """Print the time to verify and copy a store with this many events, on each backend, including the
    start."""
    file = folder / f"{event_count}.db"
    with SqliteStore(file) as store:
        fill_store(store, event_count)
        event_count = store.head()
    address = server.url(server.new_database())
    print_run(
        "a file copied to PostgreSQL",
        event_count,
        run_spadille("copy", str(file), address, "--data", str(folder)),
    )
    for _ in range(VERIFY_RUNS):
        print_run("verify of the file", event_count, run_spadille("verify", str(file)))
        print_run("verify on PostgreSQL", event_count, run_spadille("verify", address, "--data", str(folder)))
    back = str(folder / f"{event_count}-back.db")
    print_run(
        "PostgreSQL copied to a file", event_count, run_spadille("copy", address, back, "--data", str(folder))
    )
    print_run(
        "the same when all is there", event_count, run_spadille("copy", address, back, "--data", str(folder))
    )


def main() -> int:
    """Run and print."""
    parser = build_bench_parser("Measures how stores are verified and copied.")
    parser.add_argument("--events", type=int, nargs="+", default=[24_000, 240_000], help="sizes of the store")
    options = parser.parse_args()
    server = Server(synced=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for events in options.events:
                measure_verify_and_copy(server, events, Path(folder))
    finally:
        server.stop()
    return BenchGoals(options).exit_status()


if __name__ == "__main__":
    sys.exit(main())
