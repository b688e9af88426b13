"""One card of one entry put right: replaced by another, added, or left out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from engine.core.cards import HIDDEN, Card
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
from engine.core.log import Entry, Log
from engine.core.vocabulary import Seq

REPLACED, ADDED, LEFT_OUT = "replaced", "added", "left-out"
"""What can have become of a card on its way into the record."""

LISTING: Final = (HandDealt, HandHeld, CardsShown, CardsDiscarded, CardsDrawn, TalonLaid, TalonSeen)
"""Events that tell of several cards: one too few or too many may have been written."""
SINGLE: Final = (CardPlayed, TalonTurned)
TELLING: Final = (*LISTING, *SINGLE)
"""Events that tell of cards; of a list the only one may be missing."""


class Change(NamedTuple):
    """A card of the entry ``seq`` put right.

    ``kind``: `REPLACED`, `ADDED` or `LEFT_OUT`; ``at``: its place in the entry, for one that is added the
    place where it belongs; ``wrong``: what stands there, None where it is added; ``right``: what belongs
    there, None where it is left out.
    """

    seq: Seq
    kind: str
    at: int
    wrong: Card | None
    right: Card | None

    def to(self, right: Card) -> "Change":
        """The same change with another card put in."""
        return self._replace(right=right)


def cards_of(event: Event) -> tuple[Card, ...]:
    """The cards of which an event tells."""
    if isinstance(event, SINGLE):
        return (event.card,)
    return event.cards if isinstance(event, LISTING) else ()


def put_right(event: Event, change: Change) -> Event:
    """The event with the change made in it."""
    if isinstance(event, SINGLE):
        return replace(event, card=HIDDEN if change.right is None else change.right)
    cards = list(cards_of(event))
    right = [] if change.right is None else [change.right]
    cards[change.at : change.at + (change.kind != ADDED)] = right
    listing: Any = event
    told: Event = replace(listing, cards=tuple(cards))
    return told


def corrected(entries: Log, changes: Iterable[Change]) -> Log:
    """The entries with the changes made, of each entry one at most."""
    by_entry: Mapping[Seq, Change] = {change.seq: change for change in changes}
    return tuple(
        entry._replace(event=put_right(entry.event, by_entry[entry.seq])) if entry.seq in by_entry else entry
        for entry in entries
    )


def open_changes(entry: Entry, *, ordered: bool) -> Iterator[Change]:
    """Every change of an entry, with the card left open that it would put in.

    A hidden card is nobody's misprint, so none is replaced or left out. Where the order of the talon is
    told (``ordered``), a card may be missing anywhere in what was drawn from it; else it is added at the end,
    and of a card that stands there twice either is as good as the other.
    """
    seq, event, _ = entry
    cards = cards_of(event)
    in_order = ordered and isinstance(event, (CardsDrawn, TalonLaid))
    known = [
        (index, card)
        for index, card in enumerate(cards)
        if card != HIDDEN and (in_order or card not in cards[:index])
    ]
    for index, card in known:
        yield Change(seq, REPLACED, index, card, HIDDEN)
    if isinstance(event, LISTING):
        for index in range(0 if in_order else len(cards), len(cards) + 1):
            yield Change(seq, ADDED, index, None, HIDDEN)
        for index, card in known:
            yield Change(seq, LEFT_OUT, index, card, None)
