"""Legal deals with a misprint: a card replaced, left out or written twice, or two that changed places."""

import random
from collections.abc import Callable, Iterable
from typing import Final

from engine import effective
from engine.core.events import CorrectionMade
from engine.core.log import Entry
from schemas.wire.event_writer import entry_object
from tests.support.engine.shorthand import Event, log_from
from tests.support.hidden.records import TELLING

PACK: Final = [suit + rank for suit in "CDHS" for rank in "234567AJKQ"]


def placed(events: list[Event]) -> list[tuple[int, int]]:
    """Every known card of the record by its entry, from 0, and its place there."""
    return [
        (at, place)
        for at, event in enumerate(events)
        if event["type"] in TELLING
        for place, card in enumerate(cards_of(event))
        if card[1] != "?"
    ]


def cards_of(event: Event) -> list[str]:
    cards: list[str] = [event["card"]] if event["type"] == "card_played" else event["cards"]
    return cards


def with_cards(event: Event, cards: list[str]) -> Event:
    return {**event, "card": cards[0]} if event["type"] == "card_played" else {**event, "cards": cards}


def put(events: list[Event], at: int, place: int, card: str | None) -> list[Event]:
    """The record with another card at a place; None leaves it out."""
    cards = list(cards_of(events[at]))
    cards[place : place + 1] = [] if card is None else [card]
    return [*events[:at], with_cards(events[at], cards), *events[at + 1 :]]


def near(there: str) -> list[str]:
    """The other cards of its suit, or of its rank."""
    return [card for card in PACK if card != there and (card[0] == there[0] or card[1] == there[1])]


def replaced(rng: random.Random, events: list[Event]) -> list[Event]:
    at, place = rng.choice(placed(events))
    there = cards_of(events[at])[place]
    return put(events, at, place, rng.choice([card for card in PACK if card != there]))


def misread(rng: random.Random, events: list[Event]) -> list[Event]:
    """A card that became one of its suit, or of its rank."""
    at, place = rng.choice(placed(events))
    return put(events, at, place, rng.choice(near(cards_of(events[at])[place])))


def dropped(rng: random.Random, events: list[Event]) -> list[Event]:
    at, place = rng.choice([one for one in placed(events) if events[one[0]]["type"] != "card_played"])
    return put(events, at, place, None)


def swapped(rng: random.Random, events: list[Event]) -> list[Event]:
    """Two cards of two entries that changed places."""
    while True:
        (at, place), (other_at, other_place) = rng.sample(placed(events), 2)
        card, other = cards_of(events[at])[place], cards_of(events[other_at])[other_place]
        if at != other_at and card != other:
            return put(put(events, at, place, other), other_at, other_place, card)


MISPRINTS: Final[dict[str, Callable[[random.Random, list[Event]], list[Event]]]] = {
    "replaced": replaced,
    "misread": misread,
    "dropped": dropped,
    "swapped": swapped,
}


def as_read(printed: list[Event], corrections: Iterable[CorrectionMade]) -> list[Event]:
    """The record as it reads once these corrections are appended to it."""
    log = log_from(printed)
    added = (Entry(seq, event) for seq, event in enumerate(corrections, len(log) + 1))
    return [as_told(entry) for entry in effective((*log, *added)).entries]


def as_told(entry: Entry) -> Event:
    """An entry as it stands on the wire, without its number."""
    event = entry_object(entry, omit_unknown=True)
    return {name: value for name, value in event.items() if name != "seq"}


def same(one: list[Event], other: list[Event]) -> bool:
    """Whether two records say the same, whatever the order of the cards in a list."""

    def told(event: Event) -> Event:
        return {**event, "cards": sorted(event["cards"])} if "cards" in event else event

    return list(map(told, one)) == [told(as_told(entry)) for entry in log_from(other)]
