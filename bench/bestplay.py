"""Best play for whole known deals: every legal card at every card that was played.

    python -m bench.bestplay [--deals 200] [--rulesets dlu ombre]

Two kinds of deals are valued. *By chance*: everything is chance, the contract too; most of these the declarer
cannot win. *Contested*: the longest trumps play, the exchange is sensible, and each card played is one of the
best, so that as little as can be is decided early. A deal is valued as `best_course` does it, from its
record, the fold included. Beside it stands a plain alpha-beta search without table, bounds or runs, on the
last five tricks of the same deals: both value every legal card at the lead to the fifth trick.
"""

import gc
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median, quantiles

from bench.deals import random_deal
from bench.goals import Goals, bench_options
from engine import START, Entry, Log, State, evolve, legal
from engine.core.cards import CARD_OF, SEATS, Card, Seat, cards_in
from engine.core.events import CardPlayed, CardsDiscarded, CardsDrawn, ContractNamed, DealOpened, HandDealt
from engine.core.ranking import playable
from engine.core.vocabulary import Players
from engine.play.phases import trumps_open
from engine.play.state import PLAY
from engine.rulesets import PUBLISHED, find
from engine.solver import best_course, best_play
from engine.solver.falls import Count, Falls, falls_from

PLAYERS = Players("Anna", "Bo", "Carl")
ROUNDS = 2
GOAL_MS = 30.0
"""The median of a whole known deal is asked to take no more."""


def by_chance(rng: random.Random, ruleset: str) -> Log:
    """A deal of which everything is chance, that was played."""
    while True:
        deal = random_deal(rng, ruleset)
        if sum(isinstance(entry.event, CardPlayed) for entry in deal) >= 15:
            return deal


def contested(rng: random.Random, ruleset: str) -> Log:
    """A deal that is played by who has most trumps, in whichever contract with an exchange comes first.

    Discards are the plain cards below the king, the declarer's up to five, the defenders' up to three.
    """
    rules = find(PUBLISHED, ruleset)
    assert rules is not None
    contract = next(one for one in rules.contracts.values() if one.aim == "game" and one.declarer_exchange)
    pack = [Card(card) for card in range(40)]
    rng.shuffle(pack)
    hands, talon = [pack[9 * seat : 9 * seat + 9] for seat in SEATS], pack[27:]
    log = Recording()
    log.add(DealOpened(ruleset, PLAYERS, pool=5))
    for seat in SEATS:
        log.add(HandDealt(seat, tuple(hands[seat])))
    _, declarer, trump = max(
        (sum(3 * (card in table.ladder[:3]) + (card in table.ladder) for card in hands[seat]), seat, trump)
        for seat in SEATS
        for trump in trumps_open(rules, contract)
        for table in (rules.following(trump),)
    )
    log.add(ContractNamed(declarer, contract.id, trump))
    while (due := legal(log.state)) is not None and due.action == "exchange":
        assert due.seat is not None
        plain = [
            card
            for card in hands[due.seat]
            if card not in rules.following(trump).ladder and not _is_king(card)
        ]
        most = min(due.most, 5 if due.seat == declarer else 3)
        gone = tuple(plain[:most])
        log.add(CardsDiscarded(due.seat, gone))
        if gone:
            drawn, talon = tuple(talon[: len(gone)]), talon[len(gone) :]
            log.add(CardsDrawn(due.seat, drawn))
    while (due := legal(log.state)) is not None and not due.optional:
        answer = best_play(log.state)
        assert answer is not None and answer.point is not None and due.seat is not None
        point = answer.point
        best = [choice.card for choice in point.choices if choice.value == point.value]
        log.add(CardPlayed(due.seat, rng.choice(best or [choice.card for choice in point.choices])))
    return tuple(log.entries)


class Recording:
    """A record being written, and its state."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.state: State = START

    def add(self, event: object) -> None:
        """Writes one event down."""
        entry = Entry(len(self.entries) + 1, event)  # type: ignore[arg-type]
        self.entries.append(entry)
        self.state = evolve(self.state, entry)


def _is_king(card: Card) -> bool:
    return card in (CARD_OF["CK"], CARD_OF["DK"], CARD_OF["HK"], CARD_OF["SK"])


def plain_values(state: State) -> dict[Card, float]:
    """What the declarer has by each legal card, by alpha-beta over the whole of what is left."""
    return Plain(state).by_card()


class Plain:
    """Alpha-beta as one would first write it."""

    def __init__(self, state: State) -> None:
        declarer = state.bargain.declarer
        assert declarer is not None
        self.declarer, self.table = declarer, state.play.table
        self.falls: Falls = falls_from(state)
        self.root = Count(state.play.won, False)
        self.held = state.play.held
        self.turn = state.play.turn

    def by_card(self) -> dict[Card, float]:
        """The value of each legal card at a lead."""
        assert self.turn is not None
        return {
            card: self.value(_without(self.held, self.turn, card), ((self.turn, card),), self.root, -999, 999)
            for card in cards_in(self.held[self.turn])
        }

    def chips(self, payments: tuple[tuple[str, int], ...] | None) -> float:
        """The declarer's chips."""
        return -500 if payments is None else payments[self.declarer][1]

    def value(
        self,
        held: tuple[int, int, int],
        laid: tuple[tuple[Seat, Card], ...],
        count: Count,
        low: float,
        high: float,
    ) -> float:
        """The declarer's chips with cards on the table."""
        if len(laid) == 3:
            winner, best = laid[0]
            for seat, card in laid[1:]:
                if self.table.beats[best] >> card & 1:
                    winner, best = seat, card
            count, laid, turn = self.falls[count].after[winner], (), winner
        else:
            turn = Seat((laid[-1][0] + 1) % 3)
        fall = self.falls[count]
        if fall.end is not None:
            return self.chips(fall.end.payments)
        wants = turn == self.declarer
        if fall.stop is not None and not laid:
            low = max(low, self.chips(fall.stop.payments))
        for card in cards_in(playable(held[turn], laid[0][1] if laid else None, self.table)):
            if low >= high:
                break
            found = self.value(_without(held, turn, card), (*laid, (turn, card)), count, low, high)
            low, high = (max(low, found), high) if wants else (low, min(high, found))
        return low if wants else high


def _without(held: tuple[int, int, int], seat: Seat, card: Card) -> tuple[int, int, int]:
    hands = list(held)
    hands[seat] ^= 1 << card
    return hands[0], hands[1], hands[2]


def fifth_lead(deal: Log) -> State | None:
    """The state before the fifth trick."""
    state = START
    for entry in deal:
        if state.phase == PLAY and len(state.play.tricks) == 4 and not state.play.cards:
            return state
        state = evolve(state, entry)
    return None


def timed(act: Callable[[], object]) -> float:
    """Milliseconds of the process's own time."""
    began = time.process_time()
    act()
    return (time.process_time() - began) * 1000


def told(name: str, taken: list[float]) -> None:
    """One line: median, 99th percentile and worst."""
    cuts = quantiles(taken, n=100)
    print(
        f"{name:<44} median {median(taken):7.1f} ms   p99 {cuts[98]:7.1f}   worst {max(taken):7.1f}",
        flush=True,
    )


def measured(name: str, deals: list[Log]) -> float:
    """Values every deal and prints what it took; the median in milliseconds."""
    taken = [min(timed(partial(best_course, deal)) for _ in range(ROUNDS)) for deal in deals]
    cards = sum(len(best_course(deal).plays) for deal in deals)
    told(f"{name}: {len(deals)} deals, {cards / len(deals):.0f} cards", taken)
    print(f"{f'  of the {GOAL_MS:.0f} ms that are asked for':<44} median {median(taken) / GOAL_MS:7.2f} x")
    return median(taken)


def beside(deals: list[Log]) -> None:
    """Both searches at the fifth lead of the same deals, in turns."""
    ours, plain = [], []
    for state in filter(None, map(fifth_lead, deals)):
        ours.append(timed(partial(best_play, state)))
        plain.append(timed(partial(plain_values, state)))
    told("best play at the fifth lead", ours)
    told("plain alpha-beta at the fifth lead", plain)
    print(f"{'ratio of the sums':<44} {sum(plain) / sum(ours):.1f}")


def main() -> int:
    """Measures and prints."""
    parser = bench_options("Best play of whole deals.")
    parser.add_argument("--deals", type=int, default=200, help="deals of each kind and ruleset")
    parser.add_argument("--rulesets", nargs="*", default=["dlu", "la-bete", "ombre"])
    given = parser.parse_args()
    goals = Goals(given)
    gc.disable()
    for ruleset in given.rulesets:
        rng = random.Random(ruleset)
        chance = [by_chance(rng, ruleset) for _ in range(given.deals)]
        hard = [contested(rng, ruleset) for _ in range(given.deals)]
        for name, deals in ((f"{ruleset}, by chance", chance), (f"{ruleset}, contested", hard)):
            goals.at_most(f"milliseconds of {name}", measured(name, deals), GOAL_MS)
        beside(hard[:100])
    return goals.status()


if __name__ == "__main__":
    sys.exit(main())
