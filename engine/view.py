"""``view``: a log cut to what a viewer may know.

Everything shown to somebody is computed from the log cut for him, never filtered
afterwards. Hands open by what was done (``cards_shown``, ``deal_closed``), never because a
computed phase says that the deal is over.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, NamedTuple

from engine.cards import HIDDEN, Card, Seat
from engine.events import (
    ActionWithdrawn,
    CardsDiscarded,
    CardsDrawn,
    CorrectionMade,
    DealOpened,
    Event,
    GapNoted,
    HandDealt,
    HandHeld,
    IrregularityNoted,
    NoteAdded,
    TalonLaid,
    TalonSeen,
)
from engine.history import effective
from engine.log import Entry, Log
from engine.vocabulary import Seq


class Viewer(NamedTuple):
    """Who looks: the seats whose hands he holds, or everything (a recorder, a director)."""

    seats: frozenset[Seat] = frozenset()
    everything: bool = False


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
    recorder's own words (notes, reasons, the deal's title), which may tell of cards. What
    was said or ruled at the table stays. An entry that was corrected shows its cards to
    nobody: it may have put another's hand in his place.
    """
    if viewer.everything:
        return log
    history = effective(log)
    if history.closed:
        return log
    standing = None if history.entries is log else {entry.seq for entry in history.entries}
    return tuple(Entry(seq, cut(event, viewer, seq, standing), record) for seq, event, record in log)


def hands_open(log: Log) -> bool:
    """Whether the record has been closed, which lays all hands open for good."""
    return effective(log).closed


def cut(event: Event, viewer: Viewer, seq: Seq, standing: set[Seq] | None = None) -> Event:
    """One event as ``viewer`` may know it; ``standing`` are the entries that nothing has replaced."""
    if isinstance(event, CorrectionMade):
        parts = enumerate(event.with_, 1)
        return replace(
            event, reason="", with_=tuple(cut(part, viewer, f"{seq}.{n}", standing) for n, part in parts)
        )
    cutting = CUTTINGS.get(type(event))
    if cutting is None:
        return event
    return cutting(event, viewer if standing is None or seq in standing else PUBLIC)


def _covered(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return (HIDDEN,) * len(cards)


def _hand(event: HandDealt | HandHeld | CardsDiscarded | CardsDrawn, viewer: Viewer) -> Event:
    return event if event.seat in viewer.seats else replace(event, cards=_covered(event.cards))


def _talon(event: TalonLaid, viewer: Viewer) -> Event:
    return replace(event, cards=_covered(event.cards))


def _seen(event: TalonSeen, viewer: Viewer) -> Event:
    return event if viewer.seats & set(event.seats) else replace(event, cards=_covered(event.cards))


Cutting = Callable[[Any, Viewer], Event]
CUTTINGS: Final[dict[type[Event], Cutting]] = {
    HandDealt: _hand,
    HandHeld: _hand,
    CardsDiscarded: _hand,
    CardsDrawn: _hand,
    TalonLaid: _talon,
    TalonSeen: _seen,
    DealOpened: lambda event, _: replace(event, title=None, source=None),
    NoteAdded: lambda event, _: replace(event, text=""),
    GapNoted: lambda event, _: replace(event, text=None),
    ActionWithdrawn: lambda event, _: replace(event, text=None),
    IrregularityNoted: lambda event, _: replace(event, text=None),
}
"""How each kind of event is cut; a kind that is not here was done or said before everybody."""
