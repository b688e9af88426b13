"""Reading and judging files of deals, compared with python-chess's reading of PGN: `python -m bench.logs`.

What `spadille validate --format json` does with a file — read, judge, write the report — is measured against
`chess.pgn.read_game`, which checks that every move is legal. Reading and writing the notation are measured in
the same rounds. The machine may be shared, so the contestants take turns, the time is CPU time, and the
result is the median of the ratios within a round.

Then, with a larger file and in wall time: two processes (`--jobs 2`) compared with one, and with two runs of
one process on half of the file each, which is the most that this machine can do; also in CPU time, in case
the processors are busy; and the peak memory of all processes of a run.

    python -m bench.logs --megabytes 1000
"""

import io
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import chess.pgn

from bench.deals import random_deals
from bench.engine import random_chess_games
from bench.goals import BenchGoals, build_bench_parser, choose_goal
from engine import Entry, Log
from engine.core.log import EntryMetadata
from schemas.logs.log_file import read_log_file
from schemas.notation import format_notation_log
from schemas.wire.event_writer import entry_bytes
from service.cli.commands.validate import validation_lines, validation_objects
from service.cli.io.bulk_run import DealProcessor, process_batch
from service.cli.io.deals import PointOptions
from service.cli.io.inputs import Inputs
from service.presentation.text.style import TextStyle

DEALS_IN_FILE: Final = 600
GAMES_IN_FILE: Final = 50
PLIES_IN_GAME: Final = 80
ROUNDS: Final = 9
PGN_READ: Final = "python-chess: PGN read"
JSON_VALIDATED: Final = "JSON Lines validated"
DEFAULT_MEGABYTES: Final = 200.0
"""The size of the file with which memory is measured."""
FILE_REPEATS: Final = 16
"""How often the deals are repeated in the file for wall-time measurements."""
JOB_ROUNDS: Final = 3
"""How often these are measured, with one process and with two."""
MEMORY_POLL_SECONDS: Final = 0.05
"""Seconds between two measurements of memory."""


class LogContestant(NamedTuple):
    """A task that handles a number of events (or moves) in each run, and its goal.

    ``goal`` is the required ratio to the task named ``yardstick``, None without a goal.
    """

    name: str
    events: int
    run: Callable[[], None]
    goal: float | None = None
    yardstick: str = PGN_READ


def encode_json_lines(deals: Iterable[Log]) -> bytes:
    """Deals as JSON Lines."""
    return b"".join(entry_bytes(entry, omit_unknown=True) + b"\n" for deal in deals for entry in deal)


def with_service_metadata(deals: Iterable[Log]) -> list[Log]:
    """The same deals as exported by a service, each entry with its id, its times and its recorder."""
    moment = "2026-11-20T19:30:05.250Z"
    return [
        tuple(
            Entry(entry.seq, entry.event, EntryMetadata(str(uuid.uuid4()), moment, moment, "anna", "seen"))
            for entry in deal
        )
        for deal in deals
    ]


def encode_notation(deals: Iterable[Log]) -> bytes:
    """Deals in the notation."""
    return "\n".join(map(format_notation_log, deals)).encode()


FORMS: Final = {"JSON Lines": encode_json_lines, "notation": encode_notation}


def validate_file(data: bytes) -> None:
    """Read, judge and report every deal of a file, as the command does."""
    point = PointOptions(None, None, "all")
    processor = DealProcessor(point, False, TextStyle(), validation_lines, validation_objects)
    answer = process_batch(Inputs().read_logs_from(io.BytesIO(data), "deals"), processor)
    assert answer.run.counts == {"sound": DEALS_IN_FILE} and not answer.run.has_unreadable


def read_deal_file(data: bytes) -> None:
    """Read every deal of a file."""
    assert sum(not log.problems for log in read_log_file(io.BytesIO(data), "deals")) == DEALS_IN_FILE


def write_notation_texts(deals: Iterable[Log]) -> None:
    """Write every deal in the notation."""
    assert all(map(format_notation_log, deals))


def encode_pgn(games: Iterable[Sequence[chess.Move]]) -> str:
    """Chess games as PGN."""
    texts = []
    for moves in games:
        game: chess.pgn.GameNode = chess.pgn.Game()
        for move in moves:
            game = game.add_main_variation(move)
        texts.append(str(game.root()))
    return "\n\n".join(texts) + "\n"


def read_pgn(text: str) -> None:
    """Read every game and check each move."""
    stream, games = io.StringIO(text), 0
    while (game := chess.pgn.read_game(stream)) is not None:
        assert not game.errors
        games += 1
    assert games == GAMES_IN_FILE


def list_log_contestants(deals: Sequence[Log]) -> Iterator[LogContestant]:
    """The baseline, then the tasks that are compared with it."""
    games = random_chess_games(GAMES_IN_FILE, PLIES_IN_GAME)
    text, events = encode_pgn(games), sum(map(len, deals))
    bare, whole, written = (
        encode_json_lines(deals),
        encode_json_lines(with_service_metadata(deals)),
        encode_notation(deals),
    )
    yield LogContestant(PGN_READ, sum(map(len, games)), lambda: read_pgn(text))
    json_goal = choose_goal(plain=1.3, compiled=4.0)
    yield LogContestant(JSON_VALIDATED, events, lambda: validate_file(bare), json_goal)
    yield LogContestant(
        "  as a service stores them", events, lambda: validate_file(whole), 0.9, JSON_VALIDATED
    )
    yield LogContestant("JSON Lines read", events, lambda: read_deal_file(bare))
    yield LogContestant("notation read", events, lambda: read_deal_file(written))
    yield LogContestant("notation validated", events, lambda: validate_file(written), 1.5)
    yield LogContestant("notation written", events, lambda: write_notation_texts(deals))


def compare_log_contestants(contestants: Sequence[LogContestant], rounds: int, goals: BenchGoals) -> None:
    """Run the tasks in turns; print a line for each."""
    rates: dict[str, list[float]] = {each.name: [] for each in contestants}
    for _ in range(rounds):
        for each in contestants:
            start = time.process_time()
            each.run()
            rates[each.name].append(each.events / (time.process_time() - start))
    for each in contestants:
        of_each = rates[each.name]
        pairs = zip(of_each, rates[each.yardstick], strict=True)
        ratio = median(ours / theirs for ours, theirs in pairs)
        asked = ""
        if each.goal is not None:
            asked = f"  (asked for: {each.goal} of {each.yardstick})"
            goals.check_at_least(f"{each.name.strip()}, compared with {each.yardstick}", ratio, each.goal)
        print(f"{each.name:<28}{median(of_each):>10,.0f} /s  {ratio:5.2f}{asked}")


def validate_command(file: Path, jobs: int) -> list[str]:
    """The command line that validates a file."""
    return [
        sys.executable, "-m", "service.cli", "validate", "--format", "json", "--jobs", str(jobs), str(file),
    ]  # fmt: skip


def run_and_time(*commands: Sequence[str]) -> tuple[float, float]:
    """Wall and CPU seconds of commands that run at the same time."""
    start = time.perf_counter()
    running = [subprocess.Popen(each, stdout=subprocess.DEVNULL) for each in commands]
    busy = 0.0
    for each in running:
        _, status, used = os.wait4(each.pid, 0)
        each.returncode = status
        assert status == 0
        busy += used.ru_utime + used.ru_stime
    return time.perf_counter() - start, busy


def fill_file(file: Path, block: bytes, size: int) -> Path:
    """A file that repeats a block until it has about ``size`` bytes."""
    with file.open("wb") as stream:
        while stream.tell() < size:
            stream.write(block)
    return file


def compare_job_counts(folder: Path, form: str, block: bytes) -> None:
    """Print how much faster two processes are than one, and their overhead."""
    whole = fill_file(folder / "whole", block, FILE_REPEATS * len(block))
    half = fill_file(folder / "half", block, FILE_REPEATS // 2 * len(block))
    speedups, shares, costs = [], [], []
    for _ in range(JOB_ROUNDS):
        (one, alone), (two, together) = (
            run_and_time(validate_command(whole, 1)),
            run_and_time(validate_command(whole, 2)),
        )
        apart, _ = run_and_time(validate_command(half, 1), validate_command(half, 1))
        speedups.append(one / two)
        shares.append(apart / two)
        costs.append(together / alone)
    print(
        f"{form}: --jobs 2 is {median(speedups):.2f} times as fast as 1,"
        f" and {median(shares):.2f} times as fast as two runs with half of it each;"
        f" it takes {median(costs):.2f} times the processor's time"
    )


def measure_resident_bytes(root: int) -> int:
    """The memory of a process and all its children, in bytes."""
    try:
        pages = int(Path(f"/proc/{root}/statm").read_text().split()[1])
        children = Path(f"/proc/{root}/task/{root}/children").read_text().split()
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(measure_resident_bytes(int(child)) for child in children)


def measure_peak_bytes(file: Path, jobs: int) -> int:
    """The peak memory of all processes of a run, in bytes; shared pages count for each process."""
    most = 0
    with subprocess.Popen(validate_command(file, jobs), stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, measure_resident_bytes(process.pid))
            time.sleep(MEMORY_POLL_SECONDS)
        assert process.returncode == 0
    return most


def main() -> int:
    """Run all measurements."""
    parser = build_bench_parser("Files of deals read and judged.")
    parser.add_argument(
        "--megabytes", type=float, default=DEFAULT_MEGABYTES, help="size of the file watched for memory"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="an odd number has a true median")
    options = parser.parse_args()
    goals, size = BenchGoals(options), options.megabytes
    deals = list(random_deals(DEALS_IN_FILE))
    compare_log_contestants(list(list_log_contestants(deals)), options.rounds, goals)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for form, lines in FORMS.items():
            block = lines(deals) + b"\n"
            compare_job_counts(folder, form, block)
            file = fill_file(folder / "large", block, int(size * 2**20))
            held = [f"{measure_peak_bytes(file, jobs) / 2**20:.0f} MB with --jobs {jobs}" for jobs in (1, 2)]
            print(f"{form}: a file of {size:g} MB in {', '.join(held)}  (asked for: under 200 MB)")
    return goals.exit_status()


if __name__ == "__main__":
    sys.exit(main())
