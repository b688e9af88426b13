"""One card of one entry put right: replaced by another, added, or left out."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from engine.core.cards import HIDDEN_CARD, Card
from engine.core.events import CardsDrawn, Event, TalonLaid
from engine.core.field_types import Seq
from engine.core.log import Entry, Log
from engine.inference.claims import CARD_LIST_EVENTS, SINGLE_CARD_EVENTS, cards_of_event

REPLACED, ADDED, LEFT_OUT = "replaced", "added", "left-out"
"""What can have become of a card on its way into the record."""

CARD_EVENTS: Final = (*CARD_LIST_EVENTS, *SINGLE_CARD_EVENTS)
"""Events that tell of cards; of a list the only one may be missing."""


class CardChange(NamedTuple):
    """A card of the entry ``seq`` put right.

    ``kind``: `REPLACED`, `ADDED` or `LEFT_OUT`; ``position``: its place in the entry, for one that is added
    the place where it belongs; ``wrong_card``: what stands there, None where it is added; ``right_card``:
    what belongs there, None where it is left out.
    """

    seq: Seq
    kind: str
    position: int
    wrong_card: Card | None
    right_card: Card | None


def apply_change(event: Event, change: CardChange) -> Event:
    """The event with the change made in it."""
    if isinstance(event, SINGLE_CARD_EVENTS):
        return replace(event, card=HIDDEN_CARD if change.right_card is None else change.right_card)
    cards = list(cards_of_event(event))
    right = [] if change.right_card is None else [change.right_card]
    cards[change.position : change.position + (change.kind != ADDED)] = right
    listing: Any = event
    changed: Event = replace(listing, cards=tuple(cards))
    return changed


def apply_changes(entries: Log, changes: Iterable[CardChange]) -> Log:
    """The entries with the changes made, of each entry one at most."""
    by_entry = {change.seq: change for change in changes}
    return tuple(
        entry._replace(event=apply_change(entry.event, change))
        if (change := by_entry.get(entry.seq)) is not None
        else entry
        for entry in entries
    )


def list_open_changes(entry: Entry, *, is_talon_ordered: bool) -> Iterator[CardChange]:
    """Yield every change of an entry, leaving open the card that it puts in.

    A hidden card is never a misprint, so none is replaced or left out. If the talon's order is recorded
    (``is_talon_ordered``), a card may be missing anywhere among those drawn from it; otherwise one is added
    at the end, and of a card that appears twice only the first is changed, as either would do.
    """
    seq, event, _ = entry
    cards = cards_of_event(event)
    in_order = is_talon_ordered and isinstance(event, (CardsDrawn, TalonLaid))
    known = [
        (index, card)
        for index, card in enumerate(cards)
        if card != HIDDEN_CARD and (in_order or card not in cards[:index])
    ]
    for index, card in known:
        yield CardChange(seq, REPLACED, index, card, HIDDEN_CARD)
    if isinstance(event, CARD_LIST_EVENTS):
        for index in range(0 if in_order else len(cards), len(cards) + 1):
            yield CardChange(seq, ADDED, index, None, HIDDEN_CARD)
        for index, card in known:
            yield CardChange(seq, LEFT_OUT, index, card, None)
