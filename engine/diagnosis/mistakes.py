"""Mistakes of the pen, and where in a deal one may have been made (RULES 9)."""

from itertools import accumulate
from typing import Final, NamedTuple

from engine.audit import Audit
from engine.core.cards import CARD_BITS, SEATS, Seat
from engine.core.events import CardPlayed, CorrectionMade, Event
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.core.message import Message, format_message
from engine.fold import evolve
from engine.play.findings import FAULT_SEVERITIES, Finding, Findings, build_finding
from engine.play.state import State, initial_state

RULE: Final = "9. Record"
OUT_OF_PLACE_CODES: Final = frozenset(
    (
        "wrong_seat",
        "revoke",
        "bid_not_allowed",
        "card_not_held",
        "card_duplicated",
        "exchange_not_allowed",
        "exchange_mismatch",
    )
)
"""Codes of findings on an act recorded for another seat, or after a missing entry."""
PLAY_FAULT_CODES: Final = frozenset(("revoke", "wrong_seat"))
"""Codes of findings that other trumps explain."""
MIN_EXPLAINED: Final = 2
"""How many findings a mistake must explain if one alone may well be a real fault."""
MAX_CARDS_PLAYED: Final = 27
"""The cards played in a whole deal."""


class Mistake(NamedTuple):
    """A mistake of the pen: the finding at the wrong entry, and the corrections that fix it.

    Every hypothesis about a record is one: a wrong entry, a wrong card, or an alternative to a fault.
    """

    finding: Finding
    corrections: tuple[CorrectionMade, ...]

    def as_warning(self, message: Message) -> "Mistake":
        """The mistake as a possibility."""
        return self._replace(finding=self.finding._replace(message=message, severity="warning"))


def build_mistake(
    code: str,
    reason: Message,
    replaced: Log,
    *corrected: Event,
    evidence: tuple[Seq, ...] = (),
    seat: Seat | None = None,
    found_at: int = 0,
) -> Mistake:
    """The mistake that ``replaced`` stands where ``corrected`` belongs, reported at ``found_at`` of these."""
    seqs = tuple(entry.seq for entry in replaced)
    finding = build_finding(seqs[found_at], code, reason, RULE, seat=seat, evidence=evidence)
    return Mistake(finding, (CorrectionMade(reason, seqs, None, corrected),))


def describe_substitution(entry: Seq, wrong: str, right: str) -> Message:
    """That an entry has one thing in place of another."""
    return format_message(
        "Entry {entry} has {wrong} instead of {right}.", entry=entry, wrong=wrong, right=right
    )


FaultKey = tuple[Seq, str, Seat | None]
"""A fault's entry, code and seat, by which it is recognized after corrections elsewhere."""


def fault_key(one: Finding) -> FaultKey:
    """The key of a finding."""
    return one.seq, one.code, one.seat


def grave_faults(findings: Findings) -> set[FaultKey]:
    """The keys of all grave findings."""
    return {fault_key(one) for one in findings if one.severity in FAULT_SEVERITIES}


class SuspectedMistake(NamedTuple):
    """A mistake that may have been made.

    ``min_explained``: the fewest findings it must remove; ``min_cleared_seats``: the fewest seats it must
    clear of all grave findings, unless it removes an act out of turn. ``open_variant``: the same mistake with
    the missing part left open, for when several cards or places fit equally well; these share ``group``.
    ``must_clear_play``: no revoke or act out of turn may remain, and the mistake must remove both kinds, or
    clear ``min_cleared_seats`` seats.
    """

    mistake: Mistake
    min_explained: int = 1
    min_cleared_seats: int = 1
    open_variant: Mistake | None = None
    group: tuple[Seq, ...] = ()
    must_clear_play: bool = False


class FaultTimeline:
    """The entries of a deal, with the positions at which somebody seems to act out of place."""

    def __init__(self, deal_audit: Audit) -> None:
        self.entries = deal_audit.history.entries
        self.findings_by_entry: dict[Seq, list[Finding]] = {}
        for one in deal_audit.findings:
            if one.code in OUT_OF_PLACE_CODES:
                self.findings_by_entry.setdefault(one.seq, []).append(one)
        self.fault_positions = [
            index for index, entry in enumerate(self.entries) if entry.seq in self.findings_by_entry
        ]
        # A revoke is shown by later cards, which may be those of another seat.
        self.act_positions = [index for index in self.fault_positions if self.codes_at(index) - {"revoke"}]
        premature_seqs = {one.seq for one in deal_audit.findings if one.code == "wrong_phase"}
        self.premature_positions = [
            index for index, entry in enumerate(self.entries) if entry.seq in premature_seqs
        ]
        self.plays_by_seat = count_plays_by_seat(self.entries)
        positions = (self.fault_positions, self.act_positions, self.premature_positions)
        self.states: list[State] = []
        if any(positions):
            first = max(found[0] for found in positions if found)
            first_state = initial_state(deal_audit.state.opening.book)
            self.states = list(accumulate(self.entries[:first], evolve, initial=first_state))

    def codes_at(self, index: int) -> set[str]:
        """The codes of the findings at a position."""
        return {one.code for one in self.findings_by_entry[self.entries[index].seq]}


def are_all_cards_played(entries: Log) -> bool:
    """Whether so many cards were played that none can be missing."""
    return sum(count_plays_by_seat(entries)) >= MAX_CARDS_PLAYED


def count_plays_by_seat(entries: Log) -> list[int]:
    """By seat the number of cards recorded as played."""
    seats = [entry.event.seat for entry in entries if isinstance(entry.event, CardPlayed)]
    return [seats.count(seat) for seat in SEATS]


def played_cards_mask(entries: Log) -> int:
    """A mask of the known cards played in these entries."""
    cards = (CARD_BITS[entry.event.card] for entry in entries if isinstance(entry.event, CardPlayed))
    return sum(set(cards))
