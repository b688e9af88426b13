"""``python -m tests.faults kill --rounds 50``: the faults in number; what is amiss is told, with status 1."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path


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
    from tests.faults.kill import killed

    outcome = killed(place, asked.rounds, asked.clients, asked.seed, asked.events, _tell)
    print(outcome)
    return bool(outcome.faults)


def _tell(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
