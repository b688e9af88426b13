"""What a hand can hold, given what was seen: `python -m bench.hidden`.

Evidence at every point of deals in which all plays are seen and nothing else, and at the end of deals in
which a third of the plays is hidden. The baseline is the time to fold and judge the same records from the
first entry to that point.
"""

import random
import sys
import time
from statistics import median, quantiles

from bench.deals import random_deal
from bench.goals import BenchGoals, build_bench_parser, choose_goal
from engine import INITIAL_STATE, Entry, audit, fold_all
from engine.core.cards import HIDDEN_CARD
from engine.core.events import CardPlayed, CardsDiscarded, CardsDrawn, HandDealt
from engine.core.log import Log
from engine.inference.evidence import build_evidence

GOAL_PLAYS_SEEN_MS, GOAL_THIRD_HIDDEN_MS = choose_goal(plain=10.0, compiled=1.0), 1_000.0


def redact_to_seen_cards(log: Log, hidden_plays: frozenset[int] = frozenset()) -> Log:
    """The deal as a recorder sees it: no hand, exchanges by number; ``hidden_plays``: plays, counted from 0,
    that nobody saw."""
    seen: list[Entry] = []
    laid = 0
    for seq, event, record in log:
        if isinstance(event, HandDealt):
            continue
        if isinstance(event, CardsDiscarded):
            event = CardsDiscarded(event.seat, (HIDDEN_CARD,) * len(event.cards))
        elif isinstance(event, CardsDrawn):
            event = CardsDrawn(event.seat, (HIDDEN_CARD,) * len(event.cards))
        elif isinstance(event, CardPlayed):
            event = CardPlayed(event.seat, HIDDEN_CARD) if laid in hidden_plays else event
            laid += 1
        seen.append(Entry(seq, event, record))
    return tuple(seen)


def random_full_deals(count: int, seed: int) -> list[Log]:
    """Deals that were played to the last trick or nearly so."""
    rng = random.Random(seed)
    found: list[Log] = []
    while len(found) < count:
        deal = random_deal(rng)
        if sum(isinstance(entry.event, CardPlayed) for entry in deal) >= 21:
            found.append(deal)
    return found


def measure_every_point_ms(log: Log) -> float:
    """Milliseconds for the evidence at every point of a deal, given the state there."""
    states, state = [], INITIAL_STATE
    for entry in log:
        state = fold_all((entry,), state)
        states.append(state)
    began = time.process_time()
    for count, state in enumerate(states, 1):
        build_evidence(log[:count], state)
    return (time.process_time() - began) * 1000


def measure_third_hidden(log: Log, rng: random.Random) -> tuple[float, float, bool, bool]:
    """Milliseconds for the evidence and for an audit at the end, and whether each level was decided."""
    plays = sum(isinstance(entry.event, CardPlayed) for entry in log)
    seen = redact_to_seen_cards(log, frozenset(rng.sample(range(plays), plays // 3)))
    state = fold_all(seen)
    began = time.process_time()
    found = build_evidence(seen, state)
    middle = time.process_time()
    audit(seen)
    end = time.process_time()
    return (middle - began) * 1000, (end - middle) * 1000, found.physical.is_exact, found.lawful.is_exact


def main() -> int:
    """Measure both, and print them with the time for folding and judging."""
    parser = build_bench_parser("Hidden cards of whole deals.")
    parser.add_argument("--deals", type=int, default=40, help="deals of each kind")
    options = parser.parse_args()
    goals = BenchGoals(options)
    rng = random.Random(1)
    deals = [redact_to_seen_cards(deal) for deal in random_full_deals(options.deals, 1)]
    ours = [measure_every_point_ms(deal) for deal in deals]
    judged = []
    for deal in deals:
        began = time.process_time()
        for count in range(1, len(deal) + 1):
            audit(deal[:count])
        judged.append((time.process_time() - began) * 1000)
    points = sum(map(len, deals)) / len(deals)
    print(
        f"all plays seen, all {points:.0f} points of a deal: {median(ours):8.2f} ms  "
        f"(p90 {quantiles(ours, n=10)[-1]:.2f}; asked for {GOAL_PLAYS_SEEN_MS:.0f})  "
        f"audits {median(judged):.2f} ms"
    )
    tried = [measure_third_hidden(deal, rng) for deal in random_full_deals(options.deals, 2)]
    times = [one[0] for one in tried]
    print(
        f"a third of the plays hidden, one point:   {median(times):8.1f} ms  (most {max(times):.0f}; "
        f"asked for {GOAL_THIRD_HIDDEN_MS:.0f})   audit {median(one[1] for one in tried):.2f} ms"
    )
    physical, lawful = sum(one[2] for one in tried), sum(one[3] for one in tried)
    print(f"decided of these {len(tried)}: as matter {physical}, as lawful {lawful}")
    goals.check_at_most("milliseconds of a whole deal", median(ours), GOAL_PLAYS_SEEN_MS)
    goals.check_at_most("milliseconds of a deal with a third hidden", median(times), GOAL_THIRD_HIDDEN_MS)
    return goals.exit_status()


if __name__ == "__main__":
    sys.exit(main())
