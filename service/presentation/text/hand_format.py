"""A hand as a player fans it: trumps first, then suit by suit, each from high to low."""

from typing import Final

from engine import State
from engine.core.cards import (
    CARD_BITS,
    CARD_BY_CODE,
    CARD_CODES,
    NO_TRUMP,
    PACK_MASK,
    SUIT_LETTERS,
    SUIT_MASKS,
    Card,
    Suit,
)
from engine.core.ranking import plain_ladders, trump_ladder
from engine.play.state import HiddenSlots
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES

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
        key = "unknown" if unknown == 1 else "unknowns"
        groups.append(
            style.dim(("+ " if groups else "") + LABEL_PHRASES[key][style.lang].format(count=unknown))
        )
    return SUIT_GAP.join(groups)


def sort_into_suits(mask: int, state: State) -> list[tuple[Card, ...]]:
    """The cards of ``mask`` as a hand is sorted: the trumps, then the plain suits."""
    ladders = _suit_ladders(state)
    groups = [tuple(Card(card) for card in ladder if mask & CARD_BITS[card]) for ladder in ladders]
    return [group for group in groups if group]


def _suit_ladders(state: State) -> list[list[int]]:
    """The suits from high to low, trumps first where there are any."""
    trump = state.contract_state.trump
    if trump is None:
        return _ladders_before_trumps()
    plain = plain_ladders(trump)
    plain.sort(key=lambda ladder: SUIT_ORDER.index(CARD_CODES[ladder[0]][0]))
    trumps = [] if trump == NO_TRUMP else [trump_ladder(trump, state.opening.rules.ruleset.red_trumps)]
    return trumps + plain


def _ladders_before_trumps() -> list[list[int]]:
    """The suits before there are trumps: a black ace leads its suit, as it will be a trump in any game."""
    ladders = sorted(plain_ladders(NO_TRUMP), key=lambda ladder: SUIT_ORDER.index(CARD_CODES[ladder[0]][0]))
    return [
        [ladder[-1], *ladder[:-1]] if CARD_CODES[ladder[-1]] in ("SA", "CA") else ladder for ladder in ladders
    ]


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
