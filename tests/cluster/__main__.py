"""``python -m tests.cluster up FOLDER``: builds a cluster of three nodes here; ``down`` removes it."""

import argparse
import sys
import time
from pathlib import Path

from tests.cluster.layout import conninfo
from tests.cluster.nodes import Cluster, NotBuilt


def arguments() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.cluster", description=__doc__)
    parser.add_argument("--first-port", type=int, default=24100, help="the nodes take 30 ports from it on")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (("up", "build it"), ("down", "end and remove it"), ("status", "what each node is")):
        command = commands.add_parser(name, help=what)
        command.add_argument("folder", type=Path)
        if name == "up":
            command.add_argument(
                "--asynchronous", action="store_true", help="acknowledge before a standby has it"
            )
    return parser.parse_args()


def main() -> int:
    """Does what was asked for."""
    asked = arguments()
    cluster = Cluster(asked.folder, asked.first_port, synchronous=not getattr(asked, "asynchronous", False))
    if asked.command == "down":
        cluster.down()
        return 0
    try:
        if asked.command == "up":
            began = time.monotonic()
            cluster.up()
            print(f"Up after {time.monotonic() - began:.0f} s: {conninfo(cluster.nodes, 'postgres')}")
    except NotBuilt as error:
        print(error, file=sys.stderr)
        return 1
    print(cluster.told())
    return 0


if __name__ == "__main__":
    sys.exit(main())
