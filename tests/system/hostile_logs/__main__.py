"""``python -m tests.system.hostile_logs --logs 10000 --seed 1``: random hostile logs against all endpoints.

Each log goes to a few endpoints that judge, count or draw. The exit status is 1 where a request takes over
300 MiB or 2 s of processor time, or answers 500; the log is named, and ``--again`` sends its requests again.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.system.hostile_logs.processes import Trial, all_tried
from tests.system.hostile_logs.runner import limit_this_process, sent_again


def arguments() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.system.hostile_logs", description=__doc__)
    parser.add_argument("--logs", type=int, default=1000, help="how many logs")
    parser.add_argument("--first", type=int, default=0, help="the number of the first log")
    parser.add_argument("--seed", type=int, default=1, help="the seed: the same logs for the same seed")
    parser.add_argument("--processes", type=int, default=2, help="how many processes share the logs")
    parser.add_argument("--seconds", type=float, default=3600, help="no log is begun after this time")
    parser.add_argument("--found", type=Path, default=Path("hostile-logs"), help="the folder for what fails")
    parser.add_argument("--again", type=Path, help="only send the requests of this file again")
    return parser.parse_args()


def main() -> int:
    """Tries the logs; 1 where anything took too much."""
    asked = arguments()
    if asked.again is not None:
        limit_this_process()
        results = list(sent_again(asked.again))
        print(*results, sep="\n")
        return int(any(one.exceeds for one in results))
    begun, logs, requests, failed = time.monotonic(), 0, 0, 0
    trial = Trial(asked.seed, range(asked.first, asked.first + asked.logs), asked.processes, asked.found)
    for one in all_tried(trial, asked.seconds):
        logs, requests, failed = logs + 1, requests + one.requests, failed + bool(one.found)
        for took, file in one.found:
            print(f"seed {asked.seed}, log {one.number} ({one.kind}): {took}; see {file}", flush=True)
    took_all = time.monotonic() - begun
    print(f"{logs:,} logs, {requests:,} requests, {failed} logs that took too much, in {took_all:.0f} s")
    if logs < asked.logs:
        print(f"The time was over before the other {asked.logs - logs:,} logs.")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
