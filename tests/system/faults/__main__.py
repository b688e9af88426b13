"""``python -m tests.system.faults kill --rounds 50``: the faults in number; 1 where anything is amiss."""

import argparse
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path

from tests.system.faults.damage import damaged, outcome_of, remove_clubs
from tests.system.faults.disk import CALLS, can_trace, sweep
from tests.system.faults.kill import killed
from tests.system.faults.scenarios import SCENARIOS

_tell = partial(print, flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.system.faults", description=__doc__.splitlines()[0]
    )
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
    asked = arguments()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=asked.dir, prefix="faults-") as place:
        faults = {"kill": _kill, "disk": _disk, "damage": _damage}[asked.command](asked, Path(place))
    print(f"{time.monotonic() - began:.0f} s")
    return 1 if faults else 0


def _kill(asked: argparse.Namespace, place: Path) -> bool:
    outcome = killed(place, asked.rounds, asked.clients, asked.seed, asked.events, _tell)
    print(outcome)
    return bool(outcome.faults)


def _damage(asked: argparse.Namespace, place: Path) -> bool:
    hows: Counter[str] = Counter()
    for damage in damaged(asked.seed, asked.bits):
        outcome = outcome_of(damage)
        hows[outcome.how] += 1
        hows["amiss"] += bool(outcome.faults)
        for fault in outcome.faults:
            _tell(f"{damage.name}: {fault}")
    remove_clubs()
    _tell(f"damages: {dict(sorted(hows.items()))}")
    return bool(hows["amiss"])


def _disk(asked: argparse.Namespace, place: Path) -> bool:
    if not can_trace():
        print("strace is not here or may not trace: faults of the system cannot be made.", file=sys.stderr)
        return True
    amiss = False
    for name in asked.scenarios:
        count: Counter[str] = Counter()
        for one in sweep(SCENARIOS[name], asked.calls, asked.step, place):
            count.update([f"{one.strike.how} at {one.strike.call}", *["told"] * one.told])
            for fault in one.faults:
                amiss = True
                _tell(f"{name}: {one.strike}: {fault}")
        _tell(f"{name}: {dict(sorted(count.items()))}; nothing amiss so far: {not amiss}")
    return amiss


if __name__ == "__main__":
    sys.exit(main())
