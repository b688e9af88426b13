"""``view``: a log cut to what a viewer may know.

Everything shown to somebody is computed from the log cut for him, never filtered
afterwards. Hands open by what was done (``cards_shown``, ``deal_closed``), never because a
computed phase says that the deal is over.
"""

import re
from collections.abc import Callable, Set
from dataclasses import replace
from typing import Any, Final, NamedTuple

from engine.core.cards import HIDDEN, Card, Seat
from engine.core.events import (
    ActionWithdrawn,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    CorrectionMade,
    DealOpened,
    DealVoided,
    Event,
    GapNoted,
    HandDealt,
    HandHeld,
    IrregularityNoted,
    NoteAdded,
    TalonLaid,
    TalonSeen,
    TalonTurned,
)
from engine.core.log import Entry, Log, Record
from engine.core.vocabulary import Seq
from engine.play.history import effective


class Viewer(NamedTuple):
    """Who looks: the seats whose hands he holds, or everything (a recorder, a director).

    ``own`` are the names under which he records himself (`Record.recorded_by`): his notes are no secret
    from him.
    """

    seats: frozenset[Seat] = frozenset()
    everything: bool = False
    own: frozenset[str] = frozenset()

    def asking_for(self, other: "Viewer") -> "Viewer":
        """``other``, as far as this viewer may know what that one knows.

        In a seat of his he still knows his own notes; as the public sees it he does not.
        """
        if self.everything:
            return other
        if other.everything:
            return self
        seats = self.seats & other.seats
        return Viewer(seats, own=self.own if seats else frozenset())


EVERYTHING: Final = Viewer(everything=True)
"""A viewer who may know all: who records the deal, or reads a published one."""
PUBLIC: Final = Viewer()
"""A viewer who may know only what lay open on the table."""


def in_seat(seat: Seat) -> Viewer:
    """The player at ``seat``."""
    return Viewer(frozenset((seat,)))


def view(log: Log, viewer: Viewer) -> Log:
    """``log`` as ``viewer`` may know it: the same entries, with what he may not know cut out.

    Cut are the cards of other hands, discards and draws, the talon's order, and the
    recorder's own words (notes, reasons, the deal's title, his name), which may tell of cards. What
    was said or ruled at the table stays. An entry that was corrected shows its cards to
    nobody: it may have put another's hand in his place. A note that the viewer wrote himself stays as it is.
    """
    if viewer.everything:
        return log
    history = effective(log)
    if history.closed:
        return log
    return tuple(_known(entry, viewer, history.replaced) for entry in log)


def _known(entry: Entry, viewer: Viewer, replaced: Set[Seq]) -> Entry:
    """An entry as ``viewer`` may know it: his own note whole."""
    seq, event, record = entry
    if isinstance(event, NoteAdded) and record.recorded_by in viewer.own:
        return entry
    return Entry(seq, cut(event, viewer, seq, replaced), cut_record(record))


is_id: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}").fullmatch
"""Matches an id, which tells nothing of who it stands for."""


def cut_record(record: Record) -> Record:
    """The bookkeeping without words: an id tells who recorded the entry, and nothing of cards."""
    by = record.recorded_by
    if by is not None and not is_id(by):
        by = None
    return record._replace(recorded_by=by, accounts=None)


def hands_open(log: Log) -> bool:
    """Whether the record has been closed, which lays all hands open for good."""
    return effective(log).closed


def cut(event: Event, viewer: Viewer, seq: Seq, replaced: Set[Seq] = frozenset()) -> Event:
    """One event as ``viewer`` may know it; of ``replaced``, which corrections took away, no card is shown."""
    if isinstance(event, CorrectionMade):
        parts = enumerate(event.with_, 1)
        return replace(
            event, reason="", with_=tuple(cut(part, viewer, f"{seq}.{n}", replaced) for n, part in parts)
        )
    if seq in replaced:
        return _uncovered_by_mistake(event)
    cutting = CUTTINGS.get(type(event))
    return event if cutting is None else cutting(event, viewer)


def _uncovered_by_mistake(event: Event) -> Event:
    """An entry that was wrong, without its cards: they may have been anybody's."""
    if isinstance(event, CardsShown):
        return replace(event, cards=_covered(event.cards), why=None)
    if isinstance(event, (CardPlayed, TalonTurned)):
        return replace(event, card=HIDDEN)
    cutting = CUTTINGS.get(type(event))
    return event if cutting is None else cutting(event, PUBLIC)


def _covered(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return (HIDDEN,) * len(cards)


def _hand(event: HandDealt | HandHeld | CardsDiscarded | CardsDrawn, viewer: Viewer) -> Event:
    return event if event.seat in viewer.seats else replace(event, cards=_covered(event.cards))


def _talon(event: TalonLaid, viewer: Viewer) -> Event:
    return replace(event, cards=_covered(event.cards))


def _seen(event: TalonSeen, viewer: Viewer) -> Event:
    return event if viewer.seats & set(event.seats) else replace(event, cards=_covered(event.cards))


IRREGULARITIES: Final = (
    "revoke", "wrong_seat", "wrong_phase", "bid_too_low", "exchange_count", "exchange_mismatch",
    "exposed_card", "misdeal", "talking", "looked_at_cards",
)  # fmt: skip
"""Kinds of irregularities that tell of no card; any other word is the recorder's own."""


def _called(kind: str) -> str:
    return kind if kind in IRREGULARITIES else "irregularity"


Cutting = Callable[[Any, Viewer], Event]
CUTTINGS: Final[dict[type[Event], Cutting]] = {
    HandDealt: _hand,
    HandHeld: _hand,
    CardsDiscarded: _hand,
    CardsDrawn: _hand,
    TalonLaid: _talon,
    TalonSeen: _seen,
    DealOpened: lambda event, _: replace(event, title=None, source=None),
    NoteAdded: lambda event, _: replace(event, text="", mark=None, author=None),
    DealVoided: lambda event, _: replace(event, reason=""),
    GapNoted: lambda event, _: replace(event, text=None),
    ActionWithdrawn: lambda event, _: replace(event, text=None),
    IrregularityNoted: lambda event, _: replace(event, text=None, kind=_called(event.kind)),
}
"""How each kind of event is cut; a kind that is not here was done or said before everybody."""
