"""The answer, card by card: what each hidden card of a record can be, on both levels."""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from engine.cards import BIT, CANDIDATES, SEATS, Card, Seat, cards_in, mask_of
from engine.events import (
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    Event,
    HandDealt,
    HandHeld,
    TalonLaid,
    TalonSeen,
    TalonTurned,
)
from engine.hidden.cases import Level
from engine.hidden.claims import Swapped, Told
from engine.hidden.evidence import Evidence
from engine.hidden.matter import drawings, place_in_talon
from engine.hidden.places import HAND, Places, place_of
from engine.log import Log
from engine.vocabulary import Seq


class HiddenCard(NamedTuple):
    """A card that the record does not show: its entry and place there (from 0), what it can be, as masks."""

    seq: Seq
    place: int
    physical: int
    lawful: int

    @property
    def forced(self) -> Card | None:
        """The card it must be as matter alone; None where several can be, or none."""
        return cards_in(self.physical)[0] if self.physical.bit_count() == 1 else None


def hidden_cards(found: Evidence, entries: Log) -> tuple[HiddenCard, ...]:
    """Every hidden card of the entries from which ``found`` was made."""
    answer: list[HiddenCard] = []
    for seq, event, _ in entries:
        look = LOOKS.get(type(event))
        cards = _cards_of(event)
        if look is None or all(BIT[card] for card in cards):
            continue
        known = mask_of(cards)
        physical, lawful = (list(look(found, level, seq, event)) for level in (found.physical, found.lawful))
        for index, card in enumerate(cards):
            if not BIT[card]:
                open_to = CANDIDATES[card] & ~known
                answer.append(HiddenCard(seq, index, physical[index] & open_to, lawful[index] & open_to))
    return tuple(answer)


def _cards_of(event: Event) -> tuple[Card, ...]:
    """The cards of which an entry tells."""
    if isinstance(event, (CardPlayed, TalonTurned)):
        return (event.card,)
    cards: tuple[Card, ...] = getattr(event, "cards", ())
    return cards


def lying_in(level: Level, places: Places) -> int:
    """The cards that can lie in any of these places."""
    mask = 0
    for place in cards_in(places):
        mask |= level.places[place]
    return mask


def _told(found: Evidence, level: Level, seq: Seq, event: Any) -> Iterator[int]:
    """Cards of a hand, a discard or what is left of the talon; in the play, those not played before."""
    one = next(told for told in found.claims.told if told.seq == seq)
    mask = lying_in(level, one.places)
    if one.seat is not None and one.trick and one.places == HAND[one.seat]:
        mask = _held_then(found, level, one.seat, one)
    return iter([mask] * len(event.cards))


def _held_then(found: Evidence, level: Level, seat: Seat, told: Told) -> int:
    """The cards that a seat can have held when ``told`` tells of its hand in the play."""
    mask = level.now[seat]
    for slot, cards in level.plays.items():
        if slot.seat == seat and slot.trick > told.trick:
            mask |= cards
    for card, at in found.case.played.items():
        if at.seat == seat and at.counts and at.trick > told.trick:
            mask |= BIT[card]
    entries = found.claims.told
    for later in entries[entries.index(told) :]:
        if later.seat == seat and later.beyond:
            mask |= mask_of(later.cards)
    return mask


def _drawn(found: Evidence, level: Level, seq: Seq, event: CardsDrawn) -> Iterator[int]:
    """Cards drawn, where the talon's order is known the very one that lay there."""
    mask, before = level.places[place_of(event.seat, 2)], _drawn_before(found, event.seat)
    for index, _ in enumerate(event.cards):
        yield mask if before is None else mask & _at_depth(found, before + index)


def _drawn_before(found: Evidence, seat: Seat) -> int | None:
    """How many cards had been drawn before ``seat`` drew; None where nobody knows."""
    before = 0
    if None in found.claims.swapped:
        return None
    for other in found.claims.drawing:
        if other == seat:
            return before
        swapped = found.claims.swapped[other]
        before += 0 if swapped is None else swapped.drawn
    return None


def _at_depth(found: Evidence, depth: int) -> int:
    """What the claims say of the talon at ``depth``: the card that lay there, or none of those elsewhere."""
    mask = ~0
    for one in found.claims.talon:
        if one.depth == depth:
            mask &= CANDIDATES[one.card]
        else:
            mask &= ~BIT[one.card]
    return mask


def _laid(found: Evidence, level: Level, seq: Seq, event: TalonLaid) -> Iterator[int]:
    """The talon: each card with those that can come to lie where it goes."""
    for depth, _ in enumerate(event.cards):
        mask = 0
        for reading in found.case.readings:
            sizes = reading.sizes
            swapped = tuple(Swapped(sizes[3 * seat], sizes[3 * seat + 2]) for seat in SEATS)
            for drawing in drawings(found.claims):
                mask |= lying_in(level, place_in_talon(depth, drawing, swapped))
        yield mask & _at_depth(found, depth)


def _played(found: Evidence, level: Level, seq: Seq, event: CardPlayed) -> Iterator[int]:
    slots = [cards for slot, cards in level.plays.items() if slot.seq == seq]
    yield slots[0] if slots else lying_in(level, HAND[event.seat]) if level.agrees is not False else 0


Look = Callable[[Evidence, Level, Seq, Any], Iterator[int]]

LOOKS: Final[dict[type, Look]] = {
    HandDealt: _told,
    HandHeld: _told,
    CardsShown: _told,
    CardsDiscarded: _told,
    TalonSeen: _told,
    CardsDrawn: _drawn,
    TalonLaid: _laid,
    TalonTurned: lambda found, level, seq, event: _laid(found, level, seq, TalonLaid((event.card,))),
    CardPlayed: _played,
}
"""Where to look for what the cards of an entry can be."""
