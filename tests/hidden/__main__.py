"""The trials at length: `python -m tests.hidden --deals 100000`.

So many legal deals with random hiding, spread over the rulesets, in which nobody may be accused; as many in
which cards are laid out of turn, second to a trick or after the end, in which nobody may be accused but who
revoked in every third of them; a tenth as many with a planted revoke, which has to be found at its trick and
alone. With `--misprints 50` that many deals with one misprint too, of each kind in each ruleset, whose
correction has to be proposed. With `--records 5000` so many records with gaps, whose hidden cards have to be
what a search finds that tries every complete deal. With `--pen 30` that many deals with each mistake of the
pen in each ruleset, with all hands told and with none, in whose report nobody may be accused without a
condition; and as many true revokes, which have to be in theirs.
"""

import argparse
import random
import sys

from tests.hidden.trials import Corrected, innocents, irregular, misprinted, planted
from tests.support.hidden.by_trying import compared
from tests.support.hidden.by_trying import tried as tried_record
from tests.support.hidden.misprinting import MISPRINTS
from tests.support.hidden.pen import SLIPS, kept, slipped
from tests.support.hidden.records import RULESETS

HANDS = {False: "hands told", True: "none told"}
"""What the records of a trial tell of the hands."""


def main() -> int:
    """Runs the trials and prints a line for each ruleset; 1 where any answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=900)
    parser.add_argument("--misprints", type=int, default=0)
    parser.add_argument("--records", type=int, default=0)
    parser.add_argument("--pen", type=int, default=0)
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args()
    wrong = 0
    for ruleset in RULESETS if asked.deals else ():
        rng, each = random.Random(f"{asked.seed} {ruleset}"), -(-asked.deals // len(RULESETS))
        free, caught = innocents(rng, ruleset, each), planted(rng, ruleset, -(-each // 10))
        strange = irregular(rng, ruleset, each)
        wrong += len(free.wrong) + len(caught.wrong) + len(strange.wrong)
        print(
            f"{ruleset:16} {free.tried:>7} legal deals, {len(free.wrong)} with an innocent accused; "
            f"{strange.tried:>7} with cards laid irregularly, {len(strange.wrong)} with one accused; "
            f"{caught.tried:>6} planted revokes, {len(caught.wrong)} not found as they were",
            flush=True,
        )
    for hidden in (False, True) if asked.misprints else ():
        for kind in MISPRINTS:
            wrong += corrected(kind, asked.misprints, asked.seed, hidden=hidden)
    for ruleset in RULESETS if asked.records else ():
        wrong += tried(ruleset, -(-asked.records // len(RULESETS)), asked.seed)
    for hidden in (False, True) if asked.pen else ():
        wrong += sum(accused(kind, asked.pen, asked.seed, hidden=hidden) for kind in SLIPS)
        wrong += lost(asked.pen, asked.seed, hidden=hidden)
    return 1 if wrong else 0


def tried(ruleset: str, each: int, seed: str) -> int:
    """Prints a line for the records of a ruleset; in how many the answer was another than by trying."""
    rng, wrong = random.Random(f"{seed} records {ruleset}"), 0
    for _ in range(each):
        try:
            compared(tried_record(rng, ruleset))
        except AssertionError:
            wrong += 1
    print(f"{ruleset:16} {each:>7} records with gaps, {wrong} answered otherwise than by trying", flush=True)
    return wrong


def corrected(kind: str, each: int, seed: str, *, hidden: bool) -> int:
    """Prints a line for one kind of misprint, all rulesets together; how many answers were wrong."""
    found: list[Corrected] = []
    for ruleset in RULESETS:
        rng = random.Random(f"{seed} {ruleset} {kind} {hidden}")
        found.append(misprinted(rng, ruleset, kind, each, hidden=hidden))
    tried, proposed, first, wrong = (sum(counts) for counts in zip(*map(counts_of, found), strict=True))
    print(
        f"{kind:9} {'some cards hidden' if hidden else 'all cards told':17} {tried:>6} misprints: corrected "
        f"{proposed}, by the first proposal {first}; {wrong} answers wrong",
        flush=True,
    )
    return wrong


def accused(kind: str, each: int, seed: str, *, hidden: bool) -> int:
    """Prints a line for one mistake of the pen, all rulesets together; in how many reports one is accused."""
    found = [
        slipped(random.Random(f"{seed} {ruleset} {kind} {hidden}"), ruleset, kind, each, hidden=hidden)
        for ruleset in RULESETS
    ]
    wrong = sum(len(one.accused) for one in found)
    print(
        f"{kind:15} {HANDS[hidden]:10} {sum(one.tried for one in found):>6} deals: nobody told of in "
        f"{sum(one.explained for one in found)}; {wrong} with somebody accused without a condition",
        flush=True,
    )
    return wrong


def lost(each: int, seed: str, *, hidden: bool) -> int:
    """Prints a line for true revokes, all rulesets together; how many are not in the report."""
    found = [
        kept(random.Random(f"{seed} {ruleset} kept {hidden}"), ruleset, each, hidden=hidden)
        for ruleset in RULESETS
    ]
    wrong = sum(len(one.lost) for one in found)
    print(
        f"{'true revoke':15} {HANDS[hidden]:10} {sum(one.tried for one in found):>6} deals: "
        f"{wrong} not reported; {sum(one.conditional for one in found)} on a condition",
        flush=True,
    )
    return wrong


def counts_of(one: Corrected) -> tuple[int, int, int, int]:
    """The numbers of some trials."""
    return one.tried, one.proposed, one.first, len(one.wrong)


if __name__ == "__main__":
    sys.exit(main())
