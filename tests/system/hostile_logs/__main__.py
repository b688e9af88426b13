"""``python -m tests.system.hostile_logs --logs 10000 --seed 1``: random hostile logs against all endpoints.

Each log goes to a few endpoints that judge, count or draw. The exit status is 1 where a request takes over
300 MiB or 2 s of processor time, or answers 500; the log is named, and ``--again`` sends its requests again.
"""

import argparse
import sys
import time
from pathlib import Path

from tests.system.hostile_logs.runner import all_tried, limit_this_process, sent_again

FOUND = Path("hostile-logs")
"""The folder for what fails."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.system.hostile_logs", description=__doc__)
    parser.add_argument("--logs", type=int, default=1000, help="how many logs")
    parser.add_argument("--seed", type=int, default=1, help="the seed: the same logs for the same seed")
    parser.add_argument("--seconds", type=float, default=3600, help="no log is begun after this time")
    parser.add_argument("--again", type=Path, help="only send the requests of this file again")
    asked = parser.parse_args()
    if asked.again is not None:
        limit_this_process()
        results = list(sent_again(asked.again))
        print(*results, sep="\n")
        return int(any(one.exceeds for one in results))
    begun, logs, requests, failed = time.monotonic(), 0, 0, 0
    for one in all_tried(asked.seed, asked.logs, FOUND, asked.seconds):
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
