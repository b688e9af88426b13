"""Two entries of the same act put together: what either tells, where they do not tell otherwise."""

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any, Final, NamedTuple

from engine.core.cards import BIT, CANDIDATES, HIDDEN, SUIT_MASK, SUITS, Card
from engine.core.cards import CARD_OF as CARDS
from engine.core.events import CardsDrawn, Event, TalonLaid

IN_ORDER: Final = (CardsDrawn, TalonLaid)
"""Events whose cards have an order that tells something; in the others it tells nothing."""


class Together(NamedTuple):
    """Two events put together.

    ``event``: what both tell, in a field in which they tell otherwise what the first does; ``otherwise``:
    those fields; ``more``: those in which one tells what the other leaves open.
    """

    event: Event
    otherwise: tuple[str, ...]
    more: tuple[str, ...]


def together(first: Event, second: Event) -> Together:
    """Two events of one kind put together, field by field."""
    values: dict[str, Any] = {}
    otherwise, more = [], []
    for field in fields(first):
        one, other = getattr(first, field.name), getattr(second, field.name)
        values[field.name] = one
        if same(first, field.name, one, other):
            continue
        both = _both(first, field.name, one, other)
        if both is None:
            otherwise.append(field.name)
            continue
        values[field.name] = both
        more.append(field.name)
    event: Any = first
    return Together(replace(event, **values), tuple(otherwise), tuple(more))


def same(event: Event, field: str, one: Any, other: Any) -> bool:
    """Whether a field tells the same in both."""
    if field == "cards" and not isinstance(event, IN_ORDER):
        return sorted(one) == sorted(other)
    return bool(one == other)


def _both(event: Event, field: str, one: Any, other: Any) -> Any:
    """What a field comes to that is not the same in both; None where they tell otherwise."""
    if field == "card":
        return narrower(one, other)
    if field == "cards":
        return _in_order(one, other) if isinstance(event, IN_ORDER) else _in_hand(one, other)
    if one in (None, (), ""):
        return other
    return one if other in (None, (), "") else None


def narrower(one: Card, other: Card) -> Card | None:
    """Of two cards that can be the same the one that is told more of; None where they cannot be."""
    can_be = CANDIDATES[one] & CANDIDATES[other]
    if can_be == CANDIDATES[one]:
        return one
    return other if can_be == CANDIDATES[other] else None


def _in_order(one: tuple[Card, ...], other: tuple[Card, ...]) -> tuple[Card, ...] | None:
    if len(one) != len(other):
        return None
    both = tuple(narrower(*pair) for pair in zip(one, other, strict=True))
    return None if None in both else tuple(card for card in both if card is not None)


def _in_hand(one: tuple[Card, ...], other: tuple[Card, ...]) -> tuple[Card, ...] | None:
    """The cards of a hand as either tells them; None where these are too many, or one has a card twice."""
    if len(one) != len(other) or _twice(one) or _twice(other):
        return None
    known = tuple(dict.fromkeys(card for card in (*one, *other) if BIT[card]))
    by_suit: list[Card] = []
    for suit, letter in enumerate(SUITS):
        told = max(_of_suit(one, suit), _of_suit(other, suit))
        by_suit += [CARDS[f"{letter}?"]] * (told - _of_suit(known, suit))
    cards = (*known, *by_suit)
    return None if len(cards) > len(one) else (*cards, *[HIDDEN] * (len(one) - len(cards)))


def _twice(cards: tuple[Card, ...]) -> bool:
    known = [card for card in cards if BIT[card]]
    return len(known) > len(set(known))


def _of_suit(cards: Iterable[Card], suit: int) -> int:
    """How many of these cards are known to be of a suit."""
    return sum(card != HIDDEN and not CANDIDATES[card] & ~SUIT_MASK[suit] for card in cards)
