"""Best play for whole known deals: every legal card at every card that was played.

    python -m bench.bestplay [--deals 200] [--rulesets dlu ombre]

Two kinds of deals are evaluated. *By chance*: everything is random, the contract too; the declarer cannot win
most of these. *Contested*: the player with the longest trumps is the declarer, the exchange is sensible, and
each card played is one of the best, so that little is decided early. `evaluate_deal` evaluates a deal from
its record, including the fold. The baseline is a plain alpha-beta search without table, bounds or runs, on
the last five tricks of the same deals: both evaluate every legal card at the lead to the fifth trick.
"""

import gc
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median, quantiles

from bench.deals import random_deal
from bench.goals import BenchGoals, build_bench_parser, choose_goal
from engine import INITIAL_STATE, Entry, Log, State, evolve, legal
from engine.core.cards import CARD_BY_CODE, SEATS, BySeat, Card, Seat, cards_in_mask
from engine.core.events import CardPlayed, CardsDiscarded, CardsDrawn, ContractNamed, DealOpened, HandDealt
from engine.core.field_types import Players
from engine.core.ranking import playable_cards
from engine.play.phases import trump_choices
from engine.play.state import PLAY
from engine.rulesets import PUBLISHED_RULESETS, find_ruleset
from engine.solver.evaluation import evaluate_deal, evaluate_position
from engine.solver.outcome_order import TrickCount, TrickSplits, build_trick_splits

PLAYERS = Players("Anna", "Bo", "Carl")
ROUNDS_PER_DEAL = 2
GOAL_MEDIAN_MS = choose_goal(plain=30.0, compiled=5.0)
GOAL_P99_MS = choose_goal(plain=400.0, compiled=60.0)
"""Goals for a completely known deal, in milliseconds."""


def random_played_deal(rng: random.Random, ruleset: str) -> Log:
    """A played deal in which everything is random."""
    while True:
        deal = random_deal(rng, ruleset)
        if sum(isinstance(entry.event, CardPlayed) for entry in deal) >= 15:
            return deal


def build_contested_deal(rng: random.Random, ruleset: str) -> Log:
    """A deal played by the seat with most trumps, in the first contract that has an exchange.

    Discards are the plain cards below the king, the declarer's up to five, the defenders' up to three.
    """
    rules = find_ruleset(PUBLISHED_RULESETS, ruleset)
    assert rules is not None
    contract = next(one for one in rules.contracts.values() if one.aim == "game" and one.declarer_exchange)
    pack = [Card(card) for card in range(40)]
    rng.shuffle(pack)
    hands, talon = [pack[9 * seat : 9 * seat + 9] for seat in SEATS], pack[27:]
    log = LogRecorder()
    log.add_event(DealOpened(ruleset, PLAYERS, pool=5))
    for seat in SEATS:
        log.add_event(HandDealt(seat, tuple(hands[seat])))
    _, declarer, trump = max(
        (sum(3 * (card in table.ladder[:3]) + (card in table.ladder) for card in hands[seat]), seat, trump)
        for seat in SEATS
        for trump in trump_choices(rules, contract)
        for table in (rules.trick_rules(trump),)
    )
    log.add_event(ContractNamed(declarer, contract.id, trump))
    while (due := legal(log.state)) is not None and due.action == "exchange":
        assert due.seat is not None
        plain = [
            card
            for card in hands[due.seat]
            if card not in rules.trick_rules(trump).ladder and not _is_king(card)
        ]
        most = min(due.max_count, 5 if due.seat == declarer else 3)
        gone = tuple(plain[:most])
        log.add_event(CardsDiscarded(due.seat, gone))
        if gone:
            drawn, talon = tuple(talon[: len(gone)]), talon[len(gone) :]
            log.add_event(CardsDrawn(due.seat, drawn))
    while (due := legal(log.state)) is not None and not due.optional:
        answer = evaluate_position(log.state)
        assert answer is not None and answer.turn is not None and due.seat is not None
        point = answer.turn
        best = [choice.card for choice in point.choices if choice.value == point.value]
        log.add_event(CardPlayed(due.seat, rng.choice(best or [choice.card for choice in point.choices])))
    return tuple(log.entries)


class LogRecorder:
    """A record under construction, and its state."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.state: State = INITIAL_STATE

    def add_event(self, event: object) -> None:
        """Record one event."""
        entry = Entry(len(self.entries) + 1, event)  # type: ignore[arg-type]
        self.entries.append(entry)
        self.state = evolve(self.state, entry)


def _is_king(card: Card) -> bool:
    return card in (CARD_BY_CODE["CK"], CARD_BY_CODE["DK"], CARD_BY_CODE["HK"], CARD_BY_CODE["SK"])


def plain_alpha_beta_values(state: State) -> dict[Card, float]:
    """What the declarer gets with each legal card, by a full alpha-beta search of the remaining play."""
    return PlainAlphaBeta(state).values_by_card()


class PlainAlphaBeta:
    """A straightforward alpha-beta search."""

    def __init__(self, state: State) -> None:
        declarer = state.contract_state.declarer
        assert declarer is not None
        self.declarer, self.trick_rules = declarer, state.play.trick_rules
        self.trick_splits: TrickSplits = build_trick_splits(state)
        self.root_count = TrickCount(state.play.tricks_won, False)
        self.hands = state.play.known_cards
        self.turn = state.play.turn

    def values_by_card(self) -> dict[Card, float]:
        """The value of each legal card at a lead."""
        assert self.turn is not None
        return {
            card: self.search_value(
                _without_card(self.hands, self.turn, card), ((self.turn, card),), self.root_count, -999, 999
            )
            for card in cards_in_mask(self.hands[self.turn])
        }

    def declarer_chips(self, payments: tuple[tuple[str, int], ...] | None) -> float:
        """The declarer's chips."""
        return -500 if payments is None else payments[self.declarer][1]

    def search_value(
        self,
        hands: BySeat[int],
        trick_cards: tuple[tuple[Seat, Card], ...],
        count: TrickCount,
        low: float,
        high: float,
    ) -> float:
        """The declarer's chips, with cards on the table."""
        if len(trick_cards) == 3:
            winner, best = trick_cards[0]
            for seat, card in trick_cards[1:]:
                if self.trick_rules.beaten_by[best] >> card & 1:
                    winner, best = seat, card
            count, trick_cards, turn = self.trick_splits[count].next_counts[winner], (), winner
        else:
            turn = Seat((trick_cards[-1][0] + 1) % 3)
        fall = self.trick_splits[count]
        if fall.end is not None:
            return self.declarer_chips(fall.end.payments)
        wants = turn == self.declarer
        if fall.stop_end is not None and not trick_cards:
            low = max(low, self.declarer_chips(fall.stop_end.payments))
        for card in cards_in_mask(
            playable_cards(hands[turn], trick_cards[0][1] if trick_cards else None, self.trick_rules)
        ):
            if low >= high:
                break
            found = self.search_value(
                _without_card(hands, turn, card), (*trick_cards, (turn, card)), count, low, high
            )
            low, high = (max(low, found), high) if wants else (low, min(high, found))
        return low if wants else high


def _without_card(held: BySeat[int], seat: Seat, card: Card) -> tuple[int, int, int]:
    hands = list(held)
    hands[seat] ^= 1 << card
    return hands[0], hands[1], hands[2]


def state_at_fifth_lead(deal: Log) -> State | None:
    """The state before the fifth trick."""
    state = INITIAL_STATE
    for entry in deal:
        if state.phase == PLAY and len(state.play.tricks) == 4 and not state.play.cards:
            return state
        state = evolve(state, entry)
    return None


def measure_process_ms(action: Callable[[], object]) -> float:
    """Milliseconds of the process's CPU time."""
    began = time.process_time()
    action()
    return (time.process_time() - began) * 1000


def print_times_ms(name: str, times_ms: list[float]) -> tuple[float, float]:
    """Print one line: median, 99th percentile and maximum; returns the first two."""
    middle, high = median(times_ms), quantiles(times_ms, n=100)[98]
    print(
        f"{name:<44} median {middle:7.1f} ms   p99 {high:7.1f}   worst {max(times_ms):7.1f}",
        flush=True,
    )
    return middle, high


def measure_evaluation(name: str, deals: list[Log], goals: BenchGoals) -> None:
    """Evaluate every deal, print the time, and compare it with the goals."""
    taken = [
        min(measure_process_ms(partial(evaluate_deal, deal)) for _ in range(ROUNDS_PER_DEAL))
        for deal in deals
    ]
    cards = sum(len(evaluate_deal(deal).plays) for deal in deals)
    middle, high = print_times_ms(f"{name}: {len(deals)} deals, {cards / len(deals):.0f} cards", taken)
    goals.check_at_most(f"the median of {name} in milliseconds", middle, GOAL_MEDIAN_MS)
    goals.check_at_most(f"the 99th percentile of {name} in milliseconds", high, GOAL_P99_MS)


def compare_with_alpha_beta(deals: list[Log]) -> None:
    """Run both searches at the fifth lead of the same deals, in turns."""
    ours, plain = [], []
    for state in filter(None, map(state_at_fifth_lead, deals)):
        ours.append(measure_process_ms(partial(evaluate_position, state)))
        plain.append(measure_process_ms(partial(plain_alpha_beta_values, state)))
    print_times_ms("best play at the fifth lead", ours)
    print_times_ms("plain alpha-beta at the fifth lead", plain)
    print(f"{'ratio of the sums':<44} {sum(plain) / sum(ours):.1f}")


def main() -> int:
    """Measure and print."""
    parser = build_bench_parser("Best play of whole deals.")
    parser.add_argument("--deals", type=int, default=200, help="deals of each kind and ruleset")
    parser.add_argument("--rulesets", nargs="*", default=["dlu", "la-bete", "ombre"])
    given = parser.parse_args()
    goals = BenchGoals(given)
    print(f"asked for: median {GOAL_MEDIAN_MS:.0f} ms, p99 {GOAL_P99_MS:.0f} ms")
    gc.disable()
    for ruleset in given.rulesets:
        rng = random.Random(ruleset)
        chance = [random_played_deal(rng, ruleset) for _ in range(given.deals)]
        hard = [build_contested_deal(rng, ruleset) for _ in range(given.deals)]
        measure_evaluation(f"{ruleset}, by chance", chance, goals)
        measure_evaluation(f"{ruleset}, contested", hard, goals)
        compare_with_alpha_beta(hard[:100])
    return goals.exit_status()


if __name__ == "__main__":
    sys.exit(main())
