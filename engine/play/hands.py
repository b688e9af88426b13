"""What is known of a hand, and how that knowledge moves with the cards.

A hand is a mask of cards certainly there and, for each other card, the mask of what it can
be (a slot). The operations keep every true hand possible: where it is open which of two
slots a card came from, what is left is widened, never guessed.
"""

from engine.core.cards import BIT, CANDIDATES, PACK, SEATS, Card, Seat
from engine.play.state import Knowledge, Play, Slots, State, new


def received(held: int, slots: Slots, cards: tuple[Card, ...]) -> tuple[int, Slots]:
    """The hand after ``cards`` have come to it."""
    for card in cards:
        bit = BIT[card]
        if bit:
            held |= bit
        else:
            slots = (*slots, CANDIDATES[card])
    return held, slots


def can_hold(held: int, slots: Slots, card: Card) -> bool:
    """Whether the hand may contain ``card``; for a hidden card, one that fits it."""
    options = CANDIDATES[card]
    return bool(held & options) or any(slot & options for slot in slots)


def parted(held: int, slots: Slots, card: Card) -> tuple[int, Slots]:
    """The hand after ``card`` has left it.

    A card that the hand cannot have held takes the certainty with it: what was stated of
    the hand was wrong in one card, and nobody knows in which.
    """
    bit = BIT[card]
    if held & bit:
        return held ^ bit, slots
    if bit:
        return _parted_from_slots(held, slots, bit)
    return _parted_hidden(held, slots, CANDIDATES[card])


def _parted_from_slots(held: int, slots: Slots, bit: int) -> tuple[int, Slots]:
    admitting = [slot for slot in slots if slot & bit]
    if not admitting:
        return _lost_count(held, slots)
    tightest = min(admitting, key=int.bit_count)
    left: list[int] = []
    taken = False
    for slot in slots:
        if slot == tightest and not taken:
            taken = True
        else:
            left.append((slot | tightest) & ~bit if slot & bit else slot)
    return held, tuple(left)


def _parted_hidden(held: int, slots: Slots, options: int) -> tuple[int, Slots]:
    sure = held & options
    fitting = [slot for slot in slots if slot & options]
    if not sure and not fitting:
        return _lost_count(held, slots)
    union = sure
    for slot in fitting:
        union |= slot
    left = sure.bit_count() + len(fitting) - 1
    others = tuple(slot for slot in slots if not slot & options)
    return held & ~sure, others + (union,) * left


def _lost_count(held: int, slots: Slots) -> tuple[int, Slots]:
    return clouded(held, slots, held.bit_count() + len(slots) - 1)


def clouded(held: int, slots: Slots, count: int) -> tuple[int, Slots]:
    """The hand with ``count`` cards left of those it held, nobody knows which."""
    union = held
    for slot in slots:
        union |= slot
    return 0, (union or PACK,) * max(count, 0)


def elsewhere(knowledge: Knowledge, play: Play, seat: Seat) -> int:
    """The cards that ``seat`` cannot hold: gone, in another hand, or dealt to another.

    What was dealt to one player never reaches another: what he discards cannot be bought
    by anybody (RULES 4).
    """
    mask = play.gone
    for other in SEATS:
        if other != seat:
            mask |= knowledge.dealt[other] | play.held[other]
    return mask


def options_of(state: State, seat: Seat, card: Card) -> int:
    """What a card just about to leave ``seat`` can be: itself, or all that is open for a hidden one."""
    if BIT[card]:
        return BIT[card]
    play = state.play
    union = play.held[seat]
    for slot in play.slots[seat]:
        union |= slot
    return union & CANDIDATES[card] & ~elsewhere(state.knowledge, play, seat)


def with_hand(play: Play, seat: Seat, held: int, slots: Slots) -> Play:
    """The play with another hand at ``seat``."""
    turn, masks, covered, seats, cards, seqs, veiled, gone, tricks, won, doubts, table = play
    first, second, third = masks
    one, two, three = covered
    if seat == 0:
        first, one = held, slots
    elif seat == 1:
        second, two = held, slots
    else:
        third, three = held, slots
    masks, covered = (first, second, third), (one, two, three)
    return new(Play, (turn, masks, covered, seats, cards, seqs, veiled, gone, tricks, won, doubts, table))
