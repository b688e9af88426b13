"""What hidden cards can be, as an interactive query: `python -m bench.unseen`.

Random deals as a recorder sees them, with hidden plays, swapped cards, missing exchanges and truncated ends:
the results of `GET …/evidence` and `GET …/odds` for such a record.
"""

import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from statistics import median, quantiles
from typing import Any

from bench.goals import BenchGoals, build_bench_parser
from bench.hidden import random_full_deals, redact_to_seen_cards
from engine import Log, State, fold_all
from engine.core.cards import HIDDEN_CARD
from engine.core.events import CardPlayed, CardsDiscarded, CardsDrawn
from engine.core.work_budget import WorkBudget
from engine.inference.unseen_cards import DEFAULT_UNSEEN_WORK as BUDGET
from engine.inference.unseen_cards import analyze_unseen_cards, can_count_deals
from engine.solver.monte_carlo import estimate_deal, estimate_position
from service.application.hidden_cards import MAX_SAMPLING_STEPS, ODDS_WORK_LIMIT
from service.http.api.schemas.hidden_cards import MAX_SAMPLED_DEALS
from tests.support.engine.shorthand import log_from
from tests.support.hidden.suits_only import suits_only

DEALS = 100
GOAL_MS = 1_000.0
HIDDEN_SHARES = (0.0, 0.1, 0.2, 0.33, 0.5, 0.8)
"""The share of the plays that is hidden."""


def build_gapped_logs(count: int) -> list[Log]:
    """This many records with gaps, always the same."""
    rng = random.Random(0)
    return [_with_gaps(redact_to_seen_cards(deal), rng) for deal in random_full_deals(count, 3)]


def _with_gaps(log: Log, rng: random.Random) -> Log:
    entries = list(log)
    laid = [at for at, entry in enumerate(entries) if isinstance(entry.event, CardPlayed)]
    if rng.random() < 0.3:
        _swap_cards(entries, *rng.sample(laid, 2))
    for at in rng.sample(laid, int(len(laid) * rng.choice(HIDDEN_SHARES))):
        event = entries[at].event
        assert isinstance(event, CardPlayed)
        entries[at] = entries[at]._replace(event=CardPlayed(event.seat, HIDDEN_CARD))
    if rng.random() < 0.5:
        told = [one for one in entries if isinstance(one.event, (CardsDiscarded, CardsDrawn))]
        left_out = {one.seq for one in rng.sample(told, rng.randint(0, len(told)))}
        entries = [one for one in entries if one.seq not in left_out]
    return tuple(entries[: rng.randint(len(entries) // 2, len(entries))])


def _swap_cards(entries: list[Any], one: int, other: int) -> None:
    """Swap two played cards: this is mostly a revoke, or impossible."""
    first, second = entries[one].event, entries[other].event
    entries[one] = entries[one]._replace(event=replace(first, card=second.card))
    entries[other] = entries[other]._replace(event=replace(second, card=first.card))


def run_odds_query(entries: Log, state: State) -> bool:
    """The result of `odds` in the API; whether the deals could be counted."""
    work = WorkBudget(ODDS_WORK_LIMIT)
    if not can_count_deals(entries, state, work):
        return False
    estimate_position(entries, state, 1, MAX_SAMPLED_DEALS, MAX_SAMPLING_STEPS, work)
    estimate_deal(entries, state, 1, MAX_SAMPLED_DEALS, MAX_SAMPLING_STEPS, work)
    return True


def run_evidence_query(entries: Log, state: State) -> bool:
    """The result of `evidence` in the API; whether both levels were decided."""
    found = analyze_unseen_cards(entries, state).evidence
    return found.physical.is_exact and found.lawful.is_exact


def measure_query_ms(logs: list[Log], query: Callable[[Log, State], bool], label: str) -> float:
    """Print the times, and how many queries had an answer; returns the maximum in milliseconds."""
    spent, said = [], 0
    for log in logs:
        state = fold_all(log)
        begun = time.process_time()
        said += query(log, state)
        spent.append(1000 * (time.process_time() - begun))
    print(
        f"{label:9} median {median(spent):6.0f} ms   one in ten over {quantiles(spent, n=10)[-1]:6.0f} ms   "
        f"most {max(spent):6.0f} ms (asked for {GOAL_MS:.0f})   decided {said} of {len(logs)}"
    )
    return max(spent)


def measure_hardest() -> None:
    """Print the cost of the hardest possible record, and how well its budget is calibrated."""
    entries = log_from(suits_only())
    state, work = fold_all(entries), WorkBudget(BUDGET)
    begun = time.process_time()
    analyze_unseen_cards(entries, state, work)
    spent = time.process_time() - begun
    print(f"hands known by suit alone: {1000 * spent:.0f} ms for {BUDGET - work.units_left:,} units")


def main() -> int:
    """Run the benchmark."""
    parser = build_bench_parser("Hidden cards and best play of records as they come.")
    parser.add_argument("--deals", type=int, default=DEALS, help="so many records")
    options = parser.parse_args()
    goals, logs = BenchGoals(options), build_gapped_logs(options.deals)
    for what, work in (("evidence", run_evidence_query), ("odds", run_odds_query)):
        goals.check_at_most(f"milliseconds of {what}", measure_query_ms(logs, work, what), GOAL_MS)
    measure_hardest()
    return goals.exit_status()


if __name__ == "__main__":
    sys.exit(main())
