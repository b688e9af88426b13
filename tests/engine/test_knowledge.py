"""What a state says of the hands is true: known cards are there, the number is right, a suit told is one.

Deals told with hidden cards, statements and missing parts are folded beside the whole deal.
"""

import random
from collections.abc import Callable, Iterator

import pytest

from tests.slow import generator, model
from tests.support.effort import examples
from tests.support.engine.retellings import with_a_gap, with_a_jump, with_statements
from tests.support.engine.shorthand import Event, Json, state_after

Retelling = Callable[[list[Event], random.Random], list[Event]]
DEALS = examples(25)


def hidden(deal: list[Event], rng: random.Random) -> list[Event]:
    return generator.hide(deal, rng)


def hidden_with_statements(deal: list[Event], rng: random.Random) -> list[Event]:
    return generator.hide(with_statements(deal, rng), rng)


def tells_of(told: Event, event: Event) -> bool:
    """Whether an entry tells of this event, with cards hidden perhaps and with a trick number."""
    if any(
        event.get(name) != value for name, value in told.items() if name not in ("card", "cards", "trick")
    ):
        return False
    if len(told.get("cards", [])) != len(event.get("cards", [])):
        return False
    pairs = [*zip(told.get("cards", []), event.get("cards", []), strict=True)]
    pairs += [(told["card"], event["card"])] if "card" in told else []
    return all(seen in (card, "??", f"{card[0]}?") for seen, card in pairs)


def points(deal: list[Event], told: list[Event]) -> Iterator[tuple[int, dict[str, list[str]]]]:
    """After each entry of the retelling, from the first call on: its length, and the hands in truth."""
    at = 0
    for length, entry in enumerate(told, 1):
        extra = entry["type"] in ("hand_held", "gap_noted") or (
            entry["type"] == "cards_shown" and not (at < len(deal) and tells_of(entry, deal[at]))
        )
        if not extra:
            while not tells_of(entry, deal[at]):
                at += 1
            at += 1
        if at > 3 and entry["type"] != "gap_noted" and entry["type"] != "deal_abandoned":
            yield length, model.fold(deal[:at])["hands"]


def untruths(hand: Json, truth: list[str]) -> list[str]:
    """What is wrong in what is told of one hand."""
    unknown = [card for card in truth if card not in hand["cards"]]
    wrong = [f"{card} is not there" for card in hand["cards"] if card not in truth]
    if len(hand["cards"]) + hand["unknown"] != len(truth):
        wrong.append(f"it has {len(truth)} cards")
    for suit in "CDHS":
        told = hand.get("maybe", []).count(f"{suit}?")
        if told > sum(card[0] == suit for card in unknown):
            wrong.append(f"no {told} other cards of it are printed with {suit}")
    return wrong


@pytest.mark.parametrize(
    "retold",
    [hidden, with_statements, hidden_with_statements, with_a_jump, with_a_gap],
    ids=lambda f: f.__name__,
)
def test_what_is_told_of_the_hands_is_true(retold: Retelling) -> None:
    for seed in range(DEALS):
        rng = random.Random(seed)
        deal = generator.random_deal(rng, talon=seed % 3 == 0)
        told = retold(deal, rng)
        for length, truth in points(deal, told):
            hands = state_after(told[:length])["hands"]
            for seat in model.SEATS:
                wrong = untruths(hands[seat], truth[seat])
                assert wrong == [], (
                    f"seed {seed}, after {length}: {seat} has {truth[seat]}, told {hands[seat]}"
                )


def test_of_whole_deals_every_hand_is_known() -> None:
    for seed in range(DEALS):
        deal = generator.random_deal(random.Random(seed))
        hands = state_after(deal)["hands"]
        for seat, truth in model.fold(deal)["hands"].items():
            assert hands[seat] == {"cards": sorted(truth), "unknown": 0}, f"seed {seed}"
