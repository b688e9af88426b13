"""The vocabulary of a table: an evening's stream around its deals (DESIGN 4)."""

from dataclasses import dataclass
from typing import Final

from engine.core.events import CorrectionMade, Event, GapNoted, NoteAdded
from engine.core.field_types import Chips, Date, Flag, Mode, Name, Names, Ordinal, Plan, Switches, Text


@dataclass(frozen=True, slots=True)
class TableOpened(Event):
    """A table: its rules, its players in the order of play, its plan, what a chip is worth.

    ``chip_value`` is a decimal number above 0 as text ("0.25") in ``currency``, of at most nine digits
    before the point and four after it; any other value gives no money, and a finding says so.
    """

    ruleset: Name
    players: Names
    revision: Ordinal | None = None
    switches: Switches = ()
    plan: Plan | None = None
    chip_value: Name | None = None
    currency: Name | None = None
    mode: Mode | None = None
    title: Name | None = None
    date: Date | None = None


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """A player sits down, at ``place`` (1 is the first in the order of play) or at the end."""

    player: Name
    place: Ordinal | None = None


@dataclass(frozen=True, slots=True)
class PlayerLeft(Event):
    """A player leaves the table."""

    player: Name
    reason: Text | None = None


@dataclass(frozen=True, slots=True)
class SeatsSet(Event):
    """The players round the table in the order of play, and who deals first."""

    players: Names
    dealer: Name | None = None
    drawn: Flag | None = None


@dataclass(frozen=True, slots=True)
class DealStarted(Event):
    """A deal of this table begins: its stream and its number in the evening."""

    deal: Name
    number: Ordinal


@dataclass(frozen=True, slots=True)
class PaymentMade(Event):
    """Chips that one player gave another outside the deals."""

    from_: Name
    to: Name
    amount: Chips
    text: Text | None = None


@dataclass(frozen=True, slots=True)
class PenaltyGiven(Event):
    """Penalty points, kept apart from the chips (RULES 9)."""

    player: Name
    points: Chips
    deal: Name | None = None
    text: Text | None = None


@dataclass(frozen=True, slots=True)
class TableClosed(Event):
    """The evening is over."""

    text: Text | None = None


@dataclass(frozen=True, slots=True)
class TableVoided(Event):
    """The table is set aside: it was opened by mistake, say; it stays in the record and counts nowhere."""

    reason: Text


TABLE_EVENTS: Final[tuple[type[Event], ...]] = (
    TableOpened,
    PlayerJoined,
    PlayerLeft,
    SeatsSet,
    DealStarted,
    PaymentMade,
    PenaltyGiven,
    TableClosed,
    TableVoided,
    CorrectionMade,
    NoteAdded,
    GapNoted,
)
"""What a table's stream may hold; corrections, notes and gaps are shared with deals."""
