"""The trials at length: `python -m tests.hidden --deals 100000`.

So many legal deals with random hiding, spread over the rulesets, in which nobody may be accused; a tenth as
many with a planted revoke, which has to be found at its trick and alone.
"""

import argparse
import random
import sys

from .records import RULESETS
from .trials import innocents, planted


def main() -> int:
    """Runs the trials and prints a line for each ruleset; 1 where any answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=900)
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args()
    wrong = 0
    for ruleset in RULESETS:
        rng, each = random.Random(f"{asked.seed} {ruleset}"), -(-asked.deals // len(RULESETS))
        free, caught = innocents(rng, ruleset, each), planted(rng, ruleset, -(-each // 10))
        wrong += len(free.wrong) + len(caught.wrong)
        print(
            f"{ruleset:16} {free.tried:>7} legal deals, {len(free.wrong)} with an innocent accused; "
            f"{caught.tried:>6} planted revokes, {len(caught.wrong)} not found as they were",
            flush=True,
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
