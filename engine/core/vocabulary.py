"""The kinds of values that events are made of.

Events are declared once, as frozen dataclasses whose fields are of these kinds. The wire's
schemas and the fast reader of logs are both derived from that declaration: a kind says
what a value is in the engine (the type) and what it may be on the wire (the ``Kind``).
"""

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from engine.core.cards import Card, Seat

Seq = int | str
"""Where an entry stands in its stream: 1, 2, …; ``"30.1"`` is the first event that the
correction at 30 puts in."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a value may be on the wire.

    ``name`` chooses the reader; ``least`` and ``most`` bound numbers, text lengths and list
    lengths; ``choices`` are the words allowed; ``stated`` is True for a field that is written
    also when it is empty.
    """

    name: str
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()
    stated: bool = False


MOST: Final = 1_000_000_000
"""The largest number the record takes."""

Name = Annotated[str, Kind("text", least=1, most=200)]
Text = Annotated[str, Kind("text", most=20_000)]
Names = Annotated[tuple[str, ...], Kind("names", most=100)]
Groups = Annotated[tuple[tuple[str, ...], ...], Kind("groups", most=20)]
Ordinal = Annotated[int, Kind("integer", least=1, most=MOST)]
Count = Annotated[int, Kind("integer", most=MOST)]
Chips = Annotated[int, Kind("integer", least=-MOST, most=MOST)]
ChipsList = Annotated[tuple[int, ...], Kind("integers", most=100)]
Flag = Annotated[bool, Kind("flag")]
Moment = Annotated[str, Kind("moment", most=40)]
EventId = Annotated[str, Kind("uuid")]
SeqField = Annotated[Seq, Kind("seq")]
Seqs = Annotated[tuple[Seq, ...], Kind("seqs", most=1000, stated=True)]
Cards = Annotated[tuple[Card, ...], Kind("cards", most=40)]
SeatList = Annotated[tuple[Seat, ...], Kind("seats", most=3)]
SeatCounts = Annotated[tuple[tuple[Seat, int], ...], Kind("seat-counts", most=MOST)]
"""A number for each of some seats: tricks, points."""
ChipsByName = Annotated[tuple[tuple[str, int], ...], Kind("chips-by-name", most=100)]
"""Chips to (+) or from (−) seats or players, by name."""
Switches = Annotated[tuple[tuple[str, bool | int | str], ...], Kind("switches", most=100)]

SeatName = Literal["forehand", "middlehand", "backhand"]
ALL_OUTCOMES: Final = ("won", "bete", "codille", "passed_out", "abandoned", "forfeited", "voided")
Outcome = Annotated[str, Kind("choice", choices=ALL_OUTCOMES)]
SlamResult = Annotated[str, Kind("choice", choices=("made", "failed"))]
ClaimAnswer = Annotated[str, Kind("choice", choices=("accept", "contest"))]
SurrenderAnswer = Annotated[str, Kind("choice", choices=("accept", "forbid"))]
GivenUpAs = Annotated[str, Kind("choice", choices=("bete", "codille"))]
Mark = Annotated[str, Kind("choice", choices=("!", "?", "!!", "??", "!?", "?!"))]
Basis = Annotated[str, Kind("choice", choices=("seen", "told", "reconstructed", "printed"))]
Mode = Annotated[str, Kind("choice", choices=("strict", "as_played"))]


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
