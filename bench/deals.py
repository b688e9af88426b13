"""Random legal deals of any ruleset, played by asking the engine what is legal at every step."""

import random
from collections.abc import Iterator

from engine import START, Entry, State, evolve, legal
from engine.core.cards import CARD_OF, HAND_SIZE, SEATS, SUIT_OF, Card, Seat, cards_in
from engine.core.events import (
    BidMade,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    ContractNamed,
    DealOpened,
    Event,
    HandDealt,
    TalonTurned,
)
from engine.core.vocabulary import Players
from engine.legality import Legal


def random_deal(
    rng: random.Random, ruleset: str = "dlu", opened: DealOpened | None = None
) -> tuple[Entry, ...]:
    """A whole legal deal, every card known, from its opening to its last card."""
    pack = [Card(card) for card in range(40)]
    rng.shuffle(pack)
    talon = pack[3 * HAND_SIZE :]
    log: list[Entry] = []
    state = START
    opening: list[Event] = [opened or DealOpened(ruleset, Players("Anna", "Bo", "Carl"), pool=5)]
    opening += [HandDealt(seat, tuple(pack[seat * HAND_SIZE : (seat + 1) * HAND_SIZE])) for seat in SEATS]
    for event in opening:
        state = _record(log, state, event)
    while (todo := legal(state)) is not None and not todo.optional:
        state = _record(log, state, _act(rng, state, todo, talon))
    return tuple(log)


def random_deals(count: int, seed: int = 1, ruleset: str = "dlu") -> Iterator[tuple[Entry, ...]]:
    """``count`` such deals, the same for the same seed."""
    rng = random.Random(seed)
    for _ in range(count):
        yield random_deal(rng, ruleset)


def _record(log: list[Entry], state: State, event: Event) -> State:
    entry = Entry(len(log) + 1, event)
    log.append(entry)
    return evolve(state, entry)


def _act(rng: random.Random, state: State, todo: Legal, talon: list[Card]) -> Event:
    """One of the things that may happen now; low bids and passes oftener than high ones."""
    if todo.action == "turn":
        return TalonTurned(talon[0])
    assert todo.seat is not None
    seat = todo.seat
    if todo.action == "bid":
        bids = [call for call in todo.calls if call != "pass"]
        call = rng.choice(bids) if bids and rng.random() < 0.45 else "pass"
        return BidMade(seat, call)
    if todo.action == "name":
        contract, trumps = rng.choice(todo.contracts)
        return ContractNamed(seat, contract, SUIT_OF[rng.choice(trumps)] if trumps else None)
    if todo.action == "exchange":
        return _discard(rng, state, seat, rng.randint(todo.least, min(todo.most, todo.least + 5)))
    if todo.action == "draw":
        drawn = tuple(talon[: todo.least])
        del talon[: todo.least]
        return CardsDrawn(seat, drawn)
    return CardPlayed(seat, CARD_OF[rng.choice(todo.cards)])


def _discard(rng: random.Random, state: State, seat: Seat, count: int) -> Event:
    return CardsDiscarded(seat, tuple(rng.sample(cards_in(state.play.held[seat]), count)))
