"""``view``: reduces a log to what a viewer may know. Everything the viewer sees is computed from that.

Hands open by an event (``cards_shown``, ``deal_closed``), never because of the phase of the deal.
"""

import re
from collections.abc import Callable, Set
from dataclasses import replace
from typing import Any, Final, NamedTuple

from engine.core import events
from engine.core.cards import HIDDEN_CARD, Card, Seat
from engine.core.events import Event
from engine.core.field_types import Seq
from engine.core.log import Entry, EntryMetadata, Log
from engine.play.history import effective


class Viewer(NamedTuple):
    """A viewer: the seats whose hands they hold, or everything (a recorder, a director).

    ``own_names`` are the names under which they record (`EntryMetadata.recorded_by`): their own notes are not
    hidden from them.
    """

    seats: frozenset[Seat] = frozenset()
    sees_everything: bool = False
    own_names: frozenset[str] = frozenset()

    def restrict(self, other: "Viewer") -> "Viewer":
        """``other``, limited to what this viewer may know.

        Players still see their own notes from their own seats; in the public view they do not.
        """
        if self.sees_everything:
            return other
        if other.sees_everything:
            return self
        seats = self.seats & other.seats
        return Viewer(seats, own_names=self.own_names if seats else frozenset())


FULL_VIEWER: Final = Viewer(sees_everything=True)
"""A viewer who may know everything: the recorder, or a reader of a published deal."""
PUBLIC_VIEWER: Final = Viewer()
"""A viewer who may know only what lay open on the table."""


def seat_viewer(seat: Seat) -> Viewer:
    """The player at ``seat``."""
    return Viewer(frozenset((seat,)))


def view(log: Log, viewer: Viewer) -> Log:
    """``log`` as ``viewer`` may know it: the same entries, without what the viewer may not know.

    Removed are the cards of other hands, discards and draws, the talon's order, and the recorder's own words
    and name, which may reveal cards; the viewer's own notes stay. A corrected entry shows its cards to
    nobody: they may be another hand's.
    """
    if viewer.sees_everything:
        return log
    history = effective(log)
    if history.is_closed:
        return log
    return tuple(_redact_entry(entry, viewer, history.replaced_seqs) for entry in log)


def _redact_entry(entry: Entry, viewer: Viewer, replaced_seqs: Set[Seq]) -> Entry:
    """An entry as ``viewer`` may know it; the viewer's own note stays complete."""
    seq, event, record = entry
    if isinstance(event, events.NoteAdded) and record.recorded_by in viewer.own_names:
        return entry
    return Entry(seq, redact_event(event, viewer, seq, replaced_seqs), redact_metadata(record))


is_uuid: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}").fullmatch
"""Matches an id, which does not reveal who it stands for."""


def redact_metadata(record: EntryMetadata) -> EntryMetadata:
    """The bookkeeping without free text: an id says who recorded the entry, and nothing about cards."""
    by = record.recorded_by
    if by is not None and not is_uuid(by):
        by = None
    return record._replace(recorded_by=by, accounts=None)


def are_hands_open(log: Log) -> bool:
    """Whether the record has been closed, which opens all hands permanently."""
    return effective(log).is_closed


def redact_event(event: Event, viewer: Viewer, seq: Seq, replaced_seqs: Set[Seq] = frozenset()) -> Event:
    """One event as ``viewer`` may know it; events in ``replaced_seqs``, which corrections removed, show no
    cards."""
    if isinstance(event, events.CorrectionMade):
        parts = enumerate(event.with_, 1)
        return replace(
            event,
            reason="",
            with_=tuple(redact_event(part, viewer, f"{seq}.{n}", replaced_seqs) for n, part in parts),
        )
    if seq in replaced_seqs:
        return _redact_replaced_event(event)
    cutting = REDACTIONS.get(type(event))
    return event if cutting is None else cutting(event, viewer)


def _redact_replaced_event(event: Event) -> Event:
    """A corrected entry, without its cards: they may have been in any hand."""
    if isinstance(event, events.CardsShown):
        return replace(event, cards=_hide_cards(event.cards), why=None)
    if isinstance(event, (events.CardPlayed, events.TalonTurned)):
        return replace(event, card=HIDDEN_CARD)
    cutting = REDACTIONS.get(type(event))
    return event if cutting is None else cutting(event, PUBLIC_VIEWER)


def _hide_cards(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return (HIDDEN_CARD,) * len(cards)


def _redact_hand(
    event: events.HandDealt | events.HandHeld | events.CardsDiscarded | events.CardsDrawn, viewer: Viewer
) -> Event:
    return event if event.seat in viewer.seats else replace(event, cards=_hide_cards(event.cards))


def _redact_talon(event: events.TalonLaid, viewer: Viewer) -> Event:
    return replace(event, cards=_hide_cards(event.cards))


def _redact_talon_seen(event: events.TalonSeen, viewer: Viewer) -> Event:
    return event if viewer.seats & set(event.seats) else replace(event, cards=_hide_cards(event.cards))


PUBLIC_IRREGULARITY_KINDS: Final = (
    "revoke", "wrong_seat", "wrong_phase", "bid_too_low", "exchange_count", "exchange_mismatch",
    "exposed_card", "misdeal", "talking", "looked_at_cards",
)  # fmt: skip
"""Kinds of irregularities that reveal no card; any other word is the recorder's own."""


def _public_irregularity_kind(kind: str) -> str:
    return kind if kind in PUBLIC_IRREGULARITY_KINDS else "irregularity"


Redaction = Callable[[Any, Viewer], Event]
REDACTIONS: Final[dict[type[Event], Redaction]] = {
    events.HandDealt: _redact_hand,
    events.HandHeld: _redact_hand,
    events.CardsDiscarded: _redact_hand,
    events.CardsDrawn: _redact_hand,
    events.TalonLaid: _redact_talon,
    events.TalonSeen: _redact_talon_seen,
    events.DealOpened: lambda event, _: replace(event, title=None, source=None),
    events.NoteAdded: lambda event, _: replace(event, text="", mark=None, author=None),
    events.DealVoided: lambda event, _: replace(event, reason=""),
    events.GapNoted: lambda event, _: replace(event, text=None),
    events.ActionWithdrawn: lambda event, _: replace(event, text=None),
    events.IrregularityNoted: lambda event, _: replace(
        event, text=None, kind=_public_irregularity_kind(event.kind)
    ),
}
"""How each kind of event is redacted; other kinds were public at the table."""
