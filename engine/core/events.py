"""The vocabulary of a deal: every event, declared once (DESIGN 4).

An event is a fact as the record has it, not a judgement. A trailing underscore only keeps a field's name
apart from a Python keyword.
"""

import re
from dataclasses import dataclass
from typing import Annotated, Final

from engine.core.argument_checks import check_arguments
from engine.core.cards import Card, Seat, Suit
from engine.core.field_types import (
    Branch,
    Cards,
    ChipsByName,
    ChipsList,
    ClaimAnswer,
    Count,
    Date,
    FieldKind,
    Flag,
    GivenUpAs,
    Mark,
    Name,
    Ordinal,
    Outcome,
    Players,
    SeatCounts,
    SeatList,
    SeqField,
    Seqs,
    SlamResult,
    SurrenderAnswer,
    Switches,
    Text,
)


@dataclass(frozen=True, slots=True)
class Event:
    """A fact in the record of a deal or a table."""

    def __post_init__(self) -> None:
        """Raise `TypeError`, naming the argument, if one is not of its type."""
        check_arguments(self)


def type_name(event_class: type[Event]) -> str:
    """The ``type`` of an event class on the wire: ``CardPlayed`` is ``card_played``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event_class.__name__).lower()


@dataclass(frozen=True, slots=True)
class DealOpened(Event):
    """The first event of a deal: the rules in force and who sits where."""

    ruleset: Name
    players: Players
    revision: Ordinal | None = None
    switches: Switches = ()
    dealer: Name | None = None
    pool: Count | None = None
    reserved: ChipsList = ()
    table: Name | None = None
    number: Ordinal | None = None
    board: Ordinal | None = None
    branch: Branch | None = None
    title: Name | None = None
    source: Text | None = None
    date: Date | None = None


@dataclass(frozen=True, slots=True)
class HandDealt(Event):
    """The nine cards dealt to a seat, as far as they are known."""

    seat: Seat
    cards: Cards


@dataclass(frozen=True, slots=True)
class TalonLaid(Event):
    """The thirteen cards of the talon, top first, where the order is known."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class BidMade(Event):
    """A call: ``pass``, ``self`` or a bid's id; ``trump`` if a suit was named before its time."""

    seat: Seat
    bid: Name
    trump: Suit | None = None
    said: Text | None = None


@dataclass(frozen=True, slots=True)
class CardsShown(Event):
    """Cards that a seat shows to all: the black aces, an open nolo hand, a claim."""

    seat: Seat
    cards: Cards
    why: Text | None = None


@dataclass(frozen=True, slots=True)
class HandHeld(Event):
    """A seat's whole hand at this moment, as a source or a post-mortem states it."""

    seat: Seat
    cards: Cards


@dataclass(frozen=True, slots=True)
class ContractNamed(Event):
    """The winner of the auction names the contract and, if there is a choice, the trump suit."""

    seat: Seat
    contract: Name
    trump: Suit | None = None


@dataclass(frozen=True, slots=True)
class TrumpNamed(Event):
    """Trumps named later than the contract (gascarille)."""

    seat: Seat
    trump: Suit


@dataclass(frozen=True, slots=True)
class TalonTurned(Event):
    """The top card of the talon turned up for trumps."""

    card: Card


@dataclass(frozen=True, slots=True)
class ExchangeYielded(Event):
    """A defender lets the other one exchange first; the second one may hand the choice back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TalonSeen(Event):
    """The leftover talon, looked at by ``seats``."""

    cards: Cards
    seats: SeatList


@dataclass(frozen=True, slots=True)
class CardsDiscarded(Event):
    """Cards discarded face down before drawing; none if the player stands."""

    seat: Seat
    cards: Cards


@dataclass(frozen=True, slots=True)
class CardsDrawn(Event):
    """Cards drawn from the top of the talon."""

    seat: Seat
    cards: Cards


@dataclass(frozen=True, slots=True)
class HandTakenOver(Event):
    """Pairs play: another player takes this seat's hand from here on."""

    seat: Seat
    player: Name


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A card played; ``trick`` anchors a record in which entries are missing."""

    seat: Seat
    card: Card
    trick: Ordinal | None = None


@dataclass(frozen=True, slots=True)
class SlamAnnounced(Event):
    """The declarer announces a try for all nine tricks."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TricksClaimed(Event):
    """A seat claims how the tricks will stand when the deal is over: a total for each seat."""

    seat: Seat
    tricks: SeatCounts


@dataclass(frozen=True, slots=True)
class ClaimAnswered(Event):
    """An opponent accepts or contests a claim."""

    seat: Seat
    answer: ClaimAnswer


@dataclass(frozen=True, slots=True)
class DealAbandoned(Event):
    """The declarer gives up and pays as bête or as codille."""

    seat: Seat
    pays: GivenUpAs | None = None


@dataclass(frozen=True, slots=True)
class SurrenderOffered(Event):
    """Ombre offers to surrender (RULES 8)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SurrenderAnswered(Event):
    """An opponent accepts the surrender or forbids it."""

    seat: Seat
    answer: SurrenderAnswer


@dataclass(frozen=True, slots=True)
class ActionWithdrawn(Event):
    """A call or card, really made at the table, is taken back."""

    of: SeqField
    text: Text | None = None


@dataclass(frozen=True, slots=True)
class ResultRecorded(Event):
    """What a slip says about the deal, beyond what the cards show."""

    outcome: Outcome | None = None
    declarer: Seat | None = None
    contract: Name | None = None
    trump: Suit | None = None
    tricks: SeatCounts = ()
    slam: SlamResult | None = None
    primeras: Flag | None = None
    estuches: Count | None = None


@dataclass(frozen=True, slots=True)
class IrregularityNoted(Event):
    """An irregularity is called: by whom, against whom, and of what kind."""

    seat: Seat
    kind: Name
    by_seat: Seat | None = None
    text: Text | None = None


@dataclass(frozen=True, slots=True)
class RulingMade(Event):
    """The director decides."""

    text: Text
    outcome: Outcome | None = None
    at_fault: Seat | None = None
    payments: ChipsByName = ()
    penalty: SeatCounts = ()


@dataclass(frozen=True, slots=True)
class DealVoided(Event):
    """The deal does not count, for example after a misdeal."""

    reason: Text


@dataclass(frozen=True, slots=True)
class PuestaReserved(Event):
    """The loser sets the puesta aside (RULES 8)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CorrectionMade(Event):
    """The entry was wrong: the effective history has ``with`` in place of ``replaces``.

    If it replaces none, ``after`` names the entry that the new ones follow.
    """

    reason: Text
    replaces: Seqs = ()
    after: SeqField | None = None
    with_: Annotated[tuple[Event, ...], FieldKind("events", maximum=1000, always_written=True)] = ()


@dataclass(frozen=True, slots=True)
class GapNoted(Event):
    """Entries are missing here."""

    text: Text | None = None


@dataclass(frozen=True, slots=True)
class NoteAdded(Event):
    """A note on the deal or on one entry."""

    text: Text
    on: SeqField | None = None
    mark: Mark | None = None
    author: Name | None = None


@dataclass(frozen=True, slots=True)
class DealSettled(Event):
    """What was paid at the table: a fact, compared with what the engine computes."""

    payments: ChipsByName


@dataclass(frozen=True, slots=True)
class DealClosed(Event):
    """The record is complete: what was computed then, and by which version."""

    payments: ChipsByName
    engine: Name


DEAL_EVENTS: Final[tuple[type[Event], ...]] = (
    DealOpened,
    HandDealt,
    TalonLaid,
    BidMade,
    CardsShown,
    HandHeld,
    ContractNamed,
    TrumpNamed,
    TalonTurned,
    ExchangeYielded,
    TalonSeen,
    CardsDiscarded,
    CardsDrawn,
    HandTakenOver,
    CardPlayed,
    SlamAnnounced,
    TricksClaimed,
    ClaimAnswered,
    DealAbandoned,
    SurrenderOffered,
    SurrenderAnswered,
    ActionWithdrawn,
    ResultRecorded,
    IrregularityNoted,
    RulingMade,
    DealVoided,
    PuestaReserved,
    CorrectionMade,
    GapNoted,
    NoteAdded,
    DealSettled,
    DealClosed,
)
