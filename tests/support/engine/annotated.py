"""Random deals as a recorder really writes them: with notes, slips of the pen put right, cards taken back.

The effective history is the legal deal it was made from; on the way there stand hands in the wrong seat,
wrong cards, statements of whole hands and notes that name cards.
"""

import random
from typing import Any

from tests.properties.slow import generator, model
from tests.support.engine.shorthand import Event, corrected, note, withdrawn

CORRECTABLE = ("hand_dealt", "cards_discarded", "cards_drawn", "card_played", "bid_made")
HIDDEN_FROM_OTHERS = ("hand_dealt", "hand_held", "cards_discarded", "cards_drawn")


def annotated_deal(rng: random.Random, **how: Any) -> list[Event]:
    """A random deal of the slow model's, annotated; ``how`` is for its generator."""
    deal = generator.random_deal(rng, talon=rng.random() < 0.7, **how)
    log: list[Event] = []
    owed: list[Event] = []  # corrections still to be written
    for length, event in enumerate(deal):
        if rng.random() < 0.12 and event["type"] in CORRECTABLE:
            log.append(wrong_entry(event, rng))
            owed.append(corrected([len(log)], event))
        else:
            if event["type"] == "card_played" and rng.random() < 0.05:
                log += taken_back(event, deal[:length], len(log) + 1, rng)
            log.append(event)
        while owed and rng.random() < 0.3:
            log.append(owed.pop())
        if rng.random() < 0.2:
            log.append(aside(deal[: length + 1], rng))
    return log + owed


def wrong_entry(event: Event, rng: random.Random) -> Event:
    """The same entry with a slip of the pen: another seat, or other cards."""
    if event["type"] == "bid_made":
        return {**event, "bid": "pass" if event["bid"] != "pass" else "solo"}
    if rng.random() < 0.5:
        return {**event, "seat": rng.choice([seat for seat in model.SEATS if seat != event["seat"]])}
    if event["type"] == "card_played":
        return {**event, "card": rng.choice(model.PACK)}
    return {**event, "cards": rng.sample(model.PACK, len(event["cards"]))}


def taken_back(event: Event, before: list[Event], seq: int, rng: random.Random) -> list[Event]:
    """A card that was on the table and went back into the hand."""
    return [{**event, "card": rng.choice(model.fold(before)["hands"][event["seat"]])}, withdrawn(seq)]


def aside(before: list[Event], rng: random.Random) -> Event:
    """Something said about the deal: a note, somebody's whole hand, a look at the talon, an irregularity."""
    seat = rng.choice(model.SEATS)
    hand = model.fold(before)["hands"][seat]
    named = " ".join(rng.sample(model.PACK, 3))
    played = sum(event["type"] == "card_played" and event["seat"] == seat for event in before)
    if len(hand) == 9 - played and rng.random() < 0.3:
        return {"type": "hand_held", "seat": seat, "cards": hand}
    choices: list[Event] = [
        note(f"They hold {named}.", mark="!?"),
        {"type": "irregularity_noted", "seat": seat, "kind": "card seen", "text": named},
        {"type": "gap_noted", "text": f"The scribe was away; {named} had gone."},
    ]
    laid = [event["cards"] for event in before if event["type"] == "talon_laid"]
    if laid and any(event["type"] == "card_played" for event in before):
        drawn = sum(len(event["cards"]) for event in before if event["type"] == "cards_drawn")
        seats = rng.sample(model.SEATS, rng.randint(1, 3))
        choices.append({"type": "talon_seen", "cards": laid[0][drawn:], "seats": seats})
    return rng.choices(choices, [6, 3, 0.5, 2][: len(choices)])[0]


def seen_by(seats: set[str], log: list[Event]) -> set[str]:
    """The cards that lay open to those who sit in ``seats``, or to all, by what the log tells.

    What was taken back at the table had lain there; what was corrected never did.
    """
    wrong = {seq for event in log for seq in event.get("replaces", [])}
    seen: set[str] = set()
    for seq, event in enumerate(log, 1):
        if seq not in wrong:
            for part in event.get("with", [event]):
                seen |= shown_by(part, seats)
    return seen


def shown_by(event: Event, seats: set[str]) -> set[str]:
    kind = event["type"]
    if kind in ("card_played", "talon_turned"):
        return {event["card"]}
    own = kind in HIDDEN_FROM_OTHERS and event["seat"] in seats
    looked = kind == "talon_seen" and bool(seats & set(event["seats"]))
    return set(event["cards"]) if kind == "cards_shown" or own or looked else set()
