"""Processor time of the command line from start to answer: `python -m bench.starting`.

Compared with Python that starts and does nothing. The commands take turns; the result is the median.
"""

import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from typing import Final

from bench.goals import BenchGoals, build_bench_parser

ONE_DEAL: Final = Path(__file__).parents[1] / "replays" / "belinda.deal"
SPADILLE: Final = ("-m", "service.cli")
COMMANDS: Final = {
    "spadille validate one.deal": ((*SPADILLE, "validate", str(ONE_DEAL)), 0.25),
    "spadille --help": ((*SPADILLE, "--help"), 0.15),
    "python -c pass": (("-c", "pass"), None),
}
"""What is started, and the goal in seconds."""


def measure_start(arguments: tuple[str, ...]) -> float:
    """Seconds of the processor that one run takes. Raises `CalledProcessError`."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Measure all; print a line for each."""
    parser = build_bench_parser("Processor time from start to answer.")
    parser.add_argument("--rounds", type=int, default=15, help="an odd number has a true median")
    options = parser.parse_args()
    goals = BenchGoals(options)
    rounds = [
        {name: measure_start(arguments) for name, (arguments, _) in COMMANDS.items()}
        for _ in range(options.rounds + 1)
    ]
    for name, (_, goal) in COMMANDS.items():
        seconds = median(one[name] for one in rounds[1:])  # the first warms up
        ratio = median(one[name] / one["python -c pass"] for one in rounds[1:])
        asked = "" if goal is None else f"  (asked for: {goal} s)"
        print(f"{name:28}{seconds:6.3f} s  {ratio:5.1f} times an empty Python{asked}")
        if goal is not None:
            goals.check_at_most(f"seconds of {name}", seconds, goal)
    return goals.exit_status()


if __name__ == "__main__":
    sys.exit(main())
