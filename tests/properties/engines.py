"""``python -m tests.properties.engines --deals 10000``: the compiled engine against plain Python.

Random deals of every ruleset are folded and judged twice: as they were played, and with something wrong in
them. Both engines do so in processes of their own, and must agree in every finding, state and score.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import zip_longest
from pathlib import Path

from engine import fold, initial_state, judge, score
from engine.core.log import Entry
from schemas.wire.event_reader import read_event
from tests.properties.slow.__main__ import COMPARED, Event
from tests.support.engine.state_text import state_text

ROOT = Path(__file__).resolve().parents[2]
CHUNK = 500
"""Deals for which the engines are compared at once."""


def damaged(deal: list[Event], rng: random.Random) -> list[Event]:
    """The deal with something wrong after its opening.

    An entry is left out, told twice or early, or changed; or there is a gap, and some cards are hidden or
    have the number of their trick.
    """
    deal, at = list(deal), rng.randrange(1, len(deal))
    match rng.randrange(5):
        case 0:
            del deal[at]
        case 1:
            deal.insert(at, deal[at])
        case 2:
            deal.insert(rng.randrange(1, len(deal)), deal.pop(at))
        case 3:
            plays = [place for place, event in enumerate(deal) if event["type"] == "card_played"]
            for number, place in enumerate(plays):
                if rng.random() < 0.2:
                    deal[place] = deal[place] | rng.choice(({"trick": 1 + number // 3}, {"card": "??"}))
            deal.insert(at, {"type": "gap_noted"})
        case _:
            other: Event = rng.choice(deal[1:])
            deal[at] = deal[at] | {name: other[name] for name in ("seat", "card") if name in other}
    return deal


def describe(deal: list[Event]) -> Iterator[str]:
    """Every finding and every state of the deal, and its score at the end."""
    state = initial_state()
    for seq, event in enumerate(deal, 1):
        try:
            entry = Entry(seq, read_event(event))
        except ValueError:
            continue
        yield repr(judge(state, entry))
        state = fold.evolve(state, entry)
        yield state_text(state)
    yield repr(score(state))


def digest(make: Callable[[int], list[Event]], seeds: range) -> str:
    """A digest of everything the engine says of the deals of these seeds."""
    found = blake2b(digest_size=16)
    for seed in seeds:
        deal = make(seed)
        for told in (deal, damaged(deal, random.Random(seed))):
            for text in describe(told):
                found.update(text.encode())
    return found.hexdigest()


def print_digests(deals: int) -> None:
    """The engine's name, then a line for each ruleset and chunk of deals."""
    print("plain" if fold.__file__.endswith(".py") else "compiled")
    for ruleset, (make, _) in COMPARED.items():
        for first in range(0, deals, CHUNK):
            print(ruleset, first, digest(make, range(first, min(first + CHUNK, deals))), flush=True)


def start_engine(folder: Path, deals: int) -> subprocess.Popen[str]:
    """A process that prints the digests, with the engine that lies in ``folder``."""
    command = [sys.executable, "-m", "tests.properties.engines", "--deals", str(deals), "--digests"]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)


def compare_engines(deals: int) -> int:
    """Print the deals in which the engines differ, a chunk on a line; returns 1 if they do."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for package in ("engine", "schemas"):
            shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("*.so", "*.pyd"))
        os.symlink(ROOT / "tests", folder / "tests")
        processes = [start_engine(place, deals) for place in (ROOT, folder)]
        compiled, plain = (process.communicate()[0].splitlines() for process in processes)
    if (compiled[0], plain[0]) != ("compiled", "plain"):
        print("The engine is not compiled: make fast")
        return 1
    differing = [line for line, other in zip_longest(compiled[1:], plain[1:]) if line != other]
    print(*differing, f"{deals:,} deals of each of {len(COMPARED)} rulesets, twice: ", sep="\n", end="")
    print("the engines differ" if differing else "the same findings, states and scores")
    return 1 if differing else 0


def main() -> int:
    """Compare the engines, or print the digests of one."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.engines", description=__doc__)
    parser.add_argument("--deals", type=int, default=1000, help="random deals of each ruleset")
    parser.add_argument("--digests", action="store_true", help="print the digests of the engine that runs")
    asked = parser.parse_args()
    if asked.digests:
        print_digests(asked.deals)
        return 0
    return compare_engines(asked.deals)


if __name__ == "__main__":
    sys.exit(main())
