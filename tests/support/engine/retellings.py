"""The same legal deal told by somebody who left things out: nothing that is told is wrong.

Whatever the engine finds in such a record but ``incomplete``, it finds wrongly; whatever it calls decided
has to be what the whole deal pays.
"""

import random

from tests.properties.slow import model
from tests.support.engine.shorthand import Event, gap

Unit = tuple[int, int, str]
"""A part of a deal that belongs together: first and one past the last of its events, and what it is."""


def with_trick_numbers(deal: list[Event]) -> list[Event]:
    """With the number of its trick at every card that has none, as one writes where entries are missing."""
    cards, told = 0, []
    for event in deal:
        if event["type"] == "card_played":
            event, cards = {"trick": cards // 3 + 1, **event}, cards + 1
        told.append(event)
    return told


def with_statements(deal: list[Event], rng: random.Random) -> list[Event]:
    """With whole hands stated and cards shown here and there, as a source or a post-mortem does."""
    told = []
    for length, event in enumerate(deal, 1):
        told.append(event)
        hands = model.fold(deal[:length])["hands"]
        due = model.legal_of(deal[:length]) if length > 3 else None
        if due is None or rng.random() > 0.15:
            continue
        seat = rng.choice(model.SEATS)
        hand = hands[seat]
        if due["action"] == "draw" and due["seat"] == seat:
            continue  # between discard and draw nobody counts cards
        if rng.random() < 0.5:
            veiled = [card if rng.random() < 0.7 else "??" for card in hand]
            told.append({"type": "hand_held", "seat": seat, "cards": veiled})
        elif hand:
            some = rng.sample(hand, rng.randint(1, len(hand)))
            told.append({"type": "cards_shown", "seat": seat, "cards": some})
    return told


def with_a_jump(deal: list[Event], rng: random.Random) -> list[Event]:
    """Without the cards from some point up to the lead of a later trick, which bears its number."""
    told = with_trick_numbers(deal)
    cards = [at for at, event in enumerate(told) if event["type"] == "card_played"]
    if len(cards) < 6:
        return told
    start = rng.choice(cards[:-3])
    lead = rng.randint(told[start]["trick"] + 1, told[cards[-1]]["trick"])
    return told[:start] + [event for event in told[start:] if event.get("trick", lead) >= lead]


def units(deal: list[Event]) -> list[Unit]:
    """The deal in its parts: hands, auction, naming, turn, each seat's exchange, each trick, the end."""
    found: list[Unit] = []
    cards, kind = 0, ""
    for at, event in enumerate(deal[1:], 1):
        name = event["type"]
        if name == "card_played":
            kind, cards = f"trick {cards // 3 + 1}", cards + 1
        elif name != "cards_shown":
            seat = event.get("seat", "")
            kind = {
                "hand_dealt": "hands", "talon_laid": "hands", "bid_made": "auction",
                "contract_named": "naming", "talon_turned": "turn",
                "cards_discarded": f"exchange of {seat}", "cards_drawn": f"exchange of {seat}",
            }.get(name, "end")  # fmt: skip
        if found and found[-1][2] == kind:
            found[-1] = (found[-1][0], at + 1, kind)
        else:
            found.append((at, at + 1, kind))
    return found


def with_a_gap(deal: list[Event], rng: random.Random) -> list[Event]:
    """Without one or several whole parts, a gap being noted in their place."""
    parts = units(deal)
    first = rng.randrange(len(parts))
    last = min(len(parts) - 1, first + rng.choice([0, 0, 1, 2, 4]))
    told = with_trick_numbers(deal)
    return [*told[: parts[first][0]], gap(), *told[parts[last][1] :]]


def with_a_ragged_gap(deal: list[Event], rng: random.Random) -> list[Event]:
    """Without some entries in a row, whatever they are, a gap being noted in their place."""
    start = rng.randrange(1, len(deal))
    told = with_trick_numbers(deal)
    return [*told[:start], gap(), *told[start + rng.choice([1, 1, 2, 3, 5, 8]) :]]
