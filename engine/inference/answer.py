"""The answer, card by card: what each hidden card of a record can be, on both levels."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple

from engine.core.cards import BIT, CANDIDATES, SEATS, TALON_SIZE, Card, Seat, cards_in, mask_of
from engine.core.events import (
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
from engine.core.log import Log
from engine.core.vocabulary import Seq
from engine.inference.cases import Level
from engine.inference.claims import Swapped, Told
from engine.inference.evidence import Evidence
from engine.inference.matter import drawings, place_in_talon
from engine.inference.places import HAND, TAKEN, UNDRAWN, Places, place_of


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
    record = _Record(found)
    for seq, event, _ in entries:
        look = LOOKS.get(type(event))
        cards = _cards_of(event)
        if look is None or all(BIT[card] for card in cards):
            continue
        known = mask_of(cards)
        physical, lawful = (list(look(record, level, seq, event)) for level in (found.physical, found.lawful))
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


class _Record:
    """A record that is looked through: what is read off its claims once, and not for every entry again."""

    def __init__(self, found: Evidence) -> None:
        self.found = found
        self.slots = {slot.seq: slot for slot in found.case.slots}
        self.told: dict[Seq, tuple[int, Told]] = {}
        for index, told in enumerate(found.claims.told):
            self.told.setdefault(told.seq, (index, told))
        self._depths: dict[int, int] = {}

    @cached_property
    def laid_beyond(self) -> list[list[int]]:
        """By entry that tells of cards, and by seat, the cards laid there or later that do not count."""
        laid = [0] * len(SEATS)
        found = []
        for one in reversed(self.found.claims.told):
            if one.beyond and one.seat is not None:
                laid[one.seat] |= mask_of(one.cards)
            found.append(list(laid))
        return found[::-1]

    @cached_property
    def talon_places(self) -> list[Places]:
        """By depth in the talon where the card there can have come to lie; the last, of one too many."""
        case = self.found.case
        if not case.whole:
            return [UNDRAWN | sum(TAKEN)] * (TALON_SIZE + 1)
        places = [0] * (TALON_SIZE + 1)
        for sizes in dict.fromkeys(reading.sizes for reading in case.readings):
            swapped = tuple(Swapped(sizes[3 * seat], sizes[3 * seat + 2]) for seat in SEATS)
            for drawing in drawings(case.claims):
                for depth in range(TALON_SIZE + 1):
                    places[depth] |= place_in_talon(depth, drawing, swapped)
        return places

    def at_depth(self, depth: int) -> int:
        """What the claims say of the card at a depth: which it was, or none of those elsewhere."""
        if depth not in self._depths:
            mask = ~0
            for one in self.found.claims.talon:
                if one.depth == depth:
                    mask &= CANDIDATES[one.card]
                else:
                    mask &= ~BIT[one.card]
            self._depths[depth] = mask
        return self._depths[depth]


def _told(record: _Record, level: Level, seq: Seq, event: Any) -> Iterator[int]:
    """Cards of a hand, a discard or what is left of the talon; in the play, those not played before."""
    index, one = record.told[seq]
    mask = lying_in(level, one.places)
    if one.seat is not None and one.trick and one.places == HAND[one.seat]:
        mask = _held_then(record, level, one.seat, one) | record.laid_beyond[index][one.seat]
    return iter([mask] * len(event.cards))


def _held_then(record: _Record, level: Level, seat: Seat, told: Told) -> int:
    """The cards that a seat can have held when ``told`` tells of its hand in the play."""
    mask = level.now[seat]
    for slot, cards in level.plays.items():
        if slot.seat == seat and slot.trick > told.trick:
            mask |= cards
    for card, at in record.found.case.played.items():
        if at.seat == seat and at.counts and at.trick > told.trick:
            mask |= BIT[card]
    return mask


def _drawn(record: _Record, level: Level, seq: Seq, event: CardsDrawn) -> Iterator[int]:
    """Cards drawn, where the talon's order is known the very one that lay there."""
    mask, before = level.places[place_of(event.seat, 2)], _drawn_before(record.found, event.seat)
    for index, _ in enumerate(event.cards):
        yield mask if before is None else mask & record.at_depth(before + index)


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


def _laid(record: _Record, level: Level, seq: Seq, event: TalonLaid) -> Iterator[int]:
    """The talon: each card with those that can come to lie where it goes."""
    for depth, _ in enumerate(event.cards):
        yield lying_in(level, record.talon_places[min(depth, TALON_SIZE)]) & record.at_depth(depth)


def _played(record: _Record, level: Level, seq: Seq, event: CardPlayed) -> Iterator[int]:
    slot = record.slots.get(seq)
    if slot is not None and slot in level.plays:
        yield level.plays[slot]
    else:
        yield lying_in(level, HAND[event.seat]) if level.agrees is not False else 0


Look = Callable[[_Record, Level, Seq, Any], Iterator[int]]

LOOKS: Final[dict[type, Look]] = {
    HandDealt: _told,
    HandHeld: _told,
    CardsShown: _told,
    CardsDiscarded: _told,
    TalonSeen: _told,
    CardsDrawn: _drawn,
    TalonLaid: _laid,
    TalonTurned: lambda record, level, seq, event: _laid(record, level, seq, TalonLaid((event.card,))),
    CardPlayed: _played,
}
"""Where to look for what the cards of an entry can be."""
