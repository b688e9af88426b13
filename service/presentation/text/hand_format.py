"""A hand as a player fans it: trumps first, then suit by suit, each from high to low."""

from typing import Final

from engine import State
from engine.core.cards import (
    CARD_BITS,
    CARD_BY_CODE,
    PACK_MASK,
    SUIT_LETTERS,
    SUIT_MASKS,
    Card,
    Suit,
)
from engine.core.ranking import suit_ladders
from engine.play.state import HiddenSlots
from service.presentation.text.style import TextStyle

SUIT_ORDER: Final = "SHDC"
"""The suits in the order in which they are shown."""

SUIT_GAP: Final = "   "
"""Between two suits of a hand."""


def format_hand(mask: int, slots: HiddenSlots, state: State, style: TextStyle) -> str:
    """A hand: its known cards in order, then its unknown ones, by suit or by their number.

    ``mask`` are the known cards; ``slots`` says for each other card what it can be.
    """
    groups = [style.cards(group) for group in sort_into_suits(mask, state)]
    by_suit = [slot_suit(slot) for slot in slots]
    seen = sorted(suit for suit in by_suit if suit is not None)
    if seen:
        groups.append(" ".join(style.card(unranked_card(suit)) for suit in seen))
    unknown = by_suit.count(None)
    if unknown:
        groups.append(style.dim(("+ " if groups else "") + style.phrase("{count} unknown", count=unknown)))
    return SUIT_GAP.join(groups)


def sort_into_suits(mask: int, state: State) -> list[tuple[Card, ...]]:
    """The cards of ``mask`` as a hand is sorted: the trumps, then the plain suits."""
    ladders = suit_ladders(state.contract_state.trump, state.opening.rules.ruleset.red_trumps, SUIT_ORDER)
    groups = [tuple(Card(card) for card in ladder if mask & CARD_BITS[card]) for ladder in ladders]
    return [group for group in groups if group]


def slot_suit(slot: int) -> Suit | None:
    """The suit of an unknown card, where it can be of only one."""
    if slot == PACK_MASK:
        return None
    return next(
        (Suit(suit) for suit, suit_mask in enumerate(SUIT_MASKS) if slot and not slot & ~suit_mask), None
    )


def unranked_card(suit: Suit) -> Card:
    """The card that is written for one of which only the suit is known."""
    return CARD_BY_CODE[SUIT_LETTERS[suit] + "?"]
