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

from bench.evidence import fill_store
from bench.goals import BenchGoals, build_bench_parser
from service.eventstore import SqliteStore
from tests.support.store.postgres_server import Server

EXIT_SUCCESS = 0
VERIFY_RUNS = 2
KIB = 1024


class CommandRun(NamedTuple):
    """How long a command took, its processor time, and the most memory that one process had, in MiB."""

    seconds: float
    cpu_seconds: float
    max_memory_mib: float


def run_spadille(*words: str) -> CommandRun:
    """Runs ``spadille``; raises `RuntimeError` where it does not end well."""
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
    """Prints a line of a run."""
    print(
        f"{name:28} {events:9,} events {command_run.seconds:7.1f} s {events / command_run.seconds:9,.0f}/s "
        f"{command_run.cpu_seconds / events * 1e6:6.1f} µs of processor each "
        f"{command_run.max_memory_mib:6.0f} MiB   "
        f"load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def measure_verify_and_copy(server: Server, event_count: int, folder: Path) -> None:
    """Prints what verifying and copying a store of so many events takes, on each, with its start."""
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
