"""Best play with hidden hands, for a hundred deals: `python -m bench.likely`.

Deals of which only the plays were seen, after some tricks: the expected result of every legal card, and what
the cards that were played cost. Then the same at the end of deals with some hidden plays, and for how many of
these records deals could be sampled.
"""

import random
import sys
import time
from collections.abc import Iterator
from statistics import median, quantiles

from bench.deals import random_deal
from bench.goals import BenchGoals, build_bench_parser
from bench.hidden import redact_to_seen_cards
from engine import fold_all
from engine.core.events import CardPlayed
from engine.core.log import Log
from engine.solver.monte_carlo import estimate_deal, estimate_position

DEALS = 12
SAMPLED_DEALS = 100
HIDDEN_PLAYS = (3, 6, 9)


def random_long_deals(count: int, min_plays: int) -> Iterator[Log]:
    """Random deals with at least this many played cards, always the same."""
    rng = random.Random(0)
    while count:
        deal = random_deal(rng, "dlu")
        if sum(isinstance(entry.event, CardPlayed) for entry in deal) > min_plays:
            count -= 1
            yield deal


def log_before_play(log: Log, plays: int) -> Log:
    """The record before play ``number``, counted from 0."""
    laid = [at for at, entry in enumerate(log) if isinstance(entry.event, CardPlayed)]
    return log[: laid[plays]]


def print_seconds(name: str, seconds: list[float], suffix: str = "") -> None:
    """Print the times."""
    ms = [1000 * one for one in seconds]
    high = quantiles(ms, n=10)[-1] if len(ms) > 1 else ms[0]
    print(f"{name:34} median {median(ms):7.0f} ms   one in ten over {high:7.0f} ms{suffix}")


def measure_odds(deals: int) -> None:
    """Print every measurement."""
    for tricks in (0, 2, 4):
        points, courses = [], []
        for deal in random_long_deals(deals, 15):
            seen = log_before_play(redact_to_seen_cards(deal), 3 * tricks)
            state = fold_all(seen)
            begun = time.perf_counter()
            estimate_position(seen, state, 1, SAMPLED_DEALS)
            points.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            estimate_deal(seen, state, 1, SAMPLED_DEALS)
            courses.append(time.perf_counter() - begun)
        print_seconds(f"after {tricks} tricks: what cards come to", points)
        if tricks:
            print_seconds(f"after {tricks} tricks: what they cost", courses)
    for hidden in HIDDEN_PLAYS:
        spent, counted = [], 0
        for number, deal in enumerate(random_long_deals(deals, 15)):
            seen = redact_to_seen_cards(deal, frozenset(random.Random(number).sample(range(15), hidden)))
            begun = time.perf_counter()
            counted += not estimate_deal(seen, fold_all(seen), 1, SAMPLED_DEALS).missing_facts
            spent.append(time.perf_counter() - begun)
        print_seconds(f"{hidden} plays hidden: what cards cost", spent, f"   drawn for {counted} of {deals}")


def main() -> int:
    """Run the benchmark."""
    parser = build_bench_parser("Best play over the deals that can have been.")
    parser.add_argument("--deals", type=int, default=DEALS, help="so many deals for each line")
    options = parser.parse_args()
    measure_odds(options.deals)
    return BenchGoals(options).exit_status()


if __name__ == "__main__":
    sys.exit(main())
