"""What is known of a hand, and how that knowledge changes as cards move.

A hand is a mask of cards that are certainly in it and, for each other card, the mask of what it can be (a
slot). Every true hand stays possible: if a card may have come from either of two slots, the remaining slots
are widened, never guessed.
"""

from engine.core.cards import CARD_BITS, CARD_CANDIDATES, PACK_MASK, SEATS, Card, Seat
from engine.play.state import HiddenSlots, Knowledge, Play, State


def add_cards_to_hand(
    known_cards: int, slots: HiddenSlots, cards: tuple[Card, ...]
) -> tuple[int, HiddenSlots]:
    """The hand after receiving ``cards``."""
    for card in cards:
        bit = CARD_BITS[card]
        if bit:
            known_cards |= bit
        else:
            slots = (*slots, CARD_CANDIDATES[card])
    return known_cards, slots


def can_hold(known_cards: int, slots: HiddenSlots, card: Card) -> bool:
    """Whether the hand may contain ``card``; for a hidden card, one that fits it."""
    options = CARD_CANDIDATES[card]
    return bool(known_cards & options) or any(slot & options for slot in slots)


def remove_card_from_hand(known_cards: int, slots: HiddenSlots, card: Card) -> tuple[int, HiddenSlots]:
    """The hand after ``card`` has left it.

    A card that the hand cannot have held removes the certainty: one card of the stated hand was wrong, and
    nobody knows which.
    """
    bit = CARD_BITS[card]
    if known_cards & bit:
        return known_cards ^ bit, slots
    if bit:
        return _remove_from_slots(known_cards, slots, bit)
    return _remove_hidden_card(known_cards, slots, CARD_CANDIDATES[card])


def _remove_from_slots(known_cards: int, slots: HiddenSlots, bit: int) -> tuple[int, HiddenSlots]:
    candidates = [slot for slot in slots if slot & bit]
    if not candidates:
        return _forget_one_card(known_cards, slots)
    narrowest = min(candidates, key=int.bit_count)
    left: list[int] = []
    taken = False
    for slot in slots:
        if slot == narrowest and not taken:
            taken = True
        else:
            left.append((slot | narrowest) & ~bit if slot & bit else slot)
    return known_cards, tuple(left)


def _remove_hidden_card(known_cards: int, slots: HiddenSlots, options: int) -> tuple[int, HiddenSlots]:
    known_candidates = known_cards & options
    slot_candidates = [slot for slot in slots if slot & options]
    if not known_candidates and not slot_candidates:
        return _forget_one_card(known_cards, slots)
    union = known_candidates
    for slot in slot_candidates:
        union |= slot
    left = known_candidates.bit_count() + len(slot_candidates) - 1
    others = tuple(slot for slot in slots if not slot & options)
    return known_cards & ~known_candidates, others + (union,) * left


def _forget_one_card(known_cards: int, slots: HiddenSlots) -> tuple[int, HiddenSlots]:
    return forget_hand(known_cards, slots, known_cards.bit_count() + len(slots) - 1)


def forget_hand(known_cards: int, slots: HiddenSlots, count: int) -> tuple[int, HiddenSlots]:
    """The hand with ``count`` of its cards left, without knowing which."""
    union = known_cards
    for slot in slots:
        union |= slot
    return 0, (union or PACK_MASK,) * max(count, 0)


def impossible_cards(knowledge: Knowledge, play: Play, seat: Seat) -> int:
    """The cards that ``seat`` cannot hold: gone, in another hand, or dealt to another.

    A card dealt to one player never reaches another: nobody can buy a discarded card (RULES 4).
    """
    mask = play.removed_cards
    for other in SEATS:
        if other != seat:
            mask |= knowledge.dealt_cards[other] | play.known_cards[other]
    return mask


def card_options(state: State, seat: Seat, card: Card) -> int:
    """What a card that is about to leave ``seat`` can be: itself, or every option of a hidden one."""
    if CARD_BITS[card]:
        return CARD_BITS[card]
    play = state.play
    union = play.known_cards[seat]
    for slot in play.hidden_slots[seat]:
        union |= slot
    return union & CARD_CANDIDATES[card] & ~impossible_cards(state.knowledge, play, seat)


def with_hand(play: Play, seat: Seat, known_cards: int, slots: HiddenSlots) -> Play:
    """The play with another hand at ``seat``."""
    play = play.copy()
    first, second, third = play.known_cards
    first_slots, second_slots, third_slots = play.hidden_slots
    if seat == 0:
        first, first_slots = known_cards, slots
    elif seat == 1:
        second, second_slots = known_cards, slots
    else:
        third, third_slots = known_cards, slots
    play.known_cards, play.hidden_slots = (first, second, third), (first_slots, second_slots, third_slots)
    return play
