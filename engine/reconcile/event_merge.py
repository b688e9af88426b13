"""Two entries of the same act put together: what either tells, where they do not tell otherwise."""

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any, Final, NamedTuple

from engine.core.cards import CARD_BITS, CARD_CANDIDATES, HIDDEN_CARD, SUIT_LETTERS, SUIT_MASKS, Card
from engine.core.cards import CARD_BY_CODE as CARDS
from engine.core.events import CardsDrawn, Event, TalonLaid

ORDERED_CARD_EVENTS: Final = (CardsDrawn, TalonLaid)
"""Events whose cards have an order that tells something; in the others it tells nothing."""


class MergedEvent(NamedTuple):
    """Two events put together.

    ``event``: what both tell; in the ``conflicting_fields``, where they disagree, what the first tells.
    ``refined_fields``: those in which one tells what the other leaves open.
    """

    event: Event
    conflicting_fields: tuple[str, ...]
    refined_fields: tuple[str, ...]


def merge_events(first: Event, second: Event) -> MergedEvent:
    """Two events of one kind put together, field by field."""
    values: dict[str, Any] = {}
    conflicting, refined = [], []
    for field in fields(first):
        one, other = getattr(first, field.name), getattr(second, field.name)
        values[field.name] = one
        if is_same_value(first, field.name, one, other):
            continue
        merged = _merge_values(first, field.name, one, other)
        if merged is None:
            conflicting.append(field.name)
            continue
        values[field.name] = merged
        refined.append(field.name)
    event: Any = first
    return MergedEvent(replace(event, **values), tuple(conflicting), tuple(refined))


def is_same_value(event: Event, field: str, one: Any, other: Any) -> bool:
    """Whether a field tells the same in both."""
    if field == "cards" and not isinstance(event, ORDERED_CARD_EVENTS):
        return sorted(one) == sorted(other)
    return bool(one == other)


def _merge_values(event: Event, field: str, one: Any, other: Any) -> Any:
    """What a field comes to that is not the same in both; None where they tell otherwise."""
    if field == "card":
        return more_specific_card(one, other)
    if field == "cards":
        return (
            _merge_ordered_cards(one, other)
            if isinstance(event, ORDERED_CARD_EVENTS)
            else _merge_hands(one, other)
        )
    if one in (None, (), ""):
        return other
    return one if other in (None, (), "") else None


def more_specific_card(one: Card, other: Card) -> Card | None:
    """Of two cards that can be the same the one that is told more of; None where they cannot be."""
    can_be = CARD_CANDIDATES[one] & CARD_CANDIDATES[other]
    if can_be == CARD_CANDIDATES[one]:
        return one
    return other if can_be == CARD_CANDIDATES[other] else None


def _merge_ordered_cards(one: tuple[Card, ...], other: tuple[Card, ...]) -> tuple[Card, ...] | None:
    if len(one) != len(other):
        return None
    merged = tuple(more_specific_card(*pair) for pair in zip(one, other, strict=True))
    return None if None in merged else tuple(card for card in merged if card is not None)


def _merge_hands(one: tuple[Card, ...], other: tuple[Card, ...]) -> tuple[Card, ...] | None:
    """The cards of a hand as either tells them; None where these are too many, or one has a card twice."""
    if len(one) != len(other) or _has_duplicates(one) or _has_duplicates(other):
        return None
    known = tuple(dict.fromkeys(card for card in (*one, *other) if CARD_BITS[card]))
    by_suit: list[Card] = []
    for suit, letter in enumerate(SUIT_LETTERS):
        count = max(_count_suit(one, suit), _count_suit(other, suit))
        by_suit += [CARDS[f"{letter}?"]] * (count - _count_suit(known, suit))
    cards = (*known, *by_suit)
    return None if len(cards) > len(one) else (*cards, *[HIDDEN_CARD] * (len(one) - len(cards)))


def _has_duplicates(cards: tuple[Card, ...]) -> bool:
    known = [card for card in cards if CARD_BITS[card]]
    return len(known) > len(set(known))


def _count_suit(cards: Iterable[Card], suit: int) -> int:
    """How many of these cards are known to be of a suit."""
    return sum(card != HIDDEN_CARD and not CARD_CANDIDATES[card] & ~SUIT_MASKS[suit] for card in cards)
