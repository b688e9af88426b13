"""Which events of a log somebody may know in full: of the others a proof shows him the commitment alone.

And what a line of an export may still say of such an event, where nothing proves what it says.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine import Log, Viewer, view
from engine.core.cards import HIDDEN, Card, read_card
from engine.core.events import CardPlayed, CardsShown, CorrectionMade, Event, TalonTurned
from engine.core.log import Entry
from engine.view import CUTTINGS, PUBLIC, cut, cut_record

A_CARD: Final = read_card("SA")


def open_to(log: Log, viewer: Viewer) -> frozenset[int]:
    """The seqs of the entries of which nothing is cut for that viewer. ``log`` is the whole log, as ever.

    Whether a card that he may not know was recorded or not makes no difference: else a proof would tell.
    """
    as_if_known = tuple(entry._replace(event=_with_cards(entry.event)) for entry in log)
    both = zip(as_if_known, view(as_if_known, viewer), strict=True)
    return frozenset(place for place, (entry, left) in enumerate(both, 1) if entry == left)


def _with_cards(event: Event) -> Event:
    """The event with some card for each that nobody recorded."""
    if isinstance(event, CorrectionMade):
        return replace(event, with_=tuple(map(_with_cards, event.with_)))
    if isinstance(event, CardPlayed | TalonTurned):
        return replace(event, card=A_CARD) if event.card == HIDDEN else event
    cards: tuple[Card, ...] = getattr(event, "cards", ())
    if HIDDEN not in cards:
        return event
    known = tuple(A_CARD if card == HIDDEN else card for card in cards)
    return replace(event, **{"cards": known})


def is_cut(entry: Entry) -> bool:
    """Whether an entry is what `view` leaves of one of which something was cut.

    No card of it lies open that was not laid before everybody, and none of the recorder's own words stands in
    it. What only the bookkeeping could have lost says all that it ever said: it is not such an entry.
    """
    seq, event, record = entry
    if record != cut_record(record):
        return False
    if isinstance(event, CardPlayed | TalonTurned):
        return event.card == HIDDEN
    if isinstance(event, CardsShown):
        return HIDDEN in event.cards and event == cut(event, PUBLIC, seq, frozenset((seq,)))
    if type(event) not in CUTTINGS and not isinstance(event, CorrectionMade):
        return False
    return getattr(event, "cards", (HIDDEN,)) != () and event == cut(event, PUBLIC, seq)
