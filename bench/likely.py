"""Best play where hands are hidden, over a hundred deals: `python -m bench.likely`.

Deals of which only the plays were seen, after some tricks: what every legal card would come to then, and
what the cards that were played cost. Then the same at the end of deals in which some of the plays are
hidden, and for how many of these records deals could be drawn.
"""

import random
import sys
import time
from collections.abc import Iterator
from statistics import median, quantiles

from bench.deals import random_deal
from bench.goals import Goals, bench_options
from bench.hidden import as_seen
from engine import fold_all
from engine.core.events import CardPlayed
from engine.core.log import Log
from engine.solver import likely_course, likely_play

DEALS = 12
DRAWN = 100
HIDDEN_PLAYS = (3, 6, 9)


def played(count: int, least: int) -> Iterator[Log]:
    """Random deals of which at least so many cards were played, always the same."""
    rng = random.Random(0)
    while count:
        deal = random_deal(rng, "dlu")
        if sum(isinstance(entry.event, CardPlayed) for entry in deal) > least:
            count -= 1
            yield deal


def upto(log: Log, plays: int) -> Log:
    """The record before the card of that number, from 0, was played."""
    laid = [at for at, entry in enumerate(log) if isinstance(entry.event, CardPlayed)]
    return log[: laid[plays]]


def told(name: str, seconds: list[float], also: str = "") -> None:
    """Prints how long it took."""
    ms = [1000 * one for one in seconds]
    high = quantiles(ms, n=10)[-1] if len(ms) > 1 else ms[0]
    print(f"{name:34} median {median(ms):7.0f} ms   one in ten over {high:7.0f} ms{also}")


def measure(deals: int) -> None:
    """Prints every figure."""
    for tricks in (0, 2, 4):
        points, courses = [], []
        for deal in played(deals, 15):
            seen = upto(as_seen(deal), 3 * tricks)
            state = fold_all(seen)
            begun = time.perf_counter()
            likely_play(seen, state, 1, DRAWN)
            points.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            likely_course(seen, state, 1, DRAWN)
            courses.append(time.perf_counter() - begun)
        told(f"after {tricks} tricks: what cards come to", points)
        if tricks:
            told(f"after {tricks} tricks: what they cost", courses)
    for hidden in HIDDEN_PLAYS:
        spent, counted = [], 0
        for number, deal in enumerate(played(deals, 15)):
            seen = as_seen(deal, frozenset(random.Random(number).sample(range(15), hidden)))
            begun = time.perf_counter()
            counted += not likely_course(seen, fold_all(seen), 1, DRAWN).missing
            spent.append(time.perf_counter() - begun)
        told(f"{hidden} plays hidden: what cards cost", spent, f"   drawn for {counted} of {deals}")


def main() -> int:
    """The command."""
    parser = bench_options("Best play over the deals that can have been.")
    parser.add_argument("--deals", type=int, default=DEALS, help="so many deals for each line")
    options = parser.parse_args()
    measure(options.deals)
    return Goals(options).status()


if __name__ == "__main__":
    sys.exit(main())
