"""``python -m tests.properties.slow --deals 10000``: the engine against the slow models on random deals."""

import argparse
import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

from tests.properties.slow import generator, model, ombre_generator, ombre_model
from tests.properties.slow.compare import Second, differences
from tests.properties.slow.rulesets import RULESETS

Event = dict[str, Any]
SHOWN = 5
"""How many differences are printed in full for each ruleset."""

DANISH = Second(model.legal_of, model.also, model.score_of, model.fold, frozenset({"abandon", "slam"}))


def danish_deal(ruleset: str, seed: int) -> list[Event]:
    """A random deal of the Danish family, with all that may come up at a table."""
    return generator.random_deal(random.Random(seed), ruleset=ruleset, talon=seed % 3 == 0, lively=True)


OMBRE = Second(
    ombre_model.legal_of,
    ombre_model.also,
    ombre_model.score_of,
    ombre_model.fold,
    frozenset({"answer", "surrender", "yield"}),
)


def pool_deal(ruleset: str, seed: int) -> list[Event]:
    """A random deal round a pool, with extras, surrenders and voles."""
    return ombre_generator.random_deal(random.Random(seed), ruleset)


COMPARED: dict[str, tuple[Callable[[int], list[Event]], Second]] = {
    **{ruleset: (partial(danish_deal, ruleset), DANISH) for ruleset in RULESETS},
    **{ruleset: (partial(pool_deal, ruleset), OMBRE) for ruleset in ("ombre", "tresillo")},
}
"""For each ruleset how its random deals are made, and the second reading of its rules."""


def compared(ruleset: str, seeds: range) -> tuple[int, list[str]]:
    """Entries compared in the deals of these seeds, and where the two readings differ."""
    make, second = COMPARED[ruleset]
    entries, found = 0, []
    for seed in seeds:
        deal = make(seed)
        entries += len(deal)
        found += [f"{ruleset}, seed {seed}, {one}" for one in differences(deal, second)][:2]
    return entries, found


def main() -> int:
    """Compares, prints a line for each ruleset, and returns 1 where anything differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.slow", description=__doc__)
    parser.add_argument("--deals", type=int, default=1000, help="random deals of each ruleset")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--ruleset", choices=list(COMPARED), action="append", help="only this; repeatable")
    asked = parser.parse_args()
    failed = False
    with ProcessPoolExecutor(asked.jobs) as pool:
        for ruleset in asked.ruleset or COMPARED:
            begun = time.monotonic()
            end = asked.seed + asked.deals
            chunks = [range(first, min(first + 200, end)) for first in range(asked.seed, end, 200)]
            answers = list(pool.map(partial(compared, ruleset), chunks))
            entries = sum(count for count, _ in answers)
            found = [one for _, some in answers for one in some]
            each = asked.deals / (time.monotonic() - begun)
            print(
                f"{ruleset:15} {asked.deals:7,} deals {entries:9,} entries {len(found):5} differences"
                f" {each:7.0f} deals/s",
                flush=True,
            )
            print("".join(f"  {one}\n" for one in found[:SHOWN]), end="")
            failed = failed or bool(found)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
