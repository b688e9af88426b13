"""The kinds of values in events: their type in the engine, and their constraints on the wire."""

from dataclasses import dataclass
from typing import Annotated, Final

from engine.core.cards import Card, Seat

Seq = int | str
"""Where an entry stands in its stream: 1, 2, …; ``"30.1"`` is the first event that the
correction at 30 puts in."""


@dataclass(frozen=True, slots=True)
class FieldKind:
    """The constraints on a value on the wire.

    ``name`` chooses the reader; ``minimum`` and ``maximum`` bound numbers, text lengths and list
    lengths; ``choices`` are the words allowed; ``always_written`` is True for a field that is written
    also when it is empty.
    """

    name: str
    minimum: int = 0
    maximum: int = 0
    choices: tuple[str, ...] = ()
    always_written: bool = False


MAX_INTEGER: Final = 1_000_000_000
"""The largest number in a record."""

Name = Annotated[str, FieldKind("text", minimum=1, maximum=200)]
Text = Annotated[str, FieldKind("text", maximum=20_000)]
Names = Annotated[tuple[str, ...], FieldKind("names", maximum=100)]
Groups = Annotated[tuple[tuple[str, ...], ...], FieldKind("groups", maximum=20)]
Ordinal = Annotated[int, FieldKind("integer", minimum=1, maximum=MAX_INTEGER)]
Count = Annotated[int, FieldKind("integer", maximum=MAX_INTEGER)]
Chips = Annotated[int, FieldKind("integer", minimum=-MAX_INTEGER, maximum=MAX_INTEGER)]
ChipsList = Annotated[tuple[int, ...], FieldKind("integers", maximum=100)]
Flag = Annotated[bool, FieldKind("flag")]
Moment = Annotated[str, FieldKind("moment", maximum=40)]
Date = Annotated[str, FieldKind("date", maximum=10)]
"""A day, a month or a year: ``2026-11-27``, ``2026-11`` or ``2026``."""
EventId = Annotated[str, FieldKind("uuid")]
SeqField = Annotated[Seq, FieldKind("seq")]
Seqs = Annotated[tuple[Seq, ...], FieldKind("seqs", maximum=1000, always_written=True)]
Cards = Annotated[tuple[Card, ...], FieldKind("cards", maximum=40)]
SeatList = Annotated[tuple[Seat, ...], FieldKind("seats", maximum=3)]
SeatCounts = Annotated[tuple[tuple[Seat, int], ...], FieldKind("seat-counts", maximum=MAX_INTEGER)]
"""A number for each of some seats: tricks, points."""
ChipsByName = Annotated[tuple[tuple[str, int], ...], FieldKind("chips-by-name", maximum=100)]
"""Chips to (+) or from (−) seats or players, by name."""
Switches = Annotated[tuple[tuple[str, bool | int | str], ...], FieldKind("switches", maximum=100)]

ALL_OUTCOMES: Final = ("won", "bete", "codille", "passed_out", "abandoned", "forfeited", "voided")
Outcome = Annotated[str, FieldKind("choice", choices=ALL_OUTCOMES)]
SlamResult = Annotated[str, FieldKind("choice", choices=("made", "failed"))]
ClaimAnswer = Annotated[str, FieldKind("choice", choices=("accept", "contest"))]
SurrenderAnswer = Annotated[str, FieldKind("choice", choices=("accept", "forbid"))]
GivenUpAs = Annotated[str, FieldKind("choice", choices=("bete", "codille"))]
Mark = Annotated[str, FieldKind("choice", choices=("!", "?", "!!", "??", "!?", "?!"))]
Basis = Annotated[str, FieldKind("choice", choices=("seen", "told", "reconstructed", "printed"))]
Mode = Annotated[str, FieldKind("choice", choices=("strict", "as_played"))]


@dataclass(frozen=True, slots=True)
class Players:
    """Who sits where in one deal; names or player ids."""

    forehand: Name
    middlehand: Name
    backhand: Name
    sitting_out: Names = ()
    partners: Groups = ()

    def at(self, seat: Seat) -> str:
        """The player at ``seat``."""
        return (self.forehand, self.middlehand, self.backhand)[seat]


@dataclass(frozen=True, slots=True)
class Branch:
    """Where a variation leaves another deal: its stream, the entry, the log's length then."""

    deal: Name
    at: SeqField
    known: Count | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """How long a table means to play: a number of deals, or until a time in words."""

    deals: Ordinal | None = None
    until: Name | None = None
