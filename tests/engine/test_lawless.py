"""Tables where nobody has to follow suit: every revoke that the play proves is found, and nothing else.

The hands are hidden and every card of the play is seen; a few lines here say what later cards prove.
"""

import random
from collections.abc import Iterator

from tests.slow import generator, model
from tests.support.effort import examples
from tests.support.engine.shorthand import Event, audited, score_after

CONTRACTS = ("simple", "spade-game", "solo", "spade-solo", "simple-nolo", "pure-nolo")
DEALS = examples(60)


def lawless_deal(seed: int) -> list[Event]:
    """A deal of nine tricks in which everybody plays any card in hand."""
    rng = random.Random(seed)
    contract = CONTRACTS[seed % len(CONTRACTS)]
    deal = generator.random_deal(rng, contract=contract)
    start = next((at for at, event in enumerate(deal) if event["type"] == "card_played"), len(deal))
    state = model.fold(deal[:start])
    return deal[:start] + list(lawless_tricks(state["hands"], state["trump"], rng))


def lawless_tricks(hands: dict[str, list[str]], trump: str | None, rng: random.Random) -> Iterator[Event]:
    """The cards of nine tricks; two in three are such as may be played."""
    turn = model.SEATS[0]
    while any(hands.values()):
        trick: list[tuple[str, str]] = []
        for seat in model.seats_from(turn):
            lead = trick[0][1] if trick else None
            hand = hands[seat]
            card = rng.choice(model.playable(hand, lead, trump) if rng.random() < 0.67 else hand)
            hand.remove(card)
            trick.append((seat, card))
            yield {"type": "card_played", "seat": seat, "card": card}
        turn = model.trick_winner(trick, trump)


def revokes_found(events: list[Event]) -> list[int | str]:
    findings = [one for one in audited(events).findings if one.severity != "info"]
    assert {one.code for one in findings} <= {"revoke"}
    return sorted(one.seq for one in findings)


def counted(deal: list[Event]) -> list[Event]:
    """The deal up to its end; what was played after it does not count."""
    lengths = (length for length in range(1, len(deal) + 1) if model.legal(deal[:length]) is None)
    return deal[: next(lengths, len(deal))]


def test_revokes_do_not_change_what_is_paid() -> None:
    for seed in range(DEALS):
        deal = counted(lawless_deal(seed))
        told, expected = score_after(deal), model.score(deal)
        assert {name: told[name] for name in expected} == expected, f"seed {seed}"


def unseen_hands(deal: list[Event]) -> list[Event]:
    """The same with nothing but the play seen."""
    hidden = []
    for event in deal:
        if event["type"] in ("cards_discarded", "cards_drawn"):
            event = {**event, "cards": ["??"] * len(event["cards"])}
        if event["type"] not in ("hand_dealt", "talon_laid", "cards_shown"):
            hidden.append(event)
    return hidden


def proved(deal: list[Event]) -> Iterator[int]:
    """The revokes that the cards seen prove, by their places in the deal.

    A player had the cards played later and none that others played; after nine tricks, no others at all.
    """
    trump = model.fold(deal)["trump"]
    played = [(place, event) for place, event in enumerate(deal, 1) if event["type"] == "card_played"]
    end = len(counted(deal))
    for number, (place, event) in enumerate(played):
        lead = played[number - number % 3][1]["card"]
        suit = model.suit_of(lead, trump)
        if place > end or not number % 3 or model.suit_of(event["card"], trump) == suit:
            continue
        later = {one["card"] for _, one in played[number:] if one["seat"] == event["seat"]}
        seen = {one["card"] for _, one in played}
        not_held = set(model.PACK) - later if len(played) == 27 else seen - later
        had = {card for card in later if model.suit_of(card, trump) == suit}
        if compels(had, not_held, lead, suit, trump):
            yield place


def compels(had: set[str], had_not: set[str], lead: str, suit: str, trump: str | None) -> bool:
    """Whether a player with these cards of the suit, and without those, had to follow."""
    if suit != trump or not had:
        return bool(had)
    if any(card not in model.matadors(suit) for card in had):
        return True
    freeing = [card for card in model.matadors(suit) if card != lead and model.beats(card, lead, trump)]
    return all(card in had_not for card in freeing)


def test_of_hidden_hands_every_revoke_is_found_that_the_play_proves() -> None:
    number = 0
    for seed in range(2 * DEALS):
        deal = lawless_deal(seed)
        seen = deal if seed % 3 else deal[: len(deal) - random.Random(seed).randrange(26)]
        hidden = unseen_hands(seen)
        offset = len(seen) - len(hidden)
        expected = [place - offset for place in proved(seen)]
        assert revokes_found(hidden) == expected, f"seed {seed}"
        number += len(expected)
    assert number > DEALS
