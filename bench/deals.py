"""Random legal deals of any ruleset, played by asking the engine for the legal actions at every step."""

import random
from collections.abc import Iterator

from engine import INITIAL_STATE, Entry, State, evolve, legal
from engine.core.cards import CARD_BY_CODE, HAND_SIZE, SEATS, SUIT_BY_LETTER, Card, Seat, cards_in_mask
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
from engine.core.field_types import Players
from engine.legality import LegalActions


def random_deal(
    rng: random.Random, ruleset: str = "dlu", opening_event: DealOpened | None = None
) -> tuple[Entry, ...]:
    """A complete legal deal, every card known, from its opening to its last card."""
    pack = [Card(card) for card in range(40)]
    rng.shuffle(pack)
    talon = pack[3 * HAND_SIZE :]
    log: list[Entry] = []
    state = INITIAL_STATE
    opening: list[Event] = [opening_event or DealOpened(ruleset, Players("Anna", "Bo", "Carl"), pool=5)]
    opening += [HandDealt(seat, tuple(pack[seat * HAND_SIZE : (seat + 1) * HAND_SIZE])) for seat in SEATS]
    for event in opening:
        state = _append_event(log, state, event)
    while (todo := legal(state)) is not None and not todo.optional:
        state = _append_event(log, state, _choose_event(rng, state, todo, talon))
    return tuple(log)


def random_deals(count: int, seed: int = 1, ruleset: str = "dlu") -> Iterator[tuple[Entry, ...]]:
    """``count`` random deals, the same for the same seed."""
    rng = random.Random(seed)
    for _ in range(count):
        yield random_deal(rng, ruleset)


def _append_event(log: list[Entry], state: State, event: Event) -> State:
    entry = Entry(len(log) + 1, event)
    log.append(entry)
    return evolve(state, entry)


def _choose_event(rng: random.Random, state: State, legal_actions: LegalActions, talon: list[Card]) -> Event:
    """A legal event; low bids and passes are more frequent than high bids."""
    if legal_actions.action == "turn":
        return TalonTurned(talon[0])
    assert legal_actions.seat is not None
    seat = legal_actions.seat
    if legal_actions.action == "bid":
        bids = [call for call in legal_actions.calls if call != "pass"]
        call = rng.choice(bids) if bids and rng.random() < 0.45 else "pass"
        return BidMade(seat, call)
    if legal_actions.action == "name":
        contract, trumps = rng.choice(legal_actions.contracts)
        return ContractNamed(seat, contract, SUIT_BY_LETTER[rng.choice(trumps)] if trumps else None)
    if legal_actions.action == "exchange":
        return _choose_discard(
            rng,
            state,
            seat,
            rng.randint(legal_actions.min_count, min(legal_actions.max_count, legal_actions.min_count + 5)),
        )
    if legal_actions.action == "draw":
        drawn = tuple(talon[: legal_actions.min_count])
        del talon[: legal_actions.min_count]
        return CardsDrawn(seat, drawn)
    return CardPlayed(seat, CARD_BY_CODE[rng.choice(legal_actions.cards)])


def _choose_discard(rng: random.Random, state: State, seat: Seat, count: int) -> Event:
    return CardsDiscarded(seat, tuple(rng.sample(cards_in_mask(state.play.known_cards[seat]), count)))
