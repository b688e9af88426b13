"""Files of deals read and judged, beside python-chess's reading of PGN: `python -m bench.logs`.

What `spadille validate --format json` does with a file — read, judge, write the report — is measured
against `chess.pgn.read_game`, which checks that every move is legal. Reading and writing the notation are
measured in the same rounds. The machine may be shared, so the contestants take turns, time is that of the
processor, and what counts is the median of the ratios within a round.

Then, with a larger file and by the clock: two processes (`--jobs 2`) beside one, and beside two runs of
one process with half of the file each, which is all that this machine can give; by the processors' time
too, for where others keep them busy; and the memory of all processes of a run at its peak.

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
from bench.engine import chess_games
from bench.goals import Goals, bench_options
from engine import Entry, Log
from engine.core.log import Record
from schemas.logs.logs import read_logs
from schemas.logs.pieces import Piece
from schemas.notation import written_log
from schemas.wire.jsonlines import NOTHING_PASSED
from schemas.wire.writer import entry_bytes
from service.cli.commands.validate import Validating
from service.cli.io.points import Point
from service.cli.io.work import Part, done
from service.presentation.text.style import Style

DEALS: Final = 600
GAMES: Final = 50
PLIES: Final = 80
ROUNDS: Final = 9
MEGABYTES: Final = 200
"""How large the file is whose reading is watched for memory."""
COURSE: Final = 16
"""How often the deals stand in the file that is read against the clock."""
TURNS: Final = 3
"""How often they are, by one process and by two."""
SLICE: Final = 0.05
"""Memory is looked at every so many seconds."""


class Contestant(NamedTuple):
    """Something that handles so many events (or moves) each time, and what is asked of it.

    ``asked`` is events a second and the ratio to reading PGN, None where nothing was asked.
    """

    name: str
    events: int
    run: Callable[[], None]
    asked: tuple[int, float | None] | None = None


def json_lines(deals: Iterable[Log]) -> bytes:
    """Deals as JSON Lines."""
    return b"".join(entry_bytes(entry, bare=True) + b"\n" for deal in deals for entry in deal)


def stored(deals: Iterable[Log]) -> list[Log]:
    """The same deals as a service gives them, each entry with its id, its times and who recorded it."""
    moment = "2026-11-20T19:30:05.250Z"
    return [
        tuple(
            Entry(entry.seq, entry.event, Record(str(uuid.uuid4()), moment, moment, "anna", "seen"))
            for entry in deal
        )
        for deal in deals
    ]


def notation(deals: Iterable[Log]) -> bytes:
    """Deals in the notation."""
    return "\n".join(map(written_log, deals)).encode()


FORMS: Final = {"JSON Lines": json_lines, "notation": notation}


def validate(data: bytes) -> None:
    """Reads, judges and reports every deal of a file, as the command does."""
    part = Part("deals", Piece(data, DEALS), NOTHING_PASSED, 0)
    answer = done(part, Validating(Point(None, None, "all"), False, Style()))
    assert answer.counts == {"sound": DEALS} and not answer.unreadable


def read(data: bytes) -> None:
    """Reads every deal of a file."""
    assert sum(not log.problems for log in read_logs(io.BytesIO(data), "deals")) == DEALS


def write(deals: Iterable[Log]) -> None:
    """Writes every deal in the notation."""
    assert all(map(written_log, deals))


def pgn(games: Iterable[Sequence[chess.Move]]) -> str:
    """Chess games as PGN."""
    texts = []
    for moves in games:
        game: chess.pgn.GameNode = chess.pgn.Game()
        for move in moves:
            game = game.add_main_variation(move)
        texts.append(str(game.root()))
    return "\n\n".join(texts) + "\n"


def read_pgn(text: str) -> None:
    """Reads every game, each move of which is legal."""
    stream, games = io.StringIO(text), 0
    while (game := chess.pgn.read_game(stream)) is not None:
        assert not game.errors
        games += 1
    assert games == GAMES


def contestants(deals: Sequence[Log]) -> Iterator[Contestant]:
    """The yardstick, then those that are measured by it."""
    games = chess_games(GAMES, PLIES)
    text, events = pgn(games), sum(map(len, deals))
    bare, whole, written = json_lines(deals), json_lines(stored(deals)), notation(deals)
    yield Contestant("python-chess: PGN read", sum(map(len, games)), lambda: read_pgn(text))
    yield Contestant("JSON Lines validated", events, lambda: validate(bare), (100_000, 1.3))
    yield Contestant("  as a service stores them", events, lambda: validate(whole))
    yield Contestant("JSON Lines read", events, lambda: read(bare))
    yield Contestant("notation read", events, lambda: read(written), (40_000, None))
    yield Contestant("notation validated", events, lambda: validate(written))
    yield Contestant("notation written", events, lambda: write(deals))


def compare(field: Sequence[Contestant], rounds: int, goals: Goals) -> None:
    """Lets them take turns; prints a line for each."""
    rates: list[list[float]] = [[] for _ in field]
    for _ in range(rounds):
        for each, of_each in zip(field, rates, strict=True):
            start = time.process_time()
            each.run()
            of_each.append(each.events / (time.process_time() - start))
    for each, of_each in zip(field, rates, strict=True):
        ratio = median(ours / theirs for ours, theirs in zip(of_each, rates[0], strict=True))
        asked = ""
        if each.asked is not None:
            least = f" and {each.asked[1]:.2f}" if each.asked[1] else ""
            asked = f"  (asked for: {each.asked[0]:,} /s{least})"
            goals.at_least(f"{each.name} a second", median(of_each), each.asked[0])
            goals.at_least(f"{each.name}, beside reading PGN", ratio, each.asked[1] or 0)
        print(f"{each.name:<28}{median(of_each):>10,.0f} /s  {ratio:5.2f}{asked}")


def command(file: Path, jobs: int) -> list[str]:
    """The command line that validates a file."""
    return [
        sys.executable, "-m", "service.cli", "validate", "--format", "json", "--jobs", str(jobs), str(file),
    ]  # fmt: skip


def taken(*commands: Sequence[str]) -> tuple[float, float]:
    """How many seconds commands take that run at once, by the clock and of the processors."""
    start = time.perf_counter()
    running = [subprocess.Popen(each, stdout=subprocess.DEVNULL) for each in commands]
    busy = 0.0
    for each in running:
        _, status, used = os.wait4(each.pid, 0)
        each.returncode = status
        assert status == 0
        busy += used.ru_utime + used.ru_stime
    return time.perf_counter() - start, busy


def fill(file: Path, block: bytes, size: int) -> Path:
    """A file with a block again and again until it has about ``size`` bytes."""
    with file.open("wb") as stream:
        while stream.tell() < size:
            stream.write(block)
    return file


def two_beside_one(folder: Path, form: str, block: bytes) -> None:
    """Prints how much sooner two processes are done than one, and what more they cost."""
    whole = fill(folder / "whole", block, COURSE * len(block))
    half = fill(folder / "half", block, COURSE // 2 * len(block))
    speedups, shares, costs = [], [], []
    for _ in range(TURNS):
        (one, alone), (two, together) = taken(command(whole, 1)), taken(command(whole, 2))
        apart, _ = taken(command(half, 1), command(half, 1))
        speedups.append(one / two)
        shares.append(apart / two)
        costs.append(together / alone)
    print(
        f"{form}: --jobs 2 is {median(speedups):.2f} times as fast as 1,"
        f" and {median(shares):.2f} times as fast as two runs with half of it each;"
        f" it takes {median(costs):.2f} times the processor's time"
    )


def resident(root: int) -> int:
    """How many bytes of memory a process and all that it started hold."""
    try:
        pages = int(Path(f"/proc/{root}/statm").read_text().split()[1])
        children = Path(f"/proc/{root}/task/{root}/children").read_text().split()
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(resident(int(child)) for child in children)


def peak(file: Path, jobs: int) -> int:
    """How many bytes all processes of a run held at most, added up, shared pages counted by each."""
    most = 0
    with subprocess.Popen(command(file, jobs), stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, resident(process.pid))
            time.sleep(SLICE)
        assert process.returncode == 0
    return most


def main() -> int:
    """Measures all of it."""
    parser = bench_options("Files of deals read and judged.")
    parser.add_argument(
        "--megabytes", type=int, default=MEGABYTES, help="size of the file watched for memory"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="an odd number has a true median")
    options = parser.parse_args()
    goals, size = Goals(options), options.megabytes
    deals = list(random_deals(DEALS))
    compare(list(contestants(deals)), options.rounds, goals)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for form, lines in FORMS.items():
            block = lines(deals) + b"\n"
            two_beside_one(folder, form, block)
            file = fill(folder / "large", block, size << 20)
            held = [f"{peak(file, jobs) / 2**20:.0f} MB with --jobs {jobs}" for jobs in (1, 2)]
            print(f"{form}: a file of {size} MB in {', '.join(held)}  (asked for: under 200 MB)")
    return goals.status()


if __name__ == "__main__":
    sys.exit(main())
