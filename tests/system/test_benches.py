"""Every bench runs: one tiny round, in which it only measures."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "bench"
TINY = {
    "bestplay": "--deals 2 --rulesets dlu",
    "calls": "--appends 2",
    "engine": "--rounds 2 --deals 3 --games 2",
    "evidence": "--small 2400 --large 4800",
    "hidden": "--deals 2",
    "http": "--rounds 1 --deals 1",
    "large": "TEMPLATE_COUNT=2 DEALS_PER_EVENING=2 EVENINGS_PER_DAY=2 "
    "--events 800 --small 400 --rounds 1 --picks 2",
    "likely": "SAMPLED_DEALS=2 HIDDEN_PLAYS=(3,) --deals 2",
    "live": "--streams 2 --rounds 2",
    "logs": "DEALS_IN_FILE=4 GAMES_IN_FILE=1 FILE_REPEATS=2 JOB_ROUNDS=1 "
    "FORMS=dict(notation=bench.encode_notation) --rounds 1 --megabytes 0.1",
    "moving": "VERIFY_RUNS=1 --events 1200",
    "pages": "CPU_SLOWDOWN=1 SLOW_NETWORK=dict(bench.SLOW_NETWORK,latency=0,downloadThroughput=-1) "
    "--rounds 1 --pages tables",
    "points": "--events 3000 --rounds 1",
    "postgres": "WARM_UP_ROUNDS=0 CALLER_COUNT=2 READS_PER_TURN=20 --rounds 1 --deals 2 --seconds 1",
    "starting": "--rounds 1",
    "standby": "--deals 10 --rounds 1 --round-deals 1",
    "steps": "WINDOW_SIZES=dict(phone=(390,844)) IDLE_WAIT_MS=1 --walks 1 --deal dlu-given-up-for-bete",
    "store": "--rounds 1 --deals 1",
    "strangers": "ANONYMOUS_CALLERS=1 BODY_SIZES=(1024,) --seconds 0.3",
    "unseen": "BUDGET=10_000 --deals 2",
}
"""For each bench its options, after the sizes in it that have none."""
PARTS = {"deals", "goals", "library", "serving", "steering"}
"""Modules that no bench is: what benches share, and what derives the library."""


def test_every_bench_has_its_tiny_round() -> None:
    assert {one.stem for one in FOLDER.glob("[a-z]*.py")} == TINY.keys() | PARTS


def ran(bench: str, options: str) -> subprocess.CompletedProcess[str]:
    words = options.split()
    sizes = [one for one in words if one[0].isupper()]
    asked = [one for one in words if one not in sizes]
    resized = "".join(f"bench.{one}\n" for one in sizes)
    code = f"import sys, bench.{bench} as bench\n{resized}sys.argv[1:] = {asked}\nsys.exit(bench.main())"
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, cwd=FOLDER.parent, capture_output=True, text=True, timeout=180, check=False
    )


@pytest.mark.process
@pytest.mark.smoke
@pytest.mark.parametrize("bench", TINY)
def test_a_bench_runs(bench: str, tmp_path: Path) -> None:
    folder = f" --dir {tmp_path}" if '"--dir"' in (FOLDER / f"{bench}.py").read_text("utf-8") else ""
    told = ran(bench, f"{TINY[bench]} --goals off{folder}")
    assert (told.returncode, "Traceback" in told.stderr) == (0, False), told.stderr
    assert told.stdout


@pytest.mark.process
def test_a_goal_that_is_missed_is_said_and_is_the_status() -> None:
    told = ran("unseen", "GOAL_MS=0 --deals 2")
    assert (told.returncode, "missed: milliseconds of evidence" in told.stdout) == (1, True), told.stderr
