"""``python -m tests.system.secrets --rounds 500``: many random records and readers, and all they may ask.

First every route is sent a token in every place where none belongs.

Each leak is printed with the seed that finds it again: ``--first SEED --rounds 1``.
"""

import argparse
import sys
import time

from tests.support.logged import log_to
from tests.system.secrets.astray import ASTRAY, Repeated, hold_all, hold_texts, small_app
from tests.system.secrets.law import Leak
from tests.system.secrets.rounds import ask_round, hold_refusal
from tests.system.secrets.worlds import LOG, pair


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.system.secrets", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--rounds", type=int, default=100, help="so many records, and as many refusals")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first round")
    asked = parser.parse_args()
    questions = refused = 0
    leaks: list[str] = []
    began = time.monotonic()
    with log_to(LOG):
        try:
            asked_astray = hold_all(pair(False).one.app) + hold_texts(small_app())
            print(f"{asked_astray} requests with tokens astray: none is repeated or kept", flush=True)
        except Repeated as repeated:
            leaks.append(str(repeated))
        if ASTRAY[11:] in "\n".join(LOG.lines):
            leaks.append("a token stands in the log")
        for seed in range(asked.first, asked.first + asked.rounds):
            try:
                questions += ask_round(seed)
                refused += hold_refusal(seed)
            except Leak as leak:
                leaks.append(str(leak))
    print(*(f"LEAK {leak}\n" for leak in leaks), sep="\n")
    print(
        f"{asked.rounds} rounds, {questions} questions to each of two worlds, {refused} refusals: "
        f"{len(leaks)} leaks, in {time.monotonic() - began:.0f} s"
    )
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main())
