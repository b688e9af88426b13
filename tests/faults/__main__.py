"""``python -m tests.faults kill --rounds 50``: the faults in number; what is amiss is told, with status 1."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.faults.damage import counted, damaged, outcome_of, remove_clubs
from tests.faults.disk import CALLS, can_trace, sweep
from tests.faults.kill import killed
from tests.faults.scenarios import SCENARIOS


def arguments() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__.splitlines()[0])
    parser.add_argument("--dir", type=Path, default=Path.cwd(), help="where the stores are made: a real disk")
    parser.add_argument("--seed", type=int, default=0, help="of the chance")
    commands = parser.add_subparsers(dest="command", required=True)
    kill = commands.add_parser("kill", help="kill -9 while clients append")
    kill.add_argument("--rounds", type=int, default=50, help="how many kills")
    kill.add_argument("--clients", type=int, default=8, help="how many processes append")
    kill.add_argument("--events", type=int, default=50_000, help="so many are acknowledged at least")
    disk = commands.add_parser("disk", help="EIO, ENOSPC and SIGKILL at every call that writes (strace)")
    disk.add_argument("--calls", nargs="+", default=CALLS, choices=CALLS, help="at which calls")
    disk.add_argument("--step", type=int, default=1, help="only at every so manieth call")
    disk.add_argument("--scenarios", nargs="+", default=list(SCENARIOS), choices=SCENARIOS, help="of what")
    damage = commands.add_parser("damage", help="files that are cut off, and bits that are others")
    damage.add_argument("--bits", type=int, default=8, help="so many in each page and frame")
    return parser.parse_args()


def main() -> int:
    """Make the faults that were asked for."""
    asked = arguments()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=asked.dir, prefix="faults-") as place:
        faults = _made(asked, Path(place))
    print(f"{time.monotonic() - began:.0f} s")
    return 1 if faults else 0


def _made(asked: argparse.Namespace, place: Path) -> bool:
    """Whether anything was amiss."""
    if asked.command == "disk":
        return _disk(asked, place)
    if asked.command == "damage":
        return _damage(asked)
    outcome = killed(place, asked.rounds, asked.clients, asked.seed, asked.events, _tell)
    print(outcome)
    return bool(outcome.faults)


def _damage(asked: argparse.Namespace) -> bool:
    outcomes = []
    for damage in damaged(asked.seed, asked.bits):
        outcomes.append(outcome_of(damage))
        for fault in outcomes[-1].faults:
            _tell(f"{damage.name}: {fault}")
    remove_clubs()
    _tell(counted(outcomes))
    return any(outcome.faults for outcome in outcomes)


def _disk(asked: argparse.Namespace, place: Path) -> bool:
    if not can_trace():
        print("strace is not here or may not trace: faults of the system cannot be made.", file=sys.stderr)
        return True
    amiss = False
    for name in asked.scenarios:
        counted = Counter[tuple[str, str]]()
        told = 0
        for one in sweep(SCENARIOS[name], asked.calls, step=asked.step, place=place):
            counted[one.strike.call, one.strike.how] += 1
            told += one.told
            for fault in one.faults:
                amiss = True
                _tell(f"{name}: {one.strike}: {fault}")
        for (call, how), count in sorted(counted.items()):
            _tell(f"{name}: {count} times {how} at {call}")
        _tell(f"{name}: {sum(counted.values())} faults, {told} of them told; nothing else amiss: {not amiss}")
    return amiss


def _tell(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
