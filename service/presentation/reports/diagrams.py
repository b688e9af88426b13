"""Hands as a bridge column has them: a row for every suit, and between them what lies on the table."""

from collections.abc import Callable, Collection, Iterable
from itertools import chain
from typing import Any, Final, NamedTuple

from engine import Entry, State
from engine.core.cards import (
    CARD_BITS,
    CARD_CODES,
    HIDDEN_CARD,
    SEATS,
    SUIT_LETTERS,
    Card,
    Seat,
    cards_in_mask,
)
from engine.core.events import CardPlayed
from engine.play.state import PLAY
from schemas.i18n.catalogs import rank_letter
from service.presentation.text import names
from service.presentation.text.hand_format import SUIT_ORDER, slot_suit, sort_into_suits
from service.presentation.text.hands import KnownHand, KnownHands
from service.presentation.text.style import TextStyle

SEAT_SIDES: Final = {"anticlockwise": ("bottom", "right", "left"), "clockwise": ("bottom", "left", "right")}
"""Where forehand, middlehand and backhand sit, by the direction of play."""


class DiagramCard(NamedTuple):
    """A card in the row of its suit: whether it was legal then, was played, was known only later."""

    text: str
    is_legal: bool = False
    is_played: bool = False
    is_known_later: bool = False


class DiagramMarks(NamedTuple):
    """What is marked of the hands: cards that were legal, the one that was played, those known only later."""

    legal_cards: Collection[Card] = ()
    played_card: Card | None = None
    known_later_masks: tuple[int, ...] = (0, 0, 0)


NO_MARKS: Final = DiagramMarks()


def build_position_diagram(
    state: State, style: TextStyle, marks: DiagramMarks = NO_MARKS
) -> dict[str, Any] | None:
    """The hands as they stood, and the trick so far or else the talon; None where no card is known."""
    play = state.play
    hands = tuple(
        KnownHand(
            play.known_cards[seat] | marks.known_later_masks[seat],
            _remaining_slots(play.hidden_slots[seat], marks.known_later_masks[seat]),
        )
        for seat in SEATS
    )
    if not any(hand.known_mask for hand in hands):
        return None
    laid = zip(play.seats, play.cards, strict=True) if state.phase == PLAY else ()
    trick = [
        {
            "side": _side(seat, state),
            "name": names.player_label(state, seat, style),
            "card": style.card(card),
            "leads": place == 0,
        }
        for place, (seat, card) in enumerate(laid)
    ]
    talon = () if state.phase == PLAY else state.exchange.talon
    return {
        **build_hands_diagram(hands, state, style, marks),
        "trick": trick,
        "talon": [style.card(card) for card in talon if card != HIDDEN_CARD],
    }


def build_hands_diagram(
    hands: KnownHands, state: State, style: TextStyle, marks: DiagramMarks = NO_MARKS
) -> dict[str, Any]:
    """A diagram of three hands, at the sides at which they sit, and how any card of them is marked."""
    drawn = [_build_hand(seat, hands[seat], state, style, marks) for seat in SEATS]
    letters = [letter for hand in drawn for _, cards in hand["rows"] for letter in cards]
    return {
        "hands": drawn,
        "has_underlined": any(one.is_legal for one in letters),
        "has_boxed": any(one.is_played for one in letters),
        "has_leaning": any(one.is_known_later for one in letters),
    }


def cards_known_later(state: State, later_entries: Iterable[Entry], end_state: State) -> tuple[int, ...]:
    """By seat the cards of its hand that only later entries show: it played them, or has them in the end.

    Nothing where more would be shown than the hand had unknown cards: then the record contradicts itself.
    """
    masks = list(end_state.play.known_cards)
    if state.phase != PLAY:
        return (0, 0, 0)
    for entry in later_entries:
        event = entry.event
        if isinstance(event, CardPlayed):
            masks[event.seat] |= CARD_BITS[event.card]
    later = [masks[seat] & ~state.play.known_cards[seat] for seat in SEATS]
    return tuple(
        mask if mask.bit_count() <= len(slots) else 0
        for mask, slots in zip(later, state.play.hidden_slots, strict=True)
    )


def _remaining_slots(slots: tuple[int, ...], later: int) -> tuple[int, ...]:
    """What is still unknown of a hand when what was known later is put in."""
    remaining = list(slots)
    for card in cards_in_mask(later):
        fitting = next((slot for slot in remaining if slot & CARD_BITS[card]), None)
        remaining.remove(remaining[0] if fitting is None else fitting)
    return tuple(remaining)


def _side(seat: Seat, state: State) -> str:
    return SEAT_SIDES[state.opening.rules.ruleset.direction][seat]


def _build_hand(
    seat: Seat, hand: KnownHand, state: State, style: TextStyle, marks: DiagramMarks
) -> dict[str, Any]:
    """A hand: where and whose it is, what is played by it, its suits, and how many cards nobody knows."""
    by_suit = sort_by_suit(hand.known_mask, state, lambda card: _build_card(card, seat, state, style, marks))
    slot_suits = [slot_suit(slot) for slot in hand.slots]
    for suit in slot_suits:
        if suit is not None:
            by_suit[SUIT_LETTERS[suit]].append(DiagramCard("x", is_known_later=True))
    return {
        "side": _side(seat, state),
        "seat": seat,
        "name": names.player_label(state, seat, style),
        "game": _game_of_seat(seat, state, style),
        "rows": list(by_suit.items()) if any(by_suit.values()) else [],
        "hidden_count": slot_suits.count(None),
        "is_empty": not (hand.known_mask or hand.slots),
    }


def sort_by_suit(
    mask: int, state: State, build_card: Callable[[Card], DiagramCard]
) -> dict[str, list[DiagramCard]]:
    """The cards of ``mask`` as they are drawn, by suit, each suit from the highest down."""
    by_suit: dict[str, list[DiagramCard]] = {suit: [] for suit in SUIT_ORDER}
    for card in chain.from_iterable(sort_into_suits(mask, state)):
        by_suit[CARD_CODES[card][0]].append(build_card(card))
    return by_suit


def card_letter(card: Card, style: TextStyle) -> str:
    """The letter of a card's rank."""
    return rank_letter(CARD_CODES[card][1], style.lang)


def _build_card(card: Card, seat: Seat, state: State, style: TextStyle, marks: DiagramMarks) -> DiagramCard:
    turn = state.play.turn if state.phase == PLAY else None
    return DiagramCard(
        card_letter(card, style),
        is_legal=seat == turn and card in marks.legal_cards,
        is_played=card == marks.played_card,
        is_known_later=bool(marks.known_later_masks[seat] & CARD_BITS[card]),
    )


def _game_of_seat(seat: Seat, state: State, style: TextStyle) -> str:
    """At the hand of whoever plays it, what is played."""
    contract_state = state.contract_state
    if contract_state.declarer != seat or contract_state.contract_id is None:
        return ""
    return names.game_name(state, contract_state.contract_id, contract_state.trump, style)
