"""What a hand can hold, from what was seen: `python -m bench.hidden`.

Evidence at every point of deals in which all plays are seen and nothing else is, and at the end of deals in
which a third of the plays is hidden. Beside it, as a yardstick, what the same records cost to be folded and
judged from their first entry to that point.
"""

import random
import sys
import time
from statistics import median, quantiles

from bench.deals import random_deal
from bench.goals import Goals, bench_options
from engine import START, Entry, audit, fold_all
from engine.core.cards import HIDDEN
from engine.core.events import CardPlayed, CardsDiscarded, CardsDrawn, HandDealt
from engine.core.log import Log
from engine.inference.evidence import evidence

GOAL_SEEN_MS, GOAL_HIDDEN_MS = 10.0, 1_000.0


def as_seen(log: Log, hide: frozenset[int] = frozenset()) -> Log:
    """The deal as a recorder sees it: no hand, exchanges by number; ``hide``: plays, from 0, nobody saw."""
    seen: list[Entry] = []
    laid = 0
    for seq, event, record in log:
        if isinstance(event, HandDealt):
            continue
        if isinstance(event, CardsDiscarded):
            event = CardsDiscarded(event.seat, (HIDDEN,) * len(event.cards))
        elif isinstance(event, CardsDrawn):
            event = CardsDrawn(event.seat, (HIDDEN,) * len(event.cards))
        elif isinstance(event, CardPlayed):
            event = CardPlayed(event.seat, HIDDEN) if laid in hide else event
            laid += 1
        seen.append(Entry(seq, event, record))
    return tuple(seen)


def whole_deals(count: int, seed: int) -> list[Log]:
    """Deals that were played to the last trick or nearly so."""
    rng = random.Random(seed)
    found: list[Log] = []
    while len(found) < count:
        deal = random_deal(rng)
        if sum(isinstance(entry.event, CardPlayed) for entry in deal) >= 21:
            found.append(deal)
    return found


def every_point(log: Log) -> float:
    """Milliseconds for the evidence at every point of a deal, its state being at hand there."""
    states, state = [], START
    for entry in log:
        state = fold_all((entry,), state)
        states.append(state)
    began = time.process_time()
    for count, state in enumerate(states, 1):
        evidence(log[:count], state)
    return (time.process_time() - began) * 1000


def with_a_third_hidden(log: Log, rng: random.Random) -> tuple[float, float, bool, bool]:
    """Milliseconds for the evidence and for an audit at the end, and whether each level was decided."""
    plays = sum(isinstance(entry.event, CardPlayed) for entry in log)
    seen = as_seen(log, frozenset(rng.sample(range(plays), plays // 3)))
    state = fold_all(seen)
    began = time.process_time()
    found = evidence(seen, state)
    middle = time.process_time()
    audit(seen)
    end = time.process_time()
    return (middle - began) * 1000, (end - middle) * 1000, found.physical.decided, found.lawful.decided


def main() -> int:
    """Measures both, and prints them beside what folding and judging costs."""
    parser = bench_options("Hidden cards of whole deals.")
    parser.add_argument("--deals", type=int, default=40, help="deals of each kind")
    options = parser.parse_args()
    goals = Goals(options)
    rng = random.Random(1)
    deals = [as_seen(deal) for deal in whole_deals(options.deals, 1)]
    ours = [every_point(deal) for deal in deals]
    judged = []
    for deal in deals:
        began = time.process_time()
        for count in range(1, len(deal) + 1):
            audit(deal[:count])
        judged.append((time.process_time() - began) * 1000)
    points = sum(map(len, deals)) / len(deals)
    print(
        f"all plays seen, all {points:.0f} points of a deal: {median(ours):8.2f} ms  "
        f"(p90 {quantiles(ours, n=10)[-1]:.2f}; asked for {GOAL_SEEN_MS:.0f})  audits {median(judged):.2f} ms"
    )
    tried = [with_a_third_hidden(deal, rng) for deal in whole_deals(options.deals, 2)]
    times = [one[0] for one in tried]
    print(
        f"a third of the plays hidden, one point:   {median(times):8.1f} ms  (most {max(times):.0f}; "
        f"asked for {GOAL_HIDDEN_MS:.0f})   audit {median(one[1] for one in tried):.2f} ms"
    )
    physical, lawful = sum(one[2] for one in tried), sum(one[3] for one in tried)
    print(f"decided of these {len(tried)}: as matter {physical}, as lawful {lawful}")
    goals.at_most("milliseconds of a whole deal", median(ours), GOAL_SEEN_MS)
    goals.at_most("milliseconds of a deal with a third hidden", median(times), GOAL_HIDDEN_MS)
    return goals.status()


if __name__ == "__main__":
    sys.exit(main())
