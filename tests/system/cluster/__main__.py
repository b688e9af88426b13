"""A cluster of three nodes here: ``up FOLDER`` builds it, ``down FOLDER`` removes it, ``fail`` tries one."""

import argparse
import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from tests.system.cluster.nodes import Cluster, NotBuilt


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.system.cluster", description=__doc__)
    parser.add_argument("--first-port", type=int, default=24100, help="the nodes take 30 ports from it on")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (("up", "build it"), ("down", "end and remove it")):
        commands.add_parser(name, help=what).add_argument("folder", type=Path)
    fail = commands.add_parser("fail", help="build one, let parts of it fail while clients record, remove it")
    fail.add_argument("--rounds", type=int, default=3, help="how often each failure is made")
    fail.add_argument("--clients", type=int, default=8, help="how many processes append")
    fail.add_argument("--seed", type=int, default=0, help="of the chance")
    fail.add_argument(
        "--failures", nargs="+", help="which; else all but link-cut, which loses events if --asynchronous"
    )
    fail.add_argument("--dir", type=Path, default=Path("/var/tmp"), help="where it is built: a real disk")
    for command in (commands.choices["up"], fail):
        command.add_argument("--asynchronous", action="store_true", help="acknowledge what one node has")
    return parser.parse_args()


def main() -> int:
    asked = arguments()
    try:
        if asked.command == "fail":
            return _fail(asked)
        synchronous = asked.command == "up" and not asked.asynchronous
        cluster = Cluster(asked.folder, asked.first_port, synchronous=synchronous)
        if asked.command == "down":
            cluster.down()
        else:
            cluster.up()
            print(f"Up: {cluster.address('postgres')}\n{cluster.told()}")
    except NotBuilt as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _fail(asked: argparse.Namespace) -> int:
    """The failures that were asked for; status 1 where anything was lost, doubled or left out."""
    from tests.system.cluster.failing import HARMLESS, failed  # needs psycopg, which the rest does not

    began, tell = time.monotonic(), partial(print, flush=True)
    failures = asked.failures or list(HARMLESS)
    if not asked.failures and os.geteuid() != 0:
        failures.remove("disk-full")
        print("disk-full is left out: only root can give each node a disk of its own")
    with tempfile.TemporaryDirectory(dir=asked.dir, prefix="cluster-") as place:
        Path(place).chmod(0o755)
        parts = {"synchronous": not asked.asynchronous, "own_disks": "disk-full" in failures}
        cluster = Cluster(Path(place) / "nodes", asked.first_port, **parts)
        try:
            cluster.up()
            faults = failed(Path(place), cluster, failures * asked.rounds, asked.clients, asked.seed, tell)
        finally:
            cluster.down()
    print(*faults[:10], f"{time.monotonic() - began:.0f} s", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
